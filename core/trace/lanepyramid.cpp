// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/lanepyramid.h"

#include "trace/lane.h"

#include <algorithm>

namespace Waitscope {

namespace {

// A part of a bucket 2^shift ns wide, in 65536ths.
quint32 shareOf(qint64 ns, int shift)
{
    return static_cast<quint32>(shift >= 16 ? ns >> (shift - 16) : ns << (16 - shift));
}

void addShare(quint16 &share, quint32 more)
{
    share = static_cast<quint16>(std::min<quint32>(65535, share + more));
}

TimeBucket joined(const TimeBucket &left, const TimeBucket &right)
{
    const auto mean = [](quint16 a, quint16 b) { return static_cast<quint16>((static_cast<quint32>(a) + b + 1) / 2); };
    TimeBucket both;
    both.good = mean(left.good, right.good);
    both.backoff = mean(left.backoff, right.backoff);
    both.bad = mean(left.bad, right.bad);
    both.worst = std::max(left.worst, right.worst);
    both.flags = (left.flags | right.flags) & TimeBucket::occupied;
    if (left.flags & right.flags & TimeBucket::single && left.flags & TimeBucket::continues)
        both.flags |= TimeBucket::single;
    both.flags |= right.flags & TimeBucket::continues;
    return both;
}

// `upper` (first bucket upperFirst) covers `lower` (first bucket lowerFirst) pairwise; buckets of lower from `dirty` on
// changed.
void joinInto(std::vector<TimeBucket> &upper, qint64 upperFirst, const std::vector<TimeBucket> &lower, qint64 lowerFirst,
              qint64 dirty)
{
    const qint64 lowerEnd = lowerFirst + static_cast<qint64>(lower.size());
    const auto at = [&](qint64 bucket) {
        return bucket >= lowerFirst && bucket < lowerEnd ? lower[static_cast<size_t>(bucket - lowerFirst)] : TimeBucket{};
    };
    upper.resize(static_cast<size_t>(((lowerEnd - 1) >> 1) - upperFirst + 1));
    for (qint64 u = std::max(upperFirst, dirty >> 1); u <= (lowerEnd - 1) >> 1; ++u)
        upper[static_cast<size_t>(u - upperFirst)] = joined(at(2 * u), at(2 * u + 1));
}

} // namespace

void LanePyramid::spanEnded(const Lane &lane, quint32 position)
{
    if (m_levels.empty()) {
        if (position + 1 >= threshold)
            rebuild(lane);
        return;
    }
    ++m_spans;
    add(lane.begin(position), lane.end(position), lane.spanClass(position), lane.severity(position));
    // A busy stretch made the buckets coarse for what is in them. At 1 ns there is nothing finer.
    if (m_shift > 0 && m_levels.front().size() < m_spans / 16)
        rebuild(lane);
}

int LanePyramid::levelFor(Duration width) const
{
    if (m_levels.empty() || width.count() < qint64{1} << m_shift)
        return -1;
    propagate();
    int level = 0;
    const int levels = static_cast<int>(m_levels.size());
    while (level + 1 < levels && width.count() >> (m_shift + level + 1) > 0)
        ++level;
    return level;
}

const std::vector<TimeBucket> &LanePyramid::buckets(int level) const
{
    propagate();
    return m_levels[static_cast<size_t>(level)];
}

qsizetype LanePyramid::memory() const noexcept
{
    size_t buckets = 0;
    for (const std::vector<TimeBucket> &level : m_levels)
        buckets += level.capacity();
    return static_cast<qsizetype>(buckets * sizeof(TimeBucket));
}

void LanePyramid::rebuild(const Lane &lane)
{
    m_spans = lane.stamp().ended;
    const qint64 first = lane.begin(0).time_since_epoch().count();
    const qint64 last = lane.end(m_spans - 1).time_since_epoch().count();
    m_shift = 0;
    while ((last >> m_shift) - (first >> m_shift) + 1 > m_spans / 4)
        ++m_shift;
    m_origin = first >> m_shift;
    m_levels.assign(1, {});
    for (quint32 i = 0; i < m_spans; ++i)
        add(lane.begin(i), lane.end(i), lane.spanClass(i), lane.severity(i));
    m_dirty = 0;
}

void LanePyramid::coarsen()
{
    std::vector<TimeBucket> halved;
    joinInto(halved, m_origin >> 1, m_levels.front(), m_origin, m_origin);
    m_levels.front() = std::move(halved);
    m_origin >>= 1;
    ++m_shift;
    if (m_levels.size() > 1)
        m_levels.pop_back();
    m_dirty = 0;
}

void LanePyramid::add(Instant begin, Instant end, SpanClass cls, int severity)
{
    const qint64 from = begin.time_since_epoch().count();
    const qint64 to = end.time_since_epoch().count();
    const qint64 inside = std::max(from, to - 1); // an empty span still marks its bucket
    while ((inside >> m_shift) - m_origin + 1 > std::max<qint64>(1, m_spans / 2))
        coarsen();

    std::vector<TimeBucket> &base = m_levels.front();
    const qint64 firstBucket = (from >> m_shift) - m_origin;
    const qint64 lastBucket = (inside >> m_shift) - m_origin;
    if (lastBucket >= static_cast<qint64>(base.size())) {
        if (base.capacity() <= static_cast<size_t>(lastBucket))
            base.reserve(static_cast<size_t>(lastBucket + lastBucket / 8 + 16));
        base.resize(static_cast<size_t>(lastBucket + 1));
    }
    const qint64 width = qint64{1} << m_shift;
    for (qint64 b = firstBucket; b <= lastBucket; ++b) {
        TimeBucket &bucket = base[static_cast<size_t>(b)];
        const qint64 left = (b + m_origin) << m_shift;
        const qint64 busy = std::min(to, left + width) - std::max(from, left);
        const quint32 share = shareOf(busy, m_shift);
        switch (cls) {
        case SpanClass::Good:
            addShare(bucket.good, share);
            break;
        case SpanClass::Backoff:
            addShare(bucket.backoff, share);
            break;
        case SpanClass::Bad:
            addShare(bucket.bad, share);
            break;
        }
        bucket.worst = std::max(bucket.worst, static_cast<quint8>(severity));
        bucket.flags |= TimeBucket::occupied;
        if (busy == width)
            bucket.flags |= TimeBucket::single;
        if (b < lastBucket)
            bucket.flags |= TimeBucket::continues;
    }
    m_dirty = std::min<qsizetype>(m_dirty, firstBucket);
}

void LanePyramid::propagate() const
{
    const qint64 count = static_cast<qint64>(m_levels.front().size());
    if (m_dirty >= count)
        return;
    qint64 dirty = m_origin + m_dirty;
    // One more level while the last one has more than two buckets. (Two may never become one: those left and right of 0.)
    for (size_t level = 1; level < m_levels.size() || m_levels.back().size() > 2; ++level) {
        if (level == m_levels.size())
            m_levels.emplace_back();
        const int l = static_cast<int>(level);
        joinInto(m_levels[level], m_origin >> l, m_levels[level - 1], m_origin >> (l - 1), dirty);
        dirty >>= 1;
    }
    m_dirty = count;
}

} // namespace Waitscope
