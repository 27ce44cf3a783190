// SPDX-License-Identifier: GPL-3.0-or-later
// What one NetworkWatch shares with the threads it hears from; outlives whichever of them ends first.
#pragma once

#include "live/networkwatch.h"

#include <QHash>
#include <QMetaObject>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace Waitscope {

class WatchChannel
{
public:
    WatchChannel(NetworkWatch *owner, quint32 mark)
        : m_mark(mark)
        , m_owner(owner)
    {
    }

    [[nodiscard]] quint32 mark() const noexcept { return m_mark; }

    // Runs `news` in the owner's thread later, unless the owner is gone by then. Any thread.
    void tell(std::function<void(NetworkWatch &)> news);
    void forgetOwner();

    void setOptions(const SocketOptions &options);
    [[nodiscard]] SocketOptions options() const;

    void watchName(const QByteArray &name);
    void unwatchName(const QByteArray &name);
    [[nodiscard]] bool isWatching(const QByteArray &name) const;

private:
    const quint32 m_mark;
    mutable std::mutex m_mutex;
    NetworkWatch *m_owner;
    SocketOptions m_options;
    QHash<QByteArray, int> m_names; // name -> how many requests wait for it
};

// All watches of the process. Never destroyed: threads of the network library may outlive main().
class WatchRegistry
{
public:
    [[nodiscard]] static WatchRegistry &instance();

    [[nodiscard]] std::shared_ptr<WatchChannel> open(NetworkWatch *owner);
    void close(const std::shared_ptr<WatchChannel> &channel);

    // True while any watch exists: the hooks' first question, without a lock.
    [[nodiscard]] bool isInUse() const noexcept { return m_inUse.load(std::memory_order_acquire); }
    [[nodiscard]] std::shared_ptr<WatchChannel> byMark(quint32 mark) const;

    // One search for a name, from when a thread of the resolver begins it: told to whoever watches the name, also from its
    // middle on. The network library lets later requests wait for a search that goes on for earlier ones.
    struct Lookup {
        QByteArray name;
        qint64 beganNs = 0;
        std::vector<std::shared_ptr<WatchChannel>> hearers;
    };
    // nullptr where nobody watches the name.
    [[nodiscard]] std::shared_ptr<Lookup> beginLookup(const QByteArray &name, qint64 atNs);
    void endLookup(const std::shared_ptr<Lookup> &lookup, qint64 atNs, int outcome);
    // The channel watches the name from now on.
    void joinLookups(const std::shared_ptr<WatchChannel> &channel, const QByteArray &name);
    [[nodiscard]] bool wantsIpv4Only(const Lookup &lookup) const;

private:
    static void tellBegan(const Lookup &lookup, WatchChannel &hearer);

    mutable std::mutex m_mutex;
    std::vector<std::shared_ptr<Lookup>> m_lookups; // going on now
    std::vector<std::shared_ptr<WatchChannel>> m_channels;
    std::atomic<bool> m_inUse = false;
    quint32 m_lastMark = 0;
};

// Marks are addresses of the reserved block 240.0.0.0/8, in which no host can be.
[[nodiscard]] constexpr quint32 markOfAddress(quint32 ipv4) noexcept
{
    return (ipv4 >> 24) == 240 ? (ipv4 & 0x00ffffffU) : 0;
}

} // namespace Waitscope
