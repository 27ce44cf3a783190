// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/attempt.h"

#include "engine/http/ratelimits.h"
#include "engine/backoff.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype errorBodyLimit = 4096;
constexpr qsizetype replyTextLimit = 65536;
constexpr Duration pollInterval = std::chrono::milliseconds(250);

QByteArrayView valueOf(const std::vector<WireHeader> &headers, QByteArrayView name)
{
    const auto found = std::ranges::find_if(
        headers, [name](const WireHeader &h) { return QByteArrayView(h.name).compare(name, Qt::CaseInsensitive) == 0; });
    return found == headers.end() ? QByteArrayView() : QByteArrayView(found->value);
}

} // namespace

Attempt::Attempt(CallContext &context, HttpPorts &ports, const HttpCall &call, SpanId requestSpan)
    : m_context(context)
    , m_ports(ports)
    , m_call(call)
    , m_request(requestSpan)
    , m_began(context.now())
    , m_timers(context, requestSpan)
{
}

Attempt::~Attempt()
{
    m_timers.disarmAll();
    endPhase(Outcome::Interrupted);
}

void Attempt::enterQueue()
{
    enterPhase(Phase::Queue);
    m_timers.arm(TimerKind::Pool);
}

void Attempt::leaveQueue()
{
    m_timers.disarm(TimerKind::Pool);
    endPhase();
}

void Attempt::dispatched()
{
    m_timers.arm(TimerKind::Connect);
}

Instant Attempt::nextDue() const noexcept
{
    return std::min({m_timers.nextDue(), watchedDeadline().value_or(never), m_pollAt});
}

std::optional<Instant> Attempt::watchedDeadline() const noexcept
{
    return m_phase == Phase::Receive && !isErrorStatus() ? m_context.deadline : std::nullopt;
}

void Attempt::beginWait()
{
    if (m_call.callerSignal && m_phase == Phase::Receive && m_context.policy().rules() == RuleSet::Openprogram)
        m_pollAt = m_context.now() + pollInterval;
}

std::optional<CallResult> Attempt::onPoll()
{
    m_pollAt = never;
    const CallerSignal &signal = *m_call.callerSignal;
    if (signal.setAt && *signal.setAt <= m_context.now()) {
        Failure aborted;
        aborted.type = u"StreamAborted"_s;
        aborted.text = u"stream cancelled by caller signal"_s;
        return failed(std::move(aborted));
    }
    if (!signal.oneShotSource)
        return std::nullopt;
    m_context.log().mark(m_request, MarkKind::Note, 0, u"the cancelled read ended the stream silently"_s);
    return finished(true);
}

std::optional<CallResult> Attempt::onWake(Wake wake)
{
    switch (wake) {
    case Wake::Ready:
        return std::nullopt;
    case Wake::PolicyChange:
        m_timers.rearmChanged();
        return std::nullopt;
    case Wake::Interrupt:
        m_context.log().mark(m_request, MarkKind::Interrupted, 0, m_context.strand().interrupted()->why);
        m_timers.disarmAll();
        endPhase(Outcome::Interrupted);
        return CallResult(*m_context.strand().interrupted());
    case Wake::Alarm:
        m_context.log().mark(m_request, MarkKind::AlarmEntered);
        return failed(alarmFailure(m_context.policy()));
    case Wake::Due:
        return onDue();
    }
    Q_UNREACHABLE();
}

