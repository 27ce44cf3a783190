// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/eventcounter.h"

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

void EventCounter::count(const Event &event)
{
    if (const auto *begin = std::get_if<SpanBegan>(&event))
        began(begin->kind, begin->layer, begin->id, begin->at);
    else if (const auto *end = std::get_if<SpanEnded>(&event))
        ended(end->id, end->at);
    else if (const auto *mark = std::get_if<Marked>(&event))
        marked(mark->kind);
    else if (const auto *arm = std::get_if<TimerArmed>(&event))
        armed(arm->kind, arm->id);
    else if (const auto *firing = std::get_if<TimerFired>(&event))
        fired(firing->id);
}

} // namespace Waitscope
