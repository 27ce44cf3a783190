// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/wiretexts.h"

#include "engine/http/pythonfloat.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// The line in Python's C source that raised, which every text of its TLS module ends with. The number differs between
// versions of Python and nothing depends on it, except that it must not read like an HTTP status.
constexpr QLatin1StringView raisedAt = " (_ssl.c:1000)"_L1;

// bytearray(b'…') of the first line, as Python prints it. Unknown bytes stay an ellipsis.
QString bytearrayOf(const QString &text)
{
    QByteArray bytes = text.toLatin1();
    if (const qsizetype end = bytes.indexOf('\n'); end >= 0)
        bytes.truncate(end);
    if (bytes.endsWith('\r'))
        bytes.chop(1);
    if (bytes.isEmpty())
        return u"bytearray(b'\u2026')"_s;
    const QChar quote = bytes.contains('\'') && !bytes.contains('"') ? u'"' : u'\'';
    QString out = u"bytearray(b"_s + quote;
    for (const char c : bytes) {
        const auto byte = static_cast<uchar>(c);
        if (c == '\t')
            out += u"\\t"_s;
        else if (c == '\r')
            out += u"\\r"_s;
        else if (c == '\\' || QLatin1Char(c) == quote)
            out += u'\\' + QString(QLatin1Char(c));
        else if (byte < 0x20 || byte >= 0x7F)
            out += u"\\x"_s + QString::number(byte, 16).rightJustified(2, u'0');
        else
            out += QLatin1Char(c);
    }
    return out + quote + u')';
}

QString tlsText(const WireFailureContext &context)
{
    if (!isCertificateFault(context))
        return u"[SSL: WRONG_VERSION_NUMBER] wrong version number"_s + raisedAt;
    return u"[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "_s + context.text.simplified() + raisedAt;
}

QString cutText(const WireFailureContext &context)
{
    const QString how = context.expectedBytes
        ? u"(received %1 bytes, expected %2)"_s.arg(context.receivedBytes).arg(*context.expectedBytes)
        : u"(incomplete chunked read)"_s;
    return u"peer closed connection without sending complete message body "_s + how;
}

bool isConnectError(Phase phase)
{
    return phase != Phase::Send && phase != Phase::Wait && phase != Phase::Receive;
}

} // namespace

QString clientText(WireEnd end, const WireFailureContext &context)
{
    constexpr QLatin1StringView noConnection = "All connection attempts failed"_L1;
    switch (end) {
    case WireEnd::Refused:
    case WireEnd::Unreachable:
        return noConnection;
    case WireEnd::NameNotFound:
        return u"[Errno -2] Name or service not known"_s;
    case WireEnd::DnsFailed:
        return u"[Errno -3] Temporary failure in name resolution"_s;
    case WireEnd::ProxyFailed: {
        const QString answer = proxyAnswer(context);
        return answer.isEmpty() ? QString(noConnection) : answer;
    }
    case WireEnd::TlsFailed:
        return tlsText(context);
    case WireEnd::ClosedInTls:
        return u"TLS/SSL connection has been closed (EOF)"_s + raisedAt;
    case WireEnd::ClosedBeforeStatus:
    case WireEnd::StaleConnection:
        return u"Server disconnected without sending a response."_s;
    case WireEnd::BadStatusLine:
        return u"illegal status line: "_s + bytearrayOf(context.text);
    case WireEnd::BadChunk:
        return u"illegal chunk header: "_s + bytearrayOf(context.text);
    case WireEnd::CutBody:
        return cutText(context);
    case WireEnd::ClosedInHeaders:
    case WireEnd::ResetBeforeHeaders:
    case WireEnd::ResetInBody:
        return {};
    case WireEnd::ConnectionTimeout:
    case WireEnd::LostInSleep:
    case WireEnd::Failed:
        return isConnectError(context.phase) ? QString(noConnection) : QString();
    case WireEnd::Aborted:
        return u"stream cancelled by caller signal"_s;
    case WireEnd::Complete:
    case WireEnd::Interim103:
    case WireEnd::Undecodable:
        // The client has no failure here, or its words are not known: ours say what happened.
        return plainText(end, context);
    }
    Q_UNREACHABLE();
}

QString clientText(TimerKind kind, double seconds)
{
    switch (kind) {
    case TimerKind::Connect:
    case TimerKind::Write:
    case TimerKind::Pool:
    case TimerKind::FirstByte:
    case TimerKind::Read:
        return {};
    case TimerKind::Idle:
        return u"no SSE bytes for %1s"_s.arg(pythonFloat(seconds));
    case TimerKind::DataStall:
        return u"no SSE data event for %1s"_s.arg(pythonFloat(seconds));
    case TimerKind::Total:
        return u"SSE total budget %1s exceeded"_s.arg(pythonFloat(seconds));
    case TimerKind::Deadline:
        return u"caller deadline (exec timeout_s) exceeded mid-stream"_s;
    case TimerKind::Watchdog:
        return u"sample timed out after %1s"_s.arg(seconds);
    case TimerKind::BackoffEnd:
    case TimerKind::HardCap:
        return u"timed out after %1s"_s.arg(pythonFloat(seconds));
    }
    Q_UNREACHABLE();
}

QString proxyAnswer(const WireFailureContext &context)
{
    QString text = context.text.simplified();
    const bool hasStatus = text.size() >= 3 && text.at(0) >= u'1' && text.at(0) <= u'5' && text.at(1).isDigit()
        && text.at(2).isDigit() && (text.size() == 3 || text.at(3) == u' ');
    if (hasStatus)
        return text;
    return context.status != 0 ? (QString::number(context.status) + u' ' + text).trimmed() : QString();
}

bool isCertificateFault(const WireFailureContext &context)
{
    return context.text.contains("certificate"_L1, Qt::CaseInsensitive);
}

} // namespace Waitscope
