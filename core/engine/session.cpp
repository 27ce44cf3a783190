// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session.h"

#include "engine/backoff.h"
#include "engine/retryloop.h"
#include "engine/spanend.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// How one run of the agent ended: it came back with its messages, or something broke it.
struct SessionPass {
    SessionPass() = default;
    std::optional<CallResult> broken; // what was raised past the agent, or a signal
};

class SessionLayer
{
public:
    using Result = SessionPass;

    SessionLayer(CallContext &context, SessionCall call, Agent &agent)
        : m_context(context)
        , m_call(std::move(call))
        , m_agent(agent)
        , m_messages(std::move(m_call.history))
    {
        if (m_call.freshPrompt) {
            Message prompt;
            prompt.role = u"user"_s;
            prompt.text = m_call.prompt;
            m_messages.push_back(std::move(prompt));
        }
    }

    std::optional<SessionPass> admit(int) { return std::nullopt; }

    Task<SessionPass> attempt(int n)
    {
        const SpanId id = m_context.log().begin(SpanKind::SessionRun, Layer::Session, [this, n](SpanBegan &span) {
            span.parent = m_call.parent;
            span.cause = m_context.cause;
            span.role = n == 1 ? Role::First : Role::Retry;
            span.attempt = n;
            span.maxAttempts = m_context.policy().retryPolicy(Layer::Session).maxAttempts.value_or(0);
        });
        m_context.cause = {};
        const bool fresh = n == 1 && m_call.freshPrompt;
        if (m_call.listener)
            m_call.listener->onRunStarted(fresh);
        auto pass = m_agent.run(m_context, n, fresh, id);
        AgentRunResult run = co_await std::move(pass);
        if (m_call.listener)
            m_call.listener->onRunEnded(run);
        endRun(id, run);
        m_context.cause = id;
        for (Message &message : run.appended)
            m_messages.push_back(std::move(message));
        SessionPass result;
        if (run.interrupted)
            result.broken = CallResult(std::move(*run.interrupted));
        else if (run.raised)
            result.broken = CallResult(std::move(*run.raised));
        co_return result;
    }

    [[nodiscard]] bool isSignal(const SessionPass &pass) const { return pass.broken && pass.broken->isInterrupted(); }

    Judgement<SessionPass> judge(SessionPass result, int n)
    {
        if (result.broken)
            return finished(std::move(result));
        const Message *last = lastAssistant();
        if (!last)
            return finished(std::move(result));
        const Policy &policy = m_context.policy();
        const RetryPolicy &retry = policy.retryPolicy(Layer::Session);
        const bool enabled = policy.flag(Setting::SessionEnabled);
        if (!shouldRetry(policy, *last))
            return finished(std::move(result));
        const int maxRetries = retry.maxAttempts ? *retry.maxAttempts - 1 : -1;
        if (!enabled || (maxRetries >= 0 && n > maxRetries)) {
            if (m_call.listener)
                m_call.listener->onRetryEnded(false, m_retries, errorOf(*last));
            m_context.log().mark(m_call.parent, MarkKind::GaveUp, n, u"session.max_attempts"_s);
            return finished(std::move(result));
        }
        if (const Failure *failure = last->failure.get(); failure && crossesDeadline(policy, *failure))
            return finished(std::move(result));
        const std::optional<double> hint = last->failure && policy.carryVerdict() == CarryVerdict::Everywhere
            ? last->failure->retryAfterS
            : std::nullopt;
        const double u = needsDraw(retry, hint) ? m_context.draw(m_call.parent, Layer::Session, n) : 0;
        const Pause pause = backoffAfter(retry, n, hint, u);
        if (pause.stop) {
            m_context.log().mark(m_call.parent, MarkKind::GaveUp, n, u"session.hint_max_s"_s);
            return finished(std::move(result));
        }
        if (policy.rules() == RuleSet::Strict && m_context.deadline
            && after(m_context.now(), fromSeconds(pause.seconds)) >= *m_context.deadline) {
            m_context.log().mark(m_call.parent, MarkKind::GaveUp, n, u"the sleep would cross the deadline"_s);
            markDeadline();
            return finished(std::move(result));
        }
        if (last->failure && last->failure->kind == FailureKind::Alarm)
            m_context.alarmSwallowed(m_call.parent, Layer::Session);
        m_retries = n;
        if (m_call.listener)
            m_call.listener->onRetryStarted(n, std::max(maxRetries, 0), pause.seconds, errorOf(*last));
        m_context.log().mark(m_call.parent, MarkKind::Retrying, n, m_rule);
        m_hinted = pause.hinted;
        // The failed message is taken off before the re-run, so the agent never sees its own failure.
        if (m_messages.back().role == u"assistant"_s)
            m_messages.pop_back();
        return Judgement<SessionPass>(pause.seconds);
    }

