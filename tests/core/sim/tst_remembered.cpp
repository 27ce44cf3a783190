// SPDX-License-Identifier: GPL-3.0-or-later
// Requests from memory: whatever a run keeps, its counts, times and endings are the same.
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/rememberedstream.h"
#include "sim/simulation.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

class NullSink final : public EventSink
{
public:
    void write(const Event &) override { }
};

QString described(const SimulationResult &result)
{
    const RunCounts &counts = result.counts;
    QString text = u"%1 requests, %2 sent, %3 connects, %4 execs, %5 attempts, %6 runs, %7 watchdogs, ended %8, limit %9"_s
                       .arg(counts.requests)
                       .arg(counts.sent)
                       .arg(counts.connects)
                       .arg(counts.execs)
                       .arg(counts.execAttempts)
                       .arg(counts.sessionRuns)
                       .arg(counts.watchdogs)
                       .arg(result.ended.time_since_epoch().count())
                       .arg(result.wasCut);
    for (const Duration slept : counts.backoff)
        text += u", slept %1"_s.arg(slept.count());
    for (const TaskEnding &task : result.tasks) {
        text += u"\n%1 %2..%3 in %4 rounds"_s.arg(wordOf(task.score))
                    .arg(task.began.time_since_epoch().count())
                    .arg(task.ended.time_since_epoch().count())
                    .arg(task.rounds);
        if (task.result.isFailure()) {
            const Failure &failure = task.result.failure();
            text += u": %1 %2 | %3 | %4 attempts, %5 s, exhausted %6, committed %7"_s
                        .arg(wordOf(failure.reason), failure.lastErrorType, failure.message)
                        .arg(failure.attempts)
                        .arg(failure.elapsedS)
                        .arg(failure.exhausted)
                        .arg(failure.committed);
        } else if (task.result.isReply()) {
            const Reply &reply = task.result.reply();
            text += u": %1 bytes, %2 events, %3, %4"_s.arg(reply.bytes).arg(reply.dataEvents).arg(reply.finishReason, reply.text);
        }
    }
    return text;
}

SimulationSpec specOf(const Scenario &scenario, const Policy &policy)
{
    SimulationSpec spec;
    spec.scenarios = {scenario};
    SimulatedTask task;
    task.policy = std::make_shared<const Policy>(policy);
    spec.tasks.assign(2, task); // the second finds what the first has learned
    spec.jitter = JitterMode::Random;
    spec.limit = Instant{3h};
    return spec;
}

} // namespace

class TestRemembered : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameAsPlayed_data();
    void sameAsPlayed();
    void deadlinesAndWatchdogsCutAsEver();
    void momentsInBodies();
};

void TestRemembered::sameAsPlayed_data()
{
    QTest::addColumn<QString>("profile");
    for (const Profile &profile : builtInProfiles())
        QTest::addRow("%s", qPrintable(profile.name)) << profile.name;
}

void TestRemembered::sameAsPlayed()
{
    QFETCH(QString, profile);
    const Policy policy = findProfile(profile).value().policy;
    NullSink sink;
    qint64 remembered = 0;
    for (const Scenario &scenario : builtInScenarios()) {
        for (quint64 seed = 1; seed <= 3; ++seed) {
            SimulationSpec spec = specOf(scenario, policy);
            spec.seed = seed;
            const SimulationResult counted = runSimulation(spec);
            spec.sink = &sink;
            const SimulationResult played = runSimulation(spec);
            QVERIFY2(described(counted) == described(played),
                     qPrintable(scenario.name + u"\nfrom memory: "_s + described(counted) + u"\nplayed: "_s + described(played)));
            QCOMPARE(played.remembered, 0);
            remembered += counted.remembered;
        }
    }
    QVERIFY(remembered > 0 || !canRemember(policy));
}

// Budgets that fall anywhere into an attempt: between its end and the next, into its middle, onto its very end.
void TestRemembered::deadlinesAndWatchdogsCutAsEver()
{
    NullSink sink;
    qint64 remembered = 0;
    for (const QLatin1StringView mode : {"interrupt"_L1, "undelivered"_L1, "swallowed"_L1, "off"_L1}) {
        for (const QLatin1StringView cap : {"off"_L1, "abort"_L1}) {
            for (const char *scenario : {"connect-blackhole", "idle-stall", "429-retry-after-date", "reset-mid-stream", "503-at-once"}) {
                for (const double budget : {1.0, 30.0, 45.5, 60.0, 61.0, 95.0, 200.0}) {
                    Policy policy = findProfile(u"hardened"_s).value().policy;
                    const QStringList changes{u"harness.watchdog="_s + mode, u"harness.task_timeout_s=%1"_s.arg(budget),
                                              u"exec.hard_cap="_s + cap, u"exec.hard_cap_s=%1"_s.arg(budget * 0.75),
                                              u"exec.timeout_s=%1"_s.arg(budget * 1.5), u"harness.rounds=2"_s};
                    for (const QString &change : changes)
                        policy = policy.withAssignment(change, u"test"_s).value();
                    SimulationSpec spec = specOf(findScenario(QString::fromLatin1(scenario)).value(), policy);
                    const SimulationResult counted = runSimulation(spec);
                    spec.sink = &sink;
                    const SimulationResult played = runSimulation(spec);
                    QVERIFY2(described(counted) == described(played),
                             qPrintable(u"%1, %2, cap %3, %4 s\nfrom memory: %5\nplayed: %6"_s.arg(QString::fromLatin1(scenario), mode, cap)
                                            .arg(budget)
                                            .arg(described(counted), described(played))));
                    remembered += counted.remembered;
                }
            }
        }
    }
    QVERIFY(remembered > 0);
}

// A moment in a body is a longer wait for the one who reads it earlier.
void TestRemembered::momentsInBodies()
{
    NullSink sink;
    ReplyStep step;
    step.head.status = 429;
    step.body = "{\"error\":\"Too many requests. Available again at "
        + simulationEpoch().addSecs(20).toString(Qt::ISODate).toLatin1() + "\"}";
    Scenario scenario;
    scenario.name = u"moment"_s;
    scenario.requests.emplace_back();
    scenario.requests.front().steps.push_back(FaultStep{{}, step});
    SimulationSpec spec = specOf(scenario, findProfile(u"hardened"_s).value().policy);
    spec.jitter = JitterMode::Min;
    const SimulationResult counted = runSimulation(spec);
    QCOMPARE(counted.tasks.front().ended, Instant{21500ms}); // until then, and the shortest own pause
    spec.sink = &sink;
    QCOMPARE(described(counted), described(runSimulation(spec)));
}

QTEST_GUILESS_MAIN(TestRemembered)
#include "tst_remembered.moc"
