// SPDX-License-Identifier: GPL-3.0-or-later
// What the window works on: the current run with its store, feed and recording; starts, stops and replaces it.
#pragma once

#include "app/runs/demo.h"
#include "app/runs/recording.h"
#include "app/runs/recordingfolder.h"
#include "app/runs/teesink.h"
#include "app/waitscope/secretstore.h"
#include "sim/simulation.h"
#include "trace/tracestore.h"
#include "ui/feed/livefeed.h"
#include "ui/requests.h"

#include <QCoro/QCoroTask>

#include <QObject>
#include <QPointer>

#include <list>

namespace Waitscope {

class Session final : public QObject
{
    Q_OBJECT
public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    // Where recordings go; empty = none are made.
    void setRecordingFolder(const QString &folder, qint64 mostBytesEach = usualRecordingLimit)
    {
        m_recordingFolder = folder;
        m_recordingLimit = mostBytesEach;
    }

    // Where run() finds keys by their names; without one it says that it cannot.
    void setSecretStore(std::unique_ptr<PatientSecretStore> secrets) { m_secrets = std::move(secrets); }
    [[nodiscard]] PatientSecretStore *secretStore() const noexcept { return m_secrets.get(); }

    void run(const RunRequest &request);
    void simulate(const SimulateRequest &request);
    void demo(const QString &name);
    void open(const QString &path);
    // Ends everything that runs. stateChanged() says when it has ended.
    void stop();
    [[nodiscard]] bool isRunning() const noexcept { return m_state.running; }
    // A recording is being read; stateChanged() says when it is all there.
    [[nodiscard]] bool isOpening() const noexcept { return m_opening; }

    [[nodiscard]] const TraceStore *store() const noexcept { return m_store.get(); }
    [[nodiscard]] std::function<Instant()> nowFunction() const;
    // The policy a task began with; the task's number counts from 0 in order of the plan.
    [[nodiscard]] PolicyPtr policyOfTask(const QString &taskName) const;
    [[nodiscard]] const RunState &state() const noexcept { return m_state; }
    // A line a task; what is still open is measured up to `now`.
    [[nodiscard]] QStringList summary(Instant now) const;

    // What the forms offer, and the checks behind them.
    [[nodiscard]] static FormChoices choices();

Q_SIGNALS:
    // The old store is gone after this signal: whoever shows it takes the new one.
    void storeReplaced(const TraceStore *store, bool simulated, const QString &title);
    void storeChanged();
    void stateChanged();
    void problem(const QString &line);

private:
    void replaceStore(TraceHeader header, bool simulated);
    [[nodiscard]] EventSink &sinkFor(const TraceHeader &header, std::vector<KnownSecret> secrets);
    void runWith(const RunRequest &request, const QByteArray &keptKey);
    void launched(LiveRun *run, int tasks, double scale);
    void ended();
    // What a thread that is on its way out still writes to. In the order of making: it goes from the last to the first.
    struct Leaving {
        std::unique_ptr<TraceStore> store;
        std::unique_ptr<LiveFeed> feed;
        std::shared_ptr<Recording> recording;
        std::unique_ptr<Redactor> redactor;
        std::unique_ptr<TeeSink> tee;
        std::unique_ptr<RedactingSink> redacting;
        std::shared_ptr<QThread> thread;
    };
    // Ends the run at hand and everything that belongs to it; of a simulation, without waiting for its thread.
    void clear();
    void keepUntilFinished(Leaving leaving);
    static void takeApart(std::unique_ptr<TraceStore> store);
    QCoro::Task<> openInSlices(QString path);
    QCoro::Task<> simulateElsewhere(SimulationSpec spec);
    QCoro::Task<> closeRecording();

    std::unique_ptr<PatientSecretStore> m_secrets;
    QString m_recordingFolder;
    qint64 m_recordingLimit = usualRecordingLimit;
    std::unique_ptr<TraceStore> m_store;
    std::unique_ptr<LiveFeed> m_feed;
    std::shared_ptr<Recording> m_recording;
    std::unique_ptr<Redactor> m_redactor;
    std::unique_ptr<TeeSink> m_tee;
    std::unique_ptr<RedactingSink> m_redacting;
    std::unique_ptr<DemoRun> m_demo;
    std::unique_ptr<LiveRun> m_live;
    std::shared_ptr<QThread> m_simulation; // while one runs
    std::shared_ptr<std::atomic<bool>> m_stopSimulation;
    LiveRun *m_run = nullptr; // the demo's or the live one
    std::list<Leaving> m_leaving;
    std::vector<std::pair<QString, PolicyPtr>> m_policies;
    RunState m_state;
    bool m_opening = false;
    quint64 m_generation = 0; // flows of an earlier run see that they are late
};

} // namespace Waitscope
