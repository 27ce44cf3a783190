// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/slotpool.h"

#include "live/slotnames.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString originOf(const QUrl &url)
{
    const int usualPort = url.scheme() == "https"_L1 ? 443 : 80;
    return url.scheme() + u"://"_s + url.host(QUrl::FullyEncoded).toLower() + u':' + QString::number(url.port(usualPort));
}

ConnectionSlot renewed(ConnectionSlot slot, const SocketOptions &options)
{
    slot.socket.reset();
    slot.kept = false;
    slot.options = options;
    return slot;
}

} // namespace

std::optional<ConnectionSlot> SlotPool::take(const QUrl &url, const SocketOptions &options, Reuse reuse,
                                              qint64 nowNs)
{
    const QString key = originOf(url);
    Origin &origin = m_origins[key];
    const auto same = reuse == Reuse::Nothing ? origin.kept.rend()
                                    : std::find_if(origin.kept.rbegin(), origin.kept.rend(),
                                                   [&options](const ConnectionSlot &slot) { return slot.options == options; });
    if (same != origin.kept.rend()) {
        ConnectionSlot slot = std::move(*same);
        origin.kept.erase(std::next(same).base());
        return slot;
    }
    const bool hasNewName = origin.namesGiven < slotNameCount(url);
    if (!origin.closed.empty() && (nowNs - origin.closed.front().second >= restNs || !hasNewName)) {
        ConnectionSlot slot = renewed(std::move(origin.closed.front().first), options);
        origin.closed.pop_front();
        return slot;
    }
    if (!hasNewName)
        return std::nullopt;
    ConnectionSlot slot;
    slot.origin = key;
    slot.name = slotName(url, origin.namesGiven++);
    slot.options = options;
    return slot;
}

void SlotPool::giveBack(ConnectionSlot slot, bool kept, qint64 nowNs)
{
    Origin &origin = m_origins[slot.origin];
    slot.kept = kept;
    if (kept)
        origin.kept.push_back(std::move(slot));
    else
        origin.closed.emplace_back(renewed(std::move(slot), {}), nowNs);
}

void SlotPool::dropKept(Duration silence, qint64 nowNs)
{
    for (Origin &origin : m_origins) {
        const auto dead = std::stable_partition(origin.kept.begin(), origin.kept.end(), [silence](const ConnectionSlot &slot) {
            return !slot.options.isDeadAfter(silence);
        });
        for (auto slot = dead; slot != origin.kept.end(); ++slot)
            origin.closed.emplace_back(renewed(std::move(*slot), {}), nowNs);
        origin.kept.erase(dead, origin.kept.end());
    }
}

} // namespace Waitscope
