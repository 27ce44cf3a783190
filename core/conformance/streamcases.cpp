// SPDX-License-Identifier: GPL-3.0-or-later
// stream_retry_traces: scripted attempts under the stream layer alone.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/streamscript.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QJsonObject exceptionOf(const CallResult &result, const TraceBench &bench)
{
    QJsonObject exception;
    if (result.isInterrupted()) {
        exception["type_name"_L1] = bench.signalType;
        exception["message"_L1] = bench.signalText;
        return exception;
    }
    const Failure &failure = result.failure();
    exception["type_name"_L1] = failure.type;
    exception["message"_L1] = failure.text;
    exception["retryable"_L1] = failure.retryable.value_or(false);
    exception["http_status"_L1] = failure.httpStatus ? QJsonValue(*failure.httpStatus) : QJsonValue();
    exception["retry_after_s"_L1] = tableNumber(failure.retryAfterS);
    exception["provider"_L1] = failure.provider.isEmpty() ? QJsonValue() : QJsonValue(failure.provider);
    return exception;
}

} // namespace

CaseResult runStreamTrace(const QJsonObject &object)
{
    CaseReader reader(object);
    const QJsonObject input = reader.object("input"_L1);
    const QJsonObject expected = reader.object("expect"_L1);
    CaseReader fields(input);
    const double u = fields.number("u"_L1);
    const Policy policy = withStreamSettings(referencePolicy(), fields);
    const std::optional<double> deadline = fields.numberOrNull("deadline_s"_L1);
    const double startAt = fields.number("start_at_s"_L1);
    const QJsonArray attempts = fields.value("attempts"_L1).toArray();
    CaseResult outcome;
    outcome.malformed = reader.fault().isEmpty() ? fields.fault() : reader.fault();
    if (!outcome.malformed.isEmpty())
        return outcome;

    AttemptScript script(attempts);
    TraceBench bench(policy, u);
    bench.clock().run(Instant{fromSeconds(startAt)});
    bench.clock().advanceTo(Instant{fromSeconds(startAt)});
    if (deadline)
        bench.context().deadline = Instant{fromSeconds(*deadline)};
    ScriptedStream body(bench, script);
    StreamLog log;
    StreamCall call;
    call.label = input["label"_L1].toString();
    call.provider = input["provider"_L1].isNull() ? std::nullopt : std::optional(input["provider"_L1].toString());
    call.listener = &log;
    log.label = call.label;
    auto stream = runStream(bench.context(), std::move(call), body);
    stream.start();
    bench.clock().run();
    const CallResult result = stream.take();

    QJsonObject actual;
    actual["events"_L1] = bench.events();
    actual["t_end"_L1] = bench.now();
    actual["attempts_made"_L1] = script.used();
    actual["log"_L1] = QJsonArray::fromStringList(log.lines);
    actual["outcome"_L1] = result.isReply() ? u"ok"_s : u"raised"_s;
    if (!result.isReply())
        actual["exception"_L1] = exceptionOf(result, bench);
    actual["transport_exhausted"_L1] = result.isFailure() && result.failure().exhausted;
    outcome.difference = firstDifference(expected, actual);
    outcome.passed = outcome.difference.isEmpty();
    return outcome;
}

} // namespace Waitscope
