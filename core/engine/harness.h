// SPDX-License-Identifier: GPL-3.0-or-later
// The task layer: runs tasks with their rounds and watchdog, scores them by reason, and is where a run is stopped.
#pragma once

#include "engine/orphan.h"
#include "engine/provider.h"

#include <functional>

namespace Waitscope {

enum class Score : quint8 {
    Ok, TaskTimeout, ExecTimeout, ProviderAuth, Authz, Transport, RateLimit, Provider, Context, Policy, Invalid, Unknown,
    Partial, WrongFormat, Interrupted, Abandoned
};

[[nodiscard]] QLatin1StringView wordOf(Score);
template<>
std::span<const Score> allOf<Score>();

// By reason, never by text.
[[nodiscard]] Score scoreOf(const CallResult &result);

// One task of a run. Several may share a call and a policy.
struct TaskPlan {
    TaskPlan() = default;
    QString name;
    std::shared_ptr<const HttpCall> call;
    QString streamLabel = QStringLiteral("openai-codex");
    PolicyPtr policy;
    // What stands in for HTTP in a replay; empty = the wire.
    std::function<std::shared_ptr<StreamBody>(HttpPorts &)> makeStream;
};

// Did a task end at all? Where time is simulated, for ever can be told from long.
enum class Finish : quint8 {
    Ended,
    Hangs,      // nothing is left that could end it
    CutByLimit, // it was still running when its simulation was stopped
};

struct TaskEnding {
    TaskEnding() = default;
    Finish finish = Finish::Ended;
    Score score = Score::Ok;
    CallResult result;  // of the last round
    Instant began;
    Instant ended;
    int rounds = 0;
};

class Harness
{
public:
    // `ports` and the other references outlive the harness. `concurrency` tasks run at a time, in order.
    Harness(Clock &clock, EventLog &log, Random &random, HttpPorts &ports, std::vector<TaskPlan> plans, int concurrency);
    ~Harness();
    Q_DISABLE_COPY_MOVE(Harness)

    void start();
    // Every task is over; orphans may still run.
    [[nodiscard]] bool isFinished() const noexcept { return m_finished == m_tasks.size(); }
    // Called once, from inside the clock's drain: post from it, do not destroy the harness in it.
    std::function<void()> onFinished;

    // Ends everything: tasks that run unwind at their suspension points, tasks that wait never start. Recorded as a command.
    void stop(const QString &why);
    // A change for every task that is not over.
    void changePolicy(Setting setting, const SettingValue &value, const QString &origin);

    [[nodiscard]] qsizetype taskCount() const noexcept { return static_cast<qsizetype>(m_tasks.size()); }
    // nullptr while the task is not over.
    [[nodiscard]] const TaskEnding *ending(qsizetype index) const;
    // Is the run stopped early because a key was refused (harness.abort_on_auth)?
    [[nodiscard]] bool abortedByAuth() const noexcept { return m_authAbort; }
    [[nodiscard]] int orphans() const noexcept { return m_orphans.running(); }

private:
    class RunningTask;
    void startNext();
    void taskFinished(RunningTask &task);

    Clock &m_clock;
    EventLog &m_log;
    Random &m_random;
    HttpPorts &m_ports;
    std::vector<std::unique_ptr<RunningTask>> m_tasks;
    OrphanScope m_orphans; // after the tasks whose policies they hear of: goes first
    size_t m_concurrency;
    RunningTask *m_lastFinished = nullptr; // holds more than its ending still
    bool m_finishing = false;
    size_t m_started = 0;
    size_t m_finished = 0;
    quint64 m_execs = 0;
    bool m_authAbort = false;
    bool m_startingNext = false;
    std::optional<Interrupted> m_stop;
};

} // namespace Waitscope
