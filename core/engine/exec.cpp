// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exec.h"

#include "engine/backoff.h"
#include "engine/execerror.h"
#include "engine/orphan.h"
#include "engine/retryloop.h"
#include "engine/spanend.h"
#include "engine/http/pythonfloat.h"
#include "rules/rules.h"

#include <memory>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Fires exec's hard cap into the strand; takes itself out when the exec ends.
class HardCapTimer : public ClockNode
{
public:
    explicit HardCapTimer(Strand &strand) noexcept
        : m_strand(strand)
    {
    }

private:
    void onDue() override { m_strand.interrupt(Interrupted{InterruptCause::HardCap, u"exec.hard_cap_s"_s}); }
    void onReady() override { }
    Strand &m_strand;
};

using History = std::shared_ptr<std::vector<FailedAttempt>>;

class ExecLayer
{
public:
    using Result = CallResult;

    ExecLayer(CallContext &context, ExecCall call, std::shared_ptr<ExecBody> body, SpanId span, Instant start,
              std::optional<double> timeoutS, History history)
        : m_context(context)
        , m_call(std::move(call))
        , m_body(std::move(body))
        , m_span(span)
        , m_start(start)
        , m_timeoutS(timeoutS)
        , m_history(std::move(history))
    {
        if (timeoutS)
            m_deadline = after(start, fromSeconds(*timeoutS));
    }

    std::optional<CallResult> admit(int n)
    {
        if (!deadlineReached())
            return std::nullopt;
        Failure failure;
        failure.type = u"TimeoutError"_s;
        failure.text = u"exec() timed out after %1s (%2 attempt(s))"_s.arg(pythonFloat(*m_timeoutS)).arg(n - 1);
        failure.timedOutByDeadline = true;
        m_last = std::move(failure);
        return fail(n - 1, true, true);
    }

    Task<CallResult> attempt(int n)
    {
        const SpanId id = m_context.log().begin(SpanKind::ExecAttempt, Layer::Exec, [this, n](SpanBegan &span) {
            span.parent = m_span;
            span.cause = m_context.cause;
            span.role = n == 1 ? Role::First : Role::Retry;
            span.attempt = n;
            span.maxAttempts = m_context.policy().retryPolicy(Layer::Exec).maxAttempts.value_or(0);
        });
        m_context.cause = {};
        auto pass = m_body->attempt(m_context, n, id);
        CallResult result = co_await std::move(pass);
        if (result.isFailure()) {
            // Judged here, where the span ends: what is on screen is what the loop decides on.
            m_verdict = m_context.classified(result.failure());
        }
        endSpan(m_context.log(), id, result, m_verdict);
        m_context.cause = id;
        co_return result;
    }

    [[nodiscard]] bool isSignal(const CallResult &result) const { return result.isInterrupted(); }

