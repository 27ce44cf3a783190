// SPDX-License-Identifier: GPL-3.0-or-later
// Every way the network library can end a reply, with and without the hooks' evidence, and what it is called.
#include "live/endjudge.h"

#include <QTest>

#include <cerrno>

#include <netdb.h>

using namespace Waitscope;
using namespace Qt::StringLiterals;
using Reply = QNetworkReply;
using Peer = WatchedSocket::Peer;

namespace {

std::shared_ptr<WatchedSocket> socketWith(QByteArrayView read, Peer peer, int connectError = 0)
{
    auto socket = std::make_shared<WatchedSocket>(1, sockaddr_storage{}, quint16{80});
    socket->endedNs = 2;
    socket->error = connectError;
    socket->responses.feed(std::span(read.data(), static_cast<size_t>(read.size())));
    if (peer == Peer::Closed)
        socket->responses.feedEnd();
    socket->peer = peer;
    return socket;
}

EndEvidence failure(Reply::NetworkError error, bool sent = true)
{
    EndEvidence e;
    e.error = error;
    e.errorText = u"what the library said"_s;
    e.sent = sent;
    return e;
}

EndEvidence answered(int status, Reply::NetworkError error = Reply::NoError)
{
    EndEvidence e = failure(error);
    e.status = status;
    e.reason = u"Reason"_s;
    return e;
}

WireEnd endOf(const EndEvidence &e)
{
    return judgeEnd(e).end;
}

constexpr QByteArrayView chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n";
constexpr QByteArrayView plainHead = "HTTP/1.1 200 OK\r\n\r\nabcde";

} // namespace

class TestEndJudge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beforeAConnection();
    void names();
    void proxies();
    void tls();
    void beforeHeaders();
    void staleConnections();
    void bodies();
    void statuses();
    void neverAUrl();
};

void TestEndJudge::beforeAConnection()
{
    EndEvidence e = failure(Reply::ConnectionRefusedError, false);
    QCOMPARE(endOf(e), WireEnd::Refused);
    // The library calls an address it cannot even try "refused".
    e.socket = socketWith({}, Peer::Open, EINVAL);
    QCOMPARE(endOf(e), WireEnd::Unreachable);
    e.socket = socketWith({}, Peer::Open, ECONNREFUSED);
    QCOMPARE(endOf(e), WireEnd::Refused);
    e = failure(Reply::UnknownNetworkError, false);
    QCOMPARE(endOf(e), WireEnd::Unreachable);
    for (const int error : {EHOSTUNREACH, ENETUNREACH, EACCES}) {
        e.socket = socketWith({}, Peer::Open, error);
        QCOMPARE(endOf(e), WireEnd::Unreachable);
        QVERIFY(!judgeEnd(e).text.isEmpty());
    }
    e.socket = socketWith({}, Peer::Open, ECONNRESET); // accepted and reset at once
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
    e.https = true;
    QCOMPARE(endOf(e), WireEnd::ClosedInTls);
    e = failure(Reply::UnknownNetworkError, false); // the same, between the connect and the library's look at it
    e.socket = socketWith({}, Peer::Open);
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
    e.https = true;
    QCOMPARE(endOf(e), WireEnd::ClosedInTls);
    e = failure(Reply::ContentReSendError); // reset while it came about, but the library goes on as if it stood
    e.socket = socketWith({}, Peer::Open, ECONNRESET);
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
    e.socket = socketWith({}, Peer::Open); // no read has seen an end: it was a write that failed
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
    e.socket = socketWith({}, Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::ClosedBeforeStatus);
    e = failure(Reply::TimeoutError, false); // a black hole, after the library's own minute
    QCOMPARE(endOf(e), WireEnd::ConnectionTimeout);
    e.socket = socketWith({}, Peer::Open, ETIMEDOUT);
    QCOMPARE(endOf(e), WireEnd::ConnectionTimeout);
}

void TestEndJudge::names()
{
    EndEvidence e = failure(Reply::HostNotFoundError, false);
    QCOMPARE(endOf(e), WireEnd::NameNotFound);
    e.lookup = EAI_NONAME;
    QCOMPARE(endOf(e), WireEnd::NameNotFound);
    e.lookup = EAI_AGAIN;
    QCOMPARE(endOf(e), WireEnd::DnsFailed);
    e.lookup = EAI_FAIL;
    QCOMPARE(endOf(e), WireEnd::DnsFailed);
    e.proxied = true;
    QCOMPARE(endOf(e), WireEnd::ProxyFailed);
}

