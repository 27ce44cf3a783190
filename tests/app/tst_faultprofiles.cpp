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

// One try in every layer, and the limits in the way of accelerated time out of it.
QStringList oneTry(const SeenEnd &seen)
{
    QStringList changes{u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=1"_s, u"stream.sdk_max_retries=0"_s};
    static const std::pair<TimerKind, QString> limits[] = {
        {TimerKind::Connect, u"http.connect_timeout_s"_s}, {TimerKind::Write, u"http.write_timeout_s"_s},
        {TimerKind::Pool, u"http.pool_timeout_s"_s},       {TimerKind::FirstByte, u"http.first_byte_timeout_s"_s},
        {TimerKind::Read, u"http.read_timeout_s"_s},       {TimerKind::Idle, u"http.idle_timeout_s"_s},
        {TimerKind::DataStall, u"http.data_stall_timeout_s"_s}, {TimerKind::Total, u"http.total_timeout_s"_s},
    };
    for (const auto &[kind, setting] : limits) {
        if (seen.what.timer != kind)
            changes << setting + u"=off"_s;
    }
    return changes;
}

QString problemOf(const std::vector<SeenEnd> &seen, const SeenEnd &wanted, const ExpectedEnd &written, int calls)
{
    if (seen.size() != static_cast<size_t>(calls))
        return u"%1 first requests of %2 calls"_s.arg(seen.size()).arg(calls);
    QHash<QString, int> wrong;
    for (const SeenEnd &end : seen) {
        ExpectedEnd exact = wanted.what;
        exact.phases = written.phases;
        const bool isWritten = end.what.outcome == written.outcome && std::ranges::find(written.phases, end.what.phases.at(0)) != written.phases.end();
        if (!end.ended || !isWritten || !meets(end.what, exact))
            ++wrong[lineOf(end.what)];
    }
    QString text;
    for (auto it = wrong.cbegin(); it != wrong.cend(); ++it)
        text += u"\n%1 times: %2"_s.arg(it.value()).arg(it.key());
    return text.isEmpty() ? text : u"expected: "_s + lineOf(wanted.what) + text;
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
