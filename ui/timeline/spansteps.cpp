// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/spansteps.h"

namespace Waitscope {

namespace {

std::vector<LaneId> lanesOf(const RowLayout &layout)
{
    std::vector<LaneId> lanes;
    lanes.reserve(layout.rows().size());
    for (const Row &row : layout.rows())
        lanes.push_back(row.lane);
    return lanes;
}

SpanId neighbour(const TraceStore &store, const SpanInfo &span, bool next)
{
    const Lane &lane = store.lane(span.lane);
    // Several may begin at the same moment; one of them is it.
    for (quint32 i = lane.firstBeginningFrom(span.begin); i < lane.size() && lane.begin(i) == span.begin; ++i) {
        if (store.spanAtIndex(lane.spanIndex(i)) != span.id)
            continue;
        if (next)
            return i + 1 < lane.size() ? store.spanAtIndex(lane.spanIndex(i + 1)) : SpanId{};
        return i > 0 ? store.spanAtIndex(lane.spanIndex(i - 1)) : SpanId{};
    }
    return {};
}

} // namespace

SpanId spanBeside(const TraceStore &store, SpanId id, SpanStep step)
{
    const std::optional<SpanInfo> span = store.span(id);
    if (!span)
        return {};
    switch (step) {
    case SpanStep::Parent:
        return span->parent;
    case SpanStep::Child: {
        const std::vector<SpanId> children = store.childrenOf(id);
        return children.empty() ? SpanId{} : children.front();
    }
    case SpanStep::Next:
        return neighbour(store, *span, true);
    case SpanStep::Previous:
        return neighbour(store, *span, false);
    }
    Q_UNREACHABLE();
}

std::optional<Instant> nextEdgeIn(const TraceStore &store, const RowLayout &layout, Instant t)
{
    const std::vector<LaneId> lanes = lanesOf(layout);
    return lanes.empty() ? std::nullopt : nextEdge(store, t, lanes);
}

std::optional<Instant> previousEdgeIn(const TraceStore &store, const RowLayout &layout, Instant t)
{
    const std::vector<LaneId> lanes = lanesOf(layout);
    return lanes.empty() ? std::nullopt : previousEdge(store, t, lanes);
}

SpanId spanWithEdge(const TraceStore &store, const RowLayout &layout, Instant edge)
{
    SpanId ending;
    for (auto row = layout.rows().rbegin(); row != layout.rows().rend(); ++row) {
        const Lane &lane = store.lane(row->lane);
        const quint32 begins = lane.firstBeginningFrom(edge);
        if (begins < lane.size() && lane.begin(begins) == edge)
            return store.spanAtIndex(lane.spanIndex(begins));
        const quint32 ends = lane.firstEndingFrom(edge);
        if (!ending && ends < lane.size() && lane.end(ends) == edge)
            ending = store.spanAtIndex(lane.spanIndex(ends));
    }
    return ending;
}

} // namespace Waitscope