std::optional<CallResult> Attempt::onDue()
{
    const Instant now = m_context.now();
    const RuleSet rules = m_context.policy().rules();
    const std::optional<TimerKind> kind = m_timers.expired(now);
    // A timer that was cut to the deadline ends by the deadline, not by itself.
    if (kind && !m_timers.isClamped(*kind)) {
        const double seconds = m_timers.secondsOf(*kind);
        m_timers.fire(*kind);
        return failed(timerFailure(rules, *kind, m_phase, seconds, wireContext()));
    }
    if (now >= m_pollAt) {
        if (std::optional<CallResult> ended = onPoll())
            return ended;
    }
    const bool clamped = m_context.clampAt && now >= *m_context.clampAt;
    const bool watched = watchedDeadline() && now >= *watchedDeadline();
    if (!clamped && !watched)
        return std::nullopt; // traffic moved the due time
    Failure failure = timerFailure(rules, TimerKind::Deadline, m_phase, m_context.policy().seconds(Setting::ExecTimeout).value_or(0),
                                   wireContext());
    if (rules == RuleSet::Strict || clamped) {
        failure.timedOutByDeadline = true;
        failure.retryable = false;
    }
    return failed(std::move(failure));
}

std::optional<CallResult> Attempt::onFact(WireFact &fact)
{
    switch (fact.kind) {
    case WireFact::Kind::PhaseBegan:
        enterPhase(fact.phase);
        return std::nullopt;
    case WireFact::Kind::Trying:
        m_context.log().mark(m_request, MarkKind::Trying, 0, fact.text);
        return std::nullopt;
    case WireFact::Kind::AddressFailed:
        m_context.log().mark(m_request, MarkKind::AddressFailed, 0, fact.text);
        return std::nullopt;
    case WireFact::Kind::Connected:
        m_context.log().mark(m_request, MarkKind::Connected, fact.value, fact.text);
        return std::nullopt;
    case WireFact::Kind::SendBegan:
        if (m_phase != Phase::Send)
            enterPhase(Phase::Send);
        m_context.log().mark(m_request, MarkKind::SendBegan, fact.total, fact.reused ? u"reused connection"_s : QString());
        m_toSend = fact.total;
        return std::nullopt;
    case WireFact::Kind::Progress:
        m_sent = fact.value;
        m_context.log().mark(m_request, MarkKind::Progress, fact.value);
        m_timers.touch(Resets::Progress);
        return std::nullopt;
    case WireFact::Kind::Sent:
        m_sent = std::max(m_sent, fact.value);
        if (m_phase != Phase::Wait)
            enterPhase(Phase::Wait);
        return std::nullopt;
    case WireFact::Kind::Headers:
        onHeaders(fact);
        return std::nullopt;
    case WireFact::Kind::Bytes:
        return onBytes(fact);
    case WireFact::Kind::ResendRefused:
        m_context.log().mark(m_request, MarkKind::ResendRefused);
        return std::nullopt;
    case WireFact::Kind::End:
        return onEnd(fact);
    }
    Q_UNREACHABLE();
}

void Attempt::enterPhase(Phase phase)
{
    endPhase();
    m_phase = phase;
    m_phaseSpan = m_context.log().begin(SpanKind::Phase, Layer::Http, [this, phase](SpanBegan &span) {
        span.parent = m_request;
        span.phase = phase;
    });
    if (phase == Phase::Send) {
        m_timers.disarm(TimerKind::Connect);
        m_timers.arm(TimerKind::Write);
    } else if (phase == Phase::Wait) {
        m_timers.disarm(TimerKind::Connect);
        m_timers.disarm(TimerKind::Write);
        m_timers.arm(TimerKind::FirstByte);
        m_timers.arm(TimerKind::Read);
    }
}

void Attempt::endPhase(Outcome outcome)
{
    if (m_phaseSpan)
        m_context.log().end(std::exchange(m_phaseSpan, SpanId{}), outcome);
}

void Attempt::onHeaders(WireFact &fact)
{
    m_status = fact.status;
    m_headers = std::move(fact.headers);
    m_context.log().mark(m_request, MarkKind::Headers, m_status);
    if (!m_context.log().countsOnly())
        sampleRateLimits();
    enterPhase(Phase::Receive);
    m_timers.disarm(TimerKind::Connect);
    m_timers.disarm(TimerKind::Write);
    m_timers.disarm(TimerKind::FirstByte);
    m_timers.touch(Resets::AnyByte);
    if (isErrorStatus())
        return; // its body is read by the read timer alone, as the reference does
    m_parser.emplace(m_call.api, m_context.policy().rules(),
                     keepsLines() ? StreamParser::Keep::Content : StreamParser::Keep::Facts);
    m_timers.arm(TimerKind::Idle);
    m_timers.arm(TimerKind::DataStall);
    m_timers.arm(TimerKind::Total);
}

