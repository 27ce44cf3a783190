// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/sendattempt.h"

#include "engine/http/attempt.h"
#include "engine/http/factqueue.h"
#include "engine/spanend.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

WireOptions optionsOf(const Policy &policy, Role role)
{
    WireOptions options;
    options.keepalive = policy.flag(Setting::HttpKeepalive);
    options.keepaliveIdleS = policy.count(Setting::HttpKeepaliveIdle);
    options.keepaliveIntervalS = policy.count(Setting::HttpKeepaliveInterval);
    options.keepaliveCount = policy.count(Setting::HttpKeepaliveCount);
    options.ipv4Only = policy.flag(Setting::HttpIpv4Only);
    options.proxyUrl = policy.text(Setting::HttpProxyUrl);
    // Whatever has killed one kept connection may have killed them all.
    options.newConnection = role == Role::Reconnect;
    return options;
}

SpanId beginRequest(const CallContext &context, const HttpCall &call, Role role, int n, int most, SpanId parent)
{
    return context.log().begin(SpanKind::Request, Layer::Stream, [&](SpanBegan &span) {
        span.parent = parent;
        span.cause = context.cause;
        span.role = role;
        span.attempt = n;
        span.maxAttempts = most;
        span.label = call.peer;
    });
}

void endRequest(CallContext &context, SpanId request, CallResult &result)
{
    if (result.isFailure())
        context.countRetriesLeft(result.failure());
    static const Classification none;
    endSpan(context.log(), request, result, result.isFailure() ? context.classified(result.failure()) : none);
    context.cause = request;
}

} // namespace

Task<CallResult> sendAttempt(CallContext &context, HttpPorts &ports, const HttpCall &call, int n, int most, SpanId parent)
{
    Role role = n == 1 ? Role::First : Role::Retry;
    for (;;) {
        const SpanId request = beginRequest(context, call, role, n, most, parent);
        context.cause = {};
        std::optional<CallResult> ended;
        bool stale = false; // the connection was dead before anything was sent on it
        {
            Attempt attempt(context, ports, call, request);
            ConnectionPool::Slot slot(ports.pool);
            if (!slot.acquire(context.policy().count(Setting::HttpPoolSize))) {
                attempt.enterQueue();
                while (!slot.isHeld() && !ended) {
                    Wait wait(context.strand(), attempt.nextDue());
                    slot.wake(&wait);
                    const Wake wake = co_await wait;
                    slot.wake(nullptr);
                    ended = attempt.onWake(wake);
                }
                if (!ended)
                    attempt.leaveQueue();
            }
            FactQueue facts;
            std::unique_ptr<Exchange> exchange;
            if (!ended) {
                attempt.dispatched();
                exchange = ports.transport.begin(call.request, context.nextRequest(), optionsOf(context.policy(), role), facts);
            }
            bool byFact = false; // not by a timer or an interruption
            while (!ended) {
                // A timer that was due before the fact came has the word, even when both are handled in one go. The
                // reference also looks at its budgets before it looks at what has come meanwhile: a slow consumer trips them.
                const bool late = !facts.isEmpty()
                    && (attempt.nextDue() < facts.front().at || (call.consumer && attempt.nextDue() <= context.now()));
                if (late) {
                    context.clock().advanceTo(attempt.nextDue());
                    ended = attempt.onWake(Wake::Due);
                    continue;
                }
                if (facts.isEmpty()) {
                    attempt.beginWait();
                    Wait wait(context.strand(), attempt.nextDue());
                    facts.wake(&wait);
                    const Wake wake = co_await wait;
                    facts.wake(nullptr);
                    ended = attempt.onWake(wake);
                    continue;
                }
                WireFact fact = facts.take();
                context.clock().advanceTo(fact.at);
                ended = attempt.onFact(fact);
                byFact = ended.has_value();
                if (call.consumer) {
                    for (QByteArray &line : attempt.takeForConsumer()) {
                        auto taking = call.consumer->take(std::move(line));
                        co_await std::move(taking);
                    }
                }
                if (!ended && fact.kind == WireFact::Kind::Bytes && facts.isEmpty())
                    exchange->resumeReading();
            }
            if (byFact) {
                Exchange &whole = *exchange;
                whole.retire(std::move(exchange));
            }
            stale = attempt.wasStale();
        }
        endRequest(context, request, *ended);
        if (!stale || role == Role::Reconnect)
            co_return std::move(*ended);
        role = Role::Reconnect;
    }
}

} // namespace Waitscope
