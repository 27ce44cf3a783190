// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/countingsink.h"

#include <algorithm>
#include <numeric>

namespace Waitscope {

Duration RunCounts::backoffTotal() const noexcept
{
    return std::accumulate(backoff.begin(), backoff.end(), Duration::zero());
}

RunCounts &RunCounts::operator+=(const RunCounts &other) noexcept
{
    requests += other.requests;
    sent += other.sent;
    connects += other.connects;
    execs += other.execs;
    execAttempts += other.execAttempts;
    sessionRuns += other.sessionRuns;
    watchdogs += other.watchdogs;
    for (size_t i = 0; i < backoff.size(); ++i)
        backoff[i] += other.backoff[i];
    return *this;
}

void CountingSink::write(const Event &event)
{
    if (const auto *began = std::get_if<SpanBegan>(&event)) {
        switch (began->kind) {
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
            m_sleeping.emplace_back(began->id, std::pair(began->layer, began->at));
            break;
        case SpanKind::Task:
        case SpanKind::Work:
        case SpanKind::Round:
        case SpanKind::Phase:
        case SpanKind::Orphan:
            break;
        }
    } else if (const auto *ended = std::get_if<SpanEnded>(&event)) {
        const auto it = std::ranges::find(m_sleeping, ended->id, &decltype(m_sleeping)::value_type::first);
        if (it != m_sleeping.end()) {
            m_counts.backoff[static_cast<size_t>(it->second.first)] += ended->at - it->second.second;
            *it = m_sleeping.back();
            m_sleeping.pop_back();
        }
    } else if (const auto *mark = std::get_if<Marked>(&event)) {
        m_counts.sent += mark->kind == MarkKind::SendBegan;
        m_counts.connects += mark->kind == MarkKind::Connected;
    } else if (const auto *armed = std::get_if<TimerArmed>(&event)) {
        if (armed->kind == TimerKind::Watchdog)
            m_watchdogTimers.push_back(armed->id);
    } else if (const auto *fired = std::get_if<TimerFired>(&event)) {
        m_counts.watchdogs += std::erase(m_watchdogTimers, fired->id) > 0;
    }
    if (m_next)
        m_next->write(event);
}

} // namespace Waitscope
