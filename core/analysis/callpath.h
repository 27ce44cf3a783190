// SPDX-License-Identifier: GPL-3.0-or-later
// The way from a task down to what it waits for, or to what it tried last.
#pragma once

#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

// The outermost span above; the span itself when nothing is above it, none for an unknown one.
[[nodiscard]] SpanId rootOf(const TraceStore &store, SpanId span);

// Open spans from the root inward; empty when the root has ended. What an abandoned call still does stands below its orphan.
[[nodiscard]] std::vector<SpanInfo> openPath(const TraceStore &store, SpanId root);

// From the root to the last request (or as far as it came), sleeps left aside.
[[nodiscard]] std::vector<SpanInfo> lastPath(const TraceStore &store, SpanId root);

// The last requests below `root`, oldest first, at most `most`.
[[nodiscard]] std::vector<SpanInfo> lastRequests(const TraceStore &store, SpanId root, size_t most);

// The timer that fired last within these spans; ends of sleeps do not count.
[[nodiscard]] std::optional<ShownTimer> lastFiring(const TraceStore &store, const std::vector<SpanInfo> &path);

} // namespace Waitscope
