// SPDX-License-Identifier: GPL-3.0-or-later
// What a server's headers say of its rate limit stands in the trace, as counters of the request that was answered.
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/simulation.h"

#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

class Counters final : public EventSink
{
public:
    void write(const Event &event) override
    {
        if (const auto *counter = std::get_if<CounterSampled>(&event))
            samples.push_back(*counter);
        else if (const auto *began = std::get_if<SpanBegan>(&event); began && began->kind == SpanKind::Request)
            requests.push_back(began->id);
    }
    std::vector<CounterSampled> samples;
    std::vector<SpanId> requests;
};

const QByteArray limited = R"({"format": 1, "name": "limited", "title": "t", "requests": [
  {"steps": [{"do": "reply", "status": 429, "headers": {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, "body": "x"}]},
  {"steps": [{"do": "head", "headers": {"x-ratelimit-remaining-requests": "59"}}, {"do": "events", "count": 1, "text": "x"}, {"do": "end_marker"}]}]})";

} // namespace

class TestRateLimitCounters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyAnswerHasItsOwn();
};

void TestRateLimitCounters::everyAnswerHasItsOwn()
{
    SimulationSpec spec;
    spec.scenarios = {readScenario(limited, u"limited"_s).value()};
    SimulatedTask task;
    task.policy = std::make_shared<const Policy>(findProfile(u"hardened"_s).value().policy);
    spec.tasks = {task};
    Counters sink;
    spec.sink = &sink;
    QCOMPARE(runSimulation(spec).tasks.front().score, Score::Ok);
    QCOMPARE(sink.requests.size(), size_t(2));
    QCOMPARE(sink.samples.size(), size_t(3));
    QCOMPARE(sink.samples[0].name, u"ratelimit.requests.remaining"_s);
    QCOMPARE(sink.samples[0].value, 0.0);
    QCOMPARE(sink.samples[1].name, u"ratelimit.requests.reset_s"_s);
    QCOMPARE(sink.samples[1].value, 360.0);
    QCOMPARE(sink.samples[1].span, sink.requests[0]);
    QCOMPARE(sink.samples[2].value, 59.0);
    QCOMPARE(sink.samples[2].span, sink.requests[1]);
}

QTEST_GUILESS_MAIN(TestRateLimitCounters)
#include "tst_ratelimitcounters.moc"
