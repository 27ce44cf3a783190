// SPDX-License-Identifier: GPL-3.0-or-later
// Port: the one clock of a run. It owns the heap of timers and the queue of what is ready to go on.
//
// Nothing is ever resumed from inside a Qt signal, a firing or an abort: these only post; the clock drains later, one node
// at a time. now() is the time of the event being handled, never a fresh look: a decision uses the time of what woke it.
#pragma once

#include "base/time.h"

#include <QtGlobal>

#include <vector>

namespace Waitscope {

class Clock;

// Something that waits. Lives in a coroutine frame or an object; its destructor takes it out of heap and queue.
class ClockNode
{
public:
    ClockNode() = default;
    virtual ~ClockNode();
    Q_DISABLE_COPY_MOVE(ClockNode)

    [[nodiscard]] bool isArmed() const noexcept { return m_heapIndex >= 0; }
    [[nodiscard]] bool isQueued() const noexcept { return m_queued; }
    [[nodiscard]] Instant due() const noexcept { return m_due; }

protected:
    // The timer came due (it is already out of the heap). `due` and now() may differ on a real clock.
    // Runs inside the clock's drain: it may arm, post and resume.
    virtual void onDue() = 0;
    // The node was posted and its turn has come.
    virtual void onReady() = 0;

private:
    friend class Clock;
    Clock *m_clock = nullptr;
    Instant m_due = never;
    quint64 m_order = 0;
    qsizetype m_heapIndex = -1;
    ClockNode *m_nextReady = nullptr;
    ClockNode *m_previousReady = nullptr;
    bool m_queued = false;
};

class Clock
{
public:
    Clock() = default;
    virtual ~Clock();
    Q_DISABLE_COPY_MOVE(Clock)

    // Time of the event being handled; between events, of the last one.
    [[nodiscard]] Instant now() const noexcept { return m_now; }

    // Fires onDue() once, at `due` or as soon after as can be; in the past = in the next drain. Ties fire in arming order.
    // Arming an armed node moves it. `never` disarms.
    void arm(ClockNode &node, Instant due);
    void disarm(ClockNode &node) noexcept
    {
        if (node.m_heapIndex >= 0)
            takeOut(node);
    }

    // onReady() runs in the next drain, in posting order, before any timer of a later time. Posting twice is once.
    void post(ClockNode &node);
    void unpost(ClockNode &node) noexcept
    {
        if (node.m_queued)
            unqueue(node);
    }

    // Called by whoever brings an event from outside (a wire fact, a command): `at` is when it happened.
    // Time never runs backwards: an event that arrives late is handled at the present.
    void advanceTo(Instant at) noexcept;

protected:
    // Runs everything that is ready, then timers due at or before `limit` in order, each at its own time when
    // `exact` (a virtual clock), else at now(). Returns how many nodes ran.
    quint64 runReady();
    bool fireNext(Instant limit, bool exact);
    [[nodiscard]] bool hasReady() const noexcept { return m_firstReady != nullptr; }
    [[nodiscard]] Instant nextDue() const noexcept;

    // The earliest due time or the ready queue changed from empty: a real clock re-arms its one timer.
    virtual void wakeNeeded() = 0;

private:
    friend class ClockNode;
    [[nodiscard]] bool earlier(const ClockNode *a, const ClockNode *b) const noexcept;
    void takeOut(ClockNode &node) noexcept;
    void unqueue(ClockNode &node) noexcept;
    void siftUp(qsizetype i) noexcept;
    void siftDown(qsizetype i) noexcept;
    void place(qsizetype i, ClockNode *node) noexcept;

    Instant m_now{};
    quint64 m_order = 0;
    std::vector<ClockNode *> m_heap;
    ClockNode *m_firstReady = nullptr;
    ClockNode *m_lastReady = nullptr;
};

} // namespace Waitscope
