// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of a live run: the kernel's monotonic clock times a scale, driven by the event loop of the engine's thread.
//
// Nominal time is what timers, policies and traces count; nominal = real x scale, and nothing outside this class knows of
// the scale. Both wake-ups (something was posted, a timer came due) arrive as one queued event, behind the wire facts that
// are already waiting in the thread's queue: a thread that lags never times out what has in truth arrived.
#pragma once

#include "engine/ports/clock.h"
#include "live/suspendgauge.h"
#include "live/waketimer.h"

#include <QObject>

#include <optional>

namespace Waitscope {

class RealClock final : public QObject, public Clock
{
    Q_OBJECT

public:
    // `scale` is finite and above 0 (who takes it from a person checks that); 60 lets a nominal minute pass in a second.
    // The trace starts now.
    explicit RealClock(double scale = 1.0, WakeTimer::Means means = WakeTimer::Means::TimerFd);

    // The present, for stamping what comes from outside. Any thread. now() stays the time of the event being handled.
    [[nodiscard]] Instant nominalNow() const noexcept;

    // A CLOCK_MONOTONIC stamp taken anywhere in this process, on this clock. Any thread.
    [[nodiscard]] Instant fromMonotonicNs(qint64 stampNs) const noexcept;

    // Asked now and then by the run's owner: how long (real time) the machine was suspended since the last answer.
    // The monotonic clock, and so every timer, stood still meanwhile.
    [[nodiscard]] std::optional<Duration> takeSuspend() noexcept;

    [[nodiscard]] double scale() const noexcept { return m_scale; }

protected:
    void wakeNeeded() override;
    bool event(QEvent *event) override;

private:
    void requestDrain();
    void drain();
    void armNext();
    [[nodiscard]] qint64 monotonicAt(Instant due) const noexcept;

    const qint64 m_startNs;
    const double m_scale;
    SuspendGauge m_suspends;
    WakeTimer m_timer;
    bool m_drainRequested = false;
    bool m_draining = false;
};

} // namespace Waitscope
