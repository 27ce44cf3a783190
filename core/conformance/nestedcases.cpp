// SPDX-License-Identifier: GPL-3.0-or-later
// nested_traces: exec over session over stream, or exec over exec, on one clock.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/streamscript.h"
#include "engine/exec.h"
#include "engine/provider.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString labelOf(const CallResult &result, const TraceBench &bench)
{
    if (result.isReply())
        return u"ok"_s;
    return u"error:"_s + (result.isInterrupted() ? bench.signalType : result.failure().type);
}

// What a case counts besides its events.
struct Tally {
    QJsonArray exhaustedFlags;
    int execs = 0;
    int sessionRuns = 0;
    int streamLoops = 0;
};

// Everything the layers of one case share.
struct Stack {
    Stack(TraceBench &onBench, QJsonArray attempts, StreamCall withCall)
        : bench(onBench)
        , script(std::move(attempts))
        , stream(onBench, script)
        , call(std::move(withCall))
    {
        call.listener = &log;
        log.label = call.label;
    }
    TraceBench &bench;
    AttemptScript script;
    ScriptedStream stream;
    StreamCall call;
    StreamLog log;
    Tally tally;
};

Task<CallResult> streamLoop(Stack &stack, CallContext &context)
{
    ++stack.tally.streamLoops;
    StreamCall call = stack.call;
    auto loop = runStream(context, std::move(call), stack.stream);
    CallResult result = co_await std::move(loop);
    if (result.isFailure())
        stack.tally.exhaustedFlags.append(result.failure().exhausted);
    co_return result;
}

class RecordedAgent final : public Agent
{
public:
    explicit RecordedAgent(Stack &stack)
        : m_stack(stack)
    {
    }
    Task<AgentRunResult> run(CallContext &context, int, bool, SpanId) override
    {
        TraceBench &bench = m_stack.bench;
        bench.record("session"_L1, "run_start"_L1, ++m_stack.tally.sessionRuns);
        auto loop = streamLoop(m_stack, context);
        CallResult result = co_await std::move(loop);
        bench.record("session"_L1, "run_end"_L1, labelOf(result, bench));
        AgentRunResult run;
        if (result.isInterrupted())
            run.interrupted = result.interrupted();
        else
            run.appended.push_back(messageOf(context, std::move(result)));
        co_return run;
    }

private:
    Stack &m_stack;
};

class RecordedBody final : public ExecBody
{
public:
    enum class Below { Stream, Session };
    RecordedBody(Stack &stack, Below below)
        : m_stack(stack)
        , m_below(below)
    {
    }
    Task<CallResult> attempt(CallContext &context, int n, SpanId) override
    {
        TraceBench &bench = m_stack.bench;
        ++m_stack.tally.execs;
        bench.record("exec"_L1, "attempt_start"_L1, n);
        CallResult result;
        if (m_below == Below::Stream) {
            auto loop = streamLoop(m_stack, context);
            result = co_await std::move(loop);
        } else {
            RecordedAgent agent(m_stack);
            SessionCall session;
            auto run = runSession(context, std::move(session), agent);
            SessionResult ended = co_await std::move(run);
            result = sessionAsCall(context.policy(), std::move(ended));
        }
        if (result.isReply() && result.reply().text.isEmpty())
            result.reply().text = u"done"_s; // a stream loop without a single attempt still counts as the script's reply
        bench.record("exec"_L1, "attempt_end"_L1, labelOf(result, bench));
        co_return result;
    }

private:
    Stack &m_stack;
    Below m_below;
};

// An exec whose call is a complete inner exec over a stream.
class OuterBody final : public ExecBody
{
public:
    OuterBody(Stack &stack, std::optional<double> innerTimeout)
        : m_stack(stack)
        , m_innerTimeout(innerTimeout)
    {
    }
    Task<CallResult> attempt(CallContext &context, int n, SpanId) override
    {
        TraceBench &bench = m_stack.bench;
        ++m_calls;
        bench.record("outer_exec"_L1, "attempt_start"_L1, n);
        ExecCall call;
        call.timeoutS = m_innerTimeout;
        auto body = std::make_shared<RecordedBody>(m_stack, RecordedBody::Below::Stream);
        auto inner = runExec(context, std::move(call), std::move(body));
        CallResult result = co_await std::move(inner);
        bench.record("outer_exec"_L1, "attempt_end"_L1, labelOf(result, bench));
        co_return result;
    }
    [[nodiscard]] int calls() const noexcept { return m_calls; }

private:
    Stack &m_stack;
    std::optional<double> m_innerTimeout;
    int m_calls = 0;
};

