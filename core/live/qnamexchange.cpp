// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/qnamexchange.h"

#include "live/monotonic.h"
#include "live/oneshotbody.h"
#include "live/requestheaders.h"

#include <QHostAddress>
#include <QTimer>

#include <algorithm>
#include <cstring>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pieceBytes = 32 * 1024;
constexpr qint64 unreadLimit = 256 * 1024;     // given to the listener and not consumed
constexpr qint64 libraryBuffer = 64 * 1024;    // inside the library; beyond it the peer is slowed down
constexpr qint64 deadConnectionNs = 1'000'000'000; // a dead connection shows within some round trips, not later

// "192.0.2.1:443", "[2001:db8::1]:443"
QString addressText(const WatchedSocket &socket)
{
    const QHostAddress address(reinterpret_cast<const sockaddr *>(&socket.peerAddress));
    const bool isLong = address.protocol() == QAbstractSocket::IPv6Protocol;
    return (isLong ? u"[%1]:%2"_s : u"%1:%2"_s).arg(address.toString()).arg(socket.peerPort);
}

} // namespace

// Marks that one of the reply's signals is being handled. The exchange may be gone when it ends.
class QnamExchange::SignalScope
{
public:
    explicit SignalScope(QnamExchange *exchange)
        : m_exchange(exchange)
    {
        ++exchange->m_signalDepth;
    }
    ~SignalScope()
    {
        if (m_exchange)
            --m_exchange->m_signalDepth;
    }
    Q_DISABLE_COPY_MOVE(SignalScope)

private:
    QPointer<QnamExchange> m_exchange;
};

QnamExchange::QnamExchange(RealClock &clock, QnamLane &lane, ConnectionSlot slot, WireRequest request, WireListener &listener)
    : m_clock(clock)
    , m_lane(&lane)
    , m_slot(std::move(slot))
    , m_request(std::move(request))
    , m_listener(listener)
    , m_https(m_request.url.scheme() == "https"_L1)
    , m_lastAt(clock.nominalNow())
{
    const QNetworkProxy proxy = lane.proxy();
    const QString host = lane.isProxied() ? proxy.hostName() : m_request.url.host(QUrl::FullyEncoded);
    if (QHostAddress(host).isNull())
        m_lookupName = QUrl::toAce(host);
    m_connectPort = lane.isProxied() ? proxy.port() : static_cast<quint16>(m_request.url.port(m_https ? 443 : 80));
    if (m_slot.kept && m_slot.socket) {
        m_established = m_slot.socket;
        m_responsesBefore = m_established->responses.completed();
    }
    lane.join(*this, m_lookupName);
}

QnamExchange::~QnamExchange()
{
    abort();
}

void QnamExchange::start()
{
    m_reply = postRequest();
    connect(m_reply, &QNetworkReply::socketStartedConnecting, this, &QnamExchange::onConnecting);
    connect(m_reply, &QNetworkReply::encrypted, this, &QnamExchange::onEncrypted);
    connect(m_reply, &QNetworkReply::requestSent, this, &QnamExchange::onRequestSent);
    connect(m_reply, &QNetworkReply::uploadProgress, this, &QnamExchange::onUploadProgress);
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &QnamExchange::onMetaData);
    connect(m_reply, &QNetworkReply::readyRead, this, [this] {
        const SignalScope scope(this);
        pump();
    });
    connect(m_reply, &QNetworkReply::finished, this, &QnamExchange::onFinished);
    if (m_slot.kept)
        return; // whether its connection still stands shows in a moment
    // What is known already: a look-up that goes on for others, or that nothing will be told apart.
    const Instant began = m_lastAt;
    if (!m_lane->expectsWatching() || m_lane->isLookingUp(m_lookupName)) {
        QMetaObject::invokeMethod(
            this,
            [this, began] {
                if (m_ended || m_phase != Phase::None)
                    return;
                const bool lookingUp = m_lane->expectsWatching() && m_lane->isLookingUp(m_lookupName);
                static_cast<void>(enter(lookingUp ? Phase::Dns : unseparatedPhase(), began));
            },
            Qt::QueuedConnection);
    }
}

QNetworkReply *QnamExchange::postRequest()
{
    QNetworkRequest request = networkRequest(m_request, m_lane->proxy());
    request.setPeerVerifyName(m_slot.name);
    if (m_https)
        request.setSslConfiguration(m_lane->tls());
    QNetworkAccessManager &manager = m_lane->manager();
    if (m_request.method == "HEAD")
        return manager.head(request);
    if (m_request.body.isEmpty())
        return manager.sendCustomRequest(request, m_request.method);
    auto *body = new OneShotBody(m_request.body);
    connect(body, &OneShotBody::resendRefused, this, &QnamExchange::onResendRefused);
    QNetworkReply *reply = manager.sendCustomRequest(request, m_request.method, body);
    body->setParent(reply);
    return reply;
}

