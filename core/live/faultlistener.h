// SPDX-License-Identifier: GPL-3.0-or-later
// One port of a fault server: makes a connection of each descriptor that is accepted.
#pragma once

#include "base/problem.h"
#include "live/faultconnection.h"

#include <QTcpServer>
#include <QTimer>

namespace Waitscope {

class FaultListener : public QTcpServer
{
    Q_OBJECT

public:
    // `ownScenario`: as for a connection.
    FaultListener(FaultStage &stage, std::optional<size_t> ownScenario, QObject *parent);

    [[nodiscard]] Expected<void> open(const QHostAddress &host, quint16 port);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    // While the next script answers its connect late and nobody is connected, every SYN is dropped, until that long after the
    // first. The client's kernel sends it again 1, 3, 7 … s later. A dropped SYN is seen in the kernel's table of connections,
    // where the client is on this machine; for others the wait begins at once.
    void closeGate();
    void lookForKnocks();
    void startWaiting();
    void openGate();
    void onConnectionGone();

    FaultStage &m_stage;
    const std::optional<size_t> m_ownScenario;
    QTimer m_knocks;
    QTimer m_gate;
    int m_connections = 0;
};

} // namespace Waitscope
