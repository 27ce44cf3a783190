// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes stand where: rows from top to bottom with their heights, without any widget.
#pragma once

#include "trace/tracestore.h"

#include <QString>

#include <optional>
#include <unordered_set>
#include <vector>

class QFontMetrics;

namespace Waitscope {

// Heights in logical pixels. Compact rows are for traces with more lanes than a screen holds.
struct RowMetrics {
    int bar = 16;      // height of the bars
    int above = 3;     // between the row's top and its bars
    int below = 3;
    int timer = 4;     // height of one countdown bar with its gap; 0 = drawn over the foot of the bars
    bool compact = false;

    [[nodiscard]] static RowMetrics comfortable(const QFontMetrics &font);
    [[nodiscard]] static RowMetrics narrow();
    // How many countdown bars have room of their own below the bars of such a lane.
    [[nodiscard]] int timerSlots(LaneRow sort) const;
    [[nodiscard]] int height(LaneRow sort) const { return above + bar + timerSlots(sort) * timer + below; }
    friend bool operator==(const RowMetrics &, const RowMetrics &) = default;
};

struct Row {
    LaneId lane;
    SpanId task;
    LaneRow sort = LaneRow::Task;
    Layer layer = Layer::Task;
    int depth = 0;
    int top = 0;
    int height = 0;
    int timerSlots = 0;
    QString title;
    bool hasChildren = false;
    bool collapsed = false;
    bool shaded = false; // every second task
    bool shared = false; // a root row with more than one task

    [[nodiscard]] bool isRoot() const noexcept { return depth == 0; }
    [[nodiscard]] int bottom() const noexcept { return top + height; }
};

class RowLayout
{
public:
    // True when rows came, went or moved. Cheap when no lane came.
    bool update(const TraceStore *store, const RowMetrics &metrics);

    void setCollapsed(LaneId lane, bool collapsed);
    void collapseAll(); // every root lane
    void expandAll();
    [[nodiscard]] bool isCollapsed(LaneId lane) const { return m_collapsed.contains(lane); }

    [[nodiscard]] const std::vector<Row> &rows() const noexcept { return m_rows; }
    [[nodiscard]] const RowMetrics &metrics() const noexcept { return m_metrics; }
    [[nodiscard]] int height() const noexcept { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    [[nodiscard]] std::optional<size_t> rowAt(int y) const; // y from the first row's top
    [[nodiscard]] std::optional<size_t> rowOf(LaneId lane) const;
    // The row of the lane, or of the collapsed one that hides it.
    [[nodiscard]] std::optional<size_t> rowShowing(const TraceStore &store, LaneId lane) const;
    // Rows of the same root as `row`: [first, last).
    [[nodiscard]] std::pair<size_t, size_t> taskRows(size_t row) const;

private:
    void rebuild(const TraceStore &store);
    [[nodiscard]] bool sharesMore(const TraceStore &store) const;

    std::unordered_set<LaneId> m_collapsed;
    std::vector<Row> m_rows;
    std::vector<quint32> m_places; // by lane number: its row and one more, 0 = hidden
    RowMetrics m_metrics;
    const TraceStore *m_store = nullptr;
    quint32 m_lanes = 0;
    bool m_stale = true;
};

} // namespace Waitscope
