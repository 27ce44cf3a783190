// SPDX-License-Identifier: GPL-3.0-or-later
// exec_traces: scripted calls under the exec layer alone.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/tracebench.h"
#include "engine/exec.h"
#include "policy/environment.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class ScriptedCall final : public ExecBody
{
public:
    ScriptedCall(TraceBench &bench, AttemptScript &script)
        : m_bench(bench)
        , m_script(script)
    {
    }
    Task<CallResult> attempt(CallContext &, int n, SpanId) override
    {
        m_bench.record("exec"_L1, "attempt_start"_L1, n);
        const QJsonObject entry = m_script.next();
        auto call = m_bench.play(entry);
        CallResult result = co_await std::move(call);
        m_bench.record("exec"_L1, "attempt_end"_L1, labelOf(entry));
        co_return result;
    }

private:
    TraceBench &m_bench;
    AttemptScript &m_script;
};

class ScriptedHooks final : public ExecHooks
{
public:
    ScriptedHooks(TraceBench &bench, const QJsonObject &input)
        : m_bench(bench)
        , m_setUpS(input["setup_takes_s"_L1].toDouble())
        , m_hookS(input["hook_takes_s"_L1].toDouble())
        , m_raises(input["on_retry_raises"_L1].toBool())
    {
    }
    Task<> setUp() override
    {
        if (m_setUpS > 0) {
            auto lasting = m_bench.pass(m_setUpS);
            co_await std::move(lasting);
        }
    }
    Task<std::optional<QString>> onRetry(RetryInfo info) override
    {
        QJsonObject seen;
        seen["t"_L1] = m_bench.now();
        seen["attempt"_L1] = info.attempt;
        seen["max_attempts"_L1] = info.maxAttempts;
        seen["reason"_L1] = QString(wordOf(info.reason));
        seen["sleep_s"_L1] = info.sleepS;
        seen["elapsed_s"_L1] = info.elapsedS;
        seen["retry_after_s"_L1] = tableNumber(info.retryAfterS);
        seen["last_error_type"_L1] = info.lastErrorType;
        seen["last_error_msg"_L1] = info.lastErrorText;
        calls.append(seen);
        if (m_hookS > 0) {
            auto lasting = m_bench.pass(m_hookS);
            co_await std::move(lasting);
        }
        co_return m_raises ? std::optional(u"ValueError"_s) : std::nullopt;
    }
    QJsonArray calls;

private:
    TraceBench &m_bench;
    double m_setUpS;
    double m_hookS;
    bool m_raises;
};

} // namespace

CaseResult runExecTrace(const QJsonObject &object)
{
    CaseReader reader(object);
    const QJsonObject input = reader.object("input"_L1);
    const QJsonObject expected = reader.object("expect"_L1);
    CaseReader fields(input);
    const auto calls = fields.value("calls"_L1).toArray();
    const double u = fields.number("u"_L1);
    Policy policy = referencePolicy();
    const QString origin = u"case"_s;
    policy = policy.with(Setting::ExecMaxAttempts, SettingValue::number(static_cast<double>(fields.integer("max_retries"_L1))), origin);
    policy = policy.with(Setting::ExecBackoffBase, SettingValue::number(fields.number("backoff_base_s"_L1)), origin);
    const std::optional<EnvironmentReading> timeout =
        readAsOpenProgram(QString(infoOf(Setting::ExecTimeout).variable), fields.textOrNull("env_exec_timeout"_L1));
    policy = policy.with(Setting::ExecTimeout, timeout && timeout->value ? SettingValue::number(*timeout->value) : SettingValue::off(), origin);
    CaseResult outcome;
    outcome.malformed = reader.fault().isEmpty() ? fields.fault() : reader.fault();
    if (calls.isEmpty() && outcome.malformed.isEmpty())
        outcome.malformed = u"\"calls\" holds no entry"_s;
    if (!outcome.malformed.isEmpty())
        return outcome;

    AttemptScript script(calls);
    TraceBench bench(std::move(policy), u);
    ScriptedHooks hooks(bench, input);
    ExecCall call;
    call.withImage = input["with_image"_L1].toBool();
    call.asynchronous = input["api"_L1].toString() == u"async_exec"_s;
    call.timeoutS = numberOf(input["timeout_s"_L1]);
    call.hooks = &hooks;
    auto exec = runExec(bench.context(), std::move(call), std::make_shared<ScriptedCall>(bench, script));
    exec.start();
    bench.clock().run();
    const CallResult result = exec.take();

    QJsonObject actual;
    actual["events"_L1] = bench.events();
    actual["on_retry"_L1] = hooks.calls;
    actual["final"_L1] = execFinal(result, bench);
    actual["t_end"_L1] = bench.now();
    actual["calls_made"_L1] = script.used();
    actual["node_status"_L1] = result.isReply() ? u"success"_s : u"error"_s;
    actual["stderr_log"_L1] = QJsonArray::fromStringList(bench.notes);
    outcome.difference = firstDifference(expected, actual);
    outcome.passed = outcome.difference.isEmpty();
    return outcome;
}

} // namespace Waitscope
