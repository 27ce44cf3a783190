// SPDX-License-Identifier: GPL-3.0-or-later
// The timers of one request: which are armed, what resets each, which is due first.
//
// Traffic never re-arms anything: it only moves the moment a timer counts from. One wait serves all of them.
#pragma once

#include "engine/callcontext.h"

#include <array>

namespace Waitscope {

class TimerSet
{
public:
    TimerSet(CallContext &context, SpanId owner) noexcept
        : m_context(context)
        , m_owner(owner)
    {
    }
    ~TimerSet() { disarmAll(); }
    Q_DISABLE_COPY_MOVE(TimerSet)

    // Reads the timer's setting from the policy of this moment; `off` arms nothing.
    void arm(TimerKind kind);
    void disarm(TimerKind kind);
    void disarmAll();
    // After a change of policy: timers whose value differs are armed anew, counting from where they counted.
    void rearmChanged();
    // Something came: timers that it resets count from now.
    void touch(Resets what);

    [[nodiscard]] Instant nextDue() const noexcept;
    // The armed timer that is due at `at`, in the order total, idle, data stall, read, first byte, the others.
    [[nodiscard]] std::optional<TimerKind> expired(Instant at) const noexcept;
    // True when the timer's due time is the deadline's and not its own.
    [[nodiscard]] bool isClamped(TimerKind kind) const noexcept;
    [[nodiscard]] double secondsOf(TimerKind kind) const noexcept;
    // Records the firing.
    void fire(TimerKind kind);

    [[nodiscard]] std::optional<Instant> lastByte() const noexcept { return m_lastByte; }
    [[nodiscard]] std::optional<Instant> lastData() const noexcept { return m_lastData; }

private:
    struct Armed {
        TimerId id;
        Instant from;
        Duration value{};
        double seconds = 0;
    };
    [[nodiscard]] static size_t indexOf(TimerKind kind) noexcept { return static_cast<size_t>(kind); }
    [[nodiscard]] static quint8 bitOf(TimerKind kind) noexcept { return static_cast<quint8>(1U << indexOf(kind)); }
    [[nodiscard]] bool isArmed(TimerKind kind) const noexcept { return (m_armed & bitOf(kind)) != 0; }
    [[nodiscard]] Instant dueOf(const Armed &timer) const noexcept;
    void armFrom(TimerKind kind, Instant from);

    CallContext &m_context;
    SpanId m_owner;
    std::array<Armed, 8> m_timers{}; // Connect … Total
    quint8 m_armed = 0;              // one bit a timer
    std::optional<Instant> m_lastByte;
    std::optional<Instant> m_lastData;
};

} // namespace Waitscope
