// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/harness.h"

#include "engine/spanend.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// The alarm of one task. Swallowed: one shot into whatever is awaited. Interrupt: a control signal that stays.
class Watchdog final : public ClockNode
{
public:
    Watchdog(CallContext &context, EventLog &log)
        : m_context(context)
        , m_log(log)
    {
    }

    void arm(SpanId task)
    {
        const Policy &policy = m_context.policy();
        m_mode = policy.watchdog();
        const std::optional<Duration> budget = policy.duration(Setting::HarnessTaskTimeout);
        if (m_mode == WatchdogMode::Off || !budget)
            return;
        m_task = task;
        m_due = after(m_context.now(), *budget);
        m_timer = m_log.arm(TimerKind::Watchdog, [this, task, &budget](TimerArmed &timer) {
            timer.owner = task;
            timer.kills = m_mode == WatchdogMode::Interrupt ? Kills::Task
                : m_mode == WatchdogMode::Swallowed         ? Kills::Request
                                                            : Kills::Nothing;
            timer.due = m_due;
            timer.value = *budget;
            timer.setting = infoOf(Setting::HarnessTaskTimeout).name;
            timer.variable = infoOf(Setting::HarnessTaskTimeout).variable;
        });
        m_context.clock().arm(*this, m_due);
    }

    void disarm()
    {
        m_context.clock().disarm(*this);
        if (m_timer)
            m_log.disarm(std::exchange(m_timer, TimerId{}));
    }

private:
    void onDue() override
    {
        TimerFired firing;
        firing.id = std::exchange(m_timer, TimerId{});
        firing.due = m_due;
        m_log.fired(firing);
        switch (m_mode) {
        case WatchdogMode::Off:
            return;
        case WatchdogMode::Swallowed:
            m_context.strand().alarm();
            return;
        case WatchdogMode::Undelivered:
            m_log.mark(m_task, MarkKind::AlarmUndelivered);
            m_log.mark(m_task, MarkKind::Unprotected);
            return;
        case WatchdogMode::Interrupt:
            m_context.strand().interrupt(Interrupted{InterruptCause::Watchdog, u"harness.task_timeout_s"_s});
            return;
        }
        Q_UNREACHABLE();
    }
    void onReady() override { }

    CallContext &m_context;
    EventLog &m_log;
    WatchdogMode m_mode = WatchdogMode::Off;
    SpanId m_task;
    TimerId m_timer;
    Instant m_due = never;
};

} // namespace

class Harness::RunningTask
{
public:
    RunningTask(Harness &harness, TaskPlan plan)
        : m_harness(harness)
        , m_plan(std::move(plan))
        , m_policies(harness.m_log, m_plan.policy)
        , m_strand(harness.m_clock)
        , m_context(harness.m_clock, harness.m_log, harness.m_random, m_policies, m_strand)
        , m_watchdog(m_context, harness.m_log)
    {
        m_policies.add(m_strand);
        m_context.orphans = &harness.m_orphans;
    }

    void start()
    {
        m_started = true;
        m_task = run();
        m_task.start();
    }
    [[nodiscard]] bool isStarted() const noexcept { return m_started; }
    [[nodiscard]] bool isOver() const noexcept { return m_over; }
    [[nodiscard]] const TaskEnding &ending() const noexcept { return m_ending; }
    [[nodiscard]] bool refusedByKey() const
    {
        return m_ending.score == Score::ProviderAuth && m_context.policy().flag(Setting::HarnessAbortOnAuth);
    }
    void interrupt(const Interrupted &signal) { m_strand.interrupt(signal); }
    void change(Setting setting, const SettingValue &value, const QString &origin)
    {
        m_policies.change(setting, value, origin);
    }
    // Nothing of it runs any more: only its ending is still wanted. Not from inside its own coroutine.
    void release()
    {
        m_task = {};
        m_plan.call.reset();
    }
    // A task that was never begun, because the run was stopped before.
    void skip(const Interrupted &signal)
    {
        m_started = m_over = true;
        m_ending.result = CallResult(signal);
        m_ending.score = Score::Interrupted;
    }

private:
    Task<> run()
    {
        EventLog &log = m_harness.m_log;
        SpanBegan span;
        span.kind = SpanKind::Task;
        span.layer = Layer::Task;
        span.label = m_plan.name;
        const SpanId id = log.begin(std::move(span));
        m_context.task = id;
        m_ending.began = m_context.now();
        m_watchdog.arm(id);
        const int rounds = std::max(1, m_context.policy().count(Setting::HarnessRounds));
        for (int n = 1; n <= rounds; ++n) {
            auto round = runRound(n, rounds, id);
            m_ending.result = co_await std::move(round);
            m_ending.rounds = n;
            if (!m_ending.result.isFailure())
                break;
            if (m_ending.result.failure().reason == ErrorReason::Auth
                && m_context.policy().flag(Setting::HarnessAbortOnAuth))
                break;
        }
        m_watchdog.disarm();
        m_ending.ended = m_context.now();
        m_ending.score = scoreOf(m_ending.result);
        Classification verdict;
        if (m_ending.result.isFailure())
            verdict.reason = m_ending.result.failure().reason;
        endSpan(log, id, m_ending.result, verdict);
        m_over = true;
        m_harness.taskFinished(*this);
    }

