// SPDX-License-Identifier: GPL-3.0-or-later
// A live run: harness, clock and network transport in a worker thread, commands as posted messages, events into a sink.
#pragma once

#include "base/problem.h"
#include "engine/harness.h"
#include "engine/http/requestbuilder.h"
#include "sim/countingsink.h"

#include <QObject>
#include <QThread>

#include <atomic>

namespace Waitscope {

struct LiveTask {
    LiveTask() = default;
    QString name;
    CallSpec call;
    PolicyPtr policy;
};

struct LiveSpec {
    LiveSpec() = default;
    std::vector<LiveTask> tasks;
    int concurrency = 1;
    double scale = 1;
    quint64 seed = 0;
    QString caFile;
    bool keepContent = false;
    // How long the machine has slept since the last answer (real time); empty = the clock is asked. Called in the worker thread.
    std::function<std::optional<Duration>()> takeSuspend;
    // Written from the worker thread; outlives the run. Must be redacting already where secrets are in play.
    EventSink *sink = nullptr;
};

class LiveRun final : public QObject
{
    Q_OBJECT
public:
    explicit LiveRun(LiveSpec spec, QObject *parent = nullptr);
    // Ends whatever still runs; blocks until the worker thread is gone.
    ~LiveRun() override;

    // Checks every call first; nothing is sent when one of them is at fault.
    [[nodiscard]] Expected<void> start();
    // Asks every task to unwind; finished() follows within milliseconds. Any thread.
    void stop(const QString &why);
    void changePolicy(Setting setting, const SettingValue &value, const QString &origin);

    // The run's present; Instant{} before start. Any thread.
    [[nodiscard]] Instant nominalNow() const noexcept;
    [[nodiscard]] bool isRunning() const noexcept { return m_running; }
    // Valid after finished().
    [[nodiscard]] const std::vector<TaskEnding> &endings() const noexcept { return m_endings; }
    [[nodiscard]] const RunCounts &counts() const noexcept { return m_counts; }

Q_SIGNALS:
    // In the owner's thread; the worker has written its last event.
    void finished();

private:
    class Worker;
    void onWorkerFinished(std::vector<TaskEnding> endings, const RunCounts &counts);

    LiveSpec m_spec;
    QThread m_thread;
    std::unique_ptr<Worker> m_worker;
    std::vector<TaskEnding> m_endings;
    RunCounts m_counts;
    bool m_running = false;
};

// The most requests that one call under this policy could send: every layer's tries multiplied. nullopt = without limit.
[[nodiscard]] std::optional<qint64> mostRequests(const Policy &policy);

} // namespace Waitscope
