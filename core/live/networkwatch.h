// SPDX-License-Identifier: GPL-3.0-or-later
// Name look-ups and TCP connections of one network thread, as the interposed libc calls see them, told in the owner's thread.
//
// How a connection finds its request: the network library announces a connection (socketStartedConnecting) through its
// thread's event queue right before it calls connect(); the watch sends its own news of that connect() the same way behind
// it. So socketStarted() follows the announcement it belongs to at once, and nothing of that thread comes in between.
// Limits: where the library looks up a name between the two (a proxy's), the order among several requests in that state
// is taken as the order of the announcements; a library that tries a further address announces nothing.
#pragma once

#include "base/time.h"
#include "live/watchedsocket.h"

#include <QObject>
#include <QUrl>

#include <memory>

namespace Waitscope {

class WatchChannel;

// What is set on each new connection of the watched thread. Latest wins: connections begun before keep theirs.
struct SocketOptions {
    SocketOptions() = default;
    bool operator==(const SocketOptions &) const = default;

    bool keepalive = true;
    int keepaliveIdleS = 30;
    int keepaliveIntervalS = 10;
    int keepaliveCount = 3;
    bool ipv4Only = false;
    int sendBufferBytes = 64 * 1024; // small, so that a peer that stops reading shows within the request body

    // Would probes have given up by then? Whoever does not probe is measured alike: so long nobody keeps a silent connection.
    [[nodiscard]] bool isDeadAfter(Duration silence) const noexcept
    {
        return silence >= std::chrono::seconds(keepaliveIdleS + keepaliveIntervalS * keepaliveCount);
    }
};

class NetworkWatch : public QObject
{
    Q_OBJECT

public:
    explicit NetworkWatch(QObject *parent = nullptr);
    ~NetworkWatch() override;

    // Let the network library connect here once: the thread it does that in registers itself. The connection is refused
    // by the hook itself, nothing leaves the process. Only where interpositionWorks().
    [[nodiscard]] QUrl registrationUrl() const;
    [[nodiscard]] bool isRegistered() const noexcept { return m_registered; }

    void setOptions(const SocketOptions &options);

    // Look-ups of `name` are told, whichever thread does them, while it is watched. Counted; ASCII, lower case.
    void watchName(const QByteArray &name);
    void unwatchName(const QByteArray &name);

Q_SIGNALS:
    void lookupBegan(const QByteArray &name, qint64 atNs);
    void lookupEnded(const QByteArray &name, qint64 atNs, int result); // getaddrinfo's result
    void socketStarted(const std::shared_ptr<Waitscope::WatchedSocket> &socket);
    void socketEnded(const std::shared_ptr<Waitscope::WatchedSocket> &socket); // established or failed, later than started
    // The peer has gone, or what it sends is no HTTP; behind whatever the library made of the bytes before.
    void socketBroke(const std::shared_ptr<Waitscope::WatchedSocket> &socket);

private:
    friend class ThreadWatch;

    std::shared_ptr<WatchChannel> m_channel;
    bool m_registered = false;
};

} // namespace Waitscope
