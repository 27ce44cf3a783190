// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/pythonfloat.h"
#include "engine/http/streamparser.h"
#include "engine/http/wirefailure.h"

#include <QTest>

#include <limits>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

constexpr RuleSet strict = RuleSet::Strict;
constexpr RuleSet openprogram = RuleSet::Openprogram;

WireFailureContext at(Phase phase)
{
    WireFailureContext context;
    context.phase = phase;
    if (phase == Phase::Wait || phase == Phase::Receive) {
        context.sentBytes = 120;
        context.totalBytes = 120;
    }
    if (phase == Phase::Receive) {
        context.status = 200;
        context.headersSeen = true;
        context.receivedBytes = 9;
    }
    return context;
}

WireFailureContext saying(WireFailureContext context, const QString &text)
{
    context.text = text;
    return context;
}

WireFailureContext expecting(WireFailureContext context, qint64 bytes)
{
    context.expectedBytes = bytes;
    return context;
}

QString verdictOf(const Failure &failure)
{
    return !failure.retryable ? u"none"_s : *failure.retryable ? u"yes"_s : u"no"_s;
}

Failure statusOf(RuleSet rules, int status, const QByteArray &body, const HeaderList &headers = {},
                 std::span<const int> retryStatuses = {})
{
    return statusFailure(rules, status, headers, body, HintForms(), QDateTime(QDate(2026, 8, 23), QTime(12, 0), Qt::UTC), retryStatuses);
}

} // namespace

