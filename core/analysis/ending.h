// SPDX-License-Identifier: GPL-3.0-or-later
// How a task ended, in one sentence, and what a person should do now, by reason.
#pragma once

#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

// `path` is lastPath() of the ended task, which it begins with.
[[nodiscard]] QString endingSentence(const TraceStore &store, const std::vector<SpanInfo> &path);
[[nodiscard]] QString adviceFor(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now);

} // namespace Waitscope
