// SPDX-License-Identifier: GPL-3.0-or-later
// What a view asks of the timeline: what to draw of a lane in so many pixels, what is under the pointer, what is next.
#pragma once

#include "trace/tracestore.h"

namespace Waitscope {

// [from, to) drawn over `width` device pixels; `now` is where open spans end.
struct TimeWindow {
    Instant from;
    Instant to;
    int width = 0;
    Instant now;
};

// A span broad enough to be drawn with crisp edges and a label. Not cut to the window.
struct WideSpan {
    SpanId id;
    Instant begin;
    Instant end; // of an open span: the window's now
    SpanClass spanClass = SpanClass::Good;
    Outcome outcome = Outcome::Ok;
    bool open = false;
};

// One pixel column of the whole row: every span is in it, the wide ones too (these are painted over it).
struct FoldedColumn {
    quint16 good = 0; // busy shares of the pixel, 65535 = all of it
    quint16 backoff = 0;
    quint16 bad = 0;
    quint8 worst = 0;      // severityOf(); 0 = nothing but Ok
    bool occupied = false; // also where the busy share rounds to nothing

    // The class with the largest share; Bad where shares say nothing but a failure is in it.
    [[nodiscard]] SpanClass dominant() const noexcept;
    // At least a quarter where anything is at all, so that tiny spans never vanish; 0 for an empty column.
    [[nodiscard]] double weight() const noexcept;
};

enum class FoldPath : quint8 { Buckets, Scan, Burst };

// Kept and reused by the caller from frame to frame.
struct VisibleSpans {
    std::vector<WideSpan> wide; // in time order: every span of 2 pixels or more, none under 1
    std::vector<FoldedColumn> columns;
    FoldPath path = FoldPath::Scan;
    quint32 visited
        = 0; // buckets or spans looked at: at most 2 buckets or 8 spans a pixel (a lane too small for buckets: 1024)
};

void findVisible(const TraceStore &store, LaneId lane, const TimeWindow &window, VisibleSpans &out);

// The span that covers `t`, else none. An open span covers everything from its begin to `now`.
[[nodiscard]] SpanId spanAt(const TraceStore &store, LaneId lane, Instant t, Instant now);
// The span that covers `t`, else the one whose edge is nearest, none for an empty lane.
[[nodiscard]] SpanId nearestSpan(const TraceStore &store, LaneId lane, Instant t, Instant now);

// From the parent outward to the root.
[[nodiscard]] std::vector<SpanId> ancestorsOf(const TraceStore &store, SpanId id);
[[nodiscard]] bool isWithin(const TraceStore &store, SpanId id, SpanId ancestor); // a span is within itself
// From the first cause to `id` itself.
[[nodiscard]] std::vector<SpanId> causeChain(const TraceStore &store, SpanId id);
// The nearest span before or after `id` along causes; none at the ends.
[[nodiscard]] SpanId previousInChain(const TraceStore &store, SpanId id);
[[nodiscard]] SpanId nextInChain(const TraceStore &store, SpanId id);

// The nearest begin or end strictly before or after `t` in these lanes (all lanes when none are given).
[[nodiscard]] std::optional<Instant> nextEdge(const TraceStore &store, Instant t, std::span<const LaneId> lanes = {});
[[nodiscard]] std::optional<Instant> previousEdge(const TraceStore &store, Instant t, std::span<const LaneId> lanes = {});

} // namespace Waitscope
