// SPDX-License-Identifier: GPL-3.0-or-later
// Demonstrations: several calls side by side against the embedded fault server, in accelerated nominal time.
#pragma once

#include "app/runs/liverun.h"
#include "live/faultserver.h"

namespace Waitscope {

struct DemoTask {
    DemoTask() = default;
    QString name;
    QString scenario;
    QString profile;
    QStringList overrides;
};

struct Demo {
    Demo() = default;
    QString name;
    QString title;
    double scale = 1;
    std::vector<DemoTask> tasks;
};

// "connect-storm": a black hole under OpenProgram's August 2026 and under `hardened`, a stall mid-stream under `hardened`, and
// a legacy task whose watchdog is swallowed.
[[nodiscard]] std::vector<Demo> demos();
[[nodiscard]] Expected<Demo> demoNamed(const QString &name);

// The fault server and the run on it. Events go to `sink` from the run's thread.
class DemoRun
{
public:
    // The server runs when this returns; the problem names a port or scenario.
    [[nodiscard]] static Expected<std::unique_ptr<DemoRun>> create(const Demo &demo, quint64 seed, EventSink &sink);

    [[nodiscard]] LiveRun &run() noexcept { return *m_run; }
    [[nodiscard]] FaultCounts serverCounts() const { return m_server->counts(); }

private:
    DemoRun() = default;
    std::unique_ptr<FaultServer> m_server; // outlives the run
    std::unique_ptr<LiveRun> m_run;
};

} // namespace Waitscope
