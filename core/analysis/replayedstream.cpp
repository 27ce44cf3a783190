// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/replayedstream.h"

#include "engine/backoff.h"
#include "engine/http/wirefailure.h"
#include "trace/callquery.h"
#include "trace/spanquery.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

Failure failureOfSpan(const SpanInfo &span, const Traffic &traffic)
{
    Failure failure;
    failure.type = span.type;
    failure.text = span.text;
    if (span.type == u"SampleTimeoutError"_s)
        failure.kind = FailureKind::Alarm;
    // Foreign exceptions carry no verdict of their own; the stream layer judges them by type.
    if (span.type == u"ProviderStreamError"_s)
        failure.retryable = span.retryable;
    if (span.status != 0)
        failure.httpStatus = span.status;
    if (span.hintSeconds > 0)
        failure.retryAfterS = span.hintSeconds;
    failure.committed = traffic.committed != never;
    failure.responseBegan = traffic.status != 0;
    failure.truncated = span.outcome == Outcome::Truncated;
    failure.timedOutByDeadline = span.outcome == Outcome::Timeout;
    if (failure.timedOutByDeadline)
        failure.retryable = false;
    return failure;
}

// What the open request ends with when the wire stays silent from here on.
std::optional<RecordedRequest> openRequest(const TraceStore &store, const SpanInfo &span, Instant now, RuleSet rules)
{
    Phase phase = Phase::None;
    for (SpanId child : store.childrenOf(span.id)) {
        if (const std::optional<SpanInfo> info = store.span(child); info && info->isOpen())
            phase = info->phase;
    }
    const Traffic traffic = store.traffic(span.id);
    // Its own timers; in the SSE wait exec's deadline too, where it is propagated.
    const bool watchesDeadline = phase == Phase::Receive && traffic.status < 300;
    const ShownTimer *first = nullptr;
    const std::vector<ShownTimer> timers = armedTimersOf(store, span.id);
    for (const ShownTimer &timer : timers) {
        const bool deadline = watchesDeadline && timer.kind == TimerKind::Deadline && timer.kills == Kills::Call;
        if ((timer.owner == span.id || deadline) && (!first || timer.effectiveDue < first->effectiveDue))
            first = &timer;
    }
    if (!first)
        return std::nullopt;
    WireFailureContext context;
    context.phase = phase;
    context.status = traffic.status;
    context.headersSeen = traffic.status != 0;
    context.sentBytes = traffic.sentBytes;
    RecordedRequest request;
    request.firing = first->clamped ? TimerKind::Deadline : first->kind;
    request.ends = std::max(now, first->effectiveDue);
    const bool clampEnds = first->clamped && first->owner == span.id;
    const TimerKind kind = clampEnds ? TimerKind::Deadline : first->kind;
    Failure failure = timerFailure(rules, kind, phase, toSeconds(first->value), context);
    failure.committed = traffic.committed != never;
    failure.responseBegan = traffic.status != 0;
    if (clampEnds || (kind == TimerKind::Deadline && rules == RuleSet::Strict)) {
        failure.timedOutByDeadline = true;
        failure.retryable = false;
    }
    request.failure = std::move(failure);
    return request;
}

void collectRequests(const TraceStore &store, SpanId below, std::vector<SpanId> &out)
{
    for (SpanId child : store.childrenOf(below)) {
        if (store.kindOf(child) == SpanKind::Request)
            out.push_back(child);
        else
            collectRequests(store, child, out);
    }
}

} // namespace

std::optional<std::vector<RecordedRequest>> recordedRequests(const TraceStore &store, SpanId task, Instant now, RuleSet rules)
{
    std::vector<SpanId> ids;
    collectRequests(store, task, ids);
    std::ranges::sort(ids);
    std::vector<RecordedRequest> requests;
    for (SpanId id : ids) {
        const std::optional<SpanInfo> span = store.span(id);
        if (!span || span->role == Role::Reconnect)
            continue;
        if (span->isOpen()) {
            std::optional<RecordedRequest> open = openRequest(store, *span, now, rules);
            if (!open)
                return std::nullopt;
            requests.push_back(std::move(*open));
            continue;
        }
        RecordedRequest request;
        request.ends = span->end;
        if (span->outcome != Outcome::Ok && span->outcome != Outcome::Partial)
            request.failure = failureOfSpan(*span, store.traffic(id));
        requests.push_back(std::move(request));
    }
    return requests;
}

Task<CallResult> ReplayedStream::attempt(CallContext &context, int n, int most, SpanId parent)
{
    if (m_next >= m_requests.size()) {
        auto silent = sendAttempt(context, m_ports, *m_call, n, most, parent);
        CallResult result = co_await std::move(silent);
        co_return result;
    }
    const RecordedRequest &recorded = m_requests[m_next++];
    SpanBegan span;
    span.parent = parent;
    span.kind = SpanKind::Request;
    span.layer = Layer::Stream;
    span.attempt = n;
    span.maxAttempts = most;
    const SpanId id = context.log().begin(std::move(span));
    CallResult result = recorded.failure ? CallResult(*recorded.failure) : CallResult(Reply());
    for (;;) {
        Wait wait(context.strand(), recorded.ends);
        const Wake wake = co_await wait;
        if (wake == Wake::PolicyChange || wake == Wake::Ready)
            continue;
        if (wake == Wake::Alarm)
            result = CallResult(alarmFailure(context.policy()));
        if (wake == Wake::Interrupt)
            result = CallResult(*context.strand().interrupted());
        break;
    }
    context.log().end(id, result.isReply() ? Outcome::Ok : Outcome::Error);
    co_return result;
}

} // namespace Waitscope
