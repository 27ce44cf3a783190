// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/holding.h"

#include "analysis/addresses.h"
#include "analysis/phrases.h"
#include "analysis/slotholders.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class Holding
{
    Q_DECLARE_TR_FUNCTIONS(Holding)
};

namespace {

// The armed timer of a request that ends this phase when nothing happens.
std::optional<ShownTimer> armedOf(const TraceStore &store, SpanId owner, std::initializer_list<TimerKind> kinds)
{
    std::optional<ShownTimer> first;
    for (ShownTimer &timer : store.timersOf(owner)) {
        if (timer.state != TimerState::Armed || std::find(kinds.begin(), kinds.end(), timer.kind) == kinds.end())
            continue;
        if (!first || timer.effectiveDue < first->effectiveDue)
            first = std::move(timer);
    }
    return first;
}

// "12.4 s of 30 s" since the timer last began anew; without one "12.4 s" since `since`.
QString progressOf(const std::optional<ShownTimer> &timer, Instant since, Instant now)
{
    if (!timer)
        return Holding::tr("%1, and no timer ends it").arg(saidAge(now - since));
    const Instant from = timer->lastReset.value_or(timer->armed);
    const QString text = Holding::tr("%1 of %2").arg(saidAge(now - from), saidLength(timer->effectiveDue - from));
    return timer->clamped ? Holding::tr("%1 (cut to the deadline)").arg(text) : text;
}

QString peerOf(const SpanInfo &request)
{
    return request.label.isEmpty() ? Holding::tr("the server") : request.label;
}

QString sentSoFar(const Traffic &traffic)
{
    if (traffic.sent == 0 && traffic.sentBytes == 0)
        return Holding::tr("nothing has been sent");
    return Holding::tr("%1 of the request sent").arg(saidBytes(traffic.sentBytes));
}

QString receivingClause(const TraceStore &store, const SpanInfo &request, const SpanInfo &phase, Instant now)
{
    const Traffic traffic = store.traffic(request.id);
    if (traffic.status >= 400)
        return Holding::tr("reading the body of an HTTP %1 answer, %2")
            .arg(traffic.status)
            .arg(progressOf(armedOf(store, request.id, {TimerKind::Read, TimerKind::Idle}), phase.begin, now));
    if (traffic.lastByte == never)
        return Holding::tr("receiving: nothing has come since the headers, %1").arg(saidAge(now - phase.begin));
    const QString lastByte = saidAge(now - traffic.lastByte);
    if (traffic.lastData == never) {
        const QString only = traffic.pings > 0 ? Holding::tr(" (pings only)") : QString();
        return Holding::tr("receiving: last byte %1 ago, no data yet%2").arg(lastByte, only);
    }
    const QString only = traffic.lastLine > traffic.lastData && traffic.pings > 0 ? Holding::tr(" (pings only)") : QString();
    return Holding::tr("receiving: last byte %1 ago, last data %2 ago%3")
        .arg(lastByte, saidAge(now - traffic.lastData), only);
}

QString phaseClause(const TraceStore &store, const SpanInfo &request, const SpanInfo &phase, Instant now)
{
    const Traffic traffic = store.traffic(request.id);
    switch (phase.phase) {
    case Phase::Queue: {
        const QString holders = slotHoldersClause(store, now);
        return Holding::tr("in the pool's queue for a free connection, %1; %2")
            .arg(progressOf(armedOf(store, request.id, {TimerKind::Pool}), phase.begin, now),
                 holders.isEmpty() ? sentSoFar(traffic) : holders);
    }
    case Phase::Dns:
        return Holding::tr("looking up %1, %2; %3")
            .arg(peerOf(request), progressOf(armedOf(store, request.id, {TimerKind::Connect}), phase.begin, now),
                 sentSoFar(traffic));
    case Phase::Connect: {
        const QString addresses = addressesClause(store, request.id, now);
        return Holding::tr("connecting to %1, %2; %3")
            .arg(peerOf(request), progressOf(armedOf(store, request.id, {TimerKind::Connect}), phase.begin, now),
                 addresses.isEmpty() ? sentSoFar(traffic) : addresses);
    }
    case Phase::Tls:
        return Holding::tr("in the TLS handshake with %1, %2; %3")
            .arg(peerOf(request), progressOf(armedOf(store, request.id, {TimerKind::Connect}), phase.begin, now),
                 sentSoFar(traffic));
    case Phase::ConnectTls:
        return Holding::tr("connecting to %1 (TLS not told apart), %2; %3")
            .arg(peerOf(request), progressOf(armedOf(store, request.id, {TimerKind::Connect}), phase.begin, now),
                 sentSoFar(traffic));
    case Phase::Send:
        return Holding::tr("sending the request to %1, without progress for %2; %3")
            .arg(peerOf(request), progressOf(armedOf(store, request.id, {TimerKind::Write}), phase.begin, now),
                 sentSoFar(traffic));
    case Phase::Wait:
        return Holding::tr("waiting for the first byte from %1, %2; the request has been sent")
            .arg(peerOf(request),
                 progressOf(armedOf(store, request.id, {TimerKind::FirstByte, TimerKind::Read}), phase.begin, now));
    case Phase::Receive:
        return receivingClause(store, request, phase, now);
    case Phase::None:
        break;
    }
    return Holding::tr("in a phase of its request, %1").arg(saidAge(now - phase.begin));
}

// How often the layer of a sleep tries: the try that failed knows.
int mostTriesOf(const TraceStore &store, const SpanInfo &backoff)
{
    const std::optional<SpanInfo> failed = store.span(backoff.cause);
    return failed && rungLayer(*failed) == backoff.layer ? failed->maxAttempts : 0;
}

QString backoffClause(const TraceStore &store, const SpanInfo &backoff, Instant now)
{
    const std::optional<ShownTimer> end = armedOf(store, backoff.id, {TimerKind::BackoffEnd});
    QString next = saidTry(backoff.layer, backoff.attempt + 1, mostTriesOf(store, backoff));
    if (backoff.attempt == 0 || next.isEmpty())
        next = Holding::tr("the next try");
    const QString asked = backoff.label.isEmpty() ? QString() : Holding::tr(" (%1)").arg(backoff.label);
    if (!end)
        return Holding::tr("sleeping before %1%2, %3 so far").arg(next, asked, saidAge(now - backoff.begin));
    return Holding::tr("sleeping %1 before %2%3; %4 left")
        .arg(saidLength(end->value), next, asked, saidLeft(end->effectiveDue - now));
}

QString rungText(const SpanInfo &span, Instant now)
{
    switch (span.kind) {
    case SpanKind::Task:
        return Holding::tr("%1, running for %2")
            .arg(span.label.isEmpty() ? Holding::tr("task") : span.label, saidAge(now - span.begin));
    case SpanKind::Orphan:
        return Holding::tr("abandoned, runs on for %1").arg(saidAge(now - span.begin));
    case SpanKind::Work:
        return span.label.isEmpty() ? Holding::tr("its own work between calls") : span.label;
    case SpanKind::Exec:
        return span.label.isEmpty() ? Holding::tr("one call") : span.label;
    case SpanKind::Phase:
    case SpanKind::Backoff:
        return {}; // said by the holder's clause
    case SpanKind::Round:
    case SpanKind::ExecAttempt:
    case SpanKind::SessionRun:
    case SpanKind::Request:
        break;
    }
    const QString text = saidTry(rungLayer(span), span.attempt, span.maxAttempts);
    if (span.role == Role::Reconnect)
        return Holding::tr("%1 (reconnect, not charged)").arg(text);
    return text;
}

} // namespace

