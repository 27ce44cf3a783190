// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/tracebench.h"

#include "conformance/comparison.h"

#include <algorithm>
#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

// Turns the engine's own backoff spans into the tables' "sleep" events.
class TraceBench::Sink final : public EventSink
{
public:
    explicit Sink(TraceBench &bench)
        : m_bench(bench)
    {
    }
    void write(const Event &event) override
    {
        if (const auto *began = std::get_if<SpanBegan>(&event); began && began->kind == SpanKind::Backoff)
            m_sleeper = began->layer;
        if (const auto *timer = std::get_if<TimerArmed>(&event); timer && timer->kind == TimerKind::BackoffEnd)
            m_bench.record(wordOf(m_sleeper), "sleep"_L1, toSeconds(timer->value));
        if (const auto *mark = std::get_if<Marked>(&event)) {
            if (mark->kind == MarkKind::Note)
                m_bench.notes << mark->text;
            m_bench.linesRead += mark->kind == MarkKind::Line || mark->kind == MarkKind::Data || mark->kind == MarkKind::Ping
                || mark->kind == MarkKind::EndMarker || mark->kind == MarkKind::StreamError;
        }
    }

private:
    TraceBench &m_bench;
    Layer m_sleeper = Layer::Exec;
};

bool isControlSignal(QStringView typeName)
{
    static constexpr std::array<QStringView, 5> names{u"ExecInterrupt", u"KeyboardInterrupt", u"CancelledError", u"SystemExit",
                                                      u"GeneratorExit"};
    return std::ranges::find(names, typeName) != names.end();
}

Failure failureFromCase(const QJsonObject &entry)
{
    Failure failure;
    failure.type = entry["type_name"_L1].toString();
    failure.text = entry["message"_L1].toString();
    failure.errorText = entry["error_text"_L1].toString();
    failure.provider = entry["provider"_L1].toString();
    if (const QJsonValue status = entry["http_status"_L1]; status.isDouble())
        failure.httpStatus = status.toInt();
    if (const QJsonValue code = entry["status_code"_L1]; code.isDouble() && failure.httpStatus.value_or(0) == 0)
        failure.httpStatus = code.toInt();
    failure.retryAfterS = numberOf(entry["retry_after_s"_L1]);
    if (const QJsonValue verdict = entry["retryable"_L1]; verdict.isBool())
        failure.retryable = verdict.toBool();
    failure.exhausted = entry["transport_exhausted"_L1].toBool();
    failure.committed = entry["committed"_L1].toBool();
    return failure;
}

QJsonObject AttemptScript::next()
{
    const qsizetype index = std::min<qsizetype>(m_used++, m_entries.size() - 1);
    return index < 0 ? QJsonObject() : m_entries[index].toObject();
}

TraceBench::TraceBench(Policy policy, double u)
    : m_random(u)
    , m_sink(std::make_unique<Sink>(*this))
    , m_log(m_clock, *m_sink)
    , m_policies(m_log, std::make_shared<const Policy>(std::move(policy)))
    , m_strand(m_clock)
    , m_context(m_clock, m_log, m_random, m_policies, m_strand)
{
    m_context.beginExec(1);
}

TraceBench::~TraceBench() = default;

Task<> TraceBench::pass(double seconds)
{
    const Instant until = after(m_clock.now(), fromSeconds(seconds));
    Wait wait(m_strand, until);
    co_await wait;
}

Task<CallResult> TraceBench::play(QJsonObject entry)
{
    auto lasting = pass(entry["duration_s"_L1].toDouble());
    co_await std::move(lasting);
    if (entry["outcome"_L1].toString() == u"ok"_s) {
        Reply reply;
        reply.text = entry["reply"_L1].toString(u"done"_s);
        co_return CallResult(std::move(reply));
    }
    Failure failure = failureFromCase(entry);
    if (isControlSignal(failure.type)) {
        signalType = failure.type;
        signalText = failure.text;
        Interrupted signal;
        signal.cause = InterruptCause::Watchdog;
        signal.why = failure.text;
        co_return CallResult(std::move(signal));
    }
    co_return CallResult(std::move(failure));
}

void TraceBench::record(QLatin1StringView layer, QLatin1StringView event, QJsonValue value)
{
    QJsonArray entry;
    entry.append(now());
    if (nameLayers)
        entry.append(QString(layer));
    entry.append(QString(event));
    entry.append(value);
    m_events.append(entry);
}

Policy referencePolicy()
{
    Policy policy;
    const QString origin = u"table"_s;
    for (const auto &assignment : {u"rules=openprogram"_s, u"session.carry_verdict=none"_s, u"session.use_verdict=true"_s,
                                   u"session.retry_empty=true"_s, u"session.context_window=0"_s,
                                   u"exec.propagate_deadline=true"_s, u"exec.honor_exhausted=true"_s,
                                   u"http.clamp_to_deadline=false"_s, u"stream.partial_recovery=false"_s,
                                   u"exec.hint_max_s=off"_s, u"stream.hint_max_s=off"_s, u"stream.kind=loop"_s}) {
        policy = policy.withAssignment(assignment, origin).value();
    }
    return policy;
}

QString labelOf(const QJsonObject &entry)
{
    const bool ok = entry["outcome"_L1].toString() == u"ok"_s;
    return ok ? u"ok"_s : u"error:"_s + entry["type_name"_L1].toString();
}

QJsonObject execFinal(const CallResult &result, const TraceBench &bench)
{
    QJsonObject final;
    if (result.isReply()) {
        final["kind"_L1] = u"ok"_s;
        final["reply"_L1] = result.reply().text;
        return final;
    }
    if (result.isInterrupted()) {
        final["kind"_L1] = u"passthrough"_s;
        final["type_name"_L1] = bench.signalType;
        final["message"_L1] = bench.signalText;
        return final;
    }
    const Failure &failure = result.failure();
    if (failure.kind != FailureKind::LlmError) {
        final["kind"_L1] = u"passthrough"_s;
        final["type_name"_L1] = failure.type;
        final["message"_L1] = failure.text;
        return final;
    }
    const QString head = failure.message.section(u'\n', 0, 0);
    final["kind"_L1] = u"LLMError"_s;
    final["reason"_L1] = QString(wordOf(failure.reason));
    final["retryable"_L1] = failure.retryable.value_or(false);
    final["attempts"_L1] = failure.attempts;
    final["elapsed_s"_L1] = failure.elapsedS;
    final["label"_L1] = head.mid(14).chopped(1); // "exec() failed " … ":"
    final["message_head"_L1] = head;
    final["message"_L1] = failure.message;
    final["text"_L1] = failure.text;
    final["http_status"_L1] = failure.httpStatus ? QJsonValue(*failure.httpStatus) : QJsonValue();
    final["retry_after_s"_L1] = tableNumber(failure.retryAfterS);
    final["had_image"_L1] = failure.hadImage;
    final["last_error_type"_L1] = failure.lastErrorType;
    return final;
}

} // namespace Waitscope