    Judgement<CallResult> judge(CallResult result, int n)
    {
        if (result.isReply())
            return result;
        const Policy &policy = m_context.policy();
        const RuleSet rules = policy.rules();
        m_last = std::move(result.failure());
        if (isProgrammingType(rules, m_last.type, m_call.asynchronous ? CallStyle::Async : CallStyle::Blocking))
            return CallResult(std::move(m_last));
        m_history->emplace_back(n, m_context.typeAndText(m_last));
        if (m_last.kind == FailureKind::LlmError)
            m_history->back().what = m_last.type + u": "_s + m_last.text;
        if (deadlineReached() || (rules == RuleSet::Strict && m_last.timedOutByDeadline && m_deadline))
            return fail(n, true, true);
        const Classification &permanent = m_context.permanent(m_last);
        if (!permanent.retryable) {
            m_context.log().mark(m_span, MarkKind::GaveUp, n, permanent.rule);
            return fail(n, true, false);
        }
        if (m_last.exhausted && policy.flag(Setting::ExecHonorExhausted)) {
            m_context.log().mark(m_span, MarkKind::GaveUp, n, u"an inner layer used up its budget"_s);
            return fail(n, false, false);
        }
        const RetryPolicy &retry = policy.retryPolicy(Layer::Exec);
        if (retry.maxAttempts && n >= *retry.maxAttempts) {
            m_context.log().mark(m_span, MarkKind::GaveUp, n, u"exec.max_attempts"_s);
            m_last.exhausted = true;
            return fail(n, false, false);
        }
        const double u = needsDraw(retry, m_last.retryAfterS) ? m_context.draw(m_span, Layer::Exec, n) : 0;
        const Pause pause = backoffAfter(retry, n, m_last.retryAfterS, u);
        if (pause.stop) {
            m_context.log().mark(m_span, MarkKind::GaveUp, n, u"exec.hint_max_s"_s);
            m_last.reason = ErrorReason::RateLimit;
            m_last.retryable = true;
            return fail(n, false, false);
        }
        if (m_deadline && after(m_context.now(), fromSeconds(pause.seconds)) >= *m_deadline) {
            m_context.log().mark(m_span, MarkKind::GaveUp, n, u"the sleep would cross the deadline"_s);
            return fail(n, true, true);
        }
        if (m_last.kind == FailureKind::Alarm)
            m_context.alarmSwallowed(m_span, Layer::Exec);
        m_hinted = pause.hinted;
        m_context.log().mark(m_span, MarkKind::Retrying, n, m_verdict.rule);
        return Judgement<CallResult>(pause.seconds);
    }

    Task<> beforeRest(double seconds, int n)
    {
        return m_call.hooks ? runRetryHook(seconds, n) : Task<>();
    }

    [[nodiscard]] Sleep restFor(double seconds, int n) const
    {
        Sleep what(Layer::Exec, m_span, n, fromSeconds(seconds));
        what.hinted = m_hinted;
        return what;
    }

    // An alarm is raised by the sleep itself, outside what this loop catches: it leaves exec as it is.
    [[nodiscard]] CallResult restBroken(SleepEnd end) const { return brokenRest(m_context, end); }

    [[nodiscard]] CallContext &context() const noexcept { return m_context; }

private:
    [[nodiscard]] bool deadlineReached() const { return m_deadline && m_context.now() >= *m_deadline; }

    Task<> runRetryHook(double seconds, int n)
    {
        auto hook = m_call.hooks->onRetry(infoFor(seconds, n));
        const std::optional<QString> raised = co_await std::move(hook);
        if (raised)
            m_context.log().mark(m_span, MarkKind::Note, n, u"[runtime] on_retry callback raised; ignoring: "_s + *raised);
    }

    CallResult fail(int attempts, bool permanently, bool byDeadline)
    {
        ExecEnding ending;
        ending.permanently = permanently;
        ending.deadline = byDeadline;
        ending.attempts = attempts;
        ending.elapsed = m_context.now() - m_start;
        ending.hadImage = m_call.withImage;
        return execError(m_context.policy().rules(), m_last, *m_history, ending);
    }

    RetryInfo infoFor(double seconds, int n)
    {
        RetryInfo info;
        info.attempt = n;
        info.maxAttempts = m_context.policy().retryPolicy(Layer::Exec).maxAttempts.value_or(0);
        info.reason = m_verdict.reason;
        info.sleepS = seconds;
        info.elapsedS = toSeconds(m_context.now() - m_start);
        info.retryAfterS = m_last.retryAfterS;
        info.lastErrorType = m_last.type;
        info.lastErrorText = m_last.text;
        return info;
    }

    CallContext &m_context;
    ExecCall m_call;
    std::shared_ptr<ExecBody> m_body;
    SpanId m_span;
    Instant m_start;
    std::optional<double> m_timeoutS;
    std::optional<Instant> m_deadline;
    History m_history;
    Failure m_last;
    Classification m_verdict;
    bool m_hinted = false;
};

