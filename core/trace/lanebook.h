// SPDX-License-Identifier: GPL-3.0-or-later
// Gives every span its row: nested as the layers are, never overlapping, never moved once given.
#pragma once

#include "event/event.h"
#include "trace/lane.h"

#include <memory>
#include <vector>

namespace Waitscope {

// Lanes form a tree: the rows of an exec's attempts stand under the row of that exec, so that concurrent calls do not mix.
// Within a parent's row, spans of one sort share a row while they do not overlap; a sleep shares it with the attempts it
// separates; an overlap opens a sibling row, and what is caused by a span of a sibling prefers to follow it there.
class LaneBook
{
public:
    static constexpr quint32 none = 0xffffffff;

    explicit LaneBook(int tasksWithOwnRows);

    struct Place {
        quint32 lane = none; // index; LaneId is one more
        quint32 position = 0;
    };
    // `parentLane` and `causeLane` are lanes of those spans, none where there is no such span.
    Place place(const SpanBegan &span, quint32 spanIndex, quint32 parentLane, quint32 causeLane);
    // The open span of this lane ended.
    void end(quint32 lane, Instant at, SpanKind kind, Outcome outcome);

    [[nodiscard]] quint32 size() const noexcept { return static_cast<quint32>(m_rows.size()); }
    [[nodiscard]] const Lane &lane(quint32 index) const noexcept { return m_rows[index]->lane; }
    [[nodiscard]] const LaneInfo &info(quint32 index) const noexcept { return m_rows[index]->info; }
    [[nodiscard]] const std::vector<LaneId> &order() const;

    [[nodiscard]] qsizetype memory() const noexcept;

private:
    // Rows of one sort under one parent, by age; among them those that may be free, as a heap with the oldest on top.
    struct Siblings {
        LaneRow sort = LaneRow::Task;
        std::vector<quint32> rows;
        std::vector<quint32> free;
    };
    struct Row {
        LaneInfo info;
        Lane lane;
        std::vector<Siblings> below; // in the order of LaneRow
        bool waiting = false;        // stands in its siblings' `free`
    };
    [[nodiscard]] std::vector<Siblings> &groupsUnder(quint32 parentLane);
    [[nodiscard]] Siblings &siblings(LaneRow sort, quint32 parentLane);
    [[nodiscard]] quint32 freeRow(Siblings &among, Instant at);
    quint32 open(Siblings &among, const SpanBegan &span, quint32 parentLane);

    quint32 m_tasksWithOwnRows;
    std::vector<std::unique_ptr<Row>> m_rows;
    std::vector<Siblings> m_rootGroups;
    std::vector<quint32> m_roots; // by age, whatever their sort
    mutable std::vector<LaneId> m_order;
};

} // namespace Waitscope
