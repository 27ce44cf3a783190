// SPDX-License-Identifier: GPL-3.0-or-later
// The counts of a run, kept up as its events happen: what a simulation of ten thousand runs keeps of each.
#pragma once

#include "base/ids.h"
#include "event/event.h"

#include <algorithm>
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

class EventCounter
{
public:
    void began(SpanKind kind, Layer layer, SpanId id, Instant at)
    {
        switch (kind) {
        case SpanKind::Request:
            ++m_counts.requests;
            break;
        case SpanKind::Exec:
            ++m_counts.execs;
            break;
        case SpanKind::ExecAttempt:
            ++m_counts.execAttempts;
            break;
        case SpanKind::SessionRun:
            ++m_counts.sessionRuns;
            break;
        case SpanKind::Backoff:
            m_sleeping.push_back({id, layer, at});
            break;
        case SpanKind::Task:
        case SpanKind::Work:
        case SpanKind::Round:
        case SpanKind::Phase:
        case SpanKind::Orphan:
            break;
        }
    }

    void ended(SpanId id, Instant at)
    {
        const auto it = std::ranges::find(m_sleeping, id, &Sleeping::id);
        if (it == m_sleeping.end())
            return;
        m_counts.backoff[static_cast<size_t>(it->layer)] += at - it->since;
        *it = m_sleeping.back();
        m_sleeping.pop_back();
    }

    void marked(MarkKind kind)
    {
        m_counts.sent += kind == MarkKind::SendBegan;
        m_counts.connects += kind == MarkKind::Connected;
    }

    void armed(TimerKind kind, TimerId id)
    {
        if (kind == TimerKind::Watchdog)
            m_watchdogTimers.push_back(id);
    }

    void fired(TimerId id)
    {
        if (!m_watchdogTimers.empty())
            m_counts.watchdogs += static_cast<qint64>(std::erase(m_watchdogTimers, id));
    }

    void count(const Event &event);

    [[nodiscard]] const RunCounts &counts() const noexcept { return m_counts; }

private:
    struct Sleeping {
        SpanId id;
        Layer layer;
        Instant since;
    };
    RunCounts m_counts;
    // Under way: a chain sleeps in one layer at a time, tasks side by side in several.
    std::vector<Sleeping> m_sleeping;
    std::vector<TimerId> m_watchdogTimers;
};

} // namespace Waitscope
