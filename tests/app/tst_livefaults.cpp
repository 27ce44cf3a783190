// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 900
// ctest-labels: live
// Every fault through the real network path, many calls at once: each call ends, none is called a success that is not, and the
// server counts what the timeline says was sent. WAITSCOPE_SHORT_TESTS=1 makes fewer calls.
//
// Real time is unavoidable here: margins are many times what is ever seen, so that a busy machine does not fail them. How late
// calls really end is printed; it is a measurement, not a test.
#include "app/runs/liverun.h"
#include "fault/scenarioreader.h"
#include "live/faultserver.h"
#include "policy/profile.h"
#include "sim/simulation.h"
#include "support/firstrequests.h"

#include <QtTest>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;

class TestLiveFaults : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyFaultEndsInTime_data();
    void everyFaultEndsInTime();
    void truncatedBodiesAreNeverASuccess_data();
    void truncatedBodiesAreNeverASuccess();
    void stopEndsEverythingAtOnce();

private:
    static int calls() { return qEnvironmentVariableIsSet("WAITSCOPE_SHORT_TESTS") ? 20 : 100; }
};

namespace {

PolicyPtr hardened(const QStringList &changes)
{
    Policy policy = findProfile(u"hardened"_s).value().policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, u"test"_s).value();
    return std::make_shared<const Policy>(policy);
}

