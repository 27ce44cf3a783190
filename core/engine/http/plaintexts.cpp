// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/wiretexts.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString phaseWord(Phase phase)
{
    switch (phase) {
    case Phase::None:
        return u"request"_s;
    case Phase::ConnectTls:
        return u"connect and tls"_s;
    case Phase::Queue:
    case Phase::Dns:
    case Phase::Connect:
    case Phase::Tls:
    case Phase::Send:
    case Phase::Wait:
    case Phase::Receive:
        return wordOf(phase);
    }
    Q_UNREACHABLE();
}

QString secondsText(double seconds)
{
    QString number = QString::number(seconds, 'f', 3);
    while (number.endsWith(u'0'))
        number.chop(1);
    if (number.endsWith(u'.'))
        number.chop(1);
    return number + u" s"_s;
}

QString sentText(const WireFailureContext &context)
{
    if (context.sentBytes <= 0)
        return u"nothing was sent"_s;
    if (context.totalBytes > context.sentBytes)
        return u"%1 of %2 bytes were sent"_s.arg(context.sentBytes).arg(context.totalBytes);
    return u"the request was sent (%1 bytes)"_s.arg(context.sentBytes);
}

QString receivedText(const WireFailureContext &context)
{
    if (context.expectedBytes)
        return u"%1 of %2 bytes were received"_s.arg(context.receivedBytes).arg(*context.expectedBytes);
    return u"%1 bytes were received"_s.arg(context.receivedBytes);
}

// What had crossed the wire when the phase broke.
QString stateText(Phase phase, const WireFailureContext &context)
{
    switch (phase) {
    case Phase::Queue:
    case Phase::Dns:
    case Phase::Connect:
    case Phase::Tls:
    case Phase::ConnectTls:
        return u"nothing was sent"_s;
    case Phase::None:
    case Phase::Send:
        return sentText(context);
    case Phase::Wait:
        return context.sentBytes > 0 ? sentText(context) : u"the request was sent"_s;
    case Phase::Receive:
        return receivedText(context);
    }
    Q_UNREACHABLE();
}

QString line(Phase phase, const QString &what, const WireFailureContext &context)
{
    return phaseWord(phase) + u": "_s + what + u", "_s + stateText(phase, context);
}

// The phase that the fault itself names, where the wire's own report is coarser.
Phase phaseOf(Phase seen, Phase atLeast)
{
    return seen < atLeast ? atLeast : seen;
}

QString withCause(const QString &what, const QString &cause)
{
    const QString words = cause.simplified();
    return words.isEmpty() ? what : what + u" ("_s + words + u')';
}

QString printable(const QString &bytes)
{
    constexpr qsizetype shown = 60;
    QString text = bytes.left(shown).simplified();
    text.removeIf([](QChar c) { return !c.isPrint(); });
    return text;
}

} // namespace

QString plainText(WireEnd end, const WireFailureContext &context)
{
    const Phase phase = context.phase;
    switch (end) {
    case WireEnd::Complete:
        return line(Phase::Receive, u"the stream ended without its completion marker"_s, context);
    case WireEnd::Refused:
        return line(Phase::Connect, u"connection refused"_s, context);
    case WireEnd::NameNotFound:
        return line(Phase::Dns, u"no such host name"_s, context);
    case WireEnd::DnsFailed:
        return line(Phase::Dns, withCause(u"the host name could not be looked up"_s, context.text), context);
    case WireEnd::Unreachable:
        return line(Phase::Connect, u"host or network unreachable"_s, context);
    case WireEnd::ProxyFailed: {
        const QString answer = proxyAnswer(context);
        return line(Phase::Connect, withCause(u"the proxy failed"_s, answer.isEmpty() ? context.text : answer), context);
    }
    case WireEnd::TlsFailed:
        return line(Phase::Tls, withCause(u"the handshake failed"_s, context.text), context);
    case WireEnd::ClosedInTls:
        return line(Phase::Tls, u"the peer closed the connection within the handshake"_s, context);
    case WireEnd::ClosedBeforeStatus:
        return line(phaseOf(phase, Phase::Send), u"the peer closed the connection without an answer"_s, context);
    case WireEnd::ClosedInHeaders:
        return line(Phase::Wait, u"the peer closed the connection inside the response headers"_s, context);
    case WireEnd::ResetBeforeHeaders:
        return line(phaseOf(phase, Phase::Send), u"connection reset before headers"_s, context);
    case WireEnd::BadStatusLine:
        return line(Phase::Wait, withCause(u"the answer is not HTTP"_s, printable(context.text)), context);
    case WireEnd::CutBody:
        return line(Phase::Receive, u"the peer closed the connection before the body was complete"_s, context);
    case WireEnd::ResetInBody:
        return line(Phase::Receive, u"connection reset inside the body"_s, context);
    case WireEnd::BadChunk:
        return line(Phase::Receive, withCause(u"the body's chunks are broken"_s, printable(context.text)), context);
    case WireEnd::ConnectionTimeout:
        return line(phase, u"the system gave the connection up as dead"_s, context);
    case WireEnd::LostInSleep:
        return line(phase, u"interrupted by system sleep"_s + (context.text.isEmpty() ? QString() : u" of "_s + context.text), context);
    case WireEnd::StaleConnection:
        return line(phaseOf(phase, Phase::Send), u"the kept-alive connection was dead"_s, context);
    case WireEnd::Interim103:
        return line(Phase::Wait, u"an interim answer ended the reply, a limit of the network library"_s, context);
    case WireEnd::Undecodable:
        return line(Phase::Receive, withCause(u"the compressed body could not be read"_s, context.text), context);
    case WireEnd::Aborted:
        return line(phase, u"the request was aborted"_s, context);
    case WireEnd::Failed:
        return line(phase, withCause(u"the request failed"_s, context.text), context);
    }
    Q_UNREACHABLE();
}

QString plainText(TimerKind kind, Phase phase, double seconds, const WireFailureContext &context)
{
    const QString limit = secondsText(seconds);
    switch (kind) {
    case TimerKind::Connect:
        return line(phaseOf(phase, Phase::Dns), u"no answer within "_s + limit, context);
    case TimerKind::Write:
        return line(phaseOf(phase, Phase::Send), u"no progress for "_s + limit, context);
    case TimerKind::Pool:
        return line(phaseOf(phase, Phase::Queue), u"no free connection within "_s + limit, context);
    case TimerKind::FirstByte:
        return line(phaseOf(phase, Phase::Wait), u"no response headers within "_s + limit, context);
    case TimerKind::Read:
        return line(phaseOf(phase, Phase::Wait), u"no byte for "_s + limit, context);
    case TimerKind::Idle:
        return line(phaseOf(phase, Phase::Receive), u"no line for "_s + limit, context);
    case TimerKind::DataStall:
        return line(phaseOf(phase, Phase::Receive), u"no data event for "_s + limit, context);
    case TimerKind::Total:
        return line(phaseOf(phase, Phase::Receive), u"not finished within the stream's %1"_s.arg(limit), context);
    case TimerKind::Deadline: {
        const QString which
            = seconds > 0 ? u"the call's deadline of %1 is reached"_s.arg(limit) : u"the call's deadline is reached"_s;
        return line(phase, which, context);
    }
    case TimerKind::Watchdog:
        return line(phase, u"the task's budget of %1 is over"_s.arg(limit), context);
    case TimerKind::BackoffEnd:
        return line(phase, u"the pause of %1 is over"_s.arg(limit), context);
    case TimerKind::HardCap:
        return line(phase, u"the call's hard cap of %1 is reached"_s.arg(limit), context);
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
