// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/sendattempt.h"

#include "engine/http/attempt.h"
#include "engine/http/factqueue.h"
#include "engine/spanend.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

WireOptions optionsOf(const Policy &policy)
{
    WireOptions options;
    options.keepalive = policy.flag(Setting::HttpKeepalive);
    options.keepaliveIdleS = policy.count(Setting::HttpKeepaliveIdle);
    options.keepaliveIntervalS = policy.count(Setting::HttpKeepaliveInterval);
    options.keepaliveCount = policy.count(Setting::HttpKeepaliveCount);
    options.ipv4Only = policy.flag(Setting::HttpIpv4Only);
    options.proxyUrl = policy.text(Setting::HttpProxyUrl);
    return options;
}

// One request, under its own span. `stale` tells the caller that the connection was dead before anything was sent on it.
Task<CallResult> sendOnce(CallContext &context, HttpPorts &ports, std::shared_ptr<const HttpCall> call, SpanId request, bool &stale)
{
    Attempt attempt(context, ports, *call, request);
    ConnectionPool::Slot slot(ports.pool);
    if (!slot.acquire(context.policy().count(Setting::HttpPoolSize))) {
        attempt.enterQueue();
        while (!slot.isHeld()) {
            Wait wait(context.strand(), attempt.nextDue());
            slot.wake(&wait);
            const Wake wake = co_await wait;
            slot.wake(nullptr);
            std::optional<CallResult> ended = attempt.onWake(wake);
            if (ended)
                co_return std::move(*ended);
        }
        attempt.leaveQueue();
    }
    WireRequest wireRequest = call->request;
    wireRequest.number = context.nextRequest();
    FactQueue facts;
    attempt.dispatched();
    const std::unique_ptr<Exchange> exchange =
        ports.transport.begin(std::move(wireRequest), optionsOf(context.policy()), facts);
    for (;;) {
        // A timer that was due before the fact came has the word, even when both are handled in one go. The reference also
        // looks at its budgets before it looks at what has come meanwhile: a slow consumer trips them.
        const bool late = !facts.isEmpty()
            && (attempt.nextDue() < facts.front().at || (call->consumer && attempt.nextDue() <= context.now()));
        if (facts.isEmpty() || late) {
            Wake wake = Wake::Due;
            if (late) {
                context.clock().advanceTo(attempt.nextDue());
            } else {
                attempt.beginWait();
                Wait wait(context.strand(), attempt.nextDue());
                facts.wake(&wait);
                wake = co_await wait;
                facts.wake(nullptr);
            }
            std::optional<CallResult> ended = attempt.onWake(wake);
            if (ended)
                co_return std::move(*ended);
            continue;
        }
        WireFact fact = facts.take();
        context.clock().advanceTo(fact.at);
        const bool body = fact.kind == WireFact::Kind::Bytes;
        std::optional<CallResult> ended = attempt.onFact(std::move(fact));
        if (call->consumer) {
            for (QByteArray &line : attempt.takeForConsumer()) {
                auto taking = call->consumer->take(std::move(line));
                co_await std::move(taking);
            }
        }
        if (ended) {
            stale = attempt.wasStale();
            co_return std::move(*ended);
        }
        if (body && facts.isEmpty())
            exchange->resumeReading();
    }
}

} // namespace

Task<CallResult> sendAttempt(CallContext &context, HttpPorts &ports, std::shared_ptr<const HttpCall> call, int n, int most,
                             SpanId parent)
{
    Role role = n == 1 ? Role::First : Role::Retry;
    for (;;) {
        SpanBegan span;
        span.parent = parent;
        span.cause = context.cause;
        span.kind = SpanKind::Request;
        span.layer = Layer::Stream;
        span.role = role;
        span.attempt = n;
        span.maxAttempts = most;
        span.label = call->peer;
        const SpanId request = context.log().begin(std::move(span));
        context.cause = {};
        bool stale = false;
        auto once = sendOnce(context, ports, call, request, stale);
        CallResult result = co_await std::move(once);
        Classification verdict;
        if (result.isFailure())
            verdict = context.classified(result.failure());
        endSpan(context.log(), request, result, verdict);
        context.cause = request;
        if (!stale || role == Role::Reconnect)
            co_return result;
        role = Role::Reconnect;
    }
}

} // namespace Waitscope