// What the layers below see of a deadline, for the scope of one exec. An inner exec without a timeout clears it, one with a
// larger timeout extends it (`openprogram`); `strict` only ever shortens it.
class BoundDeadline
{
public:
    BoundDeadline(CallContext &context, std::optional<Instant> deadline)
        : m_context(context)
        , m_outerDeadline(context.deadline)
        , m_outerClamp(context.clampAt)
    {
        const Policy &policy = context.policy();
        std::optional<Instant> seen = deadline;
        if (policy.rules() == RuleSet::Strict && m_outerDeadline)
            seen = seen ? std::min(*seen, *m_outerDeadline) : m_outerDeadline;
        context.deadline = policy.flag(Setting::ExecPropagateDeadline) ? seen : std::nullopt;
        context.clampAt = policy.flag(Setting::HttpClampToDeadline) ? context.deadline : std::nullopt;
    }
    ~BoundDeadline()
    {
        m_context.deadline = m_outerDeadline;
        m_context.clampAt = m_outerClamp;
    }
    Q_DISABLE_COPY_MOVE(BoundDeadline)

private:
    CallContext &m_context;
    std::optional<Instant> m_outerDeadline;
    std::optional<Instant> m_outerClamp;
};

// Zero and below mean "not given"; infinity means no limit that could be reached.
std::optional<double> effectiveTimeout(const ExecCall &call, const Policy &policy)
{
    std::optional<double> seconds = call.timeoutS;
    if (!seconds || *seconds <= 0)
        seconds = policy.seconds(Setting::ExecTimeout);
    if (!seconds || *seconds <= 0)
        return std::nullopt;
    return seconds;
}

// The loop with everything it needs in its own frame: an abandoned call takes it along.
Task<CallResult> execPasses(CallContext &context, ExecCall call, std::shared_ptr<ExecBody> body, SpanId span, Instant start,
                            std::optional<double> timeoutS, History history)
{
    ExecHooks *hooks = call.hooks;
    ExecLayer layer(context, std::move(call), std::move(body), span, start, timeoutS, std::move(history));
    if (hooks) {
        auto setUp = hooks->setUp();
        co_await std::move(setUp);
    }
    auto loop = retryLoop(layer);
    CallResult result = co_await std::move(loop);
    co_return result;
}

// Waits for the loop in a strand of its own; at the cap it lets go of it.
Task<CallResult> execAbandonable(CallContext &context, std::unique_ptr<Orphan> orphan, Instant capAt, SpanId span)
{
    orphan->start();
    bool told = false;
    for (;;) {
        if (orphan->isDone())
            co_return orphan->take();
        Wait wait(context.strand(), capAt, told);
        orphan->wakeWhenDone(&wait);
        const Wake wake = co_await wait;
        orphan->wakeWhenDone(nullptr);
        switch (wake) {
        case Wake::Ready:
        case Wake::PolicyChange: // the orphan's strand hears it itself
            break;
        case Wake::Alarm:
            orphan->strand().alarm();
            break;
        case Wake::Interrupt:
            orphan->strand().interrupt(*context.strand().interrupted());
            told = true;
            break;
        case Wake::Due:
            if (orphan->isDone() || told)
                break;
            context.orphans->adopt(std::move(orphan), context.log(), span);
            co_return CallResult(Interrupted{InterruptCause::HardCap, u"exec.hard_cap_s"_s});
        }
    }
}

Failure hardCapFailure(const Policy &policy, bool abandoned)
{
    Failure failure;
    failure.type = u"TimeoutError"_s;
    failure.text = u"exec() reached its hard cap of %1 s"_s.arg(policy.seconds(Setting::ExecHardCapAfter).value_or(0));
    failure.timedOutByDeadline = true;
    failure.abandoned = abandoned;
    return failure;
}

