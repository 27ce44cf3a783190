// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultlistener.h"

#include <sys/socket.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

FaultListener::FaultListener(FaultStage &stage, std::optional<size_t> ownScenario, QObject *parent)
    : QTcpServer(parent)
    , m_stage(stage)
    , m_ownScenario(ownScenario)
{
    // Many clients at once are the point; a full queue costs each of them a second.
    setListenBacklogSize(1024);
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
    }
    return {};
}

void FaultListener::incomingConnection(qintptr descriptor)
{
    new FaultConnection(descriptor, m_stage, m_ownScenario, this); // deletes itself when closed, or goes with the listener
}

} // namespace Waitscope
