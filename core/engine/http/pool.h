// SPDX-License-Identifier: GPL-3.0-or-later
// The connection pool: how many requests may be on the wire at once. Waiting for a slot is the queue phase.
#pragma once

#include "engine/strand.h"

#include <list>

namespace Waitscope {

// Slots are handed out in order of asking. One pool a run.
class ConnectionPool
{
public:
    ConnectionPool() = default;
    Q_DISABLE_COPY_MOVE(ConnectionPool)

    // A place in the pool or in its queue; gives both back when it goes.
    class Slot
    {
    public:
        explicit Slot(ConnectionPool &pool) noexcept
            : m_pool(pool)
        {
        }
        ~Slot() { m_pool.release(*this); }
        Q_DISABLE_COPY_MOVE(Slot)

        // Takes a free slot, or joins the queue. `size` is the policy's of this moment.
        bool acquire(int size);
        [[nodiscard]] bool isHeld() const noexcept { return m_held; }
        // Who is woken when a queued slot is granted; nullptr = nobody waits at the moment.
        void wake(Wait *wait) noexcept { m_wait = wait; }

    private:
        friend class ConnectionPool;
        ConnectionPool &m_pool;
        Wait *m_wait = nullptr;
        bool m_held = false;
        bool m_queued = false;
    };

    [[nodiscard]] int inUse() const noexcept { return m_inUse; }
    [[nodiscard]] qsizetype queued() const noexcept { return static_cast<qsizetype>(m_queue.size()); }

private:
    void release(Slot &slot);
    std::list<Slot *> m_queue;
    int m_inUse = 0;
    int m_size = 0;
};

} // namespace Waitscope
