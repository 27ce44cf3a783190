// SPDX-License-Identifier: GPL-3.0-or-later
// Armed timers as shapes on the time axis: countdown bars under their owner's row, lines over their task's rows.
#pragma once

#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

// From the present to the firing; `slot` 0 fires first.
struct TimerBar {
    TimerId id;
    SpanId owner;
    LaneId lane;
    TimerKind kind = TimerKind::Total;
    bool clamped = false;
    Instant due;
    int slot = 0;
    friend bool operator==(const TimerBar &, const TimerBar &) = default;
};

// Watchdog, deadline and hard cap.
struct TimerLine {
    TimerId id;
    SpanId owner;
    LaneId lane; // the owner's
    TimerKind kind = TimerKind::Deadline;
    Instant at;  // due, or when it fired
    Duration value{};
    bool fired = false;
    friend bool operator==(const TimerLine &, const TimerLine &) = default;
};

[[nodiscard]] bool isLine(TimerKind kind);
[[nodiscard]] TimerLine lineOf(const ShownTimer &timer, LaneId lane);

struct TimerShapes {
    std::vector<TimerBar> bars; // by lane, owner and slot
    std::vector<TimerLine> lines;
    friend bool operator==(const TimerShapes &, const TimerShapes &) = default;
};

[[nodiscard]] TimerShapes armedShapes(const TraceStore &store);

} // namespace Waitscope
