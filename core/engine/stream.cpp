// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream.h"

#include "engine/backoff.h"
#include "engine/retryloop.h"
#include "rules/rules.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isProviderError(const Failure &failure)
{
    return failure.type == u"ProviderStreamError"_s;
}

class StreamLayer
{
public:
    using Result = CallResult;

    StreamLayer(CallContext &context, StreamCall call, StreamBody &body)
        : m_context(context)
        , m_call(std::move(call))
        , m_body(body)
    {
    }

    std::optional<CallResult> admit(int n)
    {
        const RetryPolicy &retry = m_context.policy().retryPolicy(Layer::Stream);
        if (retry.maxAttempts && n > *retry.maxAttempts) {
            // A budget of nothing: the reference returns success without a single attempt.
            if (m_context.policy().rules() == RuleSet::Openprogram)
                return CallResult(Reply());
            Failure none = providerError(u"stream.max_attempts allows no attempt"_s);
            none.retryable = false;
            return CallResult(std::move(none));
        }
        if (!deadlineReached() || m_context.policy().streamKind() == StreamKind::Sdk)
            return std::nullopt;
        Failure failure = providerError(u"deadline exceeded before %1 attempt %2"_s.arg(m_call.label).arg(n));
        failure.retryable = false;
        failure.exhausted = true;
        failure.timedOutByDeadline = m_context.policy().rules() == RuleSet::Strict;
        return CallResult(std::move(failure));
    }

    Task<CallResult> attempt(int n)
    {
        return m_body.attempt(m_context, n, m_context.policy().retryPolicy(Layer::Stream).maxAttempts.value_or(0), m_call.parent);
    }

    [[nodiscard]] bool isSignal(const CallResult &result) const { return result.isInterrupted(); }

    Judgement<CallResult> judge(CallResult result, int n)
    {
        if (result.isReply())
            return result;
        const Policy &policy = m_context.policy();
        m_rule.clear();
        Failure &failure = result.failure();
        const bool transient = isTransient(policy, failure);
        if (transient && failure.committed && policy.flag(Setting::StreamPartialRecovery)) {
            m_context.log().mark(m_call.parent, MarkKind::GaveUp, n, u"partial recovery after content"_s);
            Reply partial;
            partial.partial = true;
            partial.finishReason = u"length"_s;
            partial.brokenBy = failure.typeAndText();
            return CallResult(std::move(partial));
        }
        const bool retry = transient && (!failure.committed || retriesCommitted(policy, failure));
        if (!retry)
            return giveUp(std::move(result), n, m_rule, false);
        const RetryPolicy &data = policy.retryPolicy(Layer::Stream);
        if (data.maxAttempts && n >= *data.maxAttempts)
            return giveUp(std::move(result), n, u"stream.max_attempts"_s);
        if (deadlineReached() && loops(policy))
            return giveUpByDeadline(std::move(result), n);
        const std::optional<double> hint = losesFacts(failure) ? std::nullopt : failure.retryAfterS;
        const double u = needsDraw(data, hint) ? m_context.draw(m_call.parent, Layer::Stream, n) : 0;
        const Pause pause = backoffAfter(data, n, hint, u);
        if (pause.stop) {
            failure.reason = ErrorReason::RateLimit;
            return giveUp(std::move(result), n, u"stream.hint_max_s"_s);
        }
        if (loops(policy) && m_context.deadline && after(m_context.now(), fromSeconds(pause.seconds)) >= *m_context.deadline)
            return giveUpByDeadline(std::move(result), n);
        if (m_call.listener) {
            becomeProviderError(failure, true);
            m_call.listener->onRetry(n, data.maxAttempts.value_or(0), pause.seconds, failure.text);
        }
        m_context.log().mark(m_call.parent, MarkKind::Retrying, n, m_rule);
        m_hinted = pause.hinted;
        return Judgement<CallResult>(pause.seconds);
    }

    [[nodiscard]] Task<> beforeRest(double, int) { return {}; }

    [[nodiscard]] Sleep restFor(double seconds, int n) const
    {
        Sleep what(Layer::Stream, m_call.parent, n, fromSeconds(seconds));
        what.hinted = m_hinted;
        return what;
    }

    [[nodiscard]] CallResult restBroken(SleepEnd end) const { return brokenRest(m_context, end); }

