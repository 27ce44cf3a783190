// SPDX-License-Identifier: GPL-3.0-or-later
// What stands out in a call beyond how it goes or went: signatures of faults that no single failure names.
#pragma once

#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

// Each a translated sentence with what it suggests; `path` leads from the task to its last request. Bounded work, whatever
// the trace's size: the last few dozen requests of the task, and the last thousand spans before it.
[[nodiscard]] QStringList findingsOf(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now);

} // namespace Waitscope
