// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/pool.h"

namespace Waitscope {

bool ConnectionPool::Slot::acquire(int size)
{
    m_pool.m_size = size;
    if (m_pool.m_inUse < size && m_pool.m_queue.empty()) {
        ++m_pool.m_inUse;
        m_held = true;
        return true;
    }
    m_pool.m_queue.push_back(this);
    m_queued = true;
    return false;
}

void ConnectionPool::release(Slot &slot)
{
    if (slot.m_queued)
        m_queue.remove(&slot);
    if (slot.m_held)
        --m_inUse;
    slot.m_queued = slot.m_held = false;
    while (!m_queue.empty() && m_inUse < m_size) {
        Slot *next = m_queue.front();
        m_queue.pop_front();
        next->m_queued = false;
        next->m_held = true;
        ++m_inUse;
        if (next->m_wait)
            next->m_wait->ready();
    }
}

} // namespace Waitscope
