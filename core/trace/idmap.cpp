// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/idmap.h"

namespace Waitscope {

bool IdMap::add(quint64 id)
{
    if (id == 0 || find(id))
        return false;
    const quint32 place = size();
    if (m_ids.isEmpty() && id == quint64{m_straight} + 1) {
        ++m_straight;
        return true;
    }
    m_ids.append(id);
    const quint64 slot = id - 1 - m_straight; // id > m_straight, or find() would have known it
    if (slot < 8 * quint64{size()} + 1024) {
        while (m_direct.size() <= slot)
            m_direct.append(0);
        m_direct[static_cast<quint32>(slot)] = place + 1;
    } else {
        m_far.insert(id, place);
    }
    return true;
}

std::optional<quint32> IdMap::find(quint64 id) const
{
    if (id == 0)
        return std::nullopt;
    if (id <= m_straight)
        return static_cast<quint32>(id - 1);
    const quint64 slot = id - 1 - m_straight;
    if (slot < m_direct.size()) {
        if (const quint32 place = m_direct[static_cast<quint32>(slot)])
            return place - 1;
    }
    if (const auto it = m_far.constFind(id); it != m_far.constEnd())
        return it.value();
    return std::nullopt;
}

qsizetype IdMap::memory() const noexcept
{
    return m_ids.memory() + m_direct.memory() + m_far.capacity() * 24;
}

} // namespace Waitscope
