// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultsocket.h"

#include <cerrno>

#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

constexpr auto lingerTime = 2s;
constexpr auto deliveryPoll = 2ms;
constexpr int mostDeliveryChecks = 500; // 1 s: a peer that does not read must not keep us
constexpr auto sweepPeriod = 500ms;

bool wouldBlock(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

FaultSocket::FaultSocket(qintptr descriptor)
    : m_fd(static_cast<int>(descriptor))
    , m_readNotifier(descriptor, QSocketNotifier::Read)
    , m_writeNotifier(descriptor, QSocketNotifier::Write)
{
    ::fcntl(m_fd, F_SETFL, ::fcntl(m_fd, F_GETFL) | O_NONBLOCK);
    // Each piece leaves at once: a script's times are the times on the wire.
    const int on = 1;
    ::setsockopt(m_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    m_readNotifier.setEnabled(false);
    m_writeNotifier.setEnabled(false);
    m_endTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_readNotifier, &QSocketNotifier::activated, this, &FaultSocket::onReadable);
    connect(&m_writeNotifier, &QSocketNotifier::activated, this, &FaultSocket::onWritable);
    connect(&m_endTimer, &QTimer::timeout, this, [this] {
        if (m_ending == Ending::Reset)
            closeWithReset();
        else
            die();
    });
    connect(&m_sweep, &QTimer::timeout, this, &FaultSocket::onSweep);
    m_sweep.start(sweepPeriod);
}

FaultSocket::~FaultSocket()
{
    abandon();
}

void FaultSocket::setReading(bool on)
{
    if (m_fd < 0 || m_ending != Ending::None)
        return;
    m_readNotifier.setEnabled(on && !m_peerFinished);
    if (m_readNotifier.isEnabled())
        m_sweep.stop();
    else
        m_sweep.start(sweepPeriod);
}

QByteArray FaultSocket::read(qsizetype most)
{
    QByteArray bytes(most, Qt::Uninitialized);
    const ssize_t got = m_fd < 0 ? 0 : ::recv(m_fd, bytes.data(), static_cast<size_t>(most), MSG_DONTWAIT);
    bytes.truncate(std::max<ssize_t>(got, 0));
    if (!m_tls || bytes.isEmpty())
        return bytes;
    const std::optional<QByteArray> plain = m_tls->decrypted(bytes);
    queue(m_tls->takeForWire()); // answers of the handshake, or the alert that ends it
    if (plain)
        return *plain;
    finish();
    return {};
}

void FaultSocket::startTls(TlsContext context)
{
    m_tls.emplace(std::move(context));
}

void FaultSocket::write(const QByteArray &bytes)
{
    if (m_fd < 0 || m_ending != Ending::None || bytes.isEmpty())
        return;
    if (m_tls) {
        m_tls->write(bytes);
        queue(m_tls->takeForWire());
    } else {
        queue(bytes);
    }
}

void FaultSocket::queue(const QByteArray &bytes)
{
    if (m_fd < 0 || m_ending != Ending::None || bytes.isEmpty())
        return;
    m_out += bytes;
    flush();
}

void FaultSocket::flush()
{
    while (m_outDone < m_out.size()) {
        const ssize_t sent = ::send(m_fd, m_out.constData() + m_outDone, static_cast<size_t>(m_out.size() - m_outDone),
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            if (!wouldBlock(errno)) {
                die();
                return;
            }
            m_writeNotifier.setEnabled(true);
            return;
        }
        m_outDone += sent;
    }
    m_out.clear();
    m_outDone = 0;
    m_writeNotifier.setEnabled(false);
}

void FaultSocket::onWritable()
{
    flush();
    if (m_fd < 0 || bytesToWrite() > 0)
        return;
    if (m_ending == Ending::Finish)
        finish();
    else if (m_ending == Ending::None)
        Q_EMIT drained();
}

void FaultSocket::onReadable()
{
    if (m_finSent) {
        // Until the peer closes too, its bytes are of no interest.
        char dropped[16 * 1024];
        const ssize_t got = ::recv(m_fd, dropped, sizeof dropped, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && !wouldBlock(errno)))
            die();
        return;
    }
    char first = 0;
    const ssize_t got = ::recv(m_fd, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got > 0) {
        Q_EMIT readable();
    } else if (got == 0) {
        m_peerFinished = true;
        m_readNotifier.setEnabled(false);
        Q_EMIT peerFinished();
    } else if (!wouldBlock(errno)) {
        die();
    }
}

void FaultSocket::onSweep()
{
    tcp_info info{};
    socklen_t size = sizeof info;
    if (m_fd < 0 || ::getsockopt(m_fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return;
    if (info.tcpi_state == TCP_CLOSE) {
        die();
    } else if (info.tcpi_state == TCP_CLOSE_WAIT && !m_peerFinished) {
        m_peerFinished = true;
        Q_EMIT peerFinished();
    }
}

void FaultSocket::finish()
{
    if (m_fd < 0 || m_finSent || m_ending == Ending::Reset)
        return;
    if (m_tls && m_ending == Ending::None) {
        m_tls->writeCloseNotify();
        queue(m_tls->takeForWire());
        if (m_fd < 0)
            return;
    }
    m_ending = Ending::Finish;
    if (bytesToWrite() > 0) {
        // onWritable() comes back; a slow reader gets all it was promised.
        m_readNotifier.setEnabled(false);
        m_sweep.start(sweepPeriod);
        return;
    }
    ::shutdown(m_fd, SHUT_WR);
    m_finSent = true;
    m_sweep.stop();
    m_readNotifier.setEnabled(true);
    m_endTimer.start(lingerTime);
}

void FaultSocket::reset()
{
    if (m_fd < 0 || m_ending == Ending::Reset)
        return;
    m_ending = Ending::Reset;
    m_readNotifier.setEnabled(false);
    m_endTimer.start(deliveryPoll);
    closeWithReset();
}

void FaultSocket::closeWithReset()
{
    // An RST throws away what the peer has not acknowledged yet.
    int queued = 0;
    ::ioctl(m_fd, SIOCOUTQ, &queued);
    if ((queued > 0 || bytesToWrite() > 0) && ++m_deliveryChecks < mostDeliveryChecks)
        return; // the timer comes back
    const linger now{1, 0};
    ::setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    die();
}

void FaultSocket::abandon()
{
    if (m_fd < 0)
        return;
    m_readNotifier.setEnabled(false);
    m_writeNotifier.setEnabled(false);
    m_endTimer.stop();
    m_sweep.stop();
    ::close(m_fd);
    m_fd = -1;
    m_out.clear();
    m_outDone = 0;
}

void FaultSocket::die()
{
    abandon();
    // Queued: the owner may be in the middle of a write.
    QMetaObject::invokeMethod(this, &FaultSocket::closed, Qt::QueuedConnection);
}

} // namespace Waitscope
