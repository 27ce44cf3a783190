// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/endjudge.h"

#include <cerrno>
#include <cstring>

#include <netdb.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

using Stage = ResponseWatch::Stage;

// The raw bytes can be read only where they are not encrypted.
std::optional<Stage> stageOf(const EndEvidence &e)
{
    if (e.https || !e.socket)
        return std::nullopt;
    return e.socket->responses.stage();
}

bool wasReset(const EndEvidence &e)
{
    // The library may take a connection that was reset while it came about for one that stands.
    return e.socket && (e.socket->peer == WatchedSocket::Peer::Reset || e.socket->error == ECONNRESET);
}

int connectErrorOf(const EndEvidence &e)
{
    return e.socket ? e.socket->error.load() : 0;
}

QString offendingText(const EndEvidence &e)
{
    return QString::fromLatin1(e.socket->responses.offending().left(64));
}

EndVerdict unreachable(int error)
{
    return {WireEnd::Unreachable, QString::fromLocal8Bit(std::strerror(error))};
}

// The answer to a CONNECT that was none of the good ones, or what else is known.
EndVerdict proxyFailed(const EndEvidence &e, const QString &otherwise)
{
    const QByteArray answer = e.https && e.socket ? e.socket->responses.statusText() : QByteArray();
    const bool refused = !answer.isEmpty() && !answer.startsWith('2');
    return {WireEnd::ProxyFailed, refused ? QString::fromLatin1(answer) : otherwise};
}

// Nothing was sent because no connection came about.
EndVerdict judgeNotConnected(const EndEvidence &e)
{
    const int error = connectErrorOf(e);
    if (e.proxied)
        return proxyFailed(e, error ? QString::fromLocal8Bit(std::strerror(error)) : e.errorText);
    if (error == ECONNREFUSED)
        return {WireEnd::Refused, e.errorText};
    // It had come about, and was reset before the library looked or while it did: then it finds a socket without a peer.
    const bool stood = e.socket && e.socket->isEstablished() && e.error == QNetworkReply::UnknownNetworkError;
    if (error == ECONNRESET || stood)
        return {e.https ? WireEnd::ClosedInTls : WireEnd::ResetBeforeHeaders, {}};
    if (error == ETIMEDOUT)
        return {WireEnd::ConnectionTimeout, e.errorText};
    if (error)
        return unreachable(error);
    if (e.error == QNetworkReply::ConnectionRefusedError)
        return {WireEnd::Refused, e.errorText};
    if (e.error == QNetworkReply::TimeoutError)
        return {WireEnd::ConnectionTimeout, e.errorText};
    return {WireEnd::Unreachable, e.errorText};
}

EndVerdict judgeNameLookup(const EndEvidence &e)
{
    if (e.proxied)
        return {WireEnd::ProxyFailed, u"the proxy's name was not found"_s};
    if (!e.lookup)
        return {WireEnd::NameNotFound, e.errorText};
    const bool noSuchName = *e.lookup == EAI_NONAME || *e.lookup == EAI_NODATA || *e.lookup == EAI_ADDRFAMILY;
    return {noSuchName ? WireEnd::NameNotFound : WireEnd::DnsFailed, QString::fromLocal8Bit(gai_strerror(*e.lookup))};
}

// The peer went before complete headers. A reset and a proper close are told apart only by the hooks, as is how far the
// answer had come.
EndVerdict judgeNoHeaders(const EndEvidence &e)
{
    const std::optional<Stage> stage = stageOf(e);
    if (stage == Stage::NotHttp)
        return {WireEnd::BadStatusLine, offendingText(e)};
    const bool began = stage && *stage != Stage::Between;
    if (e.reused && !began && !e.answeredLate)
        return {WireEnd::StaleConnection, {}};
    // The library gave up a connection that no read had shown the end of: a write failed, which only a reset brings about.
    const bool writeFailed = e.socket && !e.https && !began && e.socket->isEstablished() && e.socket->peer == WatchedSocket::Peer::Open;
    if (wasReset(e) || writeFailed)
        return {WireEnd::ResetBeforeHeaders, {}};
    return {began ? WireEnd::ClosedInHeaders : WireEnd::ClosedBeforeStatus, {}};
}

