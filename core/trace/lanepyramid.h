// SPDX-License-Identifier: GPL-3.0-or-later
// A lane's level of detail: time buckets of a power of two of nanoseconds, each level half as many, kept up live.
#pragma once

#include "trace/spaninfo.h"

#include <vector>

namespace Waitscope {

class Lane;

struct TimeBucket {
    quint16 good = 0; // busy shares of the bucket's width, 65535 = all of it
    quint16 backoff = 0;
    quint16 bad = 0;
    quint8 worst = 0; // severity
    quint8 flags = 0;

    static constexpr quint8 occupied = 1;
    static constexpr quint8 single = 2;    // one span covers the bucket from edge to edge
    static constexpr quint8 continues = 4; // the span at its right edge goes on in the next bucket
};

class LanePyramid
{
public:
    // Below this many spans a lane is scanned and needs no buckets.
    static constexpr quint32 threshold = 1024;

    // The lane's span at `position` has just ended.
    void spanEnded(const Lane &lane, quint32 position);

    [[nodiscard]] bool isEmpty() const noexcept { return m_levels.empty(); }
    // The coarsest level whose buckets are no wider than `width`; -1 if even the finest is wider.
    [[nodiscard]] int levelFor(Duration width) const;
    [[nodiscard]] int shiftOf(int level) const noexcept { return m_shift + level; }
    // Bucket b of a level covers [b, b+1) << shift. Brings the upper levels up to date first.
    [[nodiscard]] qint64 firstBucket(int level) const noexcept { return m_origin >> level; }
    [[nodiscard]] const std::vector<TimeBucket> &buckets(int level) const;

    [[nodiscard]] qsizetype memory() const noexcept;

private:
    void rebuild(const Lane &lane);
    void coarsen();
    void add(Instant begin, Instant end, SpanClass cls, int severity);
    void propagate() const;

    int m_shift = 0;     // level 0 buckets are 2^m_shift ns wide
    qint64 m_origin = 0; // number of level 0's first bucket
    quint32 m_spans = 0;
    // Upper levels are brought up to date when somebody looks: only buckets from m_dirty on can have changed,
    // since spans of a lane end in time order.
    mutable std::vector<std::vector<TimeBucket>> m_levels;
    mutable qsizetype m_dirty = 0;
};

} // namespace Waitscope
