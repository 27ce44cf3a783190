// SPDX-License-Identifier: GPL-3.0-or-later
// One accepted connection as a fault server needs it: every way to end it, and no byte read that nobody asked for.
#pragma once

#include "live/tlsserverside.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <optional>

namespace Waitscope {

// QTcpSocket cannot serve here: it reads ahead, closes fully when the peer only half-closes, and cannot half-close itself.
// Signals are never emitted from inside a call of the owner.
class FaultSocket : public QObject
{
    Q_OBJECT

public:
    explicit FaultSocket(qintptr descriptor); // owns it from here on
    ~FaultSocket() override;

    // Everything is TLS from here on; before the first byte only.
    void startTls(TlsContext context);

    // Off: the peer's bytes stay in the kernel, so that a large request stalls in sending.
    void setReading(bool on);
    // Empty also while a handshake goes on, and where the peer broke TLS off; then closed() follows.
    [[nodiscard]] QByteArray read(qsizetype most);

    void write(const QByteArray &bytes);
    [[nodiscard]] qsizetype bytesToWrite() const noexcept { return m_out.size() - m_outDone; }

    // FIN after what is written; then the peer's bytes are dropped until it closes too, at most for two seconds. A plain
    // close with bytes unread would be an RST.
    void finish();
    // RST after what is written has been delivered, but at most a second later.
    void reset();
    // Closes now, whatever is on the way.
    void abandon();

Q_SIGNALS:
    void readable();
    void drained();      // everything written is in the kernel
    void peerFinished(); // the peer closed, or half-closed: the two cannot be told apart before something is sent
    void closed();       // the last signal

private:
    void onReadable();
    void onWritable();
    void onSweep();
    void flush();
    void die();
    void closeWithReset();

    enum class Ending : quint8 { None, Finish, Reset };

    void queue(const QByteArray &bytes);

    int m_fd;
    std::optional<TlsServerSide> m_tls;
    QSocketNotifier m_readNotifier;
    QSocketNotifier m_writeNotifier;
    QTimer m_endTimer; // bounds lingering; polls for delivery before an RST
    QTimer m_sweep;    // finds a peer that closed while nothing is read
    QByteArray m_out;
    qsizetype m_outDone = 0;
    Ending m_ending = Ending::None;
    int m_deliveryChecks = 0;
    bool m_finSent = false;
    bool m_peerFinished = false;
};

} // namespace Waitscope
