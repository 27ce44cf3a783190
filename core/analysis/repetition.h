// SPDX-License-Identifier: GPL-3.0-or-later
// Tries that fail alike: where one more of the same cannot end otherwise.
#pragma once

#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

// Of the last requests of one task, oldest first. The sentence, translated; empty = nothing repeats itself.
[[nodiscard]] QString repetitionIn(const TraceStore &store, const std::vector<SpanInfo> &requests);

} // namespace Waitscope