    Task<CallResult> runRound(int n, int rounds, SpanId task)
    {
        // A single round would only repeat its task's bar.
        const SpanId round =
            rounds > 1 ? m_harness.m_log.begin(SpanKind::Round, Layer::Task, [task, n, rounds](SpanBegan &span) {
                span.parent = task;
                span.attempt = n;
                span.maxAttempts = rounds;
            })
                       : SpanId{};
        m_context.cause = {};
        ExecCall exec;
        exec.number = ++m_harness.m_execs;
        exec.parent = round ? round : task;
        exec.label = m_plan.name;
        m_context.beginExec(exec.number);
        StreamCall stream;
        stream.label = m_plan.streamLabel;
        stream.provider = m_plan.streamLabel;
        std::shared_ptr<StreamBody> wire;
        if (m_plan.makeStream)
            wire = m_plan.makeStream(m_harness.m_ports);
        else
            wire = std::make_shared<HttpStreamBody>(m_harness.m_ports, m_plan.call);
        auto body = std::make_shared<ProviderBody>(std::move(wire), std::move(stream));
        auto call = runExec(m_context, std::move(exec), std::move(body));
        CallResult result = co_await std::move(call);
        if (round) {
            Classification verdict;
            if (result.isFailure())
                verdict.reason = result.failure().reason;
            endSpan(m_harness.m_log, round, result, verdict);
        }
        co_return result;
    }

    Harness &m_harness;
    TaskPlan m_plan;
    PolicyBox m_policies;
    Strand m_strand;
    CallContext m_context;
    Watchdog m_watchdog;
    TaskEnding m_ending;
    bool m_started = false;
    bool m_over = false;
    Task<> m_task; // last: the frames go first
};

