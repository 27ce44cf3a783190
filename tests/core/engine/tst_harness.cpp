// SPDX-License-Identifier: GPL-3.0-or-later
// The whole engine over scripted faults: watchdog modes, deadlines, hard caps, stops, pool, policy changes, scoring.
#include "engine/harness.h"
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/scriptedtransport.h"
#include "sim/seededrandom.h"
#include "sim/simulation.h"
#include "sim/virtualclock.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

PolicyPtr policyOf(const QString &profile, const QStringList &changes = {})
{
    Policy policy = findProfile(profile).value().policy;
    for (const QString &change : changes) {
        const Expected<Policy> changed = policy.withAssignment(change, u"test"_s);
        if (!changed)
            qFatal("%s", qPrintable(changed.error().line()));
        policy = *changed;
    }
    return std::make_shared<const Policy>(policy);
}

class KeepingSink final : public EventSink
{
public:
    void write(const Event &event) override { events.push_back(event); }
    std::vector<Event> events;

    template<class E>
    std::vector<E> all() const
    {
        std::vector<E> found;
        for (const Event &event : events) {
            if (const auto *e = std::get_if<E>(&event))
                found.push_back(*e);
        }
        return found;
    }
    QStringList marks() const
    {
        QStringList words;
        for (const Marked &mark : all<Marked>())
            words << QString(wordOf(mark.kind)) + (mark.text.isEmpty() ? QString() : u':' + mark.text);
        return words;
    }
};

// A run that a test can step through.
class Bench
{
public:
    Bench(const QStringList &scenarios, std::vector<PolicyPtr> policies, int concurrency = 100)
        : log(clock, sink)
        , random(0.5)
        , scripts(read(scenarios))
        , transport(clock, scripts, [] { return simulationEpoch(); })
        , ports(transport, [] { return simulationEpoch(); })
    {
        std::vector<TaskPlan> plans;
        for (size_t i = 0; i < policies.size(); ++i) {
            auto call = std::make_shared<HttpCall>();
            const QString scenario = scenarios[std::min<qsizetype>(static_cast<qsizetype>(i), scenarios.size() - 1)];
            call->request.url = QUrl(u"http://simulated/%1/v1/chat/completions"_s.arg(scenario));
            call->request.body = "{}";
            call->api = Api::OpenaiChat;
            TaskPlan plan;
            plan.name = u"task %1"_s.arg(i + 1);
            plan.call = std::move(call);
            plan.policy = policies[i];
            plans.push_back(std::move(plan));
        }
        harness = std::make_unique<Harness>(clock, log, random, ports, std::move(plans), concurrency);
        harness->start();
    }
    static std::vector<Scenario> read(const QStringList &names)
    {
        std::vector<Scenario> scenarios;
        for (const QString &name : names)
            scenarios.push_back(findScenario(name).value());
        return scenarios;
    }
    double seconds() const { return toSeconds(clock.now()); }
    QString score(int task = 0) const
    {
        const TaskEnding *ending = harness->ending(task);
        return ending ? QString(wordOf(ending->score)) : u"running"_s;
    }

    VirtualClock clock;
    KeepingSink sink;
    EventLog log;
    FixedRandom random;
    std::vector<Scenario> scripts;
    ScriptedTransport transport;
    HttpPorts ports;
    std::unique_ptr<Harness> harness;
};

// Every span and timer that begins also ends, once, and never before it began.
void verifyWellFormed(const KeepingSink &sink)
{
    QHash<quint64, Instant> spans;
    QSet<quint64> timers;
    Instant last{};
    for (const Event &event : sink.events) {
        QVERIFY(timeOf(event) >= last);
        last = timeOf(event);
        if (const auto *began = std::get_if<SpanBegan>(&event)) {
            QVERIFY(!spans.contains(began->id.value));
            spans.insert(began->id.value, began->at);
        } else if (const auto *ended = std::get_if<SpanEnded>(&event)) {
            QVERIFY(spans.remove(ended->id.value));
        } else if (const auto *armed = std::get_if<TimerArmed>(&event)) {
            QVERIFY(!timers.contains(armed->id.value));
            timers.insert(armed->id.value);
        } else if (const auto *fired = std::get_if<TimerFired>(&event)) {
            QVERIFY(timers.remove(fired->id.value));
        } else if (const auto *disarmed = std::get_if<TimerDisarmed>(&event)) {
            QVERIFY(timers.remove(disarmed->id.value));
        }
    }
    QCOMPARE(spans.size(), qsizetype(0));
    QCOMPARE(timers.size(), qsizetype(0));
}

} // namespace

