// SPDX-License-Identifier: GPL-3.0-or-later
// Every built-in scenario comes to what its file expects, under both rule sets, on the virtual clock.
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/simulation.h"
#include "support/firstrequests.h"

#include <QtTest>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;

class TestExpectations : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void held_data();
    void held();
    void noExpectationContradictsItself();
    void textsArriveWhole_data();
    void textsArriveWhole();
};

namespace {

CallEnd callEndOf(Score score)
{
    switch (score) {
    case Score::Ok:
        return CallEnd::Ok;
    case Score::Partial:
        return CallEnd::Partial;
    case Score::TaskTimeout:
    case Score::ExecTimeout:
        return CallEnd::Timeout;
    case Score::ProviderAuth:
    case Score::Authz:
    case Score::Transport:
    case Score::RateLimit:
    case Score::Provider:
    case Score::Context:
    case Score::Policy:
    case Score::Invalid:
    case Score::Unknown:
    case Score::WrongFormat:
    case Score::Interrupted:
    case Score::Abandoned:
        return CallEnd::Error;
    }
    Q_UNREACHABLE();
}

SimulationSpec specOf(const QString &scenario, const QString &profile, Api api = Api::OpenaiChat)
{
    SimulationSpec spec;
    spec.scenarios = {findScenario(scenario).value()};
    SimulatedTask task;
    task.policy = std::make_shared<const Policy>(findProfile(profile).value().policy);
    spec.tasks = {task};
    spec.api = api;
    return spec;
}

} // namespace

void TestExpectations::held_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("profile");
    for (const Scenario &scenario : builtInScenarios()) {
        for (const char *profile : {"hardened", "openprogram-2026-08"})
            QTest::addRow("%s, %s", qPrintable(scenario.name), profile) << scenario.name << QString::fromLatin1(profile);
    }
}

void TestExpectations::held()
{
    QFETCH(QString, scenario);
    QFETCH(QString, profile);
    SimulationSpec spec = specOf(scenario, profile);
    const Expectation &both = spec.scenarios.front().expect;
    const std::optional<ExpectedEnd> &expected = profile == u"hardened"_s ? both.strict : both.openprogram;
    QVERIFY2(expected, "a built-in scenario says what must come out");
    FirstRequests sink;
    spec.sink = &sink;
    const SimulationResult result = runSimulation(spec);
    const std::vector<SeenEnd> ends = sink.ends();
    QCOMPARE(ends.size(), size_t(1));
    QVERIFY(ends.front().ended);
    ExpectedEnd wanted = *expected;
    wanted.phases.resize(1);
    QCOMPARE(lineOf(ends.front().what), lineOf(wanted));
    QCOMPARE(result.tasks.front().finish, Finish::Ended);
    QCOMPARE(QString(wordOf(callEndOf(result.tasks.front().score))), QString(wordOf(expected->call)));
}

void TestExpectations::noExpectationContradictsItself()
{
    for (const Scenario &scenario : builtInScenarios()) {
        for (const std::optional<ExpectedEnd> &end : {scenario.expect.strict, scenario.expect.openprogram}) {
            QVERIFY2(end, qPrintable(scenario.name));
            const bool raised = !end->type.isEmpty();
            QVERIFY2(raised == (end->reason != ErrorReason::None), qPrintable(scenario.name));
            QVERIFY2(end->outcome != Outcome::Ok || (!raised && !end->timer && end->call == CallEnd::Ok), qPrintable(scenario.name));
            QVERIFY2(end->outcome != Outcome::Error || raised, qPrintable(scenario.name));
            QVERIFY2(!end->timer || raised, qPrintable(scenario.name));
            QVERIFY2(std::ranges::find(end->phases, Phase::None) == end->phases.end(), qPrintable(scenario.name));
        }
    }
}

void TestExpectations::textsArriveWhole_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("text");
    const QString words = u"Waiting is not working. Waiting is not working. "_s;
    QTest::newRow("ok-stream") << u"ok-stream"_s << words;
    QTest::newRow("split-utf8") << u"split-utf8"_s << u"日本語のnaïve Ελληνικά 👩‍🚀 "_s;
    QTest::newRow("crlf-lines") << u"crlf-lines"_s << words;
    QTest::newRow("byte-order-mark") << u"byte-order-mark"_s << words;
    QTest::newRow("multi-line-data") << u"multi-line-data"_s << words;
    QTest::newRow("data-after-end-marker") << u"data-after-end-marker"_s << words;
}

void TestExpectations::textsArriveWhole()
{
    QFETCH(QString, scenario);
    QFETCH(QString, text);
    for (const Api api : {Api::OpenaiChat, Api::OpenaiResponses, Api::AnthropicMessages, Api::Gemini, Api::Ollama}) {
        // Gemini's streams have no last line: what a reader takes for the end is the close.
        if (api == Api::Gemini && scenario == u"data-after-end-marker"_s)
            continue;
        SimulationSpec spec = specOf(scenario, u"hardened"_s, api);
        spec.keepContent = true;
        const SimulationResult result = runSimulation(spec);
        QVERIFY2(result.tasks.front().result.isReply(), qPrintable(QString::number(int(api))));
        QCOMPARE(result.tasks.front().result.reply().text, text);
    }
}

QTEST_GUILESS_MAIN(TestExpectations)
#include "tst_expectations.moc"
