// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultlistener.h"

#include <QFile>

#include <algorithm>
#include <chrono>

#include <linux/filter.h>
#include <sys/socket.h>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

constexpr auto knockPoll = 50ms; // against a client's second between two SYNs

// Is a socket of this machine about to connect to the port? Lines of the kernel's table: slot, local address, peer's address,
// state; addresses as hex, ":", port as four hex digits.
bool isBeingConnectedTo(quint16 port)
{
    const QByteArray ending = ':' + QByteArray::number(port, 16).rightJustified(4, '0').toUpper();
    for (const char *table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        QFile file(QString::fromLatin1(table));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
            const QByteArrayList words = line.simplified().split(' ');
            constexpr QByteArrayView synSent("02");
            if (words.size() > 3 && words[3] == synSent && words[2].endsWith(ending))
                return true;
        }
    }
    return false;
}

} // namespace

using namespace Qt::StringLiterals;

FaultListener::FaultListener(FaultStage &stage, std::optional<size_t> ownScenario, QObject *parent)
    : QTcpServer(parent)
    , m_stage(stage)
    , m_ownScenario(ownScenario)
{
    // Many clients at once are the point; a full queue costs each of them a second.
    setListenBacklogSize(1024);
    m_gate.setSingleShot(true);
    m_gate.setTimerType(Qt::PreciseTimer);
    connect(&m_gate, &QTimer::timeout, this, &FaultListener::openGate);
    connect(&m_knocks, &QTimer::timeout, this, &FaultListener::lookForKnocks);
}

Expected<void> FaultListener::open(const QHostAddress &host, quint16 port)
{
    if (!listen(host, port)) {
        return unavailable(u"port %1 on %2"_s.arg(port).arg(host.toString()), u"cannot be had: "_s + errorString(),
                           u"choose another one, or 0 for a free one"_s);
    }
    if (m_ownScenario) {
        // Scripts that never read: the less the kernel takes for us, the sooner the client sees it. Inherited by what is accepted.
        const int bytes = 4096;
        ::setsockopt(static_cast<int>(socketDescriptor()), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
        closeGate();
    }
    return {};
}

void FaultListener::closeGate()
{
    const Duration wait = m_stage.book.nextConnectWait(*m_ownScenario);
    if (wait == Duration::zero())
        return;
    // A filter that passes no byte of any packet; what is accepted while it is off does not have it.
    sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
    const sock_fprog filter{1, &nothing};
    ::setsockopt(static_cast<int>(socketDescriptor()), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
    if (serverAddress().isLoopback())
        m_knocks.start(knockPoll);
    else
        startWaiting();
}

void FaultListener::lookForKnocks()
{
    if (!isBeingConnectedTo(serverPort()))
        return;
    m_knocks.stop();
    startWaiting();
}

void FaultListener::startWaiting()
{
    const Duration wait = m_stage.book.nextConnectWait(*m_ownScenario);
    const auto real = std::chrono::duration<double, std::nano>(static_cast<double>(wait.count()) / m_stage.scale);
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24); // a timer's range
    m_gate.start(std::min(std::chrono::ceil<std::chrono::milliseconds>(real), longest));
}

void FaultListener::openGate()
{
    const int unused = 0;
    ::setsockopt(static_cast<int>(socketDescriptor()), SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

void FaultListener::onConnectionGone()
{
    --m_connections;
    if (m_connections == 0 && !m_gate.isActive() && !m_knocks.isActive())
        closeGate();
}

void FaultListener::incomingConnection(qintptr descriptor)
{
    // Deletes itself when closed, or goes with the listener.
    auto *connection = new FaultConnection(descriptor, m_stage, m_ownScenario, this);
    if (!m_ownScenario)
        return;
    ++m_connections;
    connect(connection, &QObject::destroyed, this, &FaultListener::onConnectionGone);
}

} // namespace Waitscope
