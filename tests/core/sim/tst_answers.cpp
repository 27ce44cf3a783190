// SPDX-License-Identifier: GPL-3.0-or-later
// The answers every build gives: requests and seconds of well-known policies under well-known faults, on the virtual clock.
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/simulation.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestAnswers : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answers_data();
    void answers();
    void equalSeedsGiveEqualEvents();
    void comparisons_data();
    void comparisons();
};

namespace {

PolicyPtr policyOf(const QString &profile, const QStringList &changes)
{
    Policy policy = findProfile(profile).value().policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, u"test"_s).value();
    return std::make_shared<const Policy>(policy);
}

SimulationSpec specOf(const QString &scenario, PolicyPtr policy, JitterMode jitter)
{
    SimulationSpec spec;
    spec.scenarios = {findScenario(scenario).value()};
    SimulatedTask task;
    task.policy = std::move(policy);
    spec.tasks = {task};
    spec.jitter = jitter;
    return spec;
}

} // namespace

void TestAnswers::answers_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QStringList>("changes");
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<int>("jitter");
    QTest::addColumn<int>("requests");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("score");

    const QString hole = u"connect-blackhole"_s;
    const int mid = static_cast<int>(JitterMode::Mid);
    const int min = static_cast<int>(JitterMode::Min);
    const int max = static_cast<int>(JitterMode::Max);
    const QStringList stream31 = {u"stream.max_attempts=3"_s, u"stream.backoff_base_s=1"_s};
    QTest::newRow("legacy, one stream loop") << u"legacy"_s << QStringList{u"exec.max_attempts=1"_s} << hole << mid << 3 << 93.0
                                             << u"transport"_s;
    QTest::newRow("legacy, one exec") << u"legacy"_s << QStringList{} << hole << mid << 18 << 604.5 << u"transport"_s;
    QTest::newRow("legacy, one exec, u = 0") << u"legacy"_s << QStringList{} << hole << min << 18 << 588.375 << u"transport"_s;
    QTest::newRow("legacy, one exec, u = 1") << u"legacy"_s << QStringList{} << hole << max << 18 << 620.625 << u"transport"_s;
    QTest::newRow("legacy, two rounds") << u"legacy"_s << QStringList{u"harness.rounds=2"_s} << hole << mid << 36 << 1209.0
                                        << u"transport"_s;
    QTest::newRow("hardened") << u"hardened"_s << QStringList{} << hole << mid << 3 << 93.0 << u"transport"_s;
    QTest::newRow("hardened, 60 s") << u"hardened"_s << QStringList{u"exec.timeout_s=60"_s} << hole << mid << 2 << 60.0
                                    << u"exec_timeout"_s;
    QTest::newRow("openprogram, stream 3 x 1 s") << u"openprogram-2026-08"_s << stream31 << hole << mid << 72 << 2362.5
                                                 << u"transport"_s;
    QTest::newRow("openprogram") << u"openprogram-2026-08"_s << QStringList{} << hole << mid << 120 << 4450.5 << u"transport"_s;
    QTest::newRow("openprogram, 60 s: propagated, not clamped")
        << u"openprogram-2026-08"_s << stream31 + QStringList{u"exec.timeout_s=60"_s} << hole << mid << 2 << 63.0
        << u"exec_timeout"_s;
    // Judged by its text alone: the status does not survive the session.
    QTest::newRow("error-retry, 503 at once") << u"error-retry"_s << QStringList{} << u"503-at-once"_s << mid << 12 << 46.5
                                              << u"transport"_s;
}

void TestAnswers::answers()
{
    QFETCH(QString, profile);
    QFETCH(QStringList, changes);
    QFETCH(QString, scenario);
    QFETCH(int, jitter);
    const SimulationResult result =
        runSimulation(specOf(scenario, policyOf(profile, changes), static_cast<JitterMode>(jitter)));
    QTEST(static_cast<int>(result.counts.requests), "requests");
    QFETCH(double, seconds);
    QVERIFY2(std::abs(toSeconds(result.ended) - seconds) <= 1e-6,
             qPrintable(u"took %1 s, expected %2 s"_s.arg(toSeconds(result.ended), 0, 'f', 9).arg(seconds)));
    QTEST(QString(wordOf(result.tasks.front().score)), "score");
}

namespace {

// Enough of every event to tell any two apart.
class TextSink final : public EventSink
{
public:
    void write(const Event &event) override
    {
        lines += QByteArray::number(static_cast<qint64>(event.index())) + ' '
            + QByteArray::number(timeOf(event).time_since_epoch().count());
        if (const auto *draw = std::get_if<DrawMade>(&event))
            lines += ' ' + QByteArray::number(draw->u, 'g', 17);
        if (const auto *began = std::get_if<SpanBegan>(&event))
            lines += ' ' + QByteArray::number(began->id.value) + ' ' + QByteArray::number(began->parent.value);
        lines += '\n';
    }
    QByteArray lines;
};

} // namespace