void Attempt::sampleRateLimits()
{
    for (const RateLimitSample &sample : rateLimitsOf(m_headers, m_ports.nowUtc())) {
        CounterSampled counter;
        counter.at = m_context.now();
        counter.span = m_request;
        counter.name = sample.name;
        counter.value = sample.value;
        m_context.log().write(counter);
    }
}

std::optional<CallResult> Attempt::onBytes(const WireFact &fact)
{
    const bool isFirst = m_received == 0;
    m_received += fact.bytes.size();
    m_timers.touch(Resets::AnyByte);
    if (isFirst && m_parser && m_context.policy().rules() == RuleSet::Strict
        && isPage(valueOf(m_headers, "content-type"), fact.bytes))
        return failed(pageFailure(m_status));
    if (!m_parser) {
        m_errorBody += fact.bytes.left(std::max<qsizetype>(0, errorBodyLimit - m_errorBody.size()));
        return std::nullopt;
    }
    m_items.clear();
    m_parser->feed(fact.bytes, m_items);
    return onItems();
}

std::optional<CallResult> Attempt::onItems()
{
    EventLog &log = m_context.log();
    for (StreamItem &item : m_items) {
        m_timers.touch(Resets::AnyLine);
        const QString raw = m_call.keepContent ? QString::fromUtf8(item.rawLine) : QString();
        if (item.content && !m_committedAt) {
            m_committedAt = m_context.now();
            log.mark(m_request, MarkKind::Committed);
        }
        if (!item.text.isEmpty() && m_text.size() < replyTextLimit)
            m_text += item.text;
        if (item.outputTokens)
            log.mark(m_request, MarkKind::Usage, *item.outputTokens);
        switch (item.kind) {
        case StreamItem::Kind::Line:
            log.mark(m_request, MarkKind::Line, item.bytes, raw);
            if (item.badJson && !std::exchange(m_sawBadJson, true))
                log.mark(m_request, MarkKind::Note, item.dataBytes, u"an event that is no JSON: counted as bytes, not as data"_s);
            break;
        case StreamItem::Kind::Ping:
            log.mark(m_request, MarkKind::Ping, item.bytes, raw);
            break;
        case StreamItem::Kind::Data:
            m_timers.touch(Resets::DataEvent);
            ++m_dataEvents;
            log.mark(m_request, MarkKind::Data, item.dataBytes, raw);
            if (m_call.consumer)
                m_forConsumer.push_back(std::move(item.rawLine));
            break;
        case StreamItem::Kind::Error: {
            log.mark(m_request, MarkKind::StreamError, item.bytes, item.errorText);
            const Policy &policy = m_context.policy();
            Failure failure = streamErrorFailure(policy.rules(), item.errorType, item.errorText,
                                                 policy.retryPolicy(Layer::Stream).hintForms);
            failure.inStream = true;
            return failed(std::move(failure));
        }
        case StreamItem::Kind::End:
            m_timers.touch(Resets::DataEvent);
            log.mark(m_request, MarkKind::EndMarker, item.bytes, m_parser->finishReason());
            return finished(false);
        }
    }
    return std::nullopt;
}