    Task<> beforeRest(double seconds, int)
    {
        if (m_call.listener)
            m_call.listener->onSleep(seconds);
        return {};
    }

    [[nodiscard]] Sleep restFor(double seconds, int n) const
    {
        Sleep what(Layer::Session, m_call.parent, n, fromSeconds(seconds));
        what.hinted = m_hinted;
        return what;
    }

    [[nodiscard]] SessionPass restBroken(SleepEnd end) const
    {
        SessionPass pass;
        pass.broken = brokenRest(m_context, end);
        return pass;
    }

    [[nodiscard]] CallContext &context() const noexcept { return m_context; }

    // Puts the conversation and the answer into whatever ended the loop.
    SessionResult completed(SessionPass pass)
    {
        SessionResult result;
        result.retryAttempt = m_retries;
        if (pass.broken && pass.broken->isInterrupted()) {
            result.interrupted = pass.broken->interrupted();
        } else if (pass.broken) {
            result.raised = std::move(pass.broken->failure());
        } else if (const Message *last = lastAssistant()) {
            result.returned = *last;
        }
        result.messages = std::move(m_messages);
        return result;
    }

private:
    Judgement<SessionPass> finished(SessionPass pass) { return Judgement<SessionPass>(std::move(pass)); }

    [[nodiscard]] const Message *lastAssistant() const
    {
        for (auto it = m_messages.rbegin(); it != m_messages.rend(); ++it) {
            if (it->role == u"assistant"_s)
                return &*it;
        }
        return nullptr;
    }

    bool shouldRetry(const Policy &policy, const Message &last)
    {
        const Failure *failure = last.failure.get();
        if (failure && policy.carryVerdict() == CarryVerdict::Everywhere) {
            if (failure->exhausted) {
                m_context.log().mark(m_call.parent, MarkKind::GaveUp, 0, u"an inner layer used up its budget"_s);
                return false;
            }
            if (failure->retryable == false) {
                m_context.log().mark(m_call.parent, MarkKind::GaveUp, 0, u"the failure's own verdict"_s);
                return false;
            }
        }
        SessionRule rule;
        rule.contextWindow = static_cast<qint64>(policy.number(Setting::SessionContextWindow));
        rule.useVerdict = policy.flag(Setting::SessionUseVerdict);
        rule.retryEmpty = policy.flag(Setting::SessionRetryEmpty);
        const Classification &verdict = m_context.judged(last.state, rule);
        m_rule = verdict.rule;
        if (!verdict.retryable && last.state.stopReason == u"error"_s)
            m_context.log().mark(m_call.parent, MarkKind::GaveUp, 0, verdict.rule);
        return verdict.retryable;
    }

    [[nodiscard]] static QString errorOf(const Message &message) { return message.state.errorMessage.value_or(QString()); }

    [[nodiscard]] bool crossesDeadline(const Policy &policy, const Failure &failure)
    {
        return policy.rules() == RuleSet::Strict && failure.timedOutByDeadline;
    }

    // `strict`: what would sleep past the deadline is a timeout at this layer too, the last failure its cause.
    void markDeadline()
    {
        for (auto it = m_messages.rbegin(); it != m_messages.rend(); ++it) {
            if (it->role != u"assistant"_s || !it->failure)
                continue;
            Failure timeout = *it->failure;
            timeout.cause = it->failure;
            timeout.timedOutByDeadline = true;
            timeout.retryable = false;
            it->failure = std::make_shared<const Failure>(std::move(timeout));
            return;
        }
    }