void TestEndJudge::proxies()
{
    for (const Reply::NetworkError error : {Reply::ProxyConnectionRefusedError, Reply::ProxyConnectionClosedError, Reply::ProxyNotFoundError,
                                            Reply::ProxyTimeoutError, Reply::ProxyAuthenticationRequiredError, Reply::UnknownProxyError})
        QCOMPARE(endOf(failure(error, false)), WireEnd::ProxyFailed);
    // An http proxy that refuses looks like an origin that does, an https one like anything.
    EndEvidence e = failure(Reply::ConnectionRefusedError, false);
    e.proxied = true;
    QCOMPARE(endOf(e), WireEnd::ProxyFailed);
    e.error = Reply::UnknownNetworkError;
    e.https = true;
    QCOMPARE(endOf(e), WireEnd::ProxyFailed);
    e.error = Reply::RemoteHostClosedError;
    QCOMPARE(endOf(e), WireEnd::ProxyFailed);
    e = answered(407, Reply::ProxyAuthenticationRequiredError);
    e.proxied = true;
    QCOMPARE(endOf(e), WireEnd::ProxyFailed);
    QCOMPARE(judgeEnd(e).text, u"407 Reason"_s);
}

void TestEndJudge::tls()
{
    EndEvidence e = failure(Reply::SslHandshakeFailedError, false);
    e.https = true;
    QCOMPARE(endOf(e), WireEnd::TlsFailed);
    QCOMPARE(judgeEnd(e).text, e.errorText);
    e.error = Reply::RemoteHostClosedError;
    QCOMPARE(endOf(e), WireEnd::ClosedInTls);
    e.encrypted = true;
    QCOMPARE(endOf(e), WireEnd::ClosedBeforeStatus);
    // What is read there is no HTTP and says nothing about the answer.
    e.sent = true;
    e.socket = socketWith("\x16\x03\x03", Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::ClosedBeforeStatus);
    e.socket = socketWith("\x16\x03\x03", Peer::Reset);
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
}

void TestEndJudge::beforeHeaders()
{
    for (const Reply::NetworkError error : {Reply::RemoteHostClosedError, Reply::ContentReSendError, Reply::NoError}) {
        EndEvidence e = failure(error);
        QCOMPARE(endOf(e), WireEnd::ClosedBeforeStatus);
        e.socket = socketWith({}, Peer::Closed);
        QCOMPARE(endOf(e), WireEnd::ClosedBeforeStatus);
        e.socket = socketWith({}, Peer::Reset);
        QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
        e.socket = socketWith("HTTP/1.", Peer::Closed);
        QCOMPARE(endOf(e), WireEnd::ClosedInHeaders);
        e.socket = socketWith("HTTP/1.1 200 OK\r\nX-", Peer::Closed);
        QCOMPARE(endOf(e), WireEnd::ClosedInHeaders);
        e.socket = socketWith("HTTP/1.1 200 OK\r\nX-", Peer::Reset);
        QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
        e.socket = socketWith("SSH-2.0-x\r\n", Peer::Closed);
        QCOMPARE(endOf(e), WireEnd::BadStatusLine);
        QVERIFY(judgeEnd(e).text.startsWith(u"SSH-2.0"));
    }
    EndEvidence dead = failure(Reply::TimeoutError);
    QCOMPARE(endOf(dead), WireEnd::ConnectionTimeout);
    dead.error = Reply::UnknownNetworkError;
    QCOMPARE(endOf(dead), WireEnd::Failed);
    dead.socket = socketWith({}, Peer::TimedOut);
    QCOMPARE(endOf(dead), WireEnd::ConnectionTimeout);
    QCOMPARE(endOf(failure(Reply::ProtocolUnknownError)), WireEnd::Failed);
}

