// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/waketimer.h"

#include "live/monotonic.h"

#include <algorithm>

#include <sys/timerfd.h>
#include <unistd.h>

namespace Waitscope {

namespace {

constexpr qint64 nsPerS = 1'000'000'000;
constexpr qint64 nsPerMs = 1'000'000;
constexpr qint64 longestLegMs = 3'600'000; // far below what an int of milliseconds holds

} // namespace

WakeTimer::WakeTimer(Means preferred, QObject *parent)
    : QObject(parent)
    , m_timer(this)
{
    if (preferred == Means::TimerFd)
        m_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (m_fd >= 0) {
        m_notifier = std::make_unique<QSocketNotifier>(m_fd, QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &WakeTimer::onRead);
        return;
    }
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &WakeTimer::startLeg);
}

WakeTimer::~WakeTimer()
{
    m_notifier.reset(); // before its descriptor goes
    if (m_fd >= 0)
        ::close(m_fd);
}

void WakeTimer::setAlarm(qint64 monotonicAtNs)
{
    m_alarmNs = monotonicAtNs;
    if (!m_notifier) {
        // Even a past alarm rings from the event loop, never from inside this call.
        m_timer.start(monotonicAtNs <= monotonicNs() ? 0 : 1);
        return;
    }
    itimerspec spec{};
    // All zero would disarm; a time long past rings at once just the same.
    const qint64 at = std::max<qint64>(monotonicAtNs, 1);
    spec.it_value.tv_sec = at / nsPerS;
    spec.it_value.tv_nsec = at % nsPerS;
    timerfd_settime(m_fd, TFD_TIMER_ABSTIME, &spec, nullptr);
}

void WakeTimer::clearAlarm()
{
    m_alarmNs.reset();
    if (!m_notifier) {
        m_timer.stop();
        return;
    }
    const itimerspec off{};
    timerfd_settime(m_fd, 0, &off, nullptr);
}

void WakeTimer::startLeg()
{
    if (!m_alarmNs)
        return;
    const qint64 left = *m_alarmNs - monotonicNs();
    if (left > 0) {
        m_timer.start(static_cast<int>(std::min(left / nsPerMs + 1, longestLegMs)));
        return;
    }
    m_alarmNs.reset();
    Q_EMIT rang();
}

void WakeTimer::onRead()
{
    quint64 times = 0;
    if (::read(m_fd, &times, sizeof times) != sizeof times)
        return; // re-armed to a later time since the notifier woke us
    m_alarmNs.reset();
    Q_EMIT rang();
}

} // namespace Waitscope
