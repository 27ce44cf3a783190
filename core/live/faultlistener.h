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
    // While the next script answers its connect late and nobody is connected, every SYN is dropped for that long. The client's
    // kernel sends it again 1, 3, 7 … s after the first.
    void closeGate();
    void openGate();
    void onConnectionGone();

    FaultStage &m_stage;
    const std::optional<size_t> m_ownScenario;
    QTimer m_gate;
    int m_connections = 0;
};

} // namespace Waitscope
