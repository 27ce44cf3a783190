// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/timertable.h"

#include <algorithm>

namespace Waitscope {

namespace {

// When traffic of the kind that resets this timer was last seen; never = not yet.
Instant lastReset(Resets resets, const Traffic &traffic)
{
    switch (resets) {
    case Resets::Nothing:
        return never;
    case Resets::Progress:
        return traffic.lastProgress;
    case Resets::AnyByte:
        return traffic.lastByte;
    case Resets::AnyLine:
        return traffic.lastLine;
    case Resets::DataEvent:
        return traffic.lastData;
    }
    Q_UNREACHABLE();
}

} // namespace

quint32 TimerTable::arm(const TimerArmed &event, quint32 owner, quint32 previous)
{
    if (const std::optional<quint32> before = currentRow(event.id)) {
        if (m_rows[*before].state == TimerState::Armed)
            end(m_rows[*before], event.at, TimerState::Replaced);
    } else {
        m_ids.add(event.id.value);
        m_current.append(none);
    }
    Row row;
    row.armed = event.at;
    row.due = event.due;
    row.value = event.value;
    row.number = *m_ids.find(event.id.value);
    row.owner = owner;
    row.previous = previous;
    row.armedSlot = static_cast<quint32>(m_armed.size());
    row.setting = wordNumber(event.setting);
    row.variable = wordNumber(event.variable);
    row.kind = event.kind;
    row.resets = event.resets;
    row.kills = event.kills;
    row.clamped = event.clamped;
    const quint32 place = m_rows.size();
    m_rows.append(row);
    m_current[row.number] = place;
    m_armed.push_back(place);
    return place;
}

bool TimerTable::fire(const TimerFired &event, bool &dropped)
{
    const std::optional<quint32> place = currentRow(event.id);
    dropped = place && m_rows[*place].state == TimerState::Dropped;
    if (!place || (m_rows[*place].state != TimerState::Armed && !dropped))
        return false;
    Row &row = m_rows[*place];
    row.firing = m_firings.size();
    m_firings.append({event.due, event.sinceLastByte, event.sinceLastData});
    end(row, event.at, TimerState::Fired);
    return true;
}

bool TimerTable::disarm(const TimerDisarmed &event, bool &dropped)
{
    const std::optional<quint32> place = currentRow(event.id);
    dropped = place && m_rows[*place].state == TimerState::Dropped;
    if (!place || (m_rows[*place].state != TimerState::Armed && !dropped))
        return false;
    end(m_rows[*place], event.at, TimerState::Disarmed);
    return true;
}

void TimerTable::ownerEnded(quint32 latest, Instant at)
{
    for (quint32 place = latest; place != none; place = m_rows[place].previous) {
        if (m_rows[place].state == TimerState::Armed)
            end(m_rows[place], at, TimerState::Dropped);
    }
}

ShownTimer TimerTable::shown(quint32 place, const Traffic *traffic) const
{
    const Row &row = m_rows[place];
    ShownTimer shown;
    shown.id = TimerId{m_ids.idAt(row.number)};
    shown.kind = row.kind;
    shown.resets = row.resets;
    shown.kills = row.kills;
    shown.state = row.state;
    shown.clamped = row.clamped;
    shown.armed = row.armed;
    shown.due = row.due;
    shown.value = row.value;
    shown.ended = row.ended;
    shown.setting = m_words[row.setting];
    shown.variable = m_words[row.variable];
    shown.effectiveDue = row.due;
    if (traffic) {
        const Instant reset = lastReset(row.resets, *traffic);
        // Later traffic than its end says nothing of this timer.
        if (reset != never && reset >= row.armed && reset <= row.ended)
            shown.lastReset = reset;
    }
    if (shown.lastReset) {
        const Instant moved = after(*shown.lastReset, row.value);
        shown.effectiveDue = row.clamped ? std::min(moved, row.due) : std::max(moved, row.due);
    }
    if (row.firing != none) {
        const Firing &firing = m_firings[row.firing];
        shown.effectiveDue = firing.due;
        shown.sinceLastByte = firing.sinceLastByte;
        shown.sinceLastData = firing.sinceLastData;
    }
    return shown;
}

std::optional<quint32> TimerTable::currentRow(TimerId id) const
{
    const std::optional<quint32> number = m_ids.find(id.value);
    if (!number)
        return std::nullopt;
    return m_current[*number];
}

quint16 TimerTable::wordNumber(QLatin1StringView word)
{
    // A few dozen settings in a sane trace.
    return m_words.size() < 0xffff ? static_cast<quint16>(m_words.add(word)) : 0;
}

void TimerTable::end(Row &row, Instant at, TimerState state)
{
    row.ended = std::max(at, row.armed);
    row.state = state;
    if (row.armedSlot == none)
        return;
    const quint32 last = m_armed.back();
    m_armed[row.armedSlot] = last;
    m_rows[last].armedSlot = row.armedSlot;
    m_armed.pop_back();
    row.armedSlot = none;
}

qsizetype TimerTable::memory() const noexcept
{
    return m_ids.memory() + m_current.memory() + m_rows.memory() + m_firings.memory() + m_words.memory()
        + static_cast<qsizetype>(m_armed.capacity() * sizeof(quint32));
}

} // namespace Waitscope