LiveSpec specOf(const QUrl &url, const PolicyPtr &policy, int calls)
{
    LiveSpec spec;
    for (int i = 0; i < calls; ++i) {
        LiveTask task;
        task.name = QString::number(i);
        task.call.url = url;
        task.call.url.setPath(url.path() + u"/v1/chat/completions"_s);
        task.call.api = Api::OpenaiChat;
        task.call.model = u"m"_s;
        task.call.prompt = u"p"_s;
        task.call.headers = {{"X-Waitscope-Exec", QByteArray::number(i)}}; // so that each call meets the first script first
        task.policy = policy;
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = calls;
    return spec;
}

// The scenario's first request under this policy on the virtual clock: when it ends, and as what.
SeenEnd simulated(const Scenario &scenario, const PolicyPtr &policy)
{
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

// What a first request came to that is not what the scenario's file expects; empty when all is well. A request that the
// deadline reaches before its fault shows has to end by the deadline, in the phase it is then in. So may one that a busy
// machine delayed up to there, but not most of them.
QString differences(const Scenario &scenario, const PolicyPtr &policy, const std::vector<SeenEnd> &seen, int calls)
{
    const double timeout = policy->seconds(Setting::ExecTimeout).value_or(0);
    const SeenEnd cut = simulated(scenario, policy);
    const bool byDeadline = cut.what.outcome == Outcome::Timeout;
    const ExpectedEnd wanted = byDeadline ? cut.what : scenario.expect.strict.value();
    if (!byDeadline && (!meets(cut.what, wanted) || toSeconds(cut.at.time_since_epoch()) > timeout * 0.75))
        return u"simulated it comes to %1 after %2 s"_s.arg(lineOf(cut.what)).arg(toSeconds(cut.at.time_since_epoch()));
    if (seen.size() != static_cast<size_t>(calls))
        return u"%1 first requests of %2 calls"_s.arg(seen.size()).arg(calls);
    int delayed = 0;
    QHash<QString, int> wrong;
    for (const SeenEnd &end : seen) {
        if (meets(end.what, wanted))
            continue;
        const bool late = end.what.outcome == Outcome::Timeout && end.what.reason == ErrorReason::Timeout;
        if (!byDeadline && late)
            ++delayed;
        else
            ++wrong[lineOf(end.what)];
    }
    QString text;
    for (auto it = wrong.cbegin(); it != wrong.cend(); ++it)
        text += u"\n%1 times: %2"_s.arg(it.value()).arg(it.key());
    if (delayed * 2 > calls)
        text += u"\n%1 times the deadline was faster"_s.arg(delayed);
    return text.isEmpty() ? text : u"expected: "_s + lineOf(wanted) + text;
}

bool runToEnd(LiveRun &run, std::chrono::milliseconds limit)
{
    QSignalSpy finished(&run, &LiveRun::finished);
    if (!run.start())
        return false;
    return finished.count() > 0 || finished.wait(static_cast<int>(limit.count()));
}

// The server notices a connection a moment after the client has made it.
bool settles(const std::function<bool()> &holds)
{
    return QTest::qWaitFor(holds, 10'000);
}

} // namespace

void TestLiveFaults::everyFaultEndsInTime_data()
{
    QTest::addColumn<QString>("scenario");
    for (const Scenario &scenario : builtInScenarios())
        QTest::newRow(qPrintable(scenario.name)) << scenario.name;
}

void TestLiveFaults::everyFaultEndsInTime()
{
    QFETCH(QString, scenario);
    constexpr double timeout = 2;
    FaultServerOptions options;
    options.scenarios = {findScenario(scenario).value()};
    FaultServer server(options);
    QVERIFY(server.start());
    const PolicyPtr policy = hardened({u"exec.timeout_s=%1"_s.arg(timeout)});
    LiveSpec spec = specOf(server.urlFor(scenario), policy, calls());
    FirstRequests firsts;
    spec.sink = &firsts;
    // What the system's buffers take is sent, whether the peer reads or not: more than they take, for every call.
    if (scenario == u"write-stall"_s) {
        for (LiveTask &task : spec.tasks)
            task.call.prompt = QString(1024 * 1024, u'p');
    }
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    std::vector<double> late;
    for (const TaskEnding &ending : run.endings()) {
        const double elapsed = toSeconds(ending.ended - ending.began);
        QVERIFY2(elapsed < timeout + 20, qPrintable(QString::number(elapsed)));
        late.push_back(std::max(0.0, elapsed - timeout) * 1000);
    }
    std::ranges::sort(late);
    qInfo("%s: %lld requests, %lld connects; late by p99 %.1f ms, max %.1f ms", qPrintable(scenario), run.counts().sent,
          run.counts().connects, late[(late.size() * 99 + 99) / 100 - 1], late.back());
    if (const QString wrong = differences(options.scenarios.front(), policy, firsts.ends(), calls()); !wrong.isEmpty())
        QFAIL(qPrintable(wrong));
    const auto wireAgrees = [&] {
        return server.counts().requests == run.counts().sent && server.counts().connections == run.counts().connects;
    };
    // A connect that nobody answers or reads leaves nothing to compare.
    const bool reads = scenario != u"connect-blackhole"_s && scenario != u"connect-refused"_s && scenario != u"write-stall"_s
        && scenario != u"accept-then-close"_s && scenario != u"accept-then-reset"_s;
    if (reads) {
        QVERIFY2(settles(wireAgrees), qPrintable(u"server: %1 requests, %2 connections"_s.arg(server.counts().requests)
                                                     .arg(server.counts().connections)));
    }
}

void TestLiveFaults::truncatedBodiesAreNeverASuccess_data()
{
    QTest::addColumn<QString>("scenario");
    for (const char *name : {"fin-mid-stream", "reset-mid-stream", "cut-chunked", "missing-end-marker"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestLiveFaults::truncatedBodiesAreNeverASuccess()
{
    QFETCH(QString, scenario);
    FaultServerOptions options;
    options.scale = 20;
    options.scenarios = {findScenario(scenario).value()};
    FaultServer server(options);
    QVERIFY(server.start());
    LiveSpec spec = specOf(server.urlFor(scenario), hardened({u"stream.max_attempts=1"_s}), calls() * 5 / 2);
    spec.scale = 20;
    spec.concurrency = 50;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(300)), "a call hangs");
    for (const TaskEnding &ending : run.endings())
        QVERIFY2(ending.score != Score::Ok, "a truncated body was reported as a success");
}

void TestLiveFaults::stopEndsEverythingAtOnce()
{
    FaultServerOptions options;
    options.scenarios = {findScenario(u"idle-stall"_s).value()};
    FaultServer server(options);
    QVERIFY(server.start());
    LiveRun run(specOf(server.urlFor(u"idle-stall"_s), hardened({}), calls()));
    QSignalSpy finished(&run, &LiveRun::finished);
    QVERIFY(run.start());
    QVERIFY(QTest::qWaitFor([&] { return server.counts().requests == calls(); }, 30'000));
    QElapsedTimer timer;
    timer.start();
    run.stop(u"test"_s);
    QVERIFY(finished.wait(20'000));
    qInfo("%d calls stopped within %lld ms", calls(), timer.elapsed());
    for (const TaskEnding &ending : run.endings())
        QCOMPARE(ending.score, Score::Interrupted);
}

QTEST_GUILESS_MAIN(TestLiveFaults)
#include "tst_livefaults.moc"