Phase QnamExchange::unseparatedPhase() const
{
    return m_https ? Phase::ConnectTls : Phase::Connect;
}

bool QnamExchange::report(WireFact::Kind kind, Instant at, WireFact fact)
{
    m_lastAt = std::max(m_lastAt, at);
    if (m_retired)
        return !m_ended;
    fact.kind = kind;
    fact.at = m_lastAt;
    const QPointer<QnamExchange> self(this);
    m_listener.onFact(std::move(fact));
    return self && !m_ended;
}

bool QnamExchange::enter(Phase phase, Instant at)
{
    if (m_phase == phase)
        return true;
    m_phase = phase;
    WireFact fact;
    fact.phase = phase;
    return report(WireFact::Kind::PhaseBegan, at, std::move(fact));
}

// --- connecting

void QnamExchange::lookupBegan(const QByteArray &name, qint64 atNs)
{
    const bool waits = !m_sendBegan && m_sockets.empty() && (m_connecting || !m_slot.kept);
    if (name == m_lookupName && waits)
        static_cast<void>(enter(Phase::Dns, m_clock.fromMonotonicNs(atNs)));
}

void QnamExchange::lookupEnded(const QByteArray &name, qint64 atNs, int result)
{
    if (name != m_lookupName || m_phase != Phase::Dns)
        return;
    if (result == 0)
        static_cast<void>(enter(Phase::Connect, m_clock.fromMonotonicNs(atNs)));
    else
        m_lookupFailure = result;
}

void QnamExchange::onConnecting()
{
    const SignalScope scope(this);
    if (!m_connecting) {
        // The kept connection, if there was one, was gone.
        m_connecting = true;
        m_established.reset();
        m_responsesBefore = 0;
    }
    if (m_lane->isWatched())
        m_lane->announce(*this);
    else if (m_phase == Phase::None)
        static_cast<void>(enter(unseparatedPhase(), m_clock.nominalNow()));
}

bool QnamExchange::uses(const WatchedSocket &socket) const
{
    return m_established.get() == &socket || std::ranges::any_of(m_sockets, [&socket](const auto &own) { return own.get() == &socket; });
}

void QnamExchange::socketStarted(const std::shared_ptr<WatchedSocket> &socket)
{
    m_sockets.push_back(socket);
    if (m_established || m_sendBegan)
        return; // the slower of two addresses that were tried at once
    const Instant began = m_clock.fromMonotonicNs(socket->beganNs);
    if (!enter(Phase::Connect, began))
        return;
    WireFact fact;
    fact.text = addressText(*socket);
    if (!report(WireFact::Kind::Trying, began, std::move(fact)))
        return;
    if (socket->endedNs != 0)
        socketEnded(socket);
}

void QnamExchange::socketEnded(const std::shared_ptr<WatchedSocket> &socket)
{
    if (m_established)
        return;
    const Instant at = m_clock.fromMonotonicNs(socket->endedNs);
    WireFact fact;
    fact.text = addressText(*socket);
    if (!socket->isEstablished()) {
        fact.text += u": "_s + QString::fromLocal8Bit(std::strerror(socket->error));
        static_cast<void>(report(WireFact::Kind::AddressFailed, at, std::move(fact)));
        return;
    }
    m_established = socket;
    fact.value = socket->localPort;
    if (report(WireFact::Kind::Connected, at, std::move(fact)) && !m_sendBegan)
        static_cast<void>(enter(m_https ? Phase::Tls : Phase::Send, at));
}

// Two ends that the library would never tell.
void QnamExchange::socketBroke(const WatchedSocket &socket)
{
    if (m_established.get() != &socket)
        return;
    const bool badChunk = !m_https && m_status >= 200 && socket.responses.stage() == ResponseWatch::Stage::BadChunk;
    const bool proxyGone = m_https && m_lane->isProxied() && !m_encrypted && socket.peer != WatchedSocket::Peer::Open;
    if (!badChunk && !(proxyGone && m_connecting))
        return;
    const QPointer<QnamExchange> self(this);
    pump(); // what came before it
    if (!self || m_ended)
        return;
    EndEvidence e = evidence();
    if (e.error == QNetworkReply::NoError && proxyGone)
        e.error = QNetworkReply::RemoteHostClosedError;
    end(judgeEnd(e), m_clock.nominalNow());
}

