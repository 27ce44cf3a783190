// SPDX-License-Identifier: GPL-3.0-or-later
// All timers of a trace with what became of them; the armed ones are found without looking at the others.
#pragma once

#include "event/event.h"
#include "trace/idmap.h"
#include "trace/spaninfo.h"
#include "trace/valuepool.h"

#include <vector>

namespace Waitscope {

class TimerTable
{
public:
    static constexpr quint32 none = 0xffffffff;

    // `owner` is the owner's table index, `previous` the owner's latest timer or none. Gives the new row.
    quint32 arm(const TimerArmed &event, quint32 owner, quint32 previous);
    // False if no armed timer of this id is known; `dropped` tells that its owner's end had ended it already.
    bool fire(const TimerFired &event, bool &dropped);
    bool disarm(const TimerDisarmed &event, bool &dropped);
    // This one's owner had ended before it was armed.
    void drop(quint32 row, Instant at) { end(m_rows[row], at, TimerState::Dropped); }
    // The owner ended: what of its timers is still armed goes with it. `latest` is the owner's latest timer.
    void ownerEnded(quint32 latest, Instant at);

    [[nodiscard]] quint32 ownerOf(quint32 row) const noexcept { return m_rows[row].owner; }
    [[nodiscard]] quint32 previousOf(quint32 row) const noexcept { return m_rows[row].previous; }
    [[nodiscard]] const std::vector<quint32> &armed() const noexcept { return m_armed; }
    // Everything but the owner's id; `traffic` is that of the owner's request, null where there was none.
    [[nodiscard]] ShownTimer shown(quint32 row, const Traffic *traffic) const;

    [[nodiscard]] qsizetype memory() const noexcept;

private:
    struct Row {
        Instant armed;
        Instant due;
        Instant ended = never;
        Duration value{};
        quint32 number = 0; // in m_ids
        quint32 owner = 0;
        quint32 previous = none;
        quint32 armedSlot = none; // place in m_armed
        quint32 firing = none;    // place in m_firings
        quint16 setting = 0;
        quint16 variable = 0;
        TimerKind kind = TimerKind::Total;
        Resets resets = Resets::Nothing;
        Kills kills = Kills::Nothing;
        TimerState state = TimerState::Armed;
        bool clamped = false;
    };
    struct Firing {
        Instant due;
        std::optional<Duration> sinceLastByte;
        std::optional<Duration> sinceLastData;
    };
    [[nodiscard]] std::optional<quint32> currentRow(TimerId id) const;
    [[nodiscard]] quint16 wordNumber(QLatin1StringView word);
    void end(Row &row, Instant at, TimerState state);

    IdMap m_ids;
    Chunked<quint32> m_current; // by timer number: its latest row
    Chunked<Row> m_rows;
    Chunked<Firing> m_firings;
    std::vector<quint32> m_armed;
    ValuePool<QLatin1StringView> m_words;
};

} // namespace Waitscope
