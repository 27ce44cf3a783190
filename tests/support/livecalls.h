// SPDX-License-Identifier: GPL-3.0-or-later
// Many calls against one scenario of a fault server, through the real network path.
#pragma once

#include "app/runs/liverun.h"
#include "live/faultserver.h"
#include "policy/profile.h"
#include "sim/simulation.h"
#include "support/firstrequests.h"

#include <QTemporaryFile>
#include <QtTest>

namespace WaitscopeTest {

inline Waitscope::PolicyPtr policyOf(const QString &profile, const QStringList &changes)
{
    using namespace Waitscope;
    Policy policy = findProfile(profile).value().policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, QStringLiteral("test")).value();
    return std::make_shared<const Policy>(policy);
}

// What nobody can play on this machine's own loopback without a resolver to hold back.
inline bool needsResolver(const Waitscope::Scenario &scenario)
{
    return scenario.lookup != Waitscope::LookupFault::None;
}

// One scenario, served; with the file of its authority where a client needs one.
class ServedScenario
{
public:
    ServedScenario(const Waitscope::Scenario &scenario, double scale)
        : m_name(scenario.name)
        , server(optionsOf(scenario, scale))
    {
        if (!server.start())
            qFatal("no fault server");
        if (!server.authorityPem().isEmpty()) {
            if (!m_authority.open() || m_authority.write(server.authorityPem()) < 0 || !m_authority.flush())
                qFatal("no file for the authority");
        }
    }

    // Each call meets the first script first.
    Waitscope::LiveSpec spec(Waitscope::PolicyPtr policy, int calls) const
    {
        using namespace Waitscope;
        if (const QUrl proxy = server.proxyFor(m_name); !proxy.isEmpty()) {
            policy = std::make_shared<const Policy>(
                policy->withAssignment(QStringLiteral("http.proxy_url=") + proxy.toString(), QStringLiteral("test")).value());
        }
        LiveSpec spec;
        for (int i = 0; i < calls; ++i) {
            LiveTask task;
            task.name = QString::number(i);
            task.call.url = server.urlFor(m_name);
            task.call.url.setPath(task.call.url.path() + QStringLiteral("/v1/chat/completions"));
            task.call.api = Api::OpenaiChat;
            task.call.model = QStringLiteral("m");
            // What the system's buffers take is sent, whether the peer reads or not: more than they take, for every call.
            task.call.prompt = m_name == QStringLiteral("write-stall") ? QString(1024 * 1024, u'p') : QStringLiteral("p");
            task.call.headers = {{"X-Waitscope-Exec", QByteArray::number(i)}};
            task.policy = policy;
            spec.tasks.push_back(std::move(task));
        }
        spec.concurrency = calls;
        if (!server.authorityPem().isEmpty())
            spec.caFile = m_authority.fileName();
        return spec;
    }

private:
    static Waitscope::FaultServerOptions optionsOf(const Waitscope::Scenario &scenario, double scale)
    {
        Waitscope::FaultServerOptions options;
        options.scale = scale;
        options.scenarios = {scenario};
        return options;
    }

    QString m_name;
    QTemporaryFile m_authority;

public:
    Waitscope::FaultServer server;
};

// The scenario's first request under this policy on the virtual clock: when it ends, and as what.
inline SeenEnd simulated(const Waitscope::Scenario &scenario, const Waitscope::PolicyPtr &policy)
{
    using namespace Waitscope;
    SimulationSpec spec;
    spec.scenarios = {scenario};
    SimulatedTask task;
    task.policy = policy;
    spec.tasks = {task};
    FirstRequests sink;
    spec.sink = &sink;
    static_cast<void>(runSimulation(spec));
    return sink.ends().at(0);
}

inline bool runToEnd(Waitscope::LiveRun &run, std::chrono::milliseconds limit)
{
    QSignalSpy finished(&run, &Waitscope::LiveRun::finished);
    if (!run.start())
        return false;
    return finished.count() > 0 || finished.wait(static_cast<int>(limit.count()));
}

// The server notices a connection a moment after the client has made it.
inline bool settles(const std::function<bool()> &holds)
{
    return QTest::qWaitFor(holds, 10'000);
}

// Do the server's counts tell anything? Not of a connect that it never answers, nor of bytes that it never reads.
inline bool countsTell(const Waitscope::Scenario &scenario)
{
    using namespace Waitscope;
    if (scenario.isProxy || endsBeforeScripts(scenario))
        return false;
    if (scenario.tls != TlsFault::Plain && scenario.tls != TlsFault::Proper)
        return false;
    // A stale connection takes what is sent on it and tells nobody.
    return std::ranges::all_of(scenario.requests, [](const FaultScript &s) { return s.connection == ConnectionFault::Accept && !s.leavesStale; });
}

} // namespace WaitscopeTest