    [[nodiscard]] CallContext &context() const noexcept { return m_context; }

private:
    [[nodiscard]] bool deadlineReached() const { return m_context.deadline && m_context.now() >= *m_context.deadline; }
    [[nodiscard]] bool loops(const Policy &policy) const { return policy.streamKind() == StreamKind::Loop; }

    [[nodiscard]] Failure providerError(QString text) const
    {
        Failure failure;
        failure.type = u"ProviderStreamError"_s;
        failure.text = std::move(text);
        failure.provider = m_call.provider.value_or(QString());
        return failure;
    }

    // Would another try make sense, content aside?
    bool isTransient(const Policy &policy, const Failure &failure)
    {
        if (failure.kind == FailureKind::Alarm) {
            m_rule = u"a swallowed alarm looks like one more transient failure"_s;
            m_context.alarmSwallowed(m_call.parent, Layer::Stream);
            return true;
        }
        if (failure.timedOutByDeadline) {
            m_rule = u"deadline"_s;
            return false;
        }
        if (policy.streamKind() == StreamKind::Sdk && failure.responseBegan && !failure.httpStatus) {
            m_rule = u"an SDK retries nothing once the stream has begun"_s;
            return false;
        }
        if (failure.retryable) {
            m_rule = *failure.retryable ? u"the failure's own verdict: retryable"_s : u"the failure's own verdict: final"_s;
            if (!failure.verdictFrom.isEmpty())
                m_rule += u" ("_s + failure.verdictFrom + u')';
            return *failure.retryable;
        }
        const bool transport = !isProviderError(failure) && isTransportType(policy.rules(), failure.type);
        m_rule = transport ? u"type in the transport set"_s : u"type not in the transport set"_s;
        return transport;
    }

    // The reference asks "committed?" only for foreign exceptions.
    [[nodiscard]] bool retriesCommitted(const Policy &policy, const Failure &failure) const
    {
        return policy.rules() == RuleSet::Openprogram && isProviderError(failure);
    }

    // The reference drops what a foreign exception knew.
    [[nodiscard]] bool losesFacts(const Failure &failure) const
    {
        return m_context.policy().rules() == RuleSet::Openprogram && !isProviderError(failure)
            && m_context.policy().streamKind() != StreamKind::None;
    }

    // What leaves this layer, or is told to its listener, does so in the layer's own words.
    void becomeProviderError(Failure &failure, bool retryable) const
    {
        if (isProviderError(failure)) {
            if (failure.provider.isEmpty())
                failure.provider = m_call.provider.value_or(QString());
            if (!failure.retryable)
                failure.retryable = retryable;
            return;
        }
        if (m_context.policy().streamKind() == StreamKind::None)
            return;
        if (losesFacts(failure)) {
            failure.retryAfterS.reset();
            failure.httpStatus.reset();
        }
        failure.kind = FailureKind::Ordinary;
        failure.text = m_context.typeAndText(failure);
        failure.type = u"ProviderStreamError"_s;
        failure.provider = m_call.provider.value_or(QString());
        failure.retryable = retryable;
    }

    Judgement<CallResult> giveUp(CallResult result, int n, const QString &why, bool retryable = true)
    {
        becomeProviderError(result.failure(), retryable);
        if (retryable)
            result.failure().exhausted = m_context.policy().streamKind() == StreamKind::Loop;
        m_context.log().mark(m_call.parent, MarkKind::GaveUp, n, why);
        return result;
    }

    // The reference reports its last transport error; `strict` says timeout, with that error as the cause.
    Judgement<CallResult> giveUpByDeadline(CallResult result, int n)
    {
        Failure &failure = result.failure();
        becomeProviderError(failure, true);
        if (m_context.policy().rules() == RuleSet::Strict) {
            failure.cause = std::make_shared<const Failure>(failure);
            failure.timedOutByDeadline = true;
            failure.retryable = false;
        }
        return giveUp(std::move(result), n, u"the next try would cross the deadline"_s);
    }

    CallContext &m_context;
    StreamCall m_call;
    StreamBody &m_body;
    bool m_hinted = false;
    QString m_rule;
};

} // namespace

Task<CallResult> runStream(CallContext &context, StreamCall call, StreamBody &body)
{
    if (context.policy().streamKind() == StreamKind::None) {
        auto once = body.attempt(context, 1, 1, call.parent);
        CallResult result = co_await std::move(once);
        co_return result;
    }
    StreamLayer layer(context, std::move(call), body);
    auto loop = retryLoop(layer);
    CallResult result = co_await std::move(loop);
    co_return result;
}

} // namespace Waitscope