CallResult Attempt::onEnd(const WireFact &fact)
{
    const RuleSet rules = m_context.policy().rules();
    if (fact.end == WireEnd::StaleConnection)
        m_stale = true;
    if (isErrorStatus())
        return failed(statusFailed());
    if (m_parser) {
        m_items.clear();
        m_parser->finish(m_items);
        if (std::optional<CallResult> ended = onItems())
            return std::move(*ended);
    }
    WireFailureContext context = wireContext();
    context.text = fact.text;
    context.expectedBytes = fact.expectedBytes;
    if (m_parser && m_parser->sawEndMarker()) {
        // All was said; how the connection went afterwards changes nothing.
        m_context.log().mark(m_request, MarkKind::EndMarker, 0, m_parser->finishReason());
        return finished(false);
    }
    if (fact.end == WireEnd::Complete && m_parser) {
        // Plain SSE has no end of its own: a complete body with events is one.
        if (m_call.api == Api::Sse && m_dataEvents > 0 && rules == RuleSet::Strict)
            return finished(false);
        if (rules == RuleSet::Openprogram)
            return finished(true);
        Failure failure = failureOf(rules, fact.end, context);
        failure.truncated = true;
        return failed(std::move(failure));
    }
    Failure failure = failureOf(rules, fact.end, context);
    failure.truncated = fact.end == WireEnd::CutBody || fact.end == WireEnd::ResetInBody || fact.end == WireEnd::BadChunk;
    return failed(std::move(failure));
}

CallResult Attempt::finished(bool truncated)
{
    // These APIs have a marker and a reason; the marker alone ends a stream as well.
    const bool hasReasons = m_call.api == Api::OpenaiChat || m_call.api == Api::AnthropicMessages;
    if (!truncated && hasReasons && m_parser->finishReason().isEmpty() && m_context.policy().rules() == RuleSet::Strict)
        m_context.log().mark(m_request, MarkKind::Note, 0, u"no finish_reason: the end marker alone ended the stream"_s);
    m_timers.disarmAll();
    endPhase(truncated ? Outcome::Truncated : Outcome::Ok);
    Reply reply;
    reply.text = m_text;
    reply.finishReason = m_parser->finishReason();
    reply.bytes = m_received;
    reply.dataEvents = m_dataEvents;
    reply.inputTokens = m_parser->inputTokens();
    reply.outputTokens = m_parser->outputTokens();
    if (m_committedAt)
        reply.sinceFirstContent = m_context.now() - *m_committedAt;
    reply.truncated = truncated;
    return reply;
}

CallResult Attempt::failed(Failure &&failure)
{
    failure.committed = m_committedAt.has_value();
    failure.responseBegan = m_status != 0;
    if (m_parser && m_parser->hasOpenArguments() && m_context.policy().rules() == RuleSet::Strict)
        m_context.log().mark(m_request, MarkKind::Note, 0, u"the arguments of a tool call are incomplete: not to be run"_s);
    m_timers.disarmAll();
    endPhase(failure.timedOutByDeadline ? Outcome::Timeout : failure.truncated ? Outcome::Truncated : Outcome::Error);
    return CallResult(std::move(failure));
}

Failure Attempt::statusFailed()
{
    HeaderList headers;
    for (const WireHeader &header : m_headers)
        headers.emplace_back(QString::fromLatin1(header.name.toLower()), QString::fromLatin1(header.value));
    const Policy &policy = m_context.policy();
    const RetryPolicy &retry = policy.retryPolicy(Layer::Stream);
    const QDateTime now = m_ports.nowUtc();
    const HintReading hint = readHint(policy.rules(), headers, retry.hintForms, now);
    if (!hint.note.isEmpty())
        m_context.log().mark(m_request, MarkKind::Note, 0, hint.note);
    return statusFailure(policy.rules(), m_status, headers, m_errorBody, hint, now, retry.retryStatuses);
}

WireFailureContext Attempt::wireContext() const
{
    WireFailureContext context;
    context.phase = m_phase;
    context.status = m_status;
    context.headersSeen = m_status != 0;
    context.sentBytes = m_sent;
    context.totalBytes = m_toSend;
    context.receivedBytes = m_received;
    return context;
}

} // namespace Waitscope
