// SPDX-License-Identifier: GPL-3.0-or-later
// One request over QNetworkAccessManager: turns the library's signals and the hooks' news into facts, and obeys abort.
//
// Facts are given from the event loop only, never from inside start(), abort() or resumeReading(); their times never run
// backwards. The exchange may be destroyed at any time, from inside a fact too.
#pragma once

#include "engine/ports/transport.h"
#include "live/endjudge.h"
#include "live/qnamlane.h"
#include "live/realclock.h"

#include <QNetworkReply>
#include <QPointer>

namespace Waitscope {

class QnamExchange final : public QObject, public Exchange
{
    Q_OBJECT

public:
    QnamExchange(RealClock &clock, QnamLane &lane, ConnectionSlot slot, WireRequest request, WireListener &listener);
    ~QnamExchange() override;

    void start();
    void abort() override;
    void resumeReading() override;
    void retire(std::unique_ptr<Exchange> self) override;

    // From the lane.
    void lookupBegan(const QByteArray &name, qint64 atNs);
    void lookupEnded(const QByteArray &name, qint64 atNs, int result);
    void socketStarted(const std::shared_ptr<WatchedSocket> &socket);
    void socketEnded(const std::shared_ptr<WatchedSocket> &socket);
    void loseLane();
    void wokeUp(Duration slept);
    void socketBroke(const WatchedSocket &socket);
    [[nodiscard]] bool uses(const WatchedSocket &socket) const;
    [[nodiscard]] bool isConnecting() const noexcept { return m_connecting && !m_established; }
    [[nodiscard]] quint16 connectPort() const noexcept { return m_connectPort; }

private:
    class SignalScope;

    [[nodiscard]] QNetworkReply *postRequest();
    void onConnecting();
    void onEncrypted();
    void onRequestSent();
    void onUploadProgress(qint64 sent, qint64 total);
    void onResendRefused();
    void onMetaData();
    void onFinished();

    // Each returns false when nothing may be reported any more: the exchange ended, or is gone.
    [[nodiscard]] bool report(WireFact::Kind kind, Instant at, WireFact fact = {});
    [[nodiscard]] bool enter(Phase phase, Instant at);
    [[nodiscard]] bool beginSending(Instant at);
    void pump();
    void queuePump();
    void conclude();
    void end(const EndVerdict &verdict, Instant at);
    void release(bool kept);
    void dropReply();
    [[nodiscard]] EndEvidence evidence() const;
    [[nodiscard]] Phase unseparatedPhase() const;
    [[nodiscard]] bool isErrorStatus() const noexcept { return m_status >= 300; }

    RealClock &m_clock;
    QnamLane *m_lane;
    ConnectionSlot m_slot;
    WireRequest m_request;
    WireListener &m_listener;
    QPointer<QNetworkReply> m_reply;
    QByteArray m_lookupName;      // empty when no look-up can be needed
    quint16 m_connectPort = 0;
    bool m_https;
    int m_signalDepth = 0;        // inside the reply's signals: it must not be deleted there

    Instant m_lastAt;             // of the facts so far
    Phase m_phase = Phase::None;
    bool m_ended = false;
    bool m_retired = false;       // nobody hears of it any more; it deletes itself when the message is complete
    bool m_connecting = false;    // the library opens a connection for it
    bool m_encrypted = false;
    bool m_sendBegan = false;
    bool m_sentAll = false;
    qint64 m_sendBeganNs = 0;
    std::optional<int> m_lookupFailure;
    std::vector<std::shared_ptr<WatchedSocket>> m_sockets; // tried for it
    std::shared_ptr<WatchedSocket> m_established;          // its connection
    quint32 m_responsesBefore = 0;

    int m_status = 0;
    bool m_compressed = false;
    std::optional<qint64> m_expected;
    qint64 m_received = 0;
    qint64 m_unread = 0;          // given to the listener, not yet consumed
    bool m_pumpQueued = false;
    bool m_limited = false;       // the library reads no further ahead than it was told
    std::optional<Instant> m_finishedAt;
};

} // namespace Waitscope