Layer rungLayer(const SpanInfo &span)
{
    switch (span.kind) {
    case SpanKind::Request:
    case SpanKind::Phase:
        return Layer::Stream;
    case SpanKind::Task:
    case SpanKind::Work:
    case SpanKind::Round:
        return Layer::Task;
    case SpanKind::Exec:
    case SpanKind::ExecAttempt:
    case SpanKind::Orphan:
        return Layer::Exec;
    case SpanKind::SessionRun:
        return Layer::Session;
    case SpanKind::Backoff:
        return span.layer;
    }
    Q_UNREACHABLE();
}

QString holdingClause(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now)
{
    const SpanInfo &holder = path.back();
    switch (holder.kind) {
    case SpanKind::Phase:
        if (path.size() > 1)
            return phaseClause(store, path[path.size() - 2], holder, now);
        break;
    case SpanKind::Backoff:
        return backoffClause(store, holder, now);
    case SpanKind::Request:
        return Holding::tr("about to connect to %1, %2").arg(peerOf(holder), saidAge(now - holder.begin));
    case SpanKind::Work:
        return Holding::tr("at its own work between calls for %1").arg(saidAge(now - holder.begin));
    case SpanKind::Task:
    case SpanKind::Round:
    case SpanKind::Exec:
    case SpanKind::ExecAttempt:
    case SpanKind::SessionRun:
    case SpanKind::Orphan:
        break;
    }
    return Holding::tr("between two steps for %1").arg(saidAge(now - holder.begin));
}

std::vector<LadderRung> rungsOf(const TraceStore &store, const std::vector<SpanInfo> &path,
                                const std::vector<ShownTimer> &timers, Instant now)
{
    std::vector<LadderRung> rungs;
    SpanKind before = SpanKind::Task;
    for (const SpanInfo &span : path) {
        const Layer layer = rungLayer(span);
        if (rungs.empty() || rungs.back().layer != layer) {
            rungs.emplace_back();
            rungs.back().layer = layer;
        }
        LadderRung &rung = rungs.back();
        rung.span = span.id;
        const QString text = rungText(span, now);
        // The call's own name says little beside which attempt of it this is.
        if (rung.text.isEmpty() || (span.kind == SpanKind::ExecAttempt && before == SpanKind::Exec))
            rung.text = text;
        else if (!text.isEmpty())
            rung.text = Holding::tr("%1; %2").arg(rung.text, text);
        before = span.kind;
        std::copy_if(timers.begin(), timers.end(), std::back_inserter(rung.timers),
                     [&span](const ShownTimer &timer) { return timer.owner == span.id; });
    }
    if (rungs.empty())
        return rungs;
    LadderRung &last = rungs.back();
    last.holds = true;
    const QString clause = holdingClause(store, path, now);
    // A sleep comes after the try whose number would stand before it.
    last.text = last.text.isEmpty() || path.back().kind == SpanKind::Backoff ? clause
                                                                             : Holding::tr("%1: %2").arg(last.text, clause);
    return rungs;
}

} // namespace Waitscope
