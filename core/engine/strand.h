// SPDX-License-Identifier: GPL-3.0-or-later
// One chain of layers that runs one task: whatever of it is suspended right now, and the signals that reach it there.
//
// Of a chain exactly one leaf waits at a time, so a signal needs no subscription list: it goes to that one.
#pragma once

#include "engine/callresult.h"
#include "engine/ports/clock.h"

#include <coroutine>
#include <optional>

namespace Waitscope {

// Why a wait ended.
enum class Wake : quint8 {
    Due,         // its time came
    Ready,       // what it waited for is there
    Alarm,       // a swallowed watchdog: an ordinary failure of whatever is being awaited
    Interrupt,   // a control signal: unwind
    PolicyChange // a setting that reaches a running call at once has a new value
};

class Wait;

class Strand
{
public:
    explicit Strand(Clock &clock) noexcept
        : m_clock(clock)
    {
    }
    ~Strand();
    Q_DISABLE_COPY_MOVE(Strand)

    [[nodiscard]] Clock &clock() const noexcept { return m_clock; }

    // Sticky: from now on every wait of this chain ends at once. The first cause stays.
    void interrupt(Interrupted signal);
    [[nodiscard]] const std::optional<Interrupted> &interrupted() const noexcept { return m_interrupted; }
    // A hard cap that reached its own exec is over; the chain goes on.
    void clearHardCap();

    // One-shot: ends the wait of this moment, or the next one when nothing waits.
    void alarm();

    void policyChanged();

private:
    friend class Wait;
    Clock &m_clock;
    Wait *m_waiting = nullptr;
    std::optional<Interrupted> m_interrupted;
    bool m_alarmPending = false;
};

// One suspension point: ends at `due` (never = not by time), when somebody calls ready(), or by a signal of its strand.
// Lives in the coroutine's frame as a named object; destroying the frame takes it out of everything.
class Wait : public ClockNode
{
public:
    // A deaf wait hears no signal of the strand: it is for waiting on something that was told already.
    Wait(Strand &strand, Instant due, bool deaf = false) noexcept
        : m_strand(strand)
        , m_dueAt(due)
        , m_deaf(deaf)
    {
    }
    ~Wait() override;

    // What is waited for is there. Only posts; the clock resumes later. The first reason stays.
    void ready() { fire(Wake::Ready); }

    bool await_ready() noexcept;
    void await_suspend(std::coroutine_handle<> handle);
    Wake await_resume() noexcept;

private:
    friend class Strand;
    void fire(Wake why);
    void onDue() override;
    void onReady() override;

    Strand &m_strand;
    Instant m_dueAt;
    bool m_deaf;
    std::coroutine_handle<> m_handle;
    std::optional<Wake> m_wake;
};

} // namespace Waitscope