class TestHarness : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void interruptEndsAtTheBudget_data();
    void interruptEndsAtTheBudget();
    void swallowedAlarmIsSpent();
    void undeliveredAlarmProtectsNothing();
    void deadlineClampsEveryWait_data();
    void deadlineClampsEveryWait();
    void hardCapAborts();
    void hardCapAbandonsAndTheOrphanRunsOn();
    void stopReachesEverySuspensionPoint_data();
    void stopReachesEverySuspensionPoint();
    void refusedKeyAbortsTheRun();
    void poolQueuesAndTimesOut();
    void changedTimerReachesTheRunningCall();
    void truncatedIsNeverOk_data();
    void truncatedIsNeverOk();
    void tooLongAHintEndsTheCall();
    void destructionAtAnyTimeLeavesNothing();
};

void TestHarness::interruptEndsAtTheBudget_data()
{
    QTest::addColumn<QString>("scenario");
    for (const char *name : {"connect-blackhole", "idle-stall", "ping-flood", "503-at-once", "header-drip", "data-drip"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestHarness::interruptEndsAtTheBudget()
{
    QFETCH(QString, scenario);
    Bench bench({scenario}, {policyOf(u"openprogram-2026-08"_s, {u"harness.task_timeout_s=3"_s})});
    bench.clock.run();
    QCOMPARE(bench.score(), u"task_timeout"_s);
    QCOMPARE(bench.seconds(), 3.0);
    verifyWellFormed(bench.sink);
}

void TestHarness::swallowedAlarmIsSpent()
{
    Bench bench({u"connect-blackhole"_s},
                {policyOf(u"legacy"_s, {u"harness.task_timeout_s=100"_s, u"harness.rounds=1"_s})});
    bench.clock.run();
    // 94.5 s into the second exec attempt's first request the alarm ends that request; the loop sleeps and goes on.
    QCOMPARE(bench.score(), u"transport"_s);
    QVERIFY(bench.seconds() > 500);
    const QStringList marks = bench.sink.marks();
    const qsizetype entered = marks.indexOf(u"alarm_entered"_s);
    QVERIFY(entered >= 0);
    QCOMPARE(marks.mid(entered, 4),
             (QStringList{u"alarm_entered"_s, u"alarm_swallowed:stream"_s, u"unprotected"_s,
                          u"retrying:a swallowed alarm looks like one more transient failure"_s}));
    QCOMPARE(marks.count(u"alarm_entered"_s), 1);
    verifyWellFormed(bench.sink);
}

void TestHarness::undeliveredAlarmProtectsNothing()
{
    Bench bench({u"connect-blackhole"_s},
                {policyOf(u"hardened"_s, {u"harness.watchdog=undelivered"_s, u"harness.task_timeout_s=10"_s})});
    bench.clock.run();
    QCOMPARE(bench.seconds(), 93.0);
    QVERIFY(bench.sink.marks().contains(u"alarm_undelivered"_s));
    verifyWellFormed(bench.sink);
}

void TestHarness::deadlineClampsEveryWait_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<double>("timeout");
    for (const char *name : {"connect-blackhole", "idle-stall", "ping-flood", "header-drip", "data-drip"}) {
        for (double timeout : {0.5, 10.0, 30.0, 31.0, 60.0})
            QTest::addRow("%s, %g s", name, timeout) << QString::fromLatin1(name) << timeout;
    }
}

void TestHarness::deadlineClampsEveryWait()
{
    QFETCH(QString, scenario);
    QFETCH(double, timeout);
    Bench bench({scenario}, {policyOf(u"hardened"_s, {u"exec.timeout_s=%1"_s.arg(timeout)})});
    bench.clock.run();
    QVERIFY2(bench.seconds() <= timeout, qPrintable(QString::number(bench.seconds())));
    if (bench.score() == u"exec_timeout"_s) {
        const Failure &failure = bench.harness->ending(0)->result.failure();
        QCOMPARE(failure.reason, ErrorReason::Timeout);
        QCOMPARE(failure.retryable, std::optional(false));
    }
    verifyWellFormed(bench.sink);
}

void TestHarness::hardCapAborts()
{
    Bench bench({u"connect-blackhole"_s},
                {policyOf(u"openprogram-2026-08"_s, {u"exec.hard_cap=abort"_s, u"exec.hard_cap_s=100"_s})});
    bench.clock.run();
    QCOMPARE(bench.seconds(), 100.0);
    QCOMPARE(bench.score(), u"exec_timeout"_s);
    verifyWellFormed(bench.sink);
}

void TestHarness::hardCapAbandonsAndTheOrphanRunsOn()
{
    Bench bench({u"connect-blackhole"_s},
                {policyOf(u"hardened"_s, {u"exec.hard_cap=abandon"_s, u"exec.hard_cap_s=40"_s})});
    bench.clock.run(Instant{41s});
    QCOMPARE(bench.score(), u"abandoned"_s);
    QCOMPARE(bench.harness->orphans(), 1);
    bench.clock.run();
    QCOMPARE(bench.harness->orphans(), 0);
    QCOMPARE(bench.seconds(), 93.0); // it went on to its own end, visibly
    const auto spans = bench.sink.all<SpanBegan>();
    QVERIFY(std::ranges::any_of(spans, [](const SpanBegan &span) { return span.kind == SpanKind::Orphan; }));
}

void TestHarness::stopReachesEverySuspensionPoint_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<double>("at");
    for (const char *name : {"connect-blackhole", "idle-stall", "503-at-once", "ping-flood", "header-drip"}) {
        for (double at : {0.0, 0.2, 30.5, 31.5, 94.0, 700.0})
            QTest::addRow("%s at %g s", name, at) << QString::fromLatin1(name) << at;
    }
}

void TestHarness::stopReachesEverySuspensionPoint()
{
    QFETCH(QString, scenario);
    QFETCH(double, at);
    Bench bench({scenario}, {policyOf(u"openprogram-2026-08"_s), policyOf(u"legacy"_s), policyOf(u"error-retry"_s)}, 2);
    bench.clock.run(Instant{fromSeconds(at)});
    const double before = bench.seconds(); // all may be over by then
    bench.harness->stop(u"test"_s);
    bench.clock.run();
    QVERIFY(bench.harness->isFinished());
    QCOMPARE(bench.seconds(), before); // no time passes between the stop and the end
    verifyWellFormed(bench.sink);
}

void TestHarness::refusedKeyAbortsTheRun()
{
    const PolicyPtr policy = policyOf(u"hardened"_s);
    Bench bench({u"401-unauthorized"_s}, {policy, policy, policy}, 1);
    bench.clock.run();
    QVERIFY(bench.harness->abortedByAuth());
    QCOMPARE(bench.score(0), u"provider_auth"_s);
    QCOMPARE(bench.score(1), u"interrupted"_s);
    QCOMPARE(bench.score(2), u"interrupted"_s);
}

void TestHarness::poolQueuesAndTimesOut()
{
    const PolicyPtr policy = policyOf(u"hardened"_s, {u"http.pool_size=1"_s, u"stream.max_attempts=1"_s});
    Bench bench({u"idle-stall"_s}, {policy, policy});
    bench.clock.run();
    // The second call waits its 30 s for the slot that the first one holds.
    const auto fired = bench.sink.all<TimerFired>();
    const auto armed = bench.sink.all<TimerArmed>();
    const auto pool = std::ranges::find(armed, TimerKind::Pool, &TimerArmed::kind);
    QVERIFY(pool != armed.end());
    const auto firing = std::ranges::find(fired, pool->id, &TimerFired::id);
    QVERIFY(firing != fired.end());
    QCOMPARE(firing->at, Instant{30s});
    verifyWellFormed(bench.sink);
}

void TestHarness::changedTimerReachesTheRunningCall()
{
    Bench bench({u"connect-blackhole"_s}, {policyOf(u"hardened"_s, {u"stream.max_attempts=1"_s, u"exec.max_attempts=1"_s,
                                                                    u"session.max_attempts=1"_s})});
    bench.clock.run(Instant{5s});
    bench.harness->changePolicy(Setting::HttpConnectTimeout, SettingValue::number(8), u"test"_s);
    bench.clock.run();
    QCOMPARE(bench.seconds(), 8.0);
    QCOMPARE(bench.sink.all<PolicyChanged>().size(), size_t(1));
    QCOMPARE(bench.sink.all<PolicyChanged>().front().to, u"8"_s);
    verifyWellFormed(bench.sink);
}

void TestHarness::truncatedIsNeverOk_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("profile");
    for (const char *scenario : {"cut-chunked", "fin-mid-stream", "reset-mid-stream", "missing-end-marker"}) {
        for (const char *profile : {"hardened", "openprogram-2026-08", "legacy"})
            QTest::addRow("%s, %s", scenario, profile) << QString::fromLatin1(scenario) << QString::fromLatin1(profile);
    }
}

