// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/strand.h"

#include <utility>

namespace Waitscope {

Strand::~Strand()
{
    Q_ASSERT(!m_waiting);
}

void Strand::interrupt(Interrupted signal)
{
    if (!m_interrupted)
        m_interrupted = std::move(signal);
    if (m_waiting)
        m_waiting->fire(Wake::Interrupt);
}

void Strand::clearHardCap()
{
    if (m_interrupted && m_interrupted->cause == InterruptCause::HardCap)
        m_interrupted.reset();
}

void Strand::alarm()
{
    if (m_waiting && !m_waiting->m_wake)
        m_waiting->fire(Wake::Alarm);
    else
        m_alarmPending = true;
}

void Strand::policyChanged()
{
    if (m_waiting)
        m_waiting->fire(Wake::PolicyChange);
}

Wait::~Wait()
{
    if (m_strand.m_waiting == this)
        m_strand.m_waiting = nullptr;
}

bool Wait::await_ready() noexcept
{
    if (m_deaf)
        return m_wake.has_value();
    if (m_strand.m_interrupted) {
        m_wake = Wake::Interrupt;
        return true;
    }
    if (std::exchange(m_strand.m_alarmPending, false)) {
        m_wake = Wake::Alarm;
        return true;
    }
    return m_wake.has_value();
}

void Wait::await_suspend(std::coroutine_handle<> handle)
{
    m_handle = handle;
    if (!m_deaf)
        m_strand.m_waiting = this;
    m_strand.m_clock.arm(*this, m_dueAt);
}

Wake Wait::await_resume() noexcept
{
    if (m_strand.m_waiting == this)
        m_strand.m_waiting = nullptr;
    return *m_wake;
}

void Wait::fire(Wake why)
{
    if (m_wake) {
        // Already on its way: a control signal still wins over a fact that has not been handled.
        if (why == Wake::Interrupt)
            m_wake = why;
        return;
    }
    m_wake = why;
    m_strand.m_clock.disarm(*this);
    if (m_handle)
        m_strand.m_clock.post(*this);
}

void Wait::onDue()
{
    if (!m_wake)
        m_wake = Wake::Due;
    m_handle.resume();
}

void Wait::onReady()
{
    m_handle.resume();
}

} // namespace Waitscope
