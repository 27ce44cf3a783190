// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/wirefailure.h"

#include "engine/http/streamparser.h"
#include "engine/http/wiretexts.h"
#include "rules/resettime.h"
#include "rules/strictverdict.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestBody = 4096;

bool isConnecting(Phase phase)
{
    switch (phase) {
    case Phase::None:
    case Phase::Queue:
    case Phase::Dns:
    case Phase::Connect:
    case Phase::Tls:
    case Phase::ConnectTls:
        return true;
    case Phase::Send:
    case Phase::Wait:
    case Phase::Receive:
        return false;
    }
    Q_UNREACHABLE();
}

// What breaks without a better name.
QString typeByPhase(Phase phase)
{
    if (isConnecting(phase))
        return u"ConnectError"_s;
    return phase == Phase::Send ? u"WriteError"_s : u"ReadError"_s;
}

QString typeOf(WireEnd end, const WireFailureContext &context)
{
    switch (end) {
    case WireEnd::Refused:
    case WireEnd::NameNotFound:
    case WireEnd::DnsFailed:
    case WireEnd::Unreachable:
    case WireEnd::TlsFailed:
    case WireEnd::ClosedInTls:
        return u"ConnectError"_s;
    case WireEnd::ProxyFailed:
        // A proxy that cannot be reached is one more host that cannot be reached; only its answer is a proxy error.
        return proxyAnswer(context).isEmpty() ? u"ConnectError"_s : u"ProxyError"_s;
    case WireEnd::ClosedInHeaders:
    case WireEnd::ResetBeforeHeaders:
    case WireEnd::ResetInBody:
        return u"ReadError"_s;
    case WireEnd::Complete:
    case WireEnd::ClosedBeforeStatus:
    case WireEnd::BadStatusLine:
    case WireEnd::CutBody:
    case WireEnd::BadChunk:
    case WireEnd::StaleConnection:
    case WireEnd::Interim103:
        return u"RemoteProtocolError"_s;
    case WireEnd::Undecodable:
        return u"DecodingError"_s;
    case WireEnd::Aborted:
        return u"StreamAborted"_s;
    case WireEnd::ConnectionTimeout:
    case WireEnd::LostInSleep:
    case WireEnd::Failed:
        return typeByPhase(context.phase);
    }
    Q_UNREACHABLE();
}

QString typeOf(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Connect:
        return u"ConnectTimeout"_s;
    case TimerKind::Write:
        return u"WriteTimeout"_s;
    case TimerKind::Pool:
        return u"PoolTimeout"_s;
    case TimerKind::FirstByte: // the client knows no such limit; it would have been its read limit
    case TimerKind::Read:
        return u"ReadTimeout"_s;
    case TimerKind::Idle:
    case TimerKind::DataStall:
        return u"StreamIdleTimeout"_s;
    case TimerKind::Total:
    case TimerKind::Deadline:
        return u"StreamTotalTimeout"_s;
    case TimerKind::Watchdog:
        return u"SampleTimeoutError"_s;
    case TimerKind::BackoffEnd:
    case TimerKind::HardCap:
        return u"TimeoutError"_s;
    }
    Q_UNREACHABLE();
}

// At most `longestBody` bytes, never half a character.
QString boundedText(const QByteArray &bytes)
{
    qsizetype size = std::min(longestBody, bytes.size());
    const auto continues = [&bytes](qsizetype at) { return (static_cast<uchar>(bytes.at(at)) & 0xC0) == 0x80; };
    if (size < bytes.size()) {
        // A character has at most three bytes behind its first: more is no UTF-8, and cut anywhere.
        for (int back = 0; back < 3 && size > 0 && continues(size); ++back)
            --size;
    }
    return QString::fromUtf8(bytes.first(size));
}

