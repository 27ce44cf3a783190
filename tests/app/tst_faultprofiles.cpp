// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 1800
// ctest-labels: live
// Every fault through the real network path under three policies: each call's first request comes to what the virtual clock says,
// and with the outcome and phase that stand in the scenario's file. WAITSCOPE_SHORT_TESTS=1 makes fewer calls.
//
// Nominal times are scaled so that a first request takes a second or two; limits that have nothing to do with the fault are
// widened, for a busy machine must not meet them.
#include "fault/scenarioreader.h"
#include "support/livecalls.h"
#include "support/writtenends.h"

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;

class TestFaultProfiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void firstRequestsComeToWhatIsWritten_data();
    void firstRequestsComeToWhatIsWritten();
};

namespace {

bool isShort()
{
    return qEnvironmentVariableIsSet("WAITSCOPE_SHORT_TESTS");
}

// That it goes on for ever can only be waited for, and here not for long.
void nothingEndsIt(const Scenario &fault, const PolicyPtr &policy, const ExpectedEnd &written, int calls)
{
    const ServedScenario served(fault, 1);
    LiveSpec spec = served.spec(policy, calls);
    FirstRequests firsts;
    spec.sink = &firsts;
    LiveRun run(std::move(spec));
    QSignalSpy finished(&run, &LiveRun::finished);
    QVERIFY(run.start());
    QVERIFY2(!finished.wait(1500), "all calls ended, and none should have");
    run.stop(u"test"_s);
    QVERIFY(finished.count() > 0 || finished.wait(20'000));
    for (const SeenEnd &end : firsts.ends()) {
        QVERIFY2(end.what.outcome == Outcome::Interrupted, qPrintable(lineOf(end.what)));
        QVERIFY2(std::ranges::find(written.phases, end.what.phases.at(0)) != written.phases.end(), qPrintable(lineOf(end.what)));
    }
}

} // namespace

void TestFaultProfiles::firstRequestsComeToWhatIsWritten_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("profile");
    for (const Scenario &scenario : builtInScenarios()) {
        for (const char *profile : {"hardened", "openprogram-2026-08", "openai-sdk"}) {
            if (!needsResolver(scenario))
                QTest::addRow("%s, %s", qPrintable(scenario.name), profile) << scenario.name << QString::fromLatin1(profile);
        }
    }
}

void TestFaultProfiles::firstRequestsComeToWhatIsWritten()
{
    QFETCH(QString, scenario);
    QFETCH(QString, profile);
    const Scenario fault = findScenario(scenario).value();
    const int calls = isShort() ? 10 : 50;
    SeenEnd wanted = simulated(fault, policyOf(profile, {}));
    const PolicyPtr policy = policyOf(profile, oneTry(wanted));
    wanted = simulated(fault, policy);
    const Expectation &both = fault.expect;
    const ExpectedEnd written = policy->rules() == RuleSet::Strict ? both.strict.value() : both.openprogram.value();
    if (wanted.what.outcome == Outcome::Interrupted) {
        nothingEndsIt(fault, policy, written, calls);
        return;
    }
    const double nominal = toSeconds(wanted.at.time_since_epoch());
    const double scale = std::max(1.0, nominal / (isShort() ? 1.0 : 1.5));
    const ServedScenario served(fault, scale);
    LiveSpec spec = served.spec(policy, calls);
    spec.scale = scale;
    FirstRequests firsts;
    spec.sink = &firsts;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    const QString problem = problemOf(firsts.ends(), wanted, written, calls);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    if (countsTell(fault)) {
        const auto agree = [&] {
            return served.server.counts().requests == run.counts().sent && served.server.counts().connections == run.counts().connects;
        };
        QVERIFY2(settles(agree), qPrintable(u"server: %1 requests, %2 connections; here: %3, %4"_s.arg(served.server.counts().requests)
                                                .arg(served.server.counts().connections).arg(run.counts().sent).arg(run.counts().connects)));
    }
}

QTEST_GUILESS_MAIN(TestFaultProfiles)
#include "tst_faultprofiles.moc"