QLatin1StringView wordOf(Score score)
{
    switch (score) {
    case Score::Ok:
        return "ok"_L1;
    case Score::TaskTimeout:
        return "task_timeout"_L1;
    case Score::ExecTimeout:
        return "exec_timeout"_L1;
    case Score::ProviderAuth:
        return "provider_auth"_L1;
    case Score::Authz:
        return "authz"_L1;
    case Score::Transport:
        return "transport"_L1;
    case Score::RateLimit:
        return "rate_limit"_L1;
    case Score::Provider:
        return "provider"_L1;
    case Score::Context:
        return "context"_L1;
    case Score::Policy:
        return "policy"_L1;
    case Score::Invalid:
        return "invalid"_L1;
    case Score::Unknown:
        return "unknown"_L1;
    case Score::Partial:
        return "partial"_L1;
    case Score::WrongFormat:
        return "wrong_format"_L1;
    case Score::Interrupted:
        return "interrupted"_L1;
    case Score::Abandoned:
        return "abandoned"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Score> allOf<Score>()
{
    static constexpr Score values[] = {
        Score::Ok,        Score::TaskTimeout, Score::ExecTimeout, Score::ProviderAuth, Score::Authz,       Score::Transport,
        Score::RateLimit, Score::Provider,    Score::Context,     Score::Policy,       Score::Invalid,     Score::Unknown,
        Score::Partial,   Score::WrongFormat, Score::Interrupted, Score::Abandoned,
    };
    return values;
}

Score scoreOf(const CallResult &result)
{
    if (result.isReply())
        return result.reply().partial || result.reply().truncated ? Score::Partial : Score::Ok;
    if (result.isInterrupted())
        return result.interrupted().cause == InterruptCause::Watchdog ? Score::TaskTimeout : Score::Interrupted;
    const Failure &failure = result.failure();
    if (failure.abandoned)
        return Score::Abandoned;
    if (failure.kind == FailureKind::Alarm)
        return Score::TaskTimeout;
    switch (failure.reason) {
    case ErrorReason::Timeout:
        return Score::ExecTimeout;
    case ErrorReason::Auth:
        return Score::ProviderAuth;
    case ErrorReason::Authz:
        return Score::Authz;
    case ErrorReason::Transport:
        return Score::Transport;
    case ErrorReason::RateLimit:
        return Score::RateLimit;
    case ErrorReason::Provider:
        return Score::Provider;
    case ErrorReason::Context:
        return Score::Context;
    case ErrorReason::Policy:
        return Score::Policy;
    case ErrorReason::Invalid:
        return Score::Invalid;
    case ErrorReason::None:
    case ErrorReason::Unknown:
        return Score::Unknown;
    }
    Q_UNREACHABLE();
}

Harness::Harness(Clock &clock, EventLog &log, Random &random, HttpPorts &ports, std::vector<TaskPlan> plans, int concurrency)
    : m_clock(clock)
    , m_log(log)
    , m_random(random)
    , m_ports(ports)
    , m_concurrency(static_cast<size_t>(std::max(1, concurrency)))
{
    m_tasks.reserve(plans.size());
    for (TaskPlan &plan : plans)
        m_tasks.push_back(std::make_unique<RunningTask>(*this, std::move(plan)));
}

Harness::~Harness() = default;

void Harness::start()
{
    startNext();
}

void Harness::startNext()
{
    // A task that ends inside its own start comes back here: the loop below picks up what it freed.
    if (m_startingNext)
        return;
    m_startingNext = true;
    while (m_started < m_tasks.size() && m_started - m_finished < m_concurrency) {
        RunningTask &next = *m_tasks[m_started++];
        if (m_stop) {
            next.skip(*m_stop);
            ++m_finished;
        } else {
            next.start();
        }
    }
    m_startingNext = false;
    if (isFinished() && onFinished)
        std::exchange(onFinished, nullptr)();
}

void Harness::taskFinished(RunningTask &task)
{
    ++m_finished;
    if (task.refusedByKey() && !m_stop) {
        // Every further task would fail on the same key.
        m_authAbort = true;
        m_stop = Interrupted{InterruptCause::Stopped, u"the key was refused (harness.abort_on_auth)"_s};
    }
    // The one before has come to its end by now, unless this one ran within that one's last step.
    const bool isNested = std::exchange(m_finishing, true);
    if (!isNested && m_lastFinished)
        m_lastFinished->release();
    startNext();
    m_lastFinished = isNested ? m_lastFinished : &task;
    m_finishing = isNested;
}

void Harness::stop(const QString &why)
{
    CommandGiven command;
    command.at = m_log.now();
    command.name = u"stop"_s;
    command.argument = why;
    m_log.write(command);
    m_stop = Interrupted{InterruptCause::Stopped, why};
    for (const std::unique_ptr<RunningTask> &task : m_tasks) {
        if (task->isStarted() && !task->isOver())
            task->interrupt(*m_stop);
    }
    m_orphans.interruptAll(*m_stop);
    startNext();
}

void Harness::changePolicy(Setting setting, const SettingValue &value, const QString &origin)
{
    for (const std::unique_ptr<RunningTask> &task : m_tasks) {
        if (!task->isOver())
            task->change(setting, value, origin);
    }
}

const TaskEnding *Harness::ending(qsizetype index) const
{
    const RunningTask &task = *m_tasks[static_cast<size_t>(index)];
    return task.isOver() ? &task.ending() : nullptr;
}

} // namespace Waitscope
