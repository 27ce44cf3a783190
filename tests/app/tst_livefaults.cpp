// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 900
// ctest-labels: live
// Every fault through the real network path, many calls at once: each call ends, none is called a success that is not, and the
// server counts what the timeline says was sent. WAITSCOPE_SHORT_TESTS=1 makes fewer calls.
//
// Real time is unavoidable here: margins are many times what is ever seen, so that a busy machine does not fail them. How late
// calls really end is printed; it is a measurement, not a test.
#include "fault/scenarioreader.h"
#include "support/livecalls.h"

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
    void staleConnectionsCostNobody();
    void sleepEndsWhatItHasKilled();
    void stopEndsEverythingAtOnce();

private:
    static int calls() { return qEnvironmentVariableIsSet("WAITSCOPE_SHORT_TESTS") ? 20 : 100; }
};

namespace {

PolicyPtr hardened(const QStringList &changes)
{
    return policyOf(u"hardened"_s, changes);
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

} // namespace

void TestLiveFaults::everyFaultEndsInTime_data()
{
    QTest::addColumn<QString>("scenario");
    for (const Scenario &scenario : builtInScenarios()) {
        if (!needsResolver(scenario))
            QTest::newRow(qPrintable(scenario.name)) << scenario.name;
    }
}

void TestLiveFaults::everyFaultEndsInTime()
{
    QFETCH(QString, scenario);
    // A hundred times a mebibyte on one line is work, not waiting: it takes what it takes on a busy machine.
    const double timeout = scenario == u"huge-line"_s ? 30 : 2;
    const Scenario fault = findScenario(scenario).value();
    const ServedScenario served(fault, 1);
    const PolicyPtr policy = hardened({u"exec.timeout_s=%1"_s.arg(timeout)});
    LiveSpec spec = served.spec(policy, calls());
    FirstRequests firsts;
    spec.sink = &firsts;
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
    if (const QString wrong = differences(fault, policy, firsts.ends(), calls()); !wrong.isEmpty())
        QFAIL(qPrintable(wrong));
    const auto wireAgrees = [&] {
        return served.server.counts().requests == run.counts().sent && served.server.counts().connections == run.counts().connects;
    };
    if (countsTell(fault)) {
        QVERIFY2(settles(wireAgrees), qPrintable(u"server: %1 requests, %2 connections"_s.arg(served.server.counts().requests)
                                                     .arg(served.server.counts().connections)));
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
    const ServedScenario served(findScenario(scenario).value(), 20);
    LiveSpec spec = served.spec(hardened({u"stream.max_attempts=1"_s}), calls() * 5 / 2);
    spec.scale = 20;
    spec.concurrency = 50;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(300)), "a call hangs");
    for (const TaskEnding &ending : run.endings())
        QVERIFY2(ending.score != Score::Ok, "a truncated body was reported as a success");
}

// The second try finds the connection dead that the first one has left. It has two tries in all: that must be none of them.
void TestLiveFaults::staleConnectionsCostNobody()
{
    constexpr int count = 10;
    const ServedScenario served(findScenario(u"stale-connection"_s).value(), 10);
    LiveSpec spec = served.spec(hardened({u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=2"_s}), count);
    spec.scale = 10;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    for (const TaskEnding &ending : run.endings())
        QCOMPARE(ending.score, Score::Ok);
    QCOMPARE(run.counts().requests, 3 * count);
    QCOMPARE(served.server.counts().requests, 2 * count);
    QCOMPARE(served.server.counts().connections, 2 * count);
}

// A laptop that slept for half an hour: the stream is dead, and nobody waits for the idle limit to notice it. Sleep is told
// once, as the clock would; a short one is survived.
void TestLiveFaults::sleepEndsWhatItHasKilled()
{
    for (const double asleep : {1800.0, 20.0}) {
        const ServedScenario served(findScenario(u"idle-stall"_s).value(), 1);
        LiveSpec spec = served.spec(hardened({u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=1"_s}), 3);
        class Jumps final : public EventSink
        {
        public:
            void write(const Event &event) override
            {
                jumps += std::holds_alternative<ClockJumped>(event) ? 1 : 0;
                const auto *mark = std::get_if<Marked>(&event);
                committed += mark && mark->kind == MarkKind::Committed ? 1 : 0;
            }
            std::atomic<int> jumps = 0;
            std::atomic<int> committed = 0;
        } sink;
        spec.sink = &sink;
        spec.takeSuspend = [&sink, asleep, told = false]() mutable -> std::optional<Duration> {
            if (told || sink.committed < 3)
                return std::nullopt;
            told = true;
            return fromSeconds(asleep);
        };
        LiveRun run(std::move(spec));
        QSignalSpy finished(&run, &LiveRun::finished);
        QVERIFY(run.start());
        QVERIFY(QTest::qWaitFor([&sink] { return sink.jumps == 1; }, 30'000));
        if (asleep < 60) {
            QVERIFY(!finished.wait(1000)); // nothing is to happen
            run.stop(u"test"_s);
            QVERIFY(finished.count() > 0 || finished.wait(20'000));
            continue;
        }
        QVERIFY2(finished.count() > 0 || finished.wait(5000), "the calls did not end within 5 s of the wake-up");
        for (const TaskEnding &ending : run.endings()) {
            QCOMPARE(ending.score, Score::Partial); // content had come
            QVERIFY2(ending.result.reply().brokenBy.contains(u"interrupted by system sleep of 1800 s"_s), qPrintable(ending.result.reply().brokenBy));
        }
    }
}

void TestLiveFaults::stopEndsEverythingAtOnce()
{
    const ServedScenario served(findScenario(u"idle-stall"_s).value(), 1);
    LiveRun run(served.spec(hardened({}), calls()));
    QSignalSpy finished(&run, &LiveRun::finished);
    QVERIFY(run.start());
    QVERIFY(QTest::qWaitFor([&] { return served.server.counts().requests == calls(); }, 30'000));
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
