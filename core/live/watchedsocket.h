// SPDX-License-Identifier: GPL-3.0-or-later
// One TCP connection of a transport as the interposed libc calls saw it: when it came about, and how it stands.
//
// Written by the network library's thread only; asked by the transport. Times are CLOCK_MONOTONIC nanoseconds.
#pragma once

#include "live/responsewatch.h"

#include <atomic>

#include <sys/socket.h>

namespace Waitscope {

class WatchedSocket
{
public:
    // What the last read said about the peer.
    enum class Peer : quint8 { Open, Closed, Reset, TimedOut };

    WatchedSocket(qint64 began, const sockaddr_storage &address, quint16 port) noexcept
        : beganNs(began)
        , peerAddress(address)
        , peerPort(port)
    {
    }
    Q_DISABLE_COPY_MOVE(WatchedSocket)

    const qint64 beganNs;    // connect() was called
    const sockaddr_storage peerAddress;
    const quint16 peerPort;
    std::atomic<quint16> localPort = 0;
    std::atomic<qint64> endedNs = 0;  // connect() succeeded or failed; 0 = still connecting
    std::atomic<int> error = 0;       // of a connect() that failed
    std::atomic<Peer> peer = Peer::Open;
    ResponseWatch responses;          // means something only where the bytes are plain HTTP

    [[nodiscard]] bool isEstablished() const noexcept { return endedNs != 0 && error == 0; }
    // The peer has gone, or nothing that it sends can be followed any more.
    [[nodiscard]] bool isBroken() const noexcept
    {
        const ResponseWatch::Stage stage = responses.stage();
        return peer != Peer::Open || stage == ResponseWatch::Stage::NotHttp || stage == ResponseWatch::Stage::BadChunk;
    }
};

} // namespace Waitscope
