// SPDX-License-Identifier: GPL-3.0-or-later
// One absolute alarm on CLOCK_MONOTONIC for an event loop: never early, no upper limit, far finer than a millisecond.
//
// A timerfd where one can be had; a precise QTimer, armed in legs, where not (no file descriptor left). Lives in the thread
// that made it.
#pragma once

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>
#include <optional>

namespace Waitscope {

class WakeTimer : public QObject
{
    Q_OBJECT

public:
    enum class Means : quint8 { TimerFd, QtTimer };

    explicit WakeTimer(Means preferred = Means::TimerFd, QObject *parent = nullptr);
    ~WakeTimer() override;

    // Replaces the alarm. Times that are past ring at once, from the event loop.
    void setAlarm(qint64 monotonicNs);
    void clearAlarm();

    [[nodiscard]] Means means() const noexcept { return m_notifier ? Means::TimerFd : Means::QtTimer; }

Q_SIGNALS:
    void rang();

private:
    void startLeg();
    void onRead();

    int m_fd = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_timer;
    std::optional<qint64> m_alarmNs;
};

} // namespace Waitscope
