// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about one call or task: which timers are armed in firing order, and where its time and tries went.
#pragma once

#include "trace/tracestore.h"

#include <array>

namespace Waitscope {

// Armed timers that can end `span` or something in it: those of its subtree and of everything above it, in firing order
// by effectiveDue; at equal times in order of arming.
[[nodiscard]] std::vector<ShownTimer> armedTimersOf(const TraceStore &store, SpanId span);

struct Totals {
    int tasks = 0;
    int rounds = 0;
    int execs = 0;
    int execAttempts = 0;
    int sessionRuns = 0;
    int requests = 0;   // all of them, reconnects included
    int reconnects = 0; // a stale connection replaced: not charged to any budget
    int sent = 0;       // requests whose first byte was handed over
    int backoffs = 0;
    std::array<Duration, 5> attempts{}; // by Layer: time inside task, exec attempt, session run, request, phases
    std::array<Duration, 5> backoff{};  // by Layer: who slept
    std::array<Duration, 9> phases{};   // by Phase

    [[nodiscard]] Duration backoffTotal() const noexcept;
};

// Of a span with everything below it; open spans count up to `now`.
[[nodiscard]] Totals totalsOf(const TraceStore &store, SpanId span, Instant now);
[[nodiscard]] Totals totalsOfAll(const TraceStore &store, Instant now);

} // namespace Waitscope
