// SPDX-License-Identifier: GPL-3.0-or-later
// Serves one connection of a fault server: reads a request, plays its script, and goes on if both sides wish to.
#pragma once

#include "fault/scriptplayer.h"
#include "live/faultbook.h"
#include "live/faultrequest.h"
#include "live/faultsocket.h"

#include <chrono>
#include <functional>

namespace Waitscope {

struct ServedRequest {
    QString scenario;
    qint64 number = 0; // within the scenario or the exec, from 1
    QByteArray exec;
    QByteArray method;
    QUrl url;
};

// What all connections of a server share; outlives them.
struct FaultStage {
    FaultBook &book;
    double scale = 1; // nominal seconds a real second
    std::function<QDateTime()> nowUtc;
    std::function<void(const ServedRequest &)> onRequest;
    std::vector<TlsContext> tls; // by scenario; null where none is needed
};

class FaultConnection : public QObject
{
    Q_OBJECT

public:
    // `ownScenario`: the port serves this scenario only, and the connect itself may be what its script is about.
    FaultConnection(qintptr descriptor, FaultStage &stage, std::optional<size_t> ownScenario, QObject *parent);
    ~FaultConnection() override;

private:
    using SteadyClock = std::chrono::steady_clock;

    enum class State : quint8 { Reading, Handshake, Playing, Hanging, Ending };

    void onReadable();
    void onPeerFinished();
    void readRequest();
    void beginScript();
    void playAtConnect(ConnectionFault fault);
    // False where the handshake itself is the fault: it is played, or will be once the client has begun it.
    [[nodiscard]] bool startTls(TlsFault fault);
    void breakHandshake();
    void play();
    // False when the script has ended with it.
    [[nodiscard]] bool perform(const WireAction &action);
    void replyDone();
    void refuse(int status, const QByteArray &text);
    void finish();

    FaultStage &m_stage;
    const std::optional<size_t> m_ownScenario;
    FaultSocket m_socket;
    QTimer m_timer;
    State m_state = State::Reading;
    FaultRequestReader m_reader;
    QByteArray m_in;           // read, but not yet taken by the reader
    FaultRequest m_request;
    std::optional<size_t> m_usedBy; // the scenario this connection was counted for
    std::optional<ScriptPlayer> m_player;
    std::optional<WireAction> m_next;
    SteadyClock::time_point m_due;
    bool m_blocked = false;    // waits for the client to read
    bool m_pipelined = false;  // bytes came before the reply was complete
    bool m_peerFinished = false;
    bool m_closeAsked = false; // the reply's own Connection: close
    bool m_leavesStale = false;
};

} // namespace Waitscope