void TestAnswers::equalSeedsGiveEqualEvents()
{
    QByteArray lines[3];
    const quint64 seeds[3] = {7, 7, 8};
    for (int i = 0; i < 3; ++i) {
        TextSink sink;
        SimulationSpec spec = specOf(u"connect-blackhole"_s, policyOf(u"openprogram-2026-08"_s, {}), JitterMode::Random);
        spec.seed = seeds[i];
        spec.sink = &sink;
        (void)runSimulation(spec);
        lines[i] = sink.lines;
    }
    QVERIFY(lines[0].size() > 10000);
    QVERIFY(lines[0] == lines[1]);
    QVERIFY(lines[0] != lines[2]);
}

namespace {

Scenario alwaysHinted(const QByteArray &seconds)
{
    Scenario scenario;
    scenario.name = u"429 each time"_s;
    FaultScript script;
    ReplyStep reply;
    reply.head.status = 429;
    reply.head.headers = {{"Retry-After", seconds, std::nullopt}};
    reply.body = R"({"error": {"message": "Rate limit reached, please try again later", "type": "rate_limit_error"}})";
    FaultStep step;
    step.what = reply;
    script.steps = {step};
    scenario.requests = {script};
    return scenario;
}

} // namespace

// What other programs do, as their published policies come out: requests, and seconds at u = 0, 0.5 and 1.
void TestAnswers::comparisons_data()
{
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QStringList>("changes");
    QTest::addColumn<QString>("scenario"); // or a hint in seconds
    QTest::addColumn<int>("requests");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("middle");
    QTest::addColumn<double>("most");
    const QStringList outer{u"exec.max_attempts=4"_s};
    for (const QString &sdk : {u"openai-sdk"_s, u"anthropic-sdk"_s}) {
        const auto row = [&](const char *what) -> QTestData & { return QTest::addRow("%s, %s", qPrintable(sdk), what) << sdk; };
        row("black hole") << QStringList{} << u"connect-blackhole"_s << 3 << 16.125 << 16.3125 << 16.5;
        row("silent") << QStringList{} << u"silent"_s << 3 << 1801.125 << 1801.3125 << 1801.5;
        row("503") << QStringList{} << u"503-at-once"_s << 3 << 1.125 << 1.3125 << 1.5;
        row("silent, four outer tries") << outer << u"silent"_s << 12 << 7204.5 << 7205.25 << 7206.0;
    }
    QTest::newRow("openai-sdk, 90 s") << u"openai-sdk"_s << QStringList{} << u"90"_s << 3 << 180.0 << 180.0 << 180.0;
    QTest::newRow("openai-sdk, 130 s") << u"openai-sdk"_s << QStringList{} << u"130"_s << 1 << 0.0 << 0.0 << 0.0;
    QTest::newRow("anthropic-sdk, 90 s") << u"anthropic-sdk"_s << QStringList{} << u"90"_s << 3 << 1.125 << 1.3125 << 1.5;
    QTest::newRow("anthropic-sdk, 130 s") << u"anthropic-sdk"_s << QStringList{} << u"130"_s << 3 << 1.125 << 1.3125 << 1.5;
    QTest::newRow("opencode, executor alone") << u"opencode"_s << QStringList{u"session.enabled=false"_s} << u"503-at-once"_s << 3
                                              << 1.2 << 1.5 << 1.8;
    QTest::newRow("hermes-agent") << u"hermes-agent"_s << QStringList{} << u"503-at-once"_s << 3 << 6.0 << 7.5 << 9.0;
    QTest::newRow("pi-ai") << u"pi-ai"_s << QStringList{} << u"503-at-once"_s << 4 << 14.0 << 14.0 << 14.0;
    // The loop above the executor has no end of its own: three tries of it, and the sleeps between them.
    QTest::newRow("opencode, three session runs")
        << u"opencode"_s << QStringList{u"session.max_attempts=3"_s} << u"503-at-once"_s << 9 << 9.6 << 10.5 << 11.4;
    // A hint is cut to 10 s by the executor and obeyed whole by the loop above it.
    QTest::newRow("opencode, hint of 40 s") << u"opencode"_s << QStringList{u"session.max_attempts=2"_s} << u"40"_s << 6 << 80.0
                                            << 80.0 << 80.0;
}

void TestAnswers::comparisons()
{
    QFETCH(QString, profile);
    QFETCH(QStringList, changes);
    QFETCH(QString, scenario);
    const bool hint = scenario.front().isDigit() && scenario.size() < 4;
    for (const auto &[column, mode] : {std::pair("least", JitterMode::Min), std::pair("middle", JitterMode::Mid),
                                       std::pair("most", JitterMode::Max)}) {
        SimulationSpec spec = specOf(u"silent"_s, policyOf(profile, changes), mode);
        spec.scenarios = {hint ? alwaysHinted(scenario.toLatin1()) : findScenario(scenario).value()};
        const SimulationResult result = runSimulation(spec);
        QTEST(static_cast<int>(result.counts.requests), "requests");
        const double expected = *static_cast<const double *>(QTest::qData(column, QMetaType::Double));
        QVERIFY2(std::abs(toSeconds(result.ended) - expected) <= 1e-6,
                 qPrintable(u"%1: took %2 s, expected %3 s"_s.arg(QString::fromLatin1(column))
                                .arg(toSeconds(result.ended), 0, 'f', 9)
                                .arg(expected)));
        QVERIFY(result.tasks.front().score != Score::Ok);
    }
}

QTEST_GUILESS_MAIN(TestAnswers)
#include "tst_answers.moc"