TimerId armExecTimer(EventLog &log, SpanId owner, TimerKind kind, Kills kills, Instant due, Duration value, Setting setting)
{
    return log.arm(kind, [=](TimerArmed &timer) {
        timer.owner = owner;
        timer.kills = kills;
        timer.due = due;
        timer.value = value;
        timer.setting = infoOf(setting).name;
        timer.variable = infoOf(setting).variable;
    });
}

void endExecTimer(EventLog &log, TimerId id, Instant due, bool fired)
{
    if (!id)
        return;
    if (!fired) {
        log.disarm(id);
        return;
    }
    TimerFired firing;
    firing.id = id;
    firing.due = due;
    log.fired(firing);
}

} // namespace

Task<CallResult> runExec(CallContext &context, ExecCall call, std::shared_ptr<ExecBody> body)
{
    EventLog &log = context.log();
    const Instant start = context.now();
    const Policy &policy = context.policy();
    const std::optional<double> timeoutS = effectiveTimeout(call, policy);
    const std::optional<Instant> deadline =
        timeoutS ? std::optional(after(start, fromSeconds(*timeoutS))) : std::nullopt;
    const bool withImage = call.withImage;
    SpanBegan span;
    span.parent = call.parent;
    span.kind = SpanKind::Exec;
    span.layer = Layer::Exec;
    span.attempt = static_cast<int>(call.number);
    span.label = call.label;
    const SpanId id = log.begin(std::move(span));
    BoundDeadline bound(context, deadline);
    TimerId deadlineTimer;
    if (deadline) {
        // Without propagation it ends nothing by itself: exec only looks at it between tries.
        deadlineTimer = armExecTimer(log, id, TimerKind::Deadline, context.deadline ? Kills::Call : Kills::Nothing, *deadline,
                                     fromSeconds(*timeoutS), Setting::ExecTimeout);
    }
    const HardCap mode = policy.hardCap();
    const std::optional<Duration> capAfter =
        mode == HardCap::Off ? std::nullopt : policy.duration(Setting::ExecHardCapAfter);
    const Instant capAt = capAfter ? after(start, *capAfter) : never;
    const bool abandons = capAfter && mode == HardCap::Abandon && context.orphans;
    TimerId capTimer;
    HardCapTimer cap(context.strand());
    if (capAfter) {
        capTimer = armExecTimer(log, id, TimerKind::HardCap, Kills::Call, capAt, *capAfter, Setting::ExecHardCapAfter);
        if (!abandons)
            context.clock().arm(cap, capAt);
    }
    const auto history = std::make_shared<std::vector<FailedAttempt>>();
    CallResult result;
    if (abandons) {
        auto orphan = std::make_unique<Orphan>(context);
        orphan->hold(execPasses(orphan->context(), std::move(call), std::move(body), id, start, timeoutS, history));
        auto passes = execAbandonable(context, std::move(orphan), capAt, id);
        result = co_await std::move(passes);
    } else {
        auto passes = execPasses(context, std::move(call), std::move(body), id, start, timeoutS, history);
        result = co_await std::move(passes);
    }
    const bool capped = result.isInterrupted() && result.interrupted().cause == InterruptCause::HardCap;
    if (capped) {
        context.strand().clearHardCap();
        ExecEnding ending;
        ending.permanently = true;
        ending.deadline = true;
        ending.attempts = static_cast<int>(history->size());
        ending.elapsed = context.now() - start;
        ending.hadImage = withImage;
        Failure error = execError(context.policy().rules(), hardCapFailure(context.policy(), abandons), *history, ending);
        error.abandoned = abandons;
        result = CallResult(std::move(error));
    }
    endExecTimer(log, capTimer, capAt, capped);
    if (deadline)
        endExecTimer(log, deadlineTimer, *deadline, context.now() >= *deadline);
    Classification verdict;
    if (result.isFailure())
        verdict.reason = result.failure().reason;
    endSpan(log, id, result, verdict);
    co_return result;
}

} // namespace Waitscope
