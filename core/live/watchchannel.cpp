// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/watchchannel.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

void WatchChannel::tell(std::function<void(NetworkWatch &)> news)
{
    // Under the lock: the owner cannot go between the look and the posting.
    const std::lock_guard lock(m_mutex);
    if (!m_owner)
        return;
    NetworkWatch *owner = m_owner;
    QMetaObject::invokeMethod(owner, [owner, heard = std::move(news)] { heard(*owner); }, Qt::QueuedConnection);
}

void WatchChannel::forgetOwner()
{
    const std::lock_guard lock(m_mutex);
    m_owner = nullptr;
}

void WatchChannel::setOptions(const SocketOptions &options)
{
    const std::lock_guard lock(m_mutex);
    m_options = options;
}

SocketOptions WatchChannel::options() const
{
    const std::lock_guard lock(m_mutex);
    return m_options;
}

void WatchChannel::watchName(const QByteArray &name)
{
    const std::lock_guard lock(m_mutex);
    ++m_names[name];
}

void WatchChannel::unwatchName(const QByteArray &name)
{
    const std::lock_guard lock(m_mutex);
    const auto it = m_names.find(name);
    if (it != m_names.end() && --it.value() == 0)
        m_names.erase(it);
}

bool WatchChannel::isWatching(const QByteArray &name) const
{
    const std::lock_guard lock(m_mutex);
    return m_names.contains(name);
}

WatchRegistry &WatchRegistry::instance()
{
    static auto *const registry = new WatchRegistry;
    return *registry;
}

std::shared_ptr<WatchChannel> WatchRegistry::open(NetworkWatch *owner)
{
    const std::lock_guard lock(m_mutex);
    m_lastMark = m_lastMark % 0x00ffffffU + 1;
    m_channels.push_back(std::make_shared<WatchChannel>(owner, m_lastMark));
    m_inUse.store(true, std::memory_order_release);
    return m_channels.back();
}

void WatchRegistry::close(const std::shared_ptr<WatchChannel> &channel)
{
    channel->forgetOwner();
    const std::lock_guard lock(m_mutex);
    std::erase(m_channels, channel);
    m_inUse.store(!m_channels.empty(), std::memory_order_release);
}

std::shared_ptr<WatchChannel> WatchRegistry::byMark(quint32 mark) const
{
    const std::lock_guard lock(m_mutex);
    const auto it = std::ranges::find(m_channels, mark, [](const auto &channel) { return channel->mark(); });
    return it == m_channels.end() ? nullptr : *it;
}

void WatchRegistry::tellBegan(const Lookup &lookup, WatchChannel &hearer)
{
    hearer.tell([name = lookup.name, began = lookup.beganNs](NetworkWatch &owner) { Q_EMIT owner.lookupBegan(name, began); });
}

std::shared_ptr<WatchRegistry::Lookup> WatchRegistry::beginLookup(const QByteArray &name, qint64 atNs)
{
    const std::lock_guard lock(m_mutex);
    auto lookup = std::make_shared<Lookup>();
    lookup->name = name;
    lookup->beganNs = atNs;
    std::ranges::copy_if(m_channels, std::back_inserter(lookup->hearers),
                         [&name](const auto &channel) { return channel->isWatching(name); });
    if (lookup->hearers.empty())
        return nullptr;
    for (const auto &hearer : lookup->hearers)
        tellBegan(*lookup, *hearer);
    m_lookups.push_back(lookup);
    return lookup;
}

void WatchRegistry::endLookup(const std::shared_ptr<Lookup> &lookup, qint64 atNs, int outcome)
{
    const std::lock_guard lock(m_mutex);
    std::erase(m_lookups, lookup);
    for (const auto &hearer : lookup->hearers)
        hearer->tell([name = lookup->name, atNs, outcome](NetworkWatch &owner) { Q_EMIT owner.lookupEnded(name, atNs, outcome); });
}

void WatchRegistry::joinLookups(const std::shared_ptr<WatchChannel> &channel, const QByteArray &name)
{
    const std::lock_guard lock(m_mutex);
    for (const auto &lookup : m_lookups) {
        if (lookup->name != name || std::ranges::find(lookup->hearers, channel) != lookup->hearers.end())
            continue;
        lookup->hearers.push_back(channel);
        tellBegan(*lookup, *channel);
    }
}

bool WatchRegistry::wantsIpv4Only(const Lookup &lookup) const
{
    const std::lock_guard lock(m_mutex);
    return std::ranges::any_of(lookup.hearers, [](const auto &hearer) { return hearer->options().ipv4Only; });
}

} // namespace Waitscope