// The status an API gives the same error when it comes before the stream; 0 = none is known.
int statusOfErrorType(const QString &type)
{
    struct Meaning {
        QLatin1StringView type;
        int status;
    };
    static constexpr Meaning meanings[] = {
        {"invalid_request_error"_L1, 400}, {"invalid_prompt"_L1, 400},      {"context_length_exceeded"_L1, 400},
        {"authentication_error"_L1, 401},  {"invalid_api_key"_L1, 401},     {"billing_error"_L1, 402},
        {"permission_error"_L1, 403},      {"not_found_error"_L1, 404},     {"model_not_found"_L1, 404},
        {"request_too_large"_L1, 413},     {"rate_limit_error"_L1, 429},    {"rate_limit_exceeded"_L1, 429},
        {"too_many_requests"_L1, 429},     {"insufficient_quota"_L1, 429},  {"api_error"_L1, 500},
        {"server_error"_L1, 500},          {"internal_error"_L1, 500},      {"internal_server_error"_L1, 500},
        {"service_unavailable"_L1, 503},   {"model_overloaded"_L1, 503},    {"slow_down"_L1, 503},
        {"server_is_overloaded"_L1, 503},  {"timeout_error"_L1, 504},       {"overloaded_error"_L1, 529},
        // google.rpc.Code as Gemini writes it
        {"INVALID_ARGUMENT"_L1, 400},      {"FAILED_PRECONDITION"_L1, 400}, {"OUT_OF_RANGE"_L1, 400},
        {"UNAUTHENTICATED"_L1, 401},       {"PERMISSION_DENIED"_L1, 403},   {"NOT_FOUND"_L1, 404},
        {"ALREADY_EXISTS"_L1, 409},        {"ABORTED"_L1, 409},             {"RESOURCE_EXHAUSTED"_L1, 429},
        {"CANCELLED"_L1, 499},             {"UNKNOWN"_L1, 500},             {"INTERNAL"_L1, 500},
        {"DATA_LOSS"_L1, 500},             {"UNIMPLEMENTED"_L1, 501},       {"UNAVAILABLE"_L1, 503},
        {"DEADLINE_EXCEEDED"_L1, 504},
    };
    for (const Meaning &meaning : meanings) {
        if (type == meaning.type)
            return meaning.status;
    }
    // Some gateways write the status itself.
    const int number = type.toInt();
    return number >= 400 && number <= 599 ? number : 0;
}

bool mayWait(int status)
{
    return status == 402 || status == 403 || status == 429 || status >= 500;
}

// What body and headers say of another try, beyond what status and words say.
void hearTheServer(Failure &failure, const HeaderList &headers, const HintReading &hint, const QDateTime &nowUtc)
{
    std::optional<ResetTime> reset;
    if (hint.asksBody && mayWait(*failure.httpStatus))
        reset = resetTimeIn(failure.errorText);
    if (reset)
        failure.retryAfterS = reset->secondsFrom(nowUtc);
    if (const std::optional<bool> said = shouldRetryHeader(headers)) {
        failure.retryable = *said;
        failure.verdictFrom = "x-should-retry"_L1;
        return;
    }
    // A short delay beside a spent allowance: either may be wrong, and one more try settles which.
    constexpr double shortDelay = 120;
    const bool isShort = reset && reset->structured && failure.retryAfterS && *failure.retryAfterS <= shortDelay;
    if (isShort && failure.retryable == false && saysSpentQuota({}, failure.errorText)) {
        failure.retryable = true;
        failure.retriesLeft = 1;
        failure.verdictFrom = "a short delay beside a spent quota: one more try"_L1;
    }
}

} // namespace

Failure failureOf(RuleSet rules, WireEnd end, const WireFailureContext &context)
{
    Failure failure;
    failure.type = typeOf(end, context);
    switch (rules) {
    case RuleSet::Openprogram:
        failure.text = clientText(end, context);
        break;
    case RuleSet::Strict:
        failure.text = plainText(end, context);
        // No further try makes a certificate good, or finds a password.
        if ((end == WireEnd::TlsFailed && isCertificateFault(context))
            || (end == WireEnd::ProxyFailed && proxyAnswer(context).startsWith("407"_L1)))
            failure.retryable = false;
        break;
    }
    if (end == WireEnd::Interim103)
        failure.retryable = false; // our library's limit: the next answer would end the same way
    failure.truncated = end == WireEnd::Complete;
    return failure;
}

