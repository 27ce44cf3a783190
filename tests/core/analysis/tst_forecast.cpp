// SPDX-License-Identifier: GPL-3.0-or-later
// The forecast of a call at any moment agrees with what the same call really does when nothing arrives.
#include "analysis/forecast.h"
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/simulation.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestForecast : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void agreesWithTheRun_data();
    void agreesWithTheRun();
    void anEndedCallHasNone();
};

namespace {

// Lets a store see only what had happened by a moment.
class UntilSink final : public EventSink
{
public:
    UntilSink(TraceStore &store, Instant until)
        : m_store(store)
        , m_until(until)
    {
    }
    void write(const Event &event) override
    {
        if (timeOf(event) <= m_until)
            m_store.write(event);
    }

private:
    TraceStore &m_store;
    Instant m_until;
};

PolicyPtr policyOf(const QString &profile, const QStringList &changes)
{
    Policy policy = findProfile(profile).value().policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, u"test"_s).value();
    return std::make_shared<const Policy>(policy);
}

SimulationResult simulate(const QString &scenario, const PolicyPtr &policy, EventSink *sink)
{
    SimulationSpec spec;
    spec.scenarios = {findScenario(scenario).value()};
    SimulatedTask task;
    task.policy = policy;
    spec.tasks = {task};
    spec.sink = sink;
    return runSimulation(spec);
}

} // namespace

void TestForecast::agreesWithTheRun_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QStringList>("changes");
    QTest::addColumn<double>("now");
    const struct {
        const char *scenario;
        const char *profile;
        QStringList changes;
    } runs[] = {
        {"connect-blackhole", "hardened", {}},
        {"connect-blackhole", "hardened", {u"exec.timeout_s=60"_s}},
        {"connect-blackhole", "openprogram-2026-08", {}},
        {"connect-blackhole", "legacy", {u"harness.task_timeout_s=900"_s, u"harness.rounds=3"_s}},
        {"connect-blackhole", "hardened", {u"harness.task_timeout_s=70"_s}},
        {"idle-stall", "hardened", {}},
        {"idle-stall", "openprogram-2026-08", {u"exec.timeout_s=300"_s}},
    };
    for (const auto &run : runs) {
        for (double now : {10.0, 30.5, 31.25, 59.0, 65.0}) {
            const double end = toSeconds(simulate(QString::fromLatin1(run.scenario),
                                                  policyOf(QString::fromLatin1(run.profile), run.changes), nullptr)
                                             .ended);
            if (now >= end)
                continue;
            QTest::addRow("%s, %s %s at %g s", run.scenario, run.profile, qPrintable(run.changes.join(u' ')), now)
                << QString::fromLatin1(run.scenario) << QString::fromLatin1(run.profile) << run.changes << now;
        }
    }
}

void TestForecast::agreesWithTheRun()
{
    QFETCH(QString, scenario);
    QFETCH(QString, profile);
    QFETCH(QStringList, changes);
    QFETCH(double, now);
    const PolicyPtr policy = policyOf(profile, changes);
    TraceStore store;
    UntilSink sink(store, Instant{fromSeconds(now)});
    const SimulationResult whole = simulate(scenario, policy, &sink);
    const std::vector<SpanId> roots = store.roots();
    QCOMPARE(roots.size(), size_t(1));
    const Forecast seen = forecast(store, roots.front(), Instant{fromSeconds(now)}, policy);
    QVERIFY(seen.known);
    QVERIFY2(std::abs(toSeconds(seen.ends) - toSeconds(whole.ended)) <= 1e-6,
             qPrintable(u"ends at %1 s, the run at %2 s"_s.arg(toSeconds(seen.ends)).arg(toSeconds(whole.ended))));
    QVERIFY(seen.best <= seen.ends - Instant{fromSeconds(now)});
    QVERIFY(seen.worst >= seen.ends - Instant{fromSeconds(now)});
    QVERIFY(!seen.steps.empty());
    for (const ForecastStep &step : seen.steps)
        QVERIFY(step.at >= Instant{fromSeconds(now)});
}

void TestForecast::anEndedCallHasNone()
{
    const PolicyPtr policy = policyOf(u"hardened"_s, {});
    TraceStore store;
    (void)simulate(u"503-at-once"_s, policy, &store);
    QVERIFY(!forecast(store, store.roots().front(), Instant{fromSeconds(100)}, policy).known);
    QVERIFY(!forecast(store, SpanId{4711}, Instant{fromSeconds(100)}, policy).known);
}

QTEST_GUILESS_MAIN(TestForecast)
#include "tst_forecast.moc"
