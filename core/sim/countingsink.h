// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what happened instead of keeping it: the sink of simulations with many runs.
#pragma once

#include "event/sink.h"

#include <array>
#include <vector>

namespace Waitscope {

struct RunCounts {
    qint64 requests = 0;     // begun, reconnects included
    qint64 sent = 0;         // whose sending began: what a server may count
    qint64 connects = 0;     // that were established
    qint64 execs = 0;
    qint64 execAttempts = 0;
    qint64 sessionRuns = 0;
    qint64 watchdogs = 0;    // watchdog firings
    std::array<Duration, 5> backoff{}; // slept, by Layer

    [[nodiscard]] Duration backoffTotal() const noexcept;
    RunCounts &operator+=(const RunCounts &other) noexcept;
};

// Forwards to `next` when there is one.
class CountingSink final : public EventSink
{
public:
    explicit CountingSink(EventSink *next = nullptr) noexcept
        : m_next(next)
    {
    }
    void write(const Event &event) override;
    [[nodiscard]] const RunCounts &counts() const noexcept { return m_counts; }

private:
    EventSink *m_next;
    RunCounts m_counts;
    // A sleep that is under way, by layer: a chain sleeps in one layer at a time, tasks side by side in several.
    std::vector<std::pair<SpanId, std::pair<Layer, Instant>>> m_sleeping;
    std::vector<TimerId> m_watchdogTimers;
};

} // namespace Waitscope
