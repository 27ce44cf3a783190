// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/realclock.h"

#include "live/monotonic.h"

#include <QCoreApplication>
#include <QEvent>

#include <cmath>
#include <limits>

namespace Waitscope {

namespace {

const QEvent::Type drainEvent = static_cast<QEvent::Type>(QEvent::registerEventType());

// 64 bits of mantissa where the machine has them: nanoseconds stay exact over years.
qint64 clampedToNs(long double ns) noexcept
{
    constexpr auto limit = static_cast<long double>(std::numeric_limits<qint64>::max());
    if (ns >= limit)
        return std::numeric_limits<qint64>::max();
    if (ns <= -limit)
        return -std::numeric_limits<qint64>::max();
    return static_cast<qint64>(ns);
}

} // namespace

RealClock::RealClock(double scale, WakeTimer::Means means)
    : m_startNs(monotonicNs())
    , m_scale(scale)
    , m_suspends(suspendedNs())
    , m_timer(means)
{
    Q_ASSERT(std::isfinite(scale) && scale > 0);
    connect(&m_timer, &WakeTimer::rang, this, &RealClock::requestDrain);
}

Instant RealClock::nominalNow() const noexcept
{
    return fromMonotonicNs(monotonicNs());
}

Instant RealClock::fromMonotonicNs(qint64 stampNs) const noexcept
{
    const auto real = static_cast<long double>(stampNs - m_startNs);
    // Rounded down: no timer may look due before it is.
    return Instant{Duration{clampedToNs(std::floor(real * static_cast<long double>(m_scale)))}};
}

qint64 RealClock::monotonicAt(Instant due) const noexcept
{
    const auto nominal = static_cast<long double>(due.time_since_epoch().count());
    const auto real = std::ceil(nominal / static_cast<long double>(m_scale));
    return clampedToNs(real + static_cast<long double>(m_startNs));
}

std::optional<Duration> RealClock::takeSuspend() noexcept
{
    return m_suspends.read(suspendedNs());
}

void RealClock::wakeNeeded()
{
    if (m_draining)
        return; // the drain looks again before it ends
    if (hasReady())
        requestDrain();
    else
        armNext();
}

void RealClock::requestDrain()
{
    if (m_drainRequested)
        return;
    m_drainRequested = true;
    QCoreApplication::postEvent(this, new QEvent(drainEvent));
}

bool RealClock::event(QEvent *event)
{
    if (event->type() != drainEvent)
        return QObject::event(event);
    m_drainRequested = false;
    drain();
    return true;
}

void RealClock::drain()
{
    if (m_draining)
        return; // a node runs an event loop of its own: the outer drain goes on when that returns
    m_draining = true;
    for (;;) {
        runReady();
        const Instant present = nominalNow();
        if (nextDue() > present)
            break;
        advanceTo(present);
        fireNext(present, false);
    }
    m_draining = false;
    armNext();
}

void RealClock::armNext()
{
    const Instant due = nextDue();
    if (due == never)
        m_timer.clearAlarm();
    else
        m_timer.setAlarm(monotonicAt(due));
}

} // namespace Waitscope