void TestEndJudge::staleConnections()
{
    EndEvidence e = failure(Reply::ContentReSendError);
    e.reused = true;
    QCOMPARE(endOf(e), WireEnd::StaleConnection);
    e.socket = socketWith("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", Peer::Reset);
    e.responsesBefore = 1;
    QCOMPARE(endOf(e), WireEnd::StaleConnection);
    e.answeredLate = true;
    QCOMPARE(endOf(e), WireEnd::ResetBeforeHeaders);
    // Something came: the server was there.
    e.answeredLate = false;
    e.socket = socketWith("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 2", Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::ClosedInHeaders);
    e.https = true;
    e.encrypted = true;
    QCOMPARE(endOf(e), WireEnd::StaleConnection); // and there it cannot be seen
}

void TestEndJudge::bodies()
{
    // Without hooks: what length and error say.
    EndEvidence e = answered(200);
    QCOMPARE(endOf(e), WireEnd::Complete);
    e.expected = 50;
    e.received = 9;
    QCOMPARE(endOf(e), WireEnd::CutBody);
    e.received = 50;
    QCOMPARE(endOf(e), WireEnd::Complete);
    e.received = 0;
    e.head = true;
    QCOMPARE(endOf(e), WireEnd::Complete);
    QCOMPARE(endOf(answered(200, Reply::RemoteHostClosedError)), WireEnd::CutBody);
    QCOMPARE(endOf(answered(200, Reply::TimeoutError)), WireEnd::ConnectionTimeout);
    QCOMPARE(endOf(answered(200, Reply::ProtocolFailure)), WireEnd::CutBody);
    QCOMPARE(endOf(answered(200, Reply::ContentReSendError)), WireEnd::CutBody);
    QCOMPARE(endOf(answered(200, Reply::ProtocolUnknownError)), WireEnd::Failed);

    // With hooks: the raw bytes overrule a success that was none.
    e = answered(200);
    e.socket = socketWith(chunkedHead, Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::CutBody);
    e.socket = socketWith(chunkedHead, Peer::Reset);
    QCOMPARE(endOf(e), WireEnd::ResetInBody);
    e.socket = socketWith(QByteArray(chunkedHead.toByteArray() + "0\r\n\r\n"), Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::Complete);
    e.socket = socketWith(QByteArray(chunkedHead.toByteArray() + "zzzz\r\n"), Peer::Open);
    QCOMPARE(endOf(e), WireEnd::BadChunk);
    QCOMPARE(judgeEnd(e).text, u"zzzz"_s);
    e.socket = socketWith(plainHead, Peer::Closed);
    QCOMPARE(endOf(e), WireEnd::Complete);
    e.socket = socketWith(plainHead, Peer::Reset);
    QCOMPARE(endOf(e), WireEnd::ResetInBody);
    // An error that came behind a complete body does not make it less complete.
    e = answered(200, Reply::RemoteHostClosedError);
    e.socket = socketWith(QByteArray(chunkedHead.toByteArray() + "0\r\n\r\n"), Peer::Reset);
    QCOMPARE(endOf(e), WireEnd::Complete);
    // A response of before does not count for this one.
    e.responsesBefore = 1;
    QCOMPARE(endOf(e), WireEnd::ResetInBody);

    e = answered(200);
    e.compressed = true;
    QCOMPARE(endOf(e), WireEnd::Undecodable);
}

void TestEndJudge::statuses()
{
    QCOMPARE(endOf(answered(103)), WireEnd::Interim103);
    QCOMPARE(judgeEnd(answered(103)).text, u"103 Reason"_s);
    QCOMPARE(endOf(answered(503, Reply::ServiceUnavailableError)), WireEnd::Complete);
    QCOMPARE(endOf(answered(401, Reply::AuthenticationRequiredError)), WireEnd::Complete);
    QCOMPARE(endOf(answered(307, Reply::ContentReSendError)), WireEnd::Complete);
    EndEvidence cut = answered(503, Reply::RemoteHostClosedError);
    QCOMPARE(endOf(cut), WireEnd::CutBody);
}

void TestEndJudge::neverAUrl()
{
    EndEvidence e = answered(404, Reply::ContentNotFoundError);
    e.errorText = u"Error transferring http://host/?key=secret - server replied: Not Found"_s;
    QVERIFY(!judgeEnd(e).text.contains(u"secret"_s));
}

QTEST_GUILESS_MAIN(TestEndJudge)
#include "tst_endjudge.moc"
