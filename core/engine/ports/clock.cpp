// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ports/clock.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

ClockNode::~ClockNode()
{
    if (!m_clock)
        return;
    m_clock->disarm(*this);
    m_clock->unpost(*this);
}

Clock::~Clock()
{
    // Nodes may outlive the clock by a moment when a run is torn down; they must not reach back into it.
    for (ClockNode *node : m_heap) {
        node->m_heapIndex = -1;
        node->m_clock = nullptr;
    }
    for (ClockNode *node = m_firstReady; node;) {
        ClockNode *next = node->m_nextReady;
        node->m_queued = false;
        node->m_clock = nullptr;
        node = next;
    }
}

bool Clock::earlier(const ClockNode *a, const ClockNode *b) const noexcept
{
    return a->m_due != b->m_due ? a->m_due < b->m_due : a->m_order < b->m_order;
}

void Clock::place(qsizetype i, ClockNode *node) noexcept
{
    m_heap[static_cast<size_t>(i)] = node;
    node->m_heapIndex = i;
}

void Clock::siftUp(qsizetype i) noexcept
{
    ClockNode *node = m_heap[static_cast<size_t>(i)];
    while (i > 0) {
        const qsizetype parent = (i - 1) / 2;
        if (!earlier(node, m_heap[static_cast<size_t>(parent)]))
            break;
        place(i, m_heap[static_cast<size_t>(parent)]);
        i = parent;
    }
    place(i, node);
}

void Clock::siftDown(qsizetype i) noexcept
{
    ClockNode *node = m_heap[static_cast<size_t>(i)];
    const auto size = static_cast<qsizetype>(m_heap.size());
    for (;;) {
        qsizetype child = 2 * i + 1;
        if (child >= size)
            break;
        if (child + 1 < size && earlier(m_heap[static_cast<size_t>(child + 1)], m_heap[static_cast<size_t>(child)]))
            ++child;
        if (!earlier(m_heap[static_cast<size_t>(child)], node))
            break;
        place(i, m_heap[static_cast<size_t>(child)]);
        i = child;
    }
    place(i, node);
}

void Clock::arm(ClockNode &node, Instant due)
{
    disarm(node);
    if (due == never)
        return;
    const Instant before = nextDue();
    node.m_clock = this;
    node.m_due = due;
    node.m_order = ++m_order;
    m_heap.push_back(&node);
    node.m_heapIndex = static_cast<qsizetype>(m_heap.size()) - 1;
    if (node.m_heapIndex > 0)
        siftUp(node.m_heapIndex);
    if (due < before)
        wakeNeeded();
}

void Clock::takeOut(ClockNode &node) noexcept
{
    Q_ASSERT(node.m_clock == this);
    const qsizetype hole = std::exchange(node.m_heapIndex, -1);
    ClockNode *last = m_heap.back();
    m_heap.pop_back();
    if (last == &node)
        return;
    place(hole, last);
    if (m_heap.size() == 1)
        return;
    siftUp(hole);
    siftDown(last->m_heapIndex);
}

void Clock::post(ClockNode &node)
{
    if (node.m_queued)
        return;
    node.m_clock = this;
    node.m_queued = true;
    node.m_nextReady = nullptr;
    node.m_previousReady = m_lastReady;
    if (m_lastReady) {
        m_lastReady->m_nextReady = &node;
        m_lastReady = &node;
        return;
    }
    m_firstReady = m_lastReady = &node;
    wakeNeeded();
}

void Clock::unqueue(ClockNode &node) noexcept
{
    node.m_queued = false;
    (node.m_previousReady ? node.m_previousReady->m_nextReady : m_firstReady) = node.m_nextReady;
    (node.m_nextReady ? node.m_nextReady->m_previousReady : m_lastReady) = node.m_previousReady;
    node.m_nextReady = node.m_previousReady = nullptr;
}

void Clock::advanceTo(Instant at) noexcept
{
    m_now = std::max(m_now, at);
}

quint64 Clock::runReady()
{
    quint64 ran = 0;
    while (ClockNode *node = m_firstReady) {
        unpost(*node);
        node->onReady(); // may destroy the node
        ++ran;
    }
    return ran;
}

bool Clock::fireNext(Instant limit, bool exact)
{
    if (m_heap.empty() || m_heap.front()->m_due > limit)
        return false;
    ClockNode *node = m_heap.front();
    if (exact)
        advanceTo(node->m_due);
    disarm(*node);
    node->onDue(); // may destroy the node
    return true;
}

Instant Clock::nextDue() const noexcept
{
    return m_heap.empty() ? never : m_heap.front()->m_due;
}

} // namespace Waitscope