void QnamExchange::onEncrypted()
{
    const SignalScope scope(this);
    m_encrypted = true;
    static_cast<void>(enter(Phase::Send, m_clock.nominalNow()));
}

// --- sending

bool QnamExchange::beginSending(Instant at)
{
    if (m_sendBegan)
        return true;
    m_sendBegan = true;
    m_sendBeganNs = monotonicNs();
    if (!enter(Phase::Send, at))
        return false;
    WireFact fact;
    fact.total = m_request.body.size();
    fact.reused = !m_connecting;
    return report(WireFact::Kind::SendBegan, at, std::move(fact));
}

void QnamExchange::onRequestSent()
{
    const SignalScope scope(this);
    const Instant at = m_clock.nominalNow();
    if (m_sendBegan && m_request.body.isEmpty()) {
        // Without a body to refuse it, the library has sent it anew. That is seen too late to prevent, but it goes no
        // further: for us the request ended when its connection did.
        EndEvidence closed = evidence();
        closed.error = QNetworkReply::RemoteHostClosedError;
        end(judgeEnd(closed), at);
        return;
    }
    if (!beginSending(at) || !m_request.body.isEmpty())
        return;
    m_sentAll = true;
    static_cast<void>(report(WireFact::Kind::Sent, at));
}

void QnamExchange::onUploadProgress(qint64 sent, qint64 total)
{
    const SignalScope scope(this);
    if (total <= 0 || m_sentAll)
        return; // the library ends each reply with a progress of nothing
    const Instant at = m_clock.nominalNow();
    WireFact fact;
    fact.value = sent;
    fact.total = total;
    if (!beginSending(at) || !report(WireFact::Kind::Progress, at, fact) || sent < total)
        return;
    m_sentAll = true;
    static_cast<void>(report(WireFact::Kind::Sent, at, std::move(fact)));
}

void QnamExchange::onResendRefused()
{
    const SignalScope scope(this);
    if (!m_ended)
        static_cast<void>(report(WireFact::Kind::ResendRefused, m_clock.nominalNow()));
}

// --- receiving

void QnamExchange::onMetaData()
{
    const SignalScope scope(this);
    if (m_status >= 200)
        return; // some challenges announce their headers twice
    m_status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (m_status < 200)
        return; // an interim answer; the reply ends with it
    const QByteArray encoding = m_reply->rawHeader("Content-Encoding").trimmed().toLower();
    m_compressed = !encoding.isEmpty() && encoding != "identity";
    bool isNumber = false;
    const qint64 length = m_reply->rawHeader("Content-Length").trimmed().toLongLong(&isNumber);
    if (isNumber && length >= 0 && !m_reply->hasRawHeader("Transfer-Encoding"))
        m_expected = length;
    WireFact fact;
    fact.status = m_status;
    fact.headers = wireHeaders(*m_reply);
    m_phase = Phase::Receive;
    static_cast<void>(report(WireFact::Kind::Headers, m_clock.nominalNow(), std::move(fact)));
}

void QnamExchange::pump()
{
    m_pumpQueued = false;
    // Only for those who need it: the limit costs every stream memory and time in the library. And not before the headers:
    // asked for earlier it gets lost on its way to the library's thread.
    if (!m_limited && m_reply && m_status >= 200 && (m_unread >= unreadLimit || m_reply->bytesAvailable() > libraryBuffer)) {
        m_limited = true;
        m_reply->setReadBufferSize(libraryBuffer);
    }
    while (!m_ended && m_reply && m_unread < unreadLimit && m_reply->bytesAvailable() > 0) {
        qint64 most = std::min(pieceBytes, unreadLimit - m_unread);
        if (isErrorStatus())
            most = std::min(most, longestErrorBody - m_received);
        WireFact fact;
        fact.bytes = m_reply->read(std::min(most, m_reply->bytesAvailable())); // it is given room for all that is asked for
        if (fact.bytes.isEmpty())
            break;
        m_received += fact.bytes.size();
        if (m_retired) {
            m_unread += fact.bytes.size(); // consumed by nobody: enough is enough
        } else if (!m_compressed) {
            m_unread += fact.bytes.size();
            if (!report(WireFact::Kind::Bytes, m_clock.nominalNow(), std::move(fact)))
                return;
        }
        if (isErrorStatus() && m_received >= longestErrorBody) {
            end({m_compressed ? WireEnd::Undecodable : WireEnd::Complete, {}}, m_clock.nominalNow());
            return;
        }
    }
    if (m_retired && m_unread >= unreadLimit)
        abort();
    if (!m_ended && m_finishedAt && (!m_reply || m_reply->bytesAvailable() <= 0))
        conclude();
}