Failure timerFailure(RuleSet rules, TimerKind kind, Phase phase, double valueSeconds, const WireFailureContext &context)
{
    Failure failure;
    failure.type = typeOf(kind);
    if (kind == TimerKind::Watchdog)
        failure.kind = FailureKind::Alarm;
    switch (rules) {
    case RuleSet::Openprogram:
        failure.text = clientText(kind, valueSeconds);
        break;
    case RuleSet::Strict:
        failure.text = plainText(kind, phase, valueSeconds, context);
        if (kind == TimerKind::Deadline) {
            failure.timedOutByDeadline = true;
            failure.retryable = false;
            failure.reason = ErrorReason::Timeout;
        }
        break;
    }
    return failure;
}

Failure statusFailure(RuleSet rules, int status, const HeaderList &headers, const QByteArray &body, const HintForms &forms,
                      const QDateTime &nowUtc, std::span<const int> retryStatuses)
{
    return statusFailure(rules, status, headers, body, readHint(rules, headers, forms, nowUtc), nowUtc, retryStatuses);
}

Failure statusFailure(RuleSet rules, int status, const HeaderList &headers, const QByteArray &body, const HintReading &hint,
                      const QDateTime &nowUtc, std::span<const int> retryStatuses)
{
    Failure failure;
    failure.type = u"ProviderStreamError"_s;
    failure.errorText = boundedText(body);
    failure.httpStatus = status;
    failure.responseBegan = true;
    failure.retryAfterS = hint.seconds;
    failure.retryable = statusVerdict(rules, status, failure.errorText, retryStatuses).retryable;
    const QString what = u"HTTP "_s + QString::number(status);
    switch (rules) {
    case RuleSet::Openprogram:
        failure.text = what + u": "_s + failure.errorText;
        break;
    case RuleSet::Strict: {
        const QString words = failure.errorText.simplified();
        failure.text = words.isEmpty() ? what : what + u": "_s + words;
        hearTheServer(failure, headers, hint, nowUtc);
        break;
    }
    }
    return failure;
}

bool isPage(QByteArrayView contentType, QByteArrayView bodyBegin)
{
    const auto startsWith = [](QByteArrayView text, QByteArrayView start) {
        return text.size() >= start.size() && text.first(start.size()).compare(start, Qt::CaseInsensitive) == 0;
    };
    constexpr QByteArrayView mark("\xEF\xBB\xBF");
    if (bodyBegin.startsWith(mark))
        bodyBegin = bodyBegin.sliced(mark.size());
    bodyBegin = bodyBegin.trimmed();
    const QByteArrayView type = contentType.trimmed();
    if (startsWith(type, "text/html") || startsWith(type, "application/xhtml+xml"))
        return bodyBegin.startsWith('<');
    return startsWith(bodyBegin, "<!doctype html") || startsWith(bodyBegin, "<html");
}

Failure pageFailure(int status)
{
    Failure failure;
    failure.type = u"ProviderStreamError"_s;
    failure.text = u"HTTP %1: a proxy or login page answered, not the API"_s.arg(status);
    failure.httpStatus = status;
    failure.responseBegan = true;
    // Nothing on the provider's side failed: something before it answered, as a rejected certificate does.
    failure.reason = ErrorReason::Transport;
    failure.retryable = false;
    failure.verdictFrom = "a page instead of a stream"_L1;
    return failure;
}

Failure streamErrorFailure(RuleSet rules, const QString &type, const QString &text, const HintForms &forms)
{
    Failure failure;
    failure.type = u"ProviderStreamError"_s;
    failure.text = text;
    failure.responseBegan = true;
    failure.inStream = true;
    if (text == emptyErrorEvent) {
        failure.retryable = true;
        return failure;
    }
    switch (rules) {
    case RuleSet::Openprogram:
        failure.retryable = statusVerdict(rules, 0, text).retryable;
        break;
    case RuleSet::Strict: {
        if (!type.isEmpty() && !text.startsWith(type))
            failure.text = type + u": "_s + text;
        const int status = statusOfErrorType(type);
        failure.retryable = statusVerdict(rules, status, failure.text).retryable;
        if (const std::optional<ResetTime> reset = forms.body ? resetTimeIn(text) : std::nullopt)
            failure.retryAfterS = reset->secondsFrom({});
        if (status != 0) {
            Failure asStatus = failure;
            asStatus.httpStatus = status;
            failure.reason = classify(rules, asStatus).reason;
        }
        break;
    }
    }
    return failure;
}

} // namespace Waitscope