EndVerdict judgeWithoutStatus(const EndEvidence &e)
{
    using Reply = QNetworkReply;
    const bool connected = e.sent || e.encrypted;
    if (e.error >= Reply::ProxyConnectionRefusedError && e.error <= Reply::UnknownProxyError)
        return proxyFailed(e, e.errorText);
    if (e.error == Reply::HostNotFoundError)
        return judgeNameLookup(e);
    if (e.error == Reply::SslHandshakeFailedError)
        return {WireEnd::TlsFailed, e.errorText};
    // No error and yet no status: the library dropped what came.
    if (e.error == Reply::NoError || e.error == Reply::RemoteHostClosedError || e.error == Reply::ContentReSendError) {
        if (e.https && !connected)
            return e.proxied ? proxyFailed(e, u"the proxy closed the connection"_s) : EndVerdict{WireEnd::ClosedInTls, {}};
        return judgeNoHeaders(e);
    }
    const bool timedOut = e.error == Reply::TimeoutError || (e.socket && e.socket->peer == WatchedSocket::Peer::TimedOut);
    if (timedOut && connected)
        return {WireEnd::ConnectionTimeout, e.errorText};
    if (timedOut || e.error == Reply::ConnectionRefusedError || (e.error == Reply::UnknownNetworkError && !connected))
        return judgeNotConnected(e);
    if (wasReset(e))
        return judgeNoHeaders(e);
    return {WireEnd::Failed, e.errorText};
}

EndVerdict judgeBody(const EndEvidence &e)
{
    const std::optional<Stage> stage = stageOf(e);
    if (stage == Stage::BadChunk)
        return {WireEnd::BadChunk, offendingText(e)};
    if (e.error == QNetworkReply::TimeoutError || (e.socket && e.socket->peer == WatchedSocket::Peer::TimedOut))
        return {WireEnd::ConnectionTimeout, e.errorText};
    const bool isShort = !e.head && e.expected && e.received < *e.expected;
    const bool watchedToItsEnd = stage && e.socket->responses.completed() > e.responsesBefore;
    // The library calls some cut bodies a success; only the raw bytes know.
    const bool cut = isShort || (stage == Stage::Body && !e.head && !watchedToItsEnd);
    // A protocol failure this late is a read that failed; and the library may want to send again even now.
    const bool closed = e.error == QNetworkReply::RemoteHostClosedError || e.error == QNetworkReply::ProtocolFailure
        || (e.error == QNetworkReply::ContentReSendError && e.status < 300);
    if (cut || (closed && !watchedToItsEnd))
        return {wasReset(e) ? WireEnd::ResetInBody : WireEnd::CutBody, {}};
    // Errors that only repeat the status, or come because a redirect or a challenge asked for a second sending.
    const bool isStatusError = e.status >= 300;
    if (e.error == QNetworkReply::NoError || isStatusError || watchedToItsEnd)
        return {e.compressed ? WireEnd::Undecodable : WireEnd::Complete, e.compressed ? u"the body is compressed"_s : QString()};
    return {wasReset(e) ? WireEnd::ResetInBody : WireEnd::Failed, e.errorText};
}

} // namespace

EndVerdict judgeEnd(const EndEvidence &e)
{
    if (e.status == 0)
        return judgeWithoutStatus(e);
    if (e.status < 200)
        return {WireEnd::Interim103, u"%1 %2"_s.arg(e.status).arg(e.reason).trimmed()};
    const bool fromProxy = e.status == 407 && e.proxied;
    if (fromProxy)
        return {WireEnd::ProxyFailed, u"%1 %2"_s.arg(e.status).arg(e.reason).trimmed()};
    return judgeBody(e);
}

} // namespace Waitscope