class TestWireFailure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wire_data()
    {
        QTest::addColumn<WireEnd>("end");
        QTest::addColumn<WireFailureContext>("context");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("client"); // OpenProgram's text
        QTest::addColumn<QString>("plain");  // ours
        const auto row = [](const char *name, WireEnd end, const WireFailureContext &context, const QString &type, const QString &client,
                            const QString &plain) { QTest::newRow(name) << end << context << type << client << plain; };
        const QString none = u"All connection attempts failed"_s;
        row("refused", WireEnd::Refused, at(Phase::Connect), u"ConnectError"_s, none,
            u"connect: connection refused, nothing was sent"_s);
        row("unreachable", WireEnd::Unreachable, at(Phase::Connect), u"ConnectError"_s, none,
            u"connect: host or network unreachable, nothing was sent"_s);
        row("name", WireEnd::NameNotFound, at(Phase::Dns), u"ConnectError"_s, u"[Errno -2] Name or service not known"_s,
            u"dns: no such host name, nothing was sent"_s);
        row("dns", WireEnd::DnsFailed, saying(at(Phase::Dns), u"no answer\n"_s), u"ConnectError"_s,
            u"[Errno -3] Temporary failure in name resolution"_s,
            u"dns: the host name could not be looked up (no answer), nothing was sent"_s);
        row("proxy refused", WireEnd::ProxyFailed, saying(at(Phase::Connect), u"Proxy connection refused"_s), u"ConnectError"_s, none,
            u"connect: the proxy failed (Proxy connection refused), nothing was sent"_s);
        row("proxy answers", WireEnd::ProxyFailed, saying(at(Phase::Connect), u"502 Bad Gateway"_s), u"ProxyError"_s,
            u"502 Bad Gateway"_s, u"connect: the proxy failed (502 Bad Gateway), nothing was sent"_s);
        WireFailureContext status = at(Phase::Connect);
        status.status = 407;
        row("proxy's status", WireEnd::ProxyFailed, status, u"ProxyError"_s, u"407"_s,
            u"connect: the proxy failed (407), nothing was sent"_s);
        row("tls garbage", WireEnd::TlsFailed, saying(at(Phase::Tls), u"SSL handshake failed: wrong version number"_s), u"ConnectError"_s,
            u"[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1000)"_s,
            u"tls: the handshake failed (SSL handshake failed: wrong version number), nothing was sent"_s);
        row("certificate", WireEnd::TlsFailed, saying(at(Phase::Tls), u"The certificate has expired"_s), u"ConnectError"_s,
            u"[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: The certificate has expired (_ssl.c:1000)"_s,
            u"tls: the handshake failed (The certificate has expired), nothing was sent"_s);
        row("tls closed", WireEnd::ClosedInTls, at(Phase::ConnectTls), u"ConnectError"_s,
            u"TLS/SSL connection has been closed (EOF) (_ssl.c:1000)"_s,
            u"tls: the peer closed the connection within the handshake, nothing was sent"_s);
        row("closed before status", WireEnd::ClosedBeforeStatus, at(Phase::Wait), u"RemoteProtocolError"_s,
            u"Server disconnected without sending a response."_s,
            u"wait: the peer closed the connection without an answer, the request was sent (120 bytes)"_s);
        row("closed in headers", WireEnd::ClosedInHeaders, at(Phase::Wait), u"ReadError"_s, QString(),
            u"wait: the peer closed the connection inside the response headers, the request was sent (120 bytes)"_s);
        row("reset before headers", WireEnd::ResetBeforeHeaders, at(Phase::Wait), u"ReadError"_s, QString(),
            u"wait: connection reset before headers, the request was sent (120 bytes)"_s);
        WireFailureContext half = at(Phase::Send);
        half.sentBytes = 60;
        half.totalBytes = 120;
        row("reset while sending", WireEnd::ResetBeforeHeaders, half, u"ReadError"_s, QString(),
            u"send: connection reset before headers, 60 of 120 bytes were sent"_s);
        row("status line", WireEnd::BadStatusLine, saying(at(Phase::Wait), u"SSH-2.0-x\t'\\\u0001\u00FF"_s), u"RemoteProtocolError"_s,
            u"illegal status line: bytearray(b\"SSH-2.0-x\\t'\\\\\\x01\\xff\")"_s,
            u"wait: the answer is not HTTP (SSH-2.0-x '\\ÿ), the request was sent (120 bytes)"_s);
        row("unknown status line", WireEnd::BadStatusLine, at(Phase::Wait), u"RemoteProtocolError"_s,
            u"illegal status line: bytearray(b'\u2026')"_s, u"wait: the answer is not HTTP, the request was sent (120 bytes)"_s);
        row("chunk", WireEnd::BadChunk, saying(at(Phase::Receive), u"zzzz\r\nhello"_s), u"RemoteProtocolError"_s,
            u"illegal chunk header: bytearray(b'zzzz')"_s, u"receive: the body's chunks are broken (zzzz hello), 9 bytes were received"_s);
        row("cut chunked body", WireEnd::CutBody, at(Phase::Receive), u"RemoteProtocolError"_s,
            u"peer closed connection without sending complete message body (incomplete chunked read)"_s,
            u"receive: the peer closed the connection before the body was complete, 9 bytes were received"_s);
        row("short body", WireEnd::CutBody, expecting(at(Phase::Receive), 50), u"RemoteProtocolError"_s,
            u"peer closed connection without sending complete message body (received 9 bytes, expected 50)"_s,
            u"receive: the peer closed the connection before the body was complete, 9 of 50 bytes were received"_s);
        row("reset in the body", WireEnd::ResetInBody, at(Phase::Receive), u"ReadError"_s, QString(),
            u"receive: connection reset inside the body, 9 bytes were received"_s);
        row("dead while connecting", WireEnd::ConnectionTimeout, at(Phase::Connect), u"ConnectError"_s, none,
            u"connect: the system gave the connection up as dead, nothing was sent"_s);
        row("dead while sending", WireEnd::ConnectionTimeout, at(Phase::Send), u"WriteError"_s, QString(),
            u"send: the system gave the connection up as dead, nothing was sent"_s);
        row("dead while receiving", WireEnd::ConnectionTimeout, at(Phase::Receive), u"ReadError"_s, QString(),
            u"receive: the system gave the connection up as dead, 9 bytes were received"_s);
        row("asleep", WireEnd::LostInSleep, saying(at(Phase::Receive), u"1800 s"_s), u"ReadError"_s, QString(),
            u"receive: interrupted by system sleep of 1800 s, 9 bytes were received"_s);
        row("stale", WireEnd::StaleConnection, at(Phase::Send), u"RemoteProtocolError"_s,
            u"Server disconnected without sending a response."_s, u"send: the kept-alive connection was dead, nothing was sent"_s);
        row("interim", WireEnd::Interim103, at(Phase::Wait), u"RemoteProtocolError"_s,
            u"wait: an interim answer ended the reply, a limit of the network library, the request was sent (120 bytes)"_s,
            u"wait: an interim answer ended the reply, a limit of the network library, the request was sent (120 bytes)"_s);
        row("undecodable", WireEnd::Undecodable, at(Phase::Receive), u"DecodingError"_s,
            u"receive: the compressed body could not be read, 9 bytes were received"_s,
            u"receive: the compressed body could not be read, 9 bytes were received"_s);
        row("aborted", WireEnd::Aborted, at(Phase::Wait), u"StreamAborted"_s, u"stream cancelled by caller signal"_s,
            u"wait: the request was aborted, the request was sent (120 bytes)"_s);
        row("else, connecting", WireEnd::Failed, saying(at(Phase::ConnectTls), u"odd"_s), u"ConnectError"_s, none,
            u"connect and tls: the request failed (odd), nothing was sent"_s);
        row("else, sending", WireEnd::Failed, at(Phase::Send), u"WriteError"_s, QString(), u"send: the request failed, nothing was sent"_s);
        row("else, waiting", WireEnd::Failed, at(Phase::Wait), u"ReadError"_s, QString(),
            u"wait: the request failed, the request was sent (120 bytes)"_s);
        row("else, before anything", WireEnd::Failed, at(Phase::None), u"ConnectError"_s, none,
            u"request: the request failed, nothing was sent"_s);
        row("no completion marker", WireEnd::Complete, at(Phase::Receive), u"RemoteProtocolError"_s,
            u"receive: the stream ended without its completion marker, 9 bytes were received"_s,
            u"receive: the stream ended without its completion marker, 9 bytes were received"_s);
    }

    void wire()
    {
        QFETCH(const WireEnd, end);
        QFETCH(const WireFailureContext, context);
        QFETCH(const QString, type);
        QFETCH(const QString, client);
        QFETCH(const QString, plain);
        const Failure theirs = failureOf(openprogram, end, context);
        QCOMPARE(theirs.type, type);
        QCOMPARE(theirs.text, client);
        const Failure ours = failureOf(strict, end, context);
        QCOMPARE(ours.type, type);
        QCOMPARE(ours.text, plain);
        QVERIFY(!ours.text.contains(u'\n'));
        // A foreign exception has no verdict of its own: the stream layer judges it by its type.
        const bool final = end == WireEnd::Interim103;
        const bool certificate = context.text.contains("certificate"_L1);
        const bool login = context.status == 407 || context.text.startsWith("407"_L1); // of a proxy
        QCOMPARE(verdictOf(theirs), final ? u"no"_s : u"none"_s);
        QCOMPARE(verdictOf(ours), final || certificate || login ? u"no"_s : u"none"_s);
        QCOMPARE(ours.truncated, end == WireEnd::Complete);
        QVERIFY(!ours.httpStatus && !theirs.httpStatus);
    }

    void everyEndHasWords()
    {
        for (int number = 0; number <= static_cast<int>(WireEnd::Failed); ++number) {
            const auto end = static_cast<WireEnd>(number);
            for (const Phase phase : allOf<Phase>()) {
                const Failure ours = failureOf(strict, end, at(phase));
                QVERIFY(!ours.type.isEmpty() && !ours.text.isEmpty());
                QVERIFY(!failureOf(openprogram, end, at(phase)).type.isEmpty());
                // None of our own words may be read as something that it is not: a status, a login, a prompt too long.
                const Classification verdict = classify(strict, ours);
                QVERIFY2(verdict.reason == ErrorReason::Transport || verdict.reason == ErrorReason::Unknown,
                         qPrintable(ours.typeAndText() + u" -> "_s + wordOf(verdict.reason)));
            }
        }
    }

    void timers_data()
    {
        QTest::addColumn<TimerKind>("kind");
        QTest::addColumn<Phase>("phase");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("client");
        QTest::addColumn<QString>("plain");
        const auto row = [](const char *name, TimerKind kind, Phase phase, double seconds, const QString &type, const QString &client,
                            const QString &plain) { QTest::newRow(name) << kind << phase << seconds << type << client << plain; };
        row("connect", TimerKind::Connect, Phase::Connect, 30, u"ConnectTimeout"_s, QString(),
            u"connect: no answer within 30 s, nothing was sent"_s);
        row("tls", TimerKind::Connect, Phase::Tls, 30, u"ConnectTimeout"_s, QString(), u"tls: no answer within 30 s, nothing was sent"_s);
        row("dns", TimerKind::Connect, Phase::Dns, 0.25, u"ConnectTimeout"_s, QString(), u"dns: no answer within 0.25 s, nothing was sent"_s);
        row("before any phase", TimerKind::Connect, Phase::None, 30, u"ConnectTimeout"_s, QString(),
            u"dns: no answer within 30 s, nothing was sent"_s);
        row("write", TimerKind::Write, Phase::Send, 30, u"WriteTimeout"_s, QString(), u"send: no progress for 30 s, nothing was sent"_s);
        row("pool", TimerKind::Pool, Phase::Queue, 30, u"PoolTimeout"_s, QString(),
            u"queue: no free connection within 30 s, nothing was sent"_s);
        row("first byte", TimerKind::FirstByte, Phase::Wait, 60, u"ReadTimeout"_s, QString(),
            u"wait: no response headers within 60 s, the request was sent (120 bytes)"_s);
        row("read, waiting", TimerKind::Read, Phase::Wait, 1860, u"ReadTimeout"_s, QString(),
            u"wait: no byte for 1860 s, the request was sent (120 bytes)"_s);
        row("read, receiving", TimerKind::Read, Phase::Receive, 1860, u"ReadTimeout"_s, QString(),
            u"receive: no byte for 1860 s, 9 bytes were received"_s);
        row("idle", TimerKind::Idle, Phase::Receive, 1800, u"StreamIdleTimeout"_s, u"no SSE bytes for 1800.0s"_s,
            u"receive: no line for 1800 s, 9 bytes were received"_s);
        row("data stall", TimerKind::DataStall, Phase::Receive, 0.5, u"StreamIdleTimeout"_s, u"no SSE data event for 0.5s"_s,
            u"receive: no data event for 0.5 s, 9 bytes were received"_s);
        row("total", TimerKind::Total, Phase::Receive, -1, u"StreamTotalTimeout"_s, u"SSE total budget -1.0s exceeded"_s,
            u"receive: not finished within the stream's -1 s, 9 bytes were received"_s);
        row("large total", TimerKind::Total, Phase::Receive, 1e16, u"StreamTotalTimeout"_s, u"SSE total budget 1e+16s exceeded"_s,
            u"receive: not finished within the stream's 10000000000000000 s, 9 bytes were received"_s);
        row("deadline", TimerKind::Deadline, Phase::Receive, 60, u"StreamTotalTimeout"_s,
            u"caller deadline (exec timeout_s) exceeded mid-stream"_s,
            u"receive: the call's deadline of 60 s is reached, 9 bytes were received"_s);
        row("deadline of unknown length", TimerKind::Deadline, Phase::Connect, 0, u"StreamTotalTimeout"_s,
            u"caller deadline (exec timeout_s) exceeded mid-stream"_s, u"connect: the call's deadline is reached, nothing was sent"_s);
        row("watchdog", TimerKind::Watchdog, Phase::Wait, 300, u"SampleTimeoutError"_s, u"sample timed out after 300s"_s,
            u"wait: the task's budget of 300 s is over, the request was sent (120 bytes)"_s);
    }

    void timers()
    {
        QFETCH(const TimerKind, kind);
        QFETCH(const Phase, phase);
        QFETCH(const double, seconds);
        QFETCH(const QString, type);
        QFETCH(const QString, client);
        QFETCH(const QString, plain);
        const Failure theirs = timerFailure(openprogram, kind, phase, seconds, at(phase));
        QCOMPARE(theirs.type, type);
        QCOMPARE(theirs.text, client);
        QCOMPARE(verdictOf(theirs), u"none"_s);
        QVERIFY(!theirs.timedOutByDeadline);
        const Failure ours = timerFailure(strict, kind, phase, seconds, at(phase));
        QCOMPARE(ours.type, type);
        QCOMPARE(ours.text, plain);
        const bool deadline = kind == TimerKind::Deadline;
        QCOMPARE(verdictOf(ours), deadline ? u"no"_s : u"none"_s);
        QCOMPARE(ours.timedOutByDeadline, deadline);
        QCOMPARE(ours.reason, deadline ? ErrorReason::Timeout : ErrorReason::None);
        QCOMPARE(ours.kind == FailureKind::Alarm, kind == TimerKind::Watchdog);
    }

    void everyTimerOfTheWireIsTransport()
    {
        for (const TimerKind kind : {TimerKind::Connect, TimerKind::Write, TimerKind::Pool, TimerKind::FirstByte, TimerKind::Read,
                                     TimerKind::Idle, TimerKind::DataStall, TimerKind::Total}) {
            for (const double seconds : {0.5, 429.0, 503.0, 1800.0}) {
                for (const RuleSet rules : {strict, openprogram}) {
                    const Classification verdict = classify(rules, timerFailure(rules, kind, Phase::Receive, seconds));
                    QCOMPARE(verdict.reason, ErrorReason::Transport);
                    QVERIFY(verdict.retryable);
                }
            }
        }
    }

    void pythonFloats_data()
    {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("text");
        const auto row = [](double number, const QString &text) { QTest::newRow(qPrintable(text)) << number << text; };
        row(0, u"0.0"_s);
        row(-0.0, u"-0.0"_s);
        row(1, u"1.0"_s);
        row(-1, u"-1.0"_s);
        row(1800, u"1800.0"_s);
        row(0.5, u"0.5"_s);
        row(0.1, u"0.1"_s);
        row(0.1 + 0.2, u"0.30000000000000004"_s);
        row(1.0 / 3, u"0.3333333333333333"_s);
        row(123456.789, u"123456.789"_s);
        row(0.0001, u"0.0001"_s);
        row(0.00012, u"0.00012"_s);
        row(0.00001, u"1e-05"_s);
        row(1e-9, u"1e-09"_s);
        row(1.5e-7, u"1.5e-07"_s);
        row(1e15, u"1000000000000000.0"_s);
        row(9999999999999998, u"9999999999999998.0"_s);
        row(1e16, u"1e+16"_s);
        row(1.2345e20, u"1.2345e+20"_s);
        row(1e22, u"1e+22"_s);
        row(1e100, u"1e+100"_s);
        row(5e-324, u"5e-324"_s);
        row(1.7976931348623157e308, u"1.7976931348623157e+308"_s);
        row(std::numeric_limits<double>::infinity(), u"inf"_s);
        row(-std::numeric_limits<double>::infinity(), u"-inf"_s);
        row(std::numeric_limits<double>::quiet_NaN(), u"nan"_s);
    }

    void pythonFloats()
    {
        QFETCH(const double, number);
        QFETCH(const QString, text);
        QCOMPARE(pythonFloat(number), text);
    }

    void statuses()
    {
        const Failure busy = statusOf(openprogram, 503, " busy\n now ");
        QCOMPARE(busy.type, u"ProviderStreamError"_s);
        QCOMPARE(busy.text, u"HTTP 503:  busy\n now "_s);
        QCOMPARE(busy.errorText, u" busy\n now "_s);
        QCOMPARE(busy.httpStatus, std::optional(503));
        QCOMPARE(verdictOf(busy), u"yes"_s);
        QVERIFY(busy.responseBegan && !busy.inStream && !busy.retryAfterS);
        QCOMPARE(statusOf(strict, 503, " busy\n now ").text, u"HTTP 503: busy now"_s);
        QCOMPARE(statusOf(openprogram, 500, {}).text, u"HTTP 500: "_s);
        QCOMPARE(statusOf(strict, 500, {}).text, u"HTTP 500"_s);
        for (const RuleSet rules : {strict, openprogram}) {
            QCOMPARE(verdictOf(statusOf(rules, 429, "slow down")), u"yes"_s);
            QCOMPARE(verdictOf(statusOf(rules, 429, "usage_limit_reached")), u"no"_s);
            QCOMPARE(verdictOf(statusOf(rules, 401, "no")), u"no"_s);
            QCOMPARE(verdictOf(statusOf(rules, 418, "teapot")), u"no"_s);
            QCOMPARE(verdictOf(statusOf(rules, 302, {})), u"no"_s);
        }
        QCOMPARE(verdictOf(statusOf(strict, 529, "x")), u"yes"_s);
        QCOMPARE(verdictOf(statusOf(openprogram, 529, "x")), u"no"_s);
        const int conflict[] = {409};
        QCOMPARE(verdictOf(statusOf(strict, 409, "x", {}, conflict)), u"yes"_s);
        QCOMPARE(verdictOf(statusOf(strict, 503, "x", {}, conflict)), u"no"_s);
    }

    void hints()
    {
        QCOMPARE(statusOf(strict, 429, "x", {{u"retry-after"_s, u"2.5"_s}}).retryAfterS, std::optional(2.5));
        QCOMPARE(statusOf(openprogram, 429, "x", {{u"Retry-After"_s, u"20"_s}}).retryAfterS, std::optional(20.0));
        QCOMPARE(statusOf(strict, 429, "x", {{u"Retry-After"_s, u"Sun, 23 Aug 2026 12:00:30 GMT"_s}}).retryAfterS, std::optional(30.0));
        QVERIFY(!statusOf(strict, 429, "x", {{u"Retry-After"_s, u"soon"_s}}).retryAfterS);
    }

    void serversOwnVerdict()
    {
        const HeaderList yes = {{u"X-Should-Retry"_s, u"true"_s}};
        const HeaderList no = {{u"x-should-retry"_s, u"false"_s}};
        QCOMPARE(verdictOf(statusOf(strict, 400, "x", yes)), u"yes"_s);
        QCOMPARE(verdictOf(statusOf(strict, 503, "x", no)), u"no"_s);
        QCOMPARE(verdictOf(statusOf(strict, 503, "x", {{u"x-should-retry"_s, u"perhaps"_s}})), u"yes"_s);
        QCOMPARE(verdictOf(statusOf(openprogram, 400, "x", yes)), u"no"_s);
        QCOMPARE(verdictOf(statusOf(openprogram, 503, "x", no)), u"yes"_s);
    }

    void bodiesAreBounded()
    {
        QCOMPARE(statusOf(strict, 500, QByteArray(5000, 'x')).errorText.size(), 4096);
        // 4095 bytes and a character of three: it does not fit and goes as a whole.
        const QByteArray half = QByteArray(4095, 'x') + "\xE4\xBD\xA0 and more";
        QCOMPARE(statusOf(strict, 500, half).errorText, QString(4095, u'x'));
        const QByteArray fits = QByteArray(4093, 'x') + "\xE4\xBD\xA0 and more";
        QCOMPARE(statusOf(strict, 500, fits).errorText, QString(4093, u'x') + u'你');
        QCOMPARE(statusOf(strict, 500, "a\xFF").errorText, u"a\uFFFD"_s);
        // Continuation bytes without end are no character.
        QVERIFY(statusOf(strict, 500, QByteArray(10'000, '\x80')).errorText.size() >= 4093);
    }

    void streamErrors_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("strictText");
        QTest::addColumn<QString>("strictVerdict");
        QTest::addColumn<QString>("openprogramVerdict");
        const auto row = [](const QString &type, const QString &text, const QString &strictText, const QString &strictVerdict,
                            const QString &openprogramVerdict) {
            QTest::addRow("%s: %s", qPrintable(type), qPrintable(text)) << type << text << strictText << strictVerdict << openprogramVerdict;
        };
        const QString yes = u"yes"_s;
        const QString no = u"no"_s;
        row({}, QString(emptyErrorEvent), QString(emptyErrorEvent), yes, yes);
        row(u"overloaded_error"_s, u"Overloaded"_s, u"overloaded_error: Overloaded"_s, yes, yes);
        row(u"rate_limit_error"_s, u"Rate limit hit"_s, u"rate_limit_error: Rate limit hit"_s, yes, yes);
        row(u"server_error"_s, u"sorry"_s, u"server_error: sorry"_s, yes, no);
        row(u"server_error"_s, u"server_error"_s, u"server_error"_s, yes, no);
        row(u"api_error"_s, u"permission denied upstream"_s, u"api_error: permission denied upstream"_s, yes, no);
        row(u"502"_s, u"bad"_s, u"502: bad"_s, yes, no);
        row(u"timeout_error"_s, u"x"_s, u"timeout_error: x"_s, yes, no);
        row(u"insufficient_quota"_s, u"x"_s, u"insufficient_quota: x"_s, no, no);
        row(u"rate_limit_exceeded"_s, u"usage_limit_reached"_s, u"rate_limit_exceeded: usage_limit_reached"_s, no, no);
        row(u"invalid_request_error"_s, u"connection timed out as a value"_s, u"invalid_request_error: connection timed out as a value"_s, no, no);
        row(u"authentication_error"_s, u"x"_s, u"authentication_error: x"_s, no, no);
        row(u"not_found_error"_s, u"x"_s, u"not_found_error: x"_s, no, no);
        row({}, u"upstream connect error"_s, u"upstream connect error"_s, yes, yes);
        row({}, u"something odd"_s, u"something odd"_s, no, no);
        row(u"new_error"_s, u"something odd"_s, u"new_error: something odd"_s, no, no);
    }

    void streamErrors()
    {
        QFETCH(const QString, type);
        QFETCH(const QString, text);
        QFETCH(const QString, strictText);
        QFETCH(const QString, strictVerdict);
        QFETCH(const QString, openprogramVerdict);
        const Failure ours = streamErrorFailure(strict, type, text);
        QCOMPARE(ours.type, u"ProviderStreamError"_s);
        QCOMPARE(ours.text, strictText);
        QCOMPARE(verdictOf(ours), strictVerdict);
        QVERIFY(ours.inStream && ours.responseBegan && !ours.httpStatus);
        QCOMPARE(classify(strict, ours).retryable, strictVerdict == u"yes"_s);
        const Failure theirs = streamErrorFailure(openprogram, type, text);
        QCOMPARE(theirs.type, u"ProviderStreamError"_s);
        QCOMPARE(theirs.text, text);
        QCOMPARE(verdictOf(theirs), openprogramVerdict);
    }

    void streamErrorReasons()
    {
        QCOMPARE(streamErrorFailure(strict, u"authentication_error"_s, u"x"_s).reason, ErrorReason::Auth);
        QCOMPARE(streamErrorFailure(strict, u"billing_error"_s, u"x"_s).reason, ErrorReason::Authz);
        QCOMPARE(streamErrorFailure(strict, u"api_error"_s, u"x"_s).reason, ErrorReason::Provider);
        QCOMPARE(streamErrorFailure(strict, u"rate_limit_exceeded"_s, u"x"_s).reason, ErrorReason::RateLimit);
        QCOMPARE(streamErrorFailure(strict, u"context_length_exceeded"_s, u"x"_s).reason, ErrorReason::Context);
        QCOMPARE(streamErrorFailure(strict, u"new_error"_s, u"x"_s).reason, ErrorReason::None);
    }
};

QTEST_GUILESS_MAIN(TestWireFailure)
#include "tst_wirefailure.moc"