Policy policyOf(CaseReader &fields, const QString &stack, const QString &flag)
{
    const QString origin = u"case"_s;
    CaseReader exec(fields.object("exec"_L1));
    CaseReader stream(fields.object("stream"_L1));
    Policy policy = withStreamSettings(referencePolicy(), stream);
    policy = policy.with(Setting::ExecMaxAttempts, SettingValue::number(static_cast<double>(exec.integer("max_retries"_L1))), origin);
    policy = policy.with(Setting::ExecBackoffBase, SettingValue::number(exec.number("backoff_base_s"_L1)), origin);
    policy = policy.with(Setting::ExecHonorExhausted, SettingValue::number(flag != u"cleared"_s), origin);
    if (stack == u"exec>session>stream"_s) {
        CaseReader session(fields.object("session"_L1));
        const auto retries = static_cast<double>(session.integer("max_retries"_L1));
        policy = policy.with(Setting::SessionMaxAttempts, SettingValue::number(retries + 1), origin);
        policy = policy.with(Setting::SessionBackoffBase, SettingValue::number(session.number("base_delay_ms"_L1) / 1000), origin);
        policy = policy.with(Setting::SessionBackoffMax, SettingValue::off(), origin);
        const CarryVerdict carry = flag == u"carried_to_exec"_s ? CarryVerdict::ToExec
            : flag == u"carried_everywhere"_s                   ? CarryVerdict::Everywhere
                                                                : CarryVerdict::None;
        policy = policy.with(Setting::SessionCarryVerdict, SettingValue::number(static_cast<double>(carry)), origin);
        if (!session.fault().isEmpty())
            fields.blame("session"_L1, "is not complete"_L1);
    }
    if (!exec.fault().isEmpty() || !stream.fault().isEmpty())
        fields.blame("exec"_L1, "or \"stream\" is not complete"_L1);
    return policy;
}

} // namespace

CaseResult runNestedTrace(const QJsonObject &object)
{
    CaseReader reader(object);
    const QJsonObject input = reader.object("input"_L1);
    const QJsonObject expected = reader.object("expect"_L1);
    CaseReader fields(input);
    const QString stackName = fields.text("stack"_L1);
    Policy policy = policyOf(fields, stackName, fields.text("flag"_L1));
    const double u = fields.number("u"_L1);
    const QJsonArray attempts = fields.value("attempts"_L1).toArray();
    CaseResult outcome;
    outcome.malformed = reader.fault().isEmpty() ? fields.fault() : reader.fault();
    if (!outcome.malformed.isEmpty())
        return outcome;

    const QJsonObject exec = input["exec"_L1].toObject();
    const QJsonObject inner = input["inner_exec"_L1].toObject();
    const QJsonObject streamInput = input["stream"_L1].toObject();
    const bool isOuter = stackName == u"exec>exec>stream"_s;
    if (isOuter) // both execs share the policy: in these cases they have the same number of tries
        policy = policy.with(Setting::ExecMaxAttempts, SettingValue::number(inner["max_retries"_L1].toDouble()), u"case"_s);
    TraceBench bench(std::move(policy), u);
    bench.nameLayers = true;
    StreamCall streamCall;
    streamCall.label = streamInput["label"_L1].toString();
    streamCall.provider = streamInput["provider"_L1].toString();
    Stack stack(bench, attempts, std::move(streamCall));
    stack.stream.numberOverall = true;

    ExecCall call;
    call.timeoutS = numberOf(exec["timeout_s"_L1]);
    std::shared_ptr<OuterBody> outer;
    std::shared_ptr<ExecBody> body;
    if (isOuter)
        body = outer = std::make_shared<OuterBody>(stack, numberOf(inner["timeout_s"_L1]));
    else
        body = std::make_shared<RecordedBody>(stack, stackName == u"exec>stream"_s ? RecordedBody::Below::Stream
                                                                                   : RecordedBody::Below::Session);
    auto run = runExec(bench.context(), std::move(call), std::move(body));
    run.start();
    bench.clock().run();
    const CallResult result = run.take();

    QJsonObject counts;
    if (isOuter)
        counts["outer_calls"_L1] = outer->calls();
    else
        counts["exec_calls"_L1] = stack.tally.execs;
    if (stackName == u"exec>session>stream"_s)
        counts["session_runs"_L1] = stack.tally.sessionRuns;
    counts["stream_loops"_L1] = stack.tally.streamLoops;
    counts["stream_attempts"_L1] = stack.script.used();
    QJsonObject actual;
    actual["final"_L1] = execFinal(result, bench);
    actual["t_end"_L1] = bench.now();
    actual["counts"_L1] = counts;
    actual["stream_loop_exhausted_flags"_L1] = stack.tally.exhaustedFlags;
    actual["log"_L1] = QJsonArray::fromStringList(stack.log.lines);
    actual["events"_L1] = bench.events();
    outcome.difference = firstDifference(expected, actual);
    outcome.passed = outcome.difference.isEmpty();
    return outcome;
}

} // namespace Waitscope
