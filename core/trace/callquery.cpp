// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/callquery.h"

#include <algorithm>
#include <numeric>

namespace Waitscope {

namespace {

void add(Totals &totals, const TraceStore &store, SpanId id, Instant now)
{
    const std::optional<SpanInfo> span = store.span(id);
    if (!span)
        return;
    const Duration length = span->length(now);
    const auto layer = static_cast<size_t>(span->layer);
    switch (span->kind) {
    case SpanKind::Task:
        ++totals.tasks;
        totals.attempts[layer] += length;
        break;
    case SpanKind::Work:
        break;
    case SpanKind::Round:
        ++totals.rounds;
        break;
    case SpanKind::Exec:
        ++totals.execs;
        break;
    case SpanKind::ExecAttempt:
        ++totals.execAttempts;
        totals.attempts[layer] += length;
        break;
    case SpanKind::SessionRun:
        ++totals.sessionRuns;
        totals.attempts[layer] += length;
        break;
    case SpanKind::Request:
        ++totals.requests;
        totals.reconnects += span->role == Role::Reconnect ? 1 : 0;
        totals.sent += store.traffic(id).sent;
        totals.attempts[layer] += length;
        break;
    case SpanKind::Phase:
        totals.phases[static_cast<size_t>(span->phase)] += length;
        break;
    case SpanKind::Backoff:
        ++totals.backoffs;
        totals.backoff[layer] += length;
        break;
    case SpanKind::Orphan:
        break;
    }
}

} // namespace

std::vector<ShownTimer> armedTimersOf(const TraceStore &store, SpanId span)
{
    if (!span)
        return {};
    std::vector<ShownTimer> timers = store.armedTimers(span);
    std::stable_sort(timers.begin(), timers.end(),
                     [](const ShownTimer &a, const ShownTimer &b) { return a.effectiveDue < b.effectiveDue; });
    return timers;
}

Duration Totals::backoffTotal() const noexcept
{
    return std::accumulate(backoff.begin(), backoff.end(), Duration::zero());
}

Totals totalsOf(const TraceStore &store, SpanId span, Instant now)
{
    Totals totals;
    std::vector<SpanId> pending{span};
    while (!pending.empty()) {
        const SpanId id = pending.back();
        pending.pop_back();
        add(totals, store, id, now);
        const std::vector<SpanId> children = store.childrenOf(id);
        pending.insert(pending.end(), children.begin(), children.end());
    }
    return totals;
}

Totals totalsOfAll(const TraceStore &store, Instant now)
{
    Totals totals;
    for (quint32 i = 0; i < store.spanCount(); ++i)
        add(totals, store, store.spanAtIndex(i), now);
    return totals;
}

} // namespace Waitscope
