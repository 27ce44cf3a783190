// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/lanebook.h"

#include <algorithm>
#include <functional>

namespace Waitscope {

namespace {

// A sleep stands in the row of what it separates.
LaneRow rowOfBackoff(Layer layer)
{
    switch (layer) {
    case Layer::Task:
        return LaneRow::Round;
    case Layer::Exec:
        return LaneRow::ExecAttempt;
    case Layer::Session:
        return LaneRow::SessionRun;
    case Layer::Stream:
        return LaneRow::Request;
    case Layer::Http:
        return LaneRow::Phase;
    }
    Q_UNREACHABLE();
}

LaneRow rowOf(SpanKind kind, Layer layer)
{
    switch (kind) {
    case SpanKind::Task:
        return LaneRow::Task;
    case SpanKind::Work:
    case SpanKind::Round:
        return LaneRow::Round;
    case SpanKind::Exec:
        return LaneRow::Exec;
    case SpanKind::ExecAttempt:
        return LaneRow::ExecAttempt;
    case SpanKind::SessionRun:
        return LaneRow::SessionRun;
    case SpanKind::Request:
        return LaneRow::Request;
    case SpanKind::Phase:
        return LaneRow::Phase;
    case SpanKind::Backoff:
        return rowOfBackoff(layer);
    case SpanKind::Orphan:
        return LaneRow::Orphan;
    }
    Q_UNREACHABLE();
}

} // namespace

LaneBook::LaneBook(int tasksWithOwnRows)
    : m_tasksWithOwnRows(static_cast<quint32>(std::max(0, tasksWithOwnRows)))
{
}

LaneBook::Place LaneBook::place(const SpanBegan &span, quint32 spanIndex, quint32 parentLane, quint32 causeLane)
{
    const LaneRow sort = rowOf(span.kind, span.layer);
    // What was abandoned belongs to nobody's row any more, but stays with its task.
    if (sort == LaneRow::Orphan) {
        parentLane = parentLane != none ? parentLane : causeLane;
        while (parentLane != none && info(parentLane).parent)
            parentLane = static_cast<quint32>(info(parentLane).parent.value - 1);
    }
    Siblings &among = siblings(sort, parentLane);
    const bool sharesRows = parentLane != none || m_roots.size() >= m_tasksWithOwnRows;
    quint32 index = none;
    if (sharesRows && causeLane != none && info(causeLane).row == sort && lane(causeLane).isFreeAt(span.at)
        && info(causeLane).parent == (parentLane == none ? LaneId{} : info(parentLane).id))
        index = causeLane;
    else if (sharesRows)
        index = freeRow(among, span.at);
    if (index == none)
        index = open(among, span, parentLane);
    return {index, m_rows[index]->lane.append(span.at, spanIndex, span.kind)};
}

void LaneBook::end(quint32 index, Instant at, SpanKind kind, Outcome outcome)
{
    Row &row = *m_rows[index];
    row.lane.endLast(at, kind, outcome);
    if (row.waiting)
        return;
    row.waiting = true;
    Siblings &among = siblings(row.info.row, row.info.parent ? static_cast<quint32>(row.info.parent.value - 1) : none);
    among.free.push_back(index);
    std::push_heap(among.free.begin(), among.free.end(), std::greater<>());
}

std::vector<LaneBook::Siblings> &LaneBook::groupsUnder(quint32 parentLane)
{
    return parentLane == none ? m_rootGroups : m_rows[parentLane]->below;
}

LaneBook::Siblings &LaneBook::siblings(LaneRow sort, quint32 parentLane)
{
    std::vector<Siblings> &groups = groupsUnder(parentLane);
    auto it = std::find_if(groups.begin(), groups.end(), [&](const Siblings &s) { return s.sort >= sort; });
    if (it == groups.end() || it->sort != sort)
        it = groups.insert(it, Siblings{sort, {}, {}});
    return *it;
}

quint32 LaneBook::freeRow(Siblings &among, Instant at)
{
    // Rows that end later than `at` come only from a file whose times run backwards: a few are looked past, no more.
    std::vector<quint32> later;
    quint32 found = none;
    while (found == none && !among.free.empty() && later.size() < 8) {
        std::pop_heap(among.free.begin(), among.free.end(), std::greater<>());
        const quint32 index = among.free.back();
        among.free.pop_back();
        Row &row = *m_rows[index];
        row.waiting = false;
        if (row.lane.isFreeAt(at))
            found = index;
        else if (!row.lane.hasOpenSpan()) // else it was taken for its cause's sake
            later.push_back(index);
    }
    for (quint32 index : later) {
        m_rows[index]->waiting = true;
        among.free.push_back(index);
        std::push_heap(among.free.begin(), among.free.end(), std::greater<>());
    }
    return found;
}

quint32 LaneBook::open(Siblings &among, const SpanBegan &span, quint32 parentLane)
{
    const quint32 index = size();
    auto row = std::make_unique<Row>();
    row->info.id = LaneId{quint64{index} + 1};
    row->info.row = among.sort;
    row->info.layer = span.layer;
    row->info.label = span.label;
    row->info.sibling = static_cast<int>(among.rows.size());
    if (parentLane == none) {
        row->info.task = span.id;
        m_roots.push_back(index);
    } else {
        const LaneInfo &above = info(parentLane);
        row->info.parent = above.id;
        row->info.task = above.task;
        row->info.depth = above.depth + 1;
    }
    among.rows.push_back(index);
    m_rows.push_back(std::move(row));
    m_order.clear();
    return index;
}

const std::vector<LaneId> &LaneBook::order() const
{
    if (!m_order.empty() || m_rows.empty())
        return m_order;
    m_order.reserve(m_rows.size());
    std::vector<quint32> pending(m_roots.rbegin(), m_roots.rend());
    while (!pending.empty()) {
        const Row &row = *m_rows[pending.back()];
        pending.pop_back();
        m_order.push_back(row.info.id);
        for (auto group = row.below.rbegin(); group != row.below.rend(); ++group)
            pending.insert(pending.end(), group->rows.rbegin(), group->rows.rend());
    }
    return m_order;
}

qsizetype LaneBook::memory() const noexcept
{
    size_t bytes = m_order.capacity() * sizeof(LaneId) + m_roots.capacity() * sizeof(quint32);
    for (const std::unique_ptr<Row> &row : m_rows) {
        bytes += sizeof(Row) + sizeof(void *) + static_cast<size_t>(row->lane.memory());
        for (const Siblings &group : row->below)
            bytes += sizeof(Siblings) + (group.rows.capacity() + group.free.capacity()) * sizeof(quint32);
    }
    return static_cast<qsizetype>(bytes);
}

} // namespace Waitscope
