// SPDX-License-Identifier: GPL-3.0-or-later
// session_traces: scripted agent runs under the session layer alone.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/tracebench.h"
#include "engine/session.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

Message messageFrom(const QJsonObject &json)
{
    Message message;
    message.role = json["role"_L1].toString();
    message.text = json["text"_L1].toString();
    message.state.stopReason = json["stop_reason"_L1].toString();
    if (const QJsonValue error = json["error_message"_L1]; error.isString())
        message.state.errorMessage = error.toString();
    if (const QJsonValue verdict = json["error_retryable"_L1]; verdict.isBool())
        message.state.retryable = verdict.toBool();
    message.state.usageInput = json["usage_input"_L1].toInteger();
    return message;
}

QJsonObject toJson(const Message &message)
{
    QJsonObject json;
    json["role"_L1] = message.role;
    json["text"_L1] = message.text;
    if (message.role == u"assistant"_s) {
        json["stop_reason"_L1] = message.state.stopReason;
        json["error_message"_L1] =
            message.state.errorMessage ? QJsonValue(*message.state.errorMessage) : QJsonValue();
    }
    return json;
}

class ScriptedAgent final : public Agent
{
public:
    ScriptedAgent(TraceBench &bench, AttemptScript &script)
        : m_bench(bench)
        , m_script(script)
    {
    }
    Task<AgentRunResult> run(CallContext &, int, bool, SpanId) override
    {
        const QJsonObject entry = m_script.next();
        auto lasting = m_bench.pass(entry["duration_s"_L1].toDouble());
        co_await std::move(lasting);
        AgentRunResult result;
        for (const QJsonValue &message : entry["append"_L1].toArray())
            result.appended.push_back(messageFrom(message.toObject()));
        if (const QJsonValue raised = entry["raises"_L1]; raised.isString()) {
            Failure failure;
            failure.type = raised.toString();
            failure.text = u"raised by the run"_s;
            result.raised = std::move(failure);
        }
        co_return result;
    }

private:
    TraceBench &m_bench;
    AttemptScript &m_script;
};

// Cancels the k-th sleep half way, as a user's "cancel retry" would.
class Canceller final : public ClockNode
{
public:
    explicit Canceller(Strand &strand)
        : m_strand(strand)
    {
    }

private:
    void onDue() override
    {
        Interrupted signal;
        signal.cause = InterruptCause::RetryCancelled;
        m_strand.interrupt(std::move(signal));
    }
    void onReady() override { }
    Strand &m_strand;
};

class Listener final : public SessionListener
{
public:
    Listener(TraceBench &bench, std::optional<qint64> cancelSleep)
        : m_bench(bench)
        , m_canceller(bench.context().strand())
        , m_cancelSleep(cancelSleep)
    {
    }
    void onRunStarted(bool fresh) override
    {
        m_bench.record({}, "run_start"_L1, fresh ? u"prompt"_s : u"continue"_s);
    }
    void onRunEnded(const AgentRunResult &result) override
    {
        m_bench.record({}, "run_end"_L1, static_cast<qint64>(result.appended.size()));
    }
    void onRetryStarted(int attempt, int maxRetries, double seconds, const QString &errorMessage) override
    {
        QJsonObject event;
        event["type"_L1] = u"auto_retry_start"_s;
        event["attempt"_L1] = attempt;
        event["max_attempts"_L1] = maxRetries;
        event["delay_ms"_L1] = seconds * 1000;
        event["error_message"_L1] = errorMessage;
        m_bench.record({}, "emit"_L1, event);
    }
    void onRetryEnded(bool success, int attempt, const QString &finalError) override
    {
        QJsonObject event;
        event["type"_L1] = u"auto_retry_end"_s;
        event["success"_L1] = success;
        event["attempt"_L1] = attempt;
        event["final_error"_L1] = finalError;
        m_bench.record({}, "emit"_L1, event);
    }
    void onSleep(double seconds) override
    {
        if (++m_sleeps == m_cancelSleep)
            m_bench.clock().arm(m_canceller, after(m_bench.clock().now(), fromSeconds(seconds / 2)));
    }

private:
    TraceBench &m_bench;
    Canceller m_canceller;
    std::optional<qint64> m_cancelSleep;
    qint64 m_sleeps = 0;
};

} // namespace

CaseResult runSessionTrace(const QJsonObject &object)
{
    CaseReader reader(object);
    const QJsonObject input = reader.object("input"_L1);
    const QJsonObject expected = reader.object("expect"_L1);
    CaseReader fields(input);
    const QString origin = u"case"_s;
    Policy policy = referencePolicy();
    policy = policy.with(Setting::SessionEnabled, SettingValue::number(input["enabled"_L1].toBool()), origin);
    policy = policy.with(Setting::SessionMaxAttempts,
                         SettingValue::number(static_cast<double>(fields.integer("max_retries"_L1) + 1)), origin);
    policy = policy.with(Setting::SessionBackoffBase, SettingValue::number(fields.number("base_delay_ms"_L1) / 1000), origin);
    policy = policy.with(Setting::SessionBackoffMax, SettingValue::off(), origin);
    policy = policy.with(Setting::SessionContextWindow,
                         SettingValue::number(static_cast<double>(fields.integer("context_window"_L1))), origin);
    const std::optional<qint64> cancelSleep = fields.integerOrNull("cancel_sleep"_L1);
    const std::optional<QString> prompt = fields.textOrNull("user_input"_L1);
    const QJsonArray runs = fields.value("runs"_L1).toArray();
    CaseResult outcome;
    outcome.malformed = reader.fault().isEmpty() ? fields.fault() : reader.fault();
    if (!outcome.malformed.isEmpty())
        return outcome;

    AttemptScript script(runs);
    TraceBench bench(std::move(policy), 0.5);
    Listener listener(bench, cancelSleep);
    ScriptedAgent agent(bench, script);
    SessionCall call;
    call.freshPrompt = prompt.has_value();
    call.prompt = prompt.value_or(QString());
    call.listener = &listener;
    for (const QJsonValue &message : input["history"_L1].toArray())
        call.history.push_back(messageFrom(message.toObject()));
    auto session = runSession(bench.context(), std::move(call), agent);
    session.start();
    bench.clock().run();
    const SessionResult result = session.take();

    QJsonObject actual;
    actual["events"_L1] = bench.events();
    actual["t_end"_L1] = bench.now();
    actual["runs_made"_L1] = script.used();
    actual["retry_attempt"_L1] = result.retryAttempt;
    actual["returned"_L1] = result.returned && !result.cancelled ? QJsonValue(toJson(*result.returned)) : QJsonValue();
    QJsonValue raised;
    if (result.raised)
        raised = QJsonObject{{u"type_name"_s, result.raised->type}, {u"message"_s, result.raised->text}};
    actual["raised"_L1] = raised;
    QJsonArray messages;
    for (const Message &message : result.messages)
        messages.append(toJson(message));
    actual["messages"_L1] = messages;
    outcome.difference = firstDifference(expected, actual);
    outcome.passed = outcome.difference.isEmpty();
    return outcome;
}

} // namespace Waitscope
