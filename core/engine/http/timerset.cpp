// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/timerset.h"

#include <algorithm>
#include <bit>

namespace Waitscope {

namespace {

constexpr TimerKind byPriority[] = {
    TimerKind::Total, TimerKind::Idle, TimerKind::DataStall, TimerKind::Read,
    TimerKind::FirstByte, TimerKind::Write, TimerKind::Connect, TimerKind::Pool,
};

struct TimerRule {
    Setting setting;
    Resets resets;
};

TimerRule ruleOf(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Connect:
        return {Setting::HttpConnectTimeout, Resets::Nothing};
    case TimerKind::Write:
        return {Setting::HttpWriteTimeout, Resets::Progress};
    case TimerKind::Pool:
        return {Setting::HttpPoolTimeout, Resets::Nothing};
    case TimerKind::FirstByte:
        return {Setting::HttpFirstByteTimeout, Resets::Nothing};
    case TimerKind::Read:
        return {Setting::HttpReadTimeout, Resets::AnyByte};
    case TimerKind::Idle:
        return {Setting::HttpIdleTimeout, Resets::AnyLine};
    case TimerKind::DataStall:
        return {Setting::HttpDataStallTimeout, Resets::DataEvent};
    case TimerKind::Total:
        return {Setting::HttpTotalTimeout, Resets::Nothing};
    case TimerKind::Deadline:
    case TimerKind::Watchdog:
    case TimerKind::BackoffEnd:
    case TimerKind::HardCap:
        break; // not of the http layer
    }
    Q_UNREACHABLE();
}

} // namespace

void TimerSet::arm(TimerKind kind)
{
    armFrom(kind, m_context.now());
}

void TimerSet::armFrom(TimerKind kind, Instant from)
{
    const TimerRule rule = ruleOf(kind);
    const std::optional<double> seconds = m_context.policy().seconds(rule.setting);
    if (!seconds)
        return;
    Armed &timer = m_timers[indexOf(kind)];
    m_armed |= bitOf(kind);
    timer.from = from;
    timer.seconds = *seconds;
    timer.value = fromSeconds(*seconds);
    timer.id = m_context.log().arm(kind, [&](TimerArmed &event) {
        event.owner = m_owner;
        event.resets = rule.resets;
        event.kills = Kills::Request;
        event.due = dueOf(timer);
        event.value = timer.value;
        event.clamped = isClamped(kind);
        const SettingInfo &info = infoOf(rule.setting);
        event.setting = info.name;
        event.variable = info.variable;
    });
}

void TimerSet::disarm(TimerKind kind)
{
    if (!isArmed(kind))
        return;
    m_armed &= static_cast<quint8>(~bitOf(kind));
    m_context.log().disarm(m_timers[indexOf(kind)].id);
}

void TimerSet::disarmAll()
{
    if (m_armed == 0)
        return;
    for (TimerKind kind : byPriority)
        disarm(kind);
}

void TimerSet::rearmChanged()
{
    for (TimerKind kind : byPriority) {
        if (!isArmed(kind))
            continue;
        const Armed timer = m_timers[indexOf(kind)];
        const std::optional<double> seconds = m_context.policy().seconds(ruleOf(kind).setting);
        if (seconds && *seconds == timer.seconds)
            continue;
        disarm(kind);
        armFrom(kind, timer.from);
    }
}

void TimerSet::touch(Resets what)
{
    const Instant now = m_context.now();
    switch (what) {
    case Resets::Nothing:
        return;
    case Resets::Progress:
        m_timers[indexOf(TimerKind::Write)].from = now;
        return;
    case Resets::AnyByte:
        m_lastByte = now;
        m_timers[indexOf(TimerKind::Read)].from = now;
        return;
    case Resets::AnyLine:
        m_timers[indexOf(TimerKind::Idle)].from = now;
        return;
    case Resets::DataEvent:
        m_lastData = now;
        m_timers[indexOf(TimerKind::DataStall)].from = now;
        return;
    }
    Q_UNREACHABLE();
}

Instant TimerSet::dueOf(const Armed &timer) const noexcept
{
    const Instant own = after(timer.from, timer.value);
    return m_context.clampAt ? std::min(own, *m_context.clampAt) : own;
}

Instant TimerSet::nextDue() const noexcept
{
    // A clamp ends the wait even when no timer is armed at all.
    Instant due = m_context.clampAt.value_or(never);
    for (unsigned armed = m_armed; armed != 0; armed &= armed - 1) {
        const Armed &timer = m_timers[static_cast<size_t>(std::countr_zero(armed))];
        due = std::min(due, after(timer.from, timer.value));
    }
    return due;
}

std::optional<TimerKind> TimerSet::expired(Instant at) const noexcept
{
    if (m_armed == 0)
        return std::nullopt;
    for (TimerKind kind : byPriority) {
        const Armed &timer = m_timers[indexOf(kind)];
        if (isArmed(kind) && after(timer.from, timer.value) <= at)
            return kind;
    }
    return std::nullopt;
}

bool TimerSet::isClamped(TimerKind kind) const noexcept
{
    const Armed &timer = m_timers[indexOf(kind)];
    return m_context.clampAt && *m_context.clampAt < after(timer.from, timer.value);
}

double TimerSet::secondsOf(TimerKind kind) const noexcept
{
    return m_timers[indexOf(kind)].seconds;
}

void TimerSet::fire(TimerKind kind)
{
    const Armed &timer = m_timers[indexOf(kind)];
    m_armed &= static_cast<quint8>(~bitOf(kind));
    TimerFired firing;
    firing.id = timer.id;
    firing.due = dueOf(timer);
    const Instant now = m_context.now();
    if (m_lastByte)
        firing.sinceLastByte = now - *m_lastByte;
    if (m_lastData)
        firing.sinceLastData = now - *m_lastData;
    m_context.log().fired(firing);
}

} // namespace Waitscope