    void endRun(SpanId id, const AgentRunResult &run)
    {
        m_context.log().endWith(id, [&run](SpanEnded &end) {
            if (run.interrupted) {
                end.outcome = Outcome::Interrupted;
                end.text = run.interrupted->why;
            } else if (run.raised) {
                end.outcome = Outcome::Error;
                end.type = run.raised->type;
                end.text = run.raised->text;
            } else if (!run.appended.empty()) {
                endByMessage(run.appended.back(), end);
            }
        });
    }

    static void endByMessage(const Message &last, SpanEnded &end)
    {
        if (last.state.stopReason == u"error"_s) {
            end.outcome = last.failure ? outcomeOf(*last.failure) : Outcome::Error;
            end.text = last.state.errorMessage.value_or(QString());
            end.exhausted = last.failure && last.failure->exhausted;
            end.status = last.failure ? last.failure->httpStatus.value_or(0) : 0;
            // The two places where an error takes shape read the same downstream; here it is said which one it was.
            end.rule = last.failure && last.failure->inStream ? u"an error event became the final message"_s
                                                              : u"the agent caught a failure"_s;
        } else if (last.reply && last.reply->partial) {
            end.outcome = Outcome::Partial;
        } else if (last.reply && last.reply->truncated) {
            end.outcome = Outcome::Truncated;
        }
    }

    CallContext &m_context;
    SessionCall m_call;
    Agent &m_agent;
    std::vector<Message> m_messages;
    int m_retries = 0;
    bool m_hinted = false;
    QString m_rule;
};

} // namespace

Task<SessionResult> runSession(CallContext &context, SessionCall call, Agent &agent)
{
    SessionListener *listener = call.listener;
    SessionLayer layer(context, std::move(call), agent);
    auto loop = retryLoop(layer);
    SessionPass ended = co_await std::move(loop);
    SessionResult result = layer.completed(std::move(ended));
    if (listener && result.interrupted && result.interrupted->cause == InterruptCause::RetryCancelled) {
        // A cancelled retry returns quietly: no answer, no error.
        listener->onRetryEnded(false, result.retryAttempt, u"Retry cancelled"_s);
        result.interrupted.reset();
        result.cancelled = true;
    }
    co_return result;
}

CallResult sessionAsCall(const Policy &policy, SessionResult session)
{
    if (session.interrupted)
        return CallResult(std::move(*session.interrupted));
    if (session.raised)
        return CallResult(std::move(*session.raised));
    Failure failure;
    failure.type = u"RuntimeError"_s;
    if (!session.returned) {
        failure.text = u"Agent session produced no assistant message"_s;
        return CallResult(std::move(failure));
    }
    const Message &last = *session.returned;
    if (last.state.stopReason != u"error"_s)
        return last.reply ? CallResult(*last.reply) : CallResult(Reply());
    const QString message = last.state.errorMessage.value_or(QString());
    failure.text = message.isEmpty() ? u"Agent session ended with stop_reason='error' but no error_message"_s : message;
    if (last.failure) {
        failure.committed = last.failure->committed;
        failure.truncated = last.failure->truncated;
        failure.cause = last.failure;
        if (policy.carryVerdict() != CarryVerdict::None) {
            failure.exhausted = last.failure->exhausted;
            failure.retryable = last.failure->retryable;
            failure.verdictFrom = last.failure->verdictFrom;
            failure.httpStatus = last.failure->httpStatus;
            failure.retryAfterS = last.failure->retryAfterS;
            failure.retriesLeft = last.failure->retriesLeft;
            failure.errorText = last.failure->errorText;
            failure.provider = last.failure->provider;
            failure.reason = last.failure->reason;
            failure.timedOutByDeadline = last.failure->timedOutByDeadline;
        }
    }
    return CallResult(std::move(failure));
}

} // namespace Waitscope