void TestHarness::truncatedIsNeverOk()
{
    QFETCH(QString, scenario);
    QFETCH(QString, profile);
    for (const char *recovery : {"stream.partial_recovery=true", "stream.partial_recovery=false"}) {
        Bench bench({scenario}, {policyOf(profile, {QString::fromLatin1(recovery)})});
        bench.clock.run();
        QVERIFY2(bench.score() != u"ok"_s, qPrintable(bench.score()));
        for (const SpanEnded &end : bench.sink.all<SpanEnded>()) {
            if (end.id == bench.sink.all<SpanBegan>().front().id)
                QVERIFY(end.outcome != Outcome::Ok);
        }
        verifyWellFormed(bench.sink);
    }
}

void TestHarness::tooLongAHintEndsTheCall()
{
    Bench bench({u"429-retry-after"_s}, {policyOf(u"hardened"_s, {u"stream.hint_max_s=1"_s})});
    bench.clock.run();
    QCOMPARE(bench.score(), u"rate_limit"_s);
    const Failure &failure = bench.harness->ending(0)->result.failure();
    QCOMPARE(failure.retryable, std::optional(true));
    QVERIFY(failure.retryAfterS.value_or(0) > 1);
    QCOMPARE(bench.sink.all<DrawMade>().size(), size_t(0)); // no sleep was drawn, shortened or slept
}

void TestHarness::destructionAtAnyTimeLeavesNothing()
{
    // Under the address and leak sanitizers this is what proves that every frame, node and exchange goes.
    for (double at : {0.0, 0.1, 1.0, 30.0, 31.0, 93.5, 600.0, 2000.0}) {
        Bench bench({u"connect-blackhole"_s, u"idle-stall"_s, u"ping-flood"_s, u"503-at-once"_s},
                    {policyOf(u"openprogram-2026-08"_s), policyOf(u"hardened"_s), policyOf(u"legacy"_s),
                     policyOf(u"hardened"_s, {u"exec.hard_cap=abandon"_s, u"exec.hard_cap_s=1"_s})});
        bench.clock.run(Instant{fromSeconds(at)});
        bench.harness.reset();
        QVERIFY(bench.clock.run());
    }
}

QTEST_GUILESS_MAIN(TestHarness)
#include "tst_harness.moc"
