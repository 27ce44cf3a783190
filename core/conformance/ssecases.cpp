// SPDX-License-Identifier: GPL-3.0-or-later
// sse_budget_traces: scripted lines under the http layer's own timers.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/tracebench.h"
#include "engine/http/sendattempt.h"
#include "engine/http/sse.h"
#include "sim/scriptedtransport.h"
#include "sim/simulation.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Takes its time over each event, as a slow caller would.
class SlowConsumer final : public StreamConsumer
{
public:
    SlowConsumer(TraceBench &bench, double seconds)
        : m_bench(bench)
        , m_seconds(seconds)
    {
    }
    Task<> take(QByteArray line) override
    {
        const std::optional<QJsonValue> payload = openprogramPayload(line);
        events.append(QJsonArray{m_bench.now(), payload.value_or(QJsonValue())});
        if (m_seconds > 0) {
            auto lasting = m_bench.pass(m_seconds);
            co_await std::move(lasting);
        }
    }
    QJsonArray events;

private:
    TraceBench &m_bench;
    double m_seconds;
};

FaultScript scriptOf(const QJsonArray &lines)
{
    FaultScript script;
    FaultStep head;
    head.what = HeadStep();
    script.steps.push_back(head);
    double before = 0;
    for (const QJsonValue &value : lines) {
        const QJsonObject line = value.toObject();
        FaultStep step;
        const double at = line["at"_L1].toDouble(before);
        step.after = fromSeconds(std::max(0.0, at - before));
        before = std::max(before, at);
        if (line.contains("line"_L1)) {
            BodyStep body;
            body.bytes = line["line"_L1].toString().toUtf8() + '\n';
            step.what = body;
        } else if (line["end"_L1].toString() == u"hang"_s) {
            step.what = HangStep();
        } else {
            step.what = EndBodyStep();
        }
        script.steps.push_back(step);
    }
    return script;
}

} // namespace

CaseResult runSseTrace(const QJsonObject &object)
{
    CaseReader reader(object);
    const QJsonObject input = reader.object("input"_L1);
    const QJsonObject expected = reader.object("expect"_L1);
    CaseReader fields(input);
    const QString origin = u"case"_s;
    Policy policy = referencePolicy();
    policy = policy.with(Setting::HttpIdleTimeout, SettingValue::number(fields.number("idle_s"_L1)), origin);
    policy = policy.with(Setting::HttpDataStallTimeout, SettingValue::number(fields.number("stall_s"_L1)), origin);
    policy = policy.with(Setting::HttpTotalTimeout, SettingValue::number(fields.number("total_s"_L1)), origin);
    policy = policy.with(Setting::HttpReadTimeout, SettingValue::off(), origin);
    const std::optional<double> deadline = fields.numberOrNull("deadline_s"_L1);
    const double consumerTakes = fields.number("consumer_takes_s"_L1);
    const QJsonValue signal = input["signal"_L1];
    const bool oneShot = fields.text("iterator"_L1) == u"generator"_s;
    Scenario scenario;
    scenario.requests = {scriptOf(fields.value("lines"_L1).toArray())};
    CaseResult outcome;
    outcome.malformed = reader.fault().isEmpty() ? fields.fault() : reader.fault();
    if (!outcome.malformed.isEmpty())
        return outcome;

    TraceBench bench(std::move(policy), 0.5);
    if (deadline)
        bench.context().deadline = Instant{fromSeconds(*deadline)};
    const std::vector<Scenario> scenarios{scenario};
    ScriptedTransport transport(bench.clock(), scenarios, [] { return simulationEpoch(); });
    HttpPorts ports(transport, [] { return simulationEpoch(); });
    SlowConsumer consumer(bench, consumerTakes);
    auto call = std::make_shared<HttpCall>();
    call->request.url = QUrl(u"http://simulated/stream"_s);
    call->api = Api::Sse;
    call->consumer = &consumer;
    if (signal.isObject()) {
        CallerSignal polled;
        polled.oneShotSource = oneShot;
        if (const std::optional<double> setAt = numberOf(signal.toObject()["set_at"_L1]))
            polled.setAt = Instant{fromSeconds(*setAt)};
        call->callerSignal = polled;
    }
    auto attempt = sendAttempt(bench.context(), ports, *call, 1, 1, SpanId{});
    attempt.start();
    bench.clock().run();
    const CallResult result = attempt.take();

    QJsonObject end;
    end["t"_L1] = bench.now();
    if (result.isFailure()) {
        end["kind"_L1] = u"raised"_s;
        end["type_name"_L1] = result.failure().type;
        end["message"_L1] = result.failure().text;
    } else {
        end["kind"_L1] = !bench.notes.isEmpty()      ? u"ended_silently"_s
            : result.reply().truncated               ? u"eof"_s
                                                     : u"done_marker"_s;
    }
    QJsonObject actual;
    actual["events"_L1] = consumer.events;
    actual["end"_L1] = end;
    actual["lines_read"_L1] = bench.linesRead;
    outcome.difference = firstDifference(expected, actual);
    outcome.passed = outcome.difference.isEmpty();
    return outcome;
}

} // namespace Waitscope