void QnamExchange::queuePump()
{
    if (std::exchange(m_pumpQueued, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            const SignalScope scope(this);
            pump();
        },
        Qt::QueuedConnection);
}

void QnamExchange::resumeReading()
{
    m_unread = 0;
    if (!m_ended && m_reply && (m_finishedAt || m_reply->bytesAvailable() > 0))
        queuePump();
}

// --- ending

void QnamExchange::onFinished()
{
    const SignalScope scope(this);
    m_finishedAt = m_clock.nominalNow();
    pump();
}

EndEvidence QnamExchange::evidence() const
{
    EndEvidence e;
    if (m_reply) {
        e.error = m_reply->error();
        e.errorText = m_reply->errorString();
        e.reason = m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString();
    }
    e.status = m_status;
    e.https = m_https;
    e.proxied = m_lane->isProxied();
    e.head = m_request.method == "HEAD";
    e.reused = m_slot.kept && !m_connecting;
    e.answeredLate = m_sendBegan && monotonicNs() - m_sendBeganNs > deadConnectionNs;
    e.encrypted = m_https && (m_encrypted || e.reused);
    e.sent = m_sendBegan;
    e.compressed = m_compressed;
    e.received = m_received;
    e.expected = m_expected;
    e.lookup = m_lookupFailure;
    if (m_established)
        e.socket = m_established;
    else if (!m_sockets.empty())
        e.socket = m_sockets.back();
    e.responsesBefore = m_responsesBefore;
    return e;
}

void QnamExchange::conclude()
{
    end(judgeEnd(evidence()), *m_finishedAt);
}

void QnamExchange::end(const EndVerdict &verdict, Instant at)
{
    // What failed at once had no time to be told; it was in a phase all the same.
    const Phase missed = m_lookupFailure.value_or(0) != 0 ? Phase::Dns : m_lane->isWatched() ? Phase::Connect : unseparatedPhase();
    if (m_phase == Phase::None && !m_slot.kept && !enter(missed, at))
        return;
    const bool finished = m_finishedAt && m_reply && (m_reply->error() == QNetworkReply::NoError || isErrorStatus());
    m_ended = true;
    // Behind a HEAD the raw bytes could not be followed any further.
    // A body that we cannot read is a complete message all the same.
    const bool whole = verdict.end == WireEnd::Complete || verdict.end == WireEnd::Undecodable;
    release(finished && whole && m_request.method != "HEAD");
    WireFact fact;
    fact.end = verdict.end;
    fact.text = verdict.text;
    fact.expectedBytes = m_expected;
    fact.receivedBytes = m_received;
    static_cast<void>(report(WireFact::Kind::End, at, std::move(fact)));
}

void QnamExchange::abort()
{
    if (m_ended)
        return;
    m_ended = true;
    release(false);
}

void QnamExchange::retire(std::unique_ptr<Exchange> self)
{
    // An end marker comes a moment before the body's own end: with the latter the connection is good for the next request.
    constexpr std::chrono::seconds patience{1};
    if (m_ended || m_status < 200 || !m_lane->mayLinger())
        return;
    static_cast<void>(self.release());
    m_retired = true;
    m_lane->lingerBegan();
    m_unread = 0;
    QTimer::singleShot(patience, this, &QnamExchange::abort);
    queuePump();
}

void QnamExchange::loseLane()
{
    m_ended = true;
    m_lane = nullptr;
    dropReply();
    if (m_retired)
        deleteLater();
}

void QnamExchange::wokeUp(Duration slept)
{
    if (m_ended || !m_slot.options.isDeadAfter(slept))
        return;
    end({WireEnd::LostInSleep, QString::number(toSeconds(slept), 'f', 0) + u" s"_s}, m_clock.nominalNow());
}

void QnamExchange::release(bool kept)
{
    dropReply();
    if (!m_lane)
        return;
    if (m_retired) {
        m_lane->lingerEnded();
        deleteLater();
    }
    m_lane->leave(*this, m_lookupName);
    m_slot.socket = m_established;
    m_lane->connections().giveBack(std::move(m_slot), kept);
    m_lane = nullptr;
}

void QnamExchange::dropReply()
{
    QNetworkReply *reply = m_reply;
    m_reply.clear();
    if (!reply)
        return;
    reply->disconnect(this);
    for (OneShotBody *body : reply->findChildren<OneShotBody *>())
        body->disconnect(this);
    // Its destructor ends the request. Not through its abort(): that one speaks to everybody from inside the call, and a
    // request that has not left this thread yet would still do so afterwards. For the same reason at once, if that can be.
    if (m_signalDepth == 0)
        delete reply;
    else
        reply->deleteLater();
}

} // namespace Waitscope
