// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rowlayout.h"

#include "ui/style/words.h"

#include <QCoreApplication>
#include <QFontMetrics>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Rows of ended tasks are used again when there are very many.
QString titleOf(const LaneInfo &lane, bool shared)
{
    if (lane.row == LaneRow::Task && !lane.label.isEmpty())
        return shared ? QCoreApplication::translate("RowLayout", "%1 and others").arg(lane.label) : lane.label;
    const QString words = shownWord(lane.row);
    return lane.sibling > 0
        ? QCoreApplication::translate("RowLayout", "%1 (row %2)").arg(words).arg(lane.sibling + 1)
        : words;
}

} // namespace

RowMetrics RowMetrics::comfortable(const QFontMetrics &font)
{
    RowMetrics metrics;
    metrics.bar = font.height() + 2;
    return metrics;
}

RowMetrics RowMetrics::narrow()
{
    RowMetrics metrics;
    metrics.bar = 10;
    metrics.above = 1;
    metrics.below = 1;
    metrics.timer = 0;
    metrics.compact = true;
    return metrics;
}

int RowMetrics::timerSlots(LaneRow sort) const
{
    if (timer == 0)
        return 0;
    switch (sort) {
    case LaneRow::Request: // read, idle, data stall, total
        return 4;
    case LaneRow::Round: // the end of a sleep
    case LaneRow::ExecAttempt:
    case LaneRow::SessionRun:
        return 1;
    case LaneRow::Task: // watchdog and deadline are lines over all of a task's rows
    case LaneRow::Exec:
    case LaneRow::Phase:
    case LaneRow::Orphan:
        return 0;
    }
    Q_UNREACHABLE();
}

bool RowLayout::update(const TraceStore *store, const RowMetrics &metrics)
{
    const quint32 lanes = store ? store->laneCount() : 0;
    if (!m_stale && store == m_store && lanes == m_lanes && metrics == m_metrics && !(store && sharesMore(*store)))
        return false;
    if (store != m_store)
        m_collapsed.clear();
    m_store = store;
    m_lanes = lanes;
    m_metrics = metrics;
    m_stale = false;
    m_rows.clear();
    m_places.clear();
    if (store)
        rebuild(*store);
    return true;
}

bool RowLayout::sharesMore(const TraceStore &store) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [&](const Row &row) {
        return row.isRoot() && !row.shared && store.lane(row.lane).size() > 1;
    });
}

void RowLayout::rebuild(const TraceStore &store)
{
    m_places.assign(store.laneCount() + 1, 0);
    int top = 0;
    int hiddenBelow = -1; // depth of the collapsed row whose children are passed over
    bool shaded = true;
    for (const LaneId id : store.laneOrder()) {
        const LaneInfo lane = store.laneInfo(id);
        // Lanes come as a tree written from top to bottom: a row has children when the next one stands deeper.
        if (!m_rows.empty() && lane.depth > m_rows.back().depth)
            m_rows.back().hasChildren = true;
        if (hiddenBelow >= 0 && lane.depth > hiddenBelow)
            continue;
        hiddenBelow = -1;
        if (lane.depth == 0)
            shaded = !shaded;
        Row row;
        row.lane = id;
        row.task = lane.task;
        row.sort = lane.row;
        row.layer = lane.layer;
        row.depth = lane.depth;
        row.top = top;
        row.height = m_metrics.height(lane.row);
        row.timerSlots = m_metrics.timerSlots(lane.row);
        row.shared = lane.depth == 0 && store.lane(id).size() > 1;
        row.title = titleOf(lane, row.shared);
        row.shaded = shaded;
        row.collapsed = m_collapsed.contains(id);
        if (row.collapsed)
            hiddenBelow = lane.depth;
        top += row.height;
        m_rows.push_back(std::move(row));
        m_places[id.value] = static_cast<quint32>(m_rows.size());
    }
}

void RowLayout::setCollapsed(LaneId lane, bool collapsed)
{
    if (collapsed)
        m_stale = m_collapsed.insert(lane).second || m_stale;
    else
        m_stale = m_collapsed.erase(lane) > 0 || m_stale;
}

void RowLayout::collapseAll()
{
    for (const Row &row : m_rows) {
        if (row.isRoot() && row.hasChildren)
            setCollapsed(row.lane, true);
    }
}

void RowLayout::expandAll()
{
    m_stale = m_stale || !m_collapsed.empty();
    m_collapsed.clear();
}

std::optional<size_t> RowLayout::rowAt(int y) const
{
    if (y < 0)
        return std::nullopt;
    const auto it = std::upper_bound(m_rows.begin(), m_rows.end(), y, [](int at, const Row &row) { return at < row.bottom(); });
    if (it == m_rows.end())
        return std::nullopt;
    return static_cast<size_t>(it - m_rows.begin());
}

std::optional<size_t> RowLayout::rowOf(LaneId lane) const
{
    if (lane.value >= m_places.size() || m_places[lane.value] == 0)
        return std::nullopt;
    return m_places[lane.value] - 1;
}

std::optional<size_t> RowLayout::rowShowing(const TraceStore &store, LaneId lane) const
{
    for (LaneId at = lane; at; at = store.laneInfo(at).parent) {
        if (const std::optional<size_t> row = rowOf(at))
            return row;
    }
    return std::nullopt;
}

std::pair<size_t, size_t> RowLayout::taskRows(size_t row) const
{
    size_t first = row;
    while (first > 0 && !m_rows[first].isRoot())
        --first;
    size_t last = row + 1;
    while (last < m_rows.size() && !m_rows[last].isRoot())
        ++last;
    return {first, last};
}

} // namespace Waitscope
