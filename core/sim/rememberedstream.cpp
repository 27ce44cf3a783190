// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/rememberedstream.h"

#include "rules/resettime.h"

#include <algorithm>

namespace Waitscope {

namespace {

// A verdict of "at most n more" counts the requests before it, and a moment in a body depends on when it is read.
bool dependsOnMore(const CallResult &result)
{
    if (!result.isFailure())
        return false;
    const Failure &failure = result.failure();
    if (failure.retriesLeft)
        return true;
    const std::optional<ResetTime> reset = resetTimeIn(failure.errorText);
    return reset && reset->at.isValid();
}

} // namespace

const AttemptMemory::Known *AttemptMemory::find(const FaultScript &script, const Policy &policy) const noexcept
{
    const auto it = std::ranges::find_if(
        m_known, [&](const Known &known) { return &known.script == &script && &known.policy == &policy; });
    return it == m_known.end() ? nullptr : &*it;
}

bool canRemember(const Policy &policy)
{
    return policy.watchdog() != WatchdogMode::Swallowed && policy.hardCap() != HardCap::Abandon;
}

// Neither the deadline nor the clamp would have cut it.
bool RememberedStream::fits(const CallContext &context, Duration length)
{
    const Instant end = after(context.now(), length);
    return end < context.deadline.value_or(never) && end < context.clampAt.value_or(never);
}

Task<CallResult> RememberedStream::attempt(CallContext &context, int n, int most, SpanId parent)
{
    const FaultScript &script = scriptFor(m_scenario, context.requests() + 1);
    const AttemptMemory::Known *known = m_memory.find(script, context.policy());
    if (!known)
        return learn(context, script, n, most, parent);
    if (known->usable && fits(context, known->length))
        return play(context, *known);
    return sendAttempt(context, m_ports, *m_call, n, most, parent);
}

Task<CallResult> RememberedStream::learn(CallContext &context, const FaultScript &script, int n, int most, SpanId parent)
{
    AttemptMemory::Known known(script, context.policy());
    const Instant start = context.now();
    const RunCounts before = context.log().counts();
    auto attempt = sendAttempt(context, m_ports, *m_call, n, most, parent);
    CallResult result = co_await std::move(attempt);
    if (m_memory.find(script, known.policy))
        co_return result; // somebody else was faster
    known.length = context.now() - start;
    // A hint that is a date depends on when it is read.
    const bool ownEnd = !result.isInterrupted() && context.now() < context.deadline.value_or(never)
        && context.now() < context.clampAt.value_or(never);
    known.usable = ownEnd && !dependsOnDate(script) && !dependsOnMore(result);
    known.connected = context.log().counts().connects > before.connects;
    known.sent = context.log().counts().sent > before.sent;
    known.result = result;
    // What was cut short says nothing about the script: the next attempt may learn more.
    if (ownEnd)
        m_memory.add(std::move(known));
    co_return result;
}

Task<CallResult> RememberedStream::play(CallContext &context, const AttemptMemory::Known &known)
{
    EventLog &log = context.log();
    const SpanId request = log.begin(SpanKind::Request, Layer::Stream, [](SpanBegan &) {});
    ++m_memory.played;
    static_cast<void>(context.nextRequest());
    if (known.connected)
        log.mark(request, MarkKind::Connected);
    if (known.sent)
        log.mark(request, MarkKind::SendBegan);
    // What ends at once never waits; the pool is not asked, since there is nobody to share it with.
    if (known.length > Duration::zero()) {
        Wait wait(context.strand(), after(context.now(), known.length));
        const Wake wake = co_await wait;
        if (wake == Wake::Interrupt) {
            log.end(request);
            co_return CallResult(*context.strand().interrupted());
        }
        Q_ASSERT(wake == Wake::Due);
    }
    log.end(request);
    CallResult result = known.result;
    co_return result;
}

} // namespace Waitscope
