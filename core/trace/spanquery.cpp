// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/spanquery.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace Waitscope {

namespace {

qint64 ns(Instant t)
{
    return t.time_since_epoch().count();
}

// Where an open span is drawn to.
Instant drawnEnd(const Lane &lane, quint32 i, Instant now)
{
    const Instant end = lane.end(i);
    return end == never ? std::max(lane.begin(i), now) : end;
}

// One query: the window's arithmetic and where results go.
class Folding
{
public:
    Folding(const TraceStore &store, const Lane &lane, const TimeWindow &window, VisibleSpans &out)
        : m_store(store)
        , m_lane(lane)
        , m_window(window)
        , m_out(out)
        , m_from(ns(window.from))
        , m_perPixel(static_cast<double>(ns(window.to) - m_from) / window.width)
        , m_perNs(window.width / static_cast<double>(ns(window.to) - m_from))
    {
    }

    void run()
    {
        const quint32 first = m_lane.firstEndingFrom(m_window.from);
        const quint32 last = m_lane.firstBeginningFrom(m_window.to);
        if (first >= last)
            return;
        const int level = m_lane.pyramid().levelFor(Duration{static_cast<qint64>(m_perPixel)});
        // Few spans are exact and as cheap as buckets.
        if (last - first <= static_cast<quint32>(m_window.width)) {
            scan(first, last);
        } else if (level >= 0) {
            m_out.path = FoldPath::Buckets;
            foldBuckets(level);
            if (last == m_lane.size() && m_lane.hasOpenSpan())
                addSpan(last - 1);
        } else if (m_lane.pyramid().isEmpty() || last - first <= 8 * static_cast<quint32>(m_window.width)) {
            scan(first, last);
        } else {
            m_out.path = FoldPath::Burst;
            foldBurst(first, last);
        }
    }

private:
    void scan(quint32 first, quint32 last)
    {
        m_out.path = FoldPath::Scan;
        for (quint32 i = first; i < last;) {
            const Lane::Run run = m_lane.runFrom(i);
            const quint32 count = std::min(run.count, last - i);
            for (quint32 k = 0; k < count; ++k)
                addSpan(i + k, run.begins[k], run.ends[k], run.tags[k]);
            i += count;
        }
        m_out.visited += last - first;
    }

    // Column of a time within the window.
    [[nodiscard]] int columnOf(qint64 t) const
    {
        return std::clamp(static_cast<int>(static_cast<double>(t - m_from) * m_perNs), 0, m_window.width - 1);
    }
    [[nodiscard]] bool isWide(qint64 begin, qint64 end) const { return static_cast<double>(end - begin) >= m_perPixel; }

    void addWide(quint32 i)
    {
        const Lane::Run run = m_lane.runFrom(i);
        addWide(i, *run.begins, drawnEnd(m_lane, i, m_window.now), *run.ends == never, *run.tags);
    }
    void addWide(quint32 i, Instant begin, Instant end, bool open, quint8 tag)
    {
        m_out.wide.push_back({m_store.spanAtIndex(m_lane.spanIndex(i)), begin, end, Lane::classOf(tag),
                              outcomeOfSeverity(Lane::severityOf(tag)), open});
    }

    void addSpan(quint32 i)
    {
        const Lane::Run run = m_lane.runFrom(i);
        addSpan(i, *run.begins, *run.ends, *run.tags);
    }
    void addSpan(quint32 i, Instant begin, Instant end, quint8 tag)
    {
        const bool open = end == never;
        if (open)
            end = std::max(begin, m_window.now);
        // Half open as the window is, but an empty span on the window's first moment is in it.
        if (end < m_window.from || (end == m_window.from && begin < end) || begin >= m_window.to)
            return;
        if (isWide(ns(begin), ns(end)))
            addWide(i, begin, end, open, tag);
        addToColumns(std::max(ns(begin), m_from), std::min(ns(end), ns(m_window.to)), Lane::classOf(tag),
                     Lane::severityOf(tag));
    }

    void addToColumns(qint64 begin, qint64 end, SpanClass spanClass, int severity)
    {
        const double left = static_cast<double>(begin - m_from) * m_perNs;
        const double right = static_cast<double>(end - m_from) * m_perNs;
        const int first = std::min(static_cast<int>(left), m_window.width - 1);
        // A pixel can be shorter than a nanosecond: where the end lies within it counts.
        const int ending = static_cast<int>(right);
        const int last = std::clamp(ending == right ? ending - 1 : ending, first, m_window.width - 1);
        if (first == last)
            return addShare(column(first), right - left, spanClass, severity);
        addShare(column(first), first + 1 - left, spanClass, severity);
        addShare(column(last), right - last, spanClass, severity);
        if (last - first < 2)
            return;
        // Spans do not overlap: what one fills from edge to edge has nothing else in it.
        FoldedColumn full;
        addShare(full, 1, spanClass, severity);
        std::fill(&column(first + 1), &column(last), full);
    }
    [[nodiscard]] FoldedColumn &column(int c) { return m_out.columns[static_cast<size_t>(c)]; }

    static void addShare(FoldedColumn &column, double share, SpanClass spanClass, int severity)
    {
        column.occupied = true;
        column.worst = std::max(column.worst, static_cast<quint8>(severity));
        const auto add
            = [&](quint16 &to) { to = static_cast<quint16>(std::min(65535, to + static_cast<int>(share * 65535 + 0.5))); };
        switch (spanClass) {
        case SpanClass::Good:
            add(column.good);
            break;
        case SpanClass::Backoff:
            add(column.backoff);
            break;
        case SpanClass::Bad:
            add(column.bad);
            break;
        }
    }

    // Buckets are at most a pixel wide: each belongs to the column of its middle, a column shows the mean of its buckets.
    void foldBuckets(int level)
    {
        const LanePyramid &pyramid = m_lane.pyramid();
        const std::vector<TimeBucket> &buckets = pyramid.buckets(level);
        const int shift = pyramid.shiftOf(level);
        const qint64 origin = pyramid.firstBucket(level);
        const qint64 half = (qint64{1} << shift) / 2;
        // Columns of a level far finer than a pixel (there is no coarser one) are covered by their buckets only in part.
        const double width = static_cast<double>(qint64{1} << shift) / m_perPixel;
        const double covers = width < 0.5 ? width : 1;
        qint64 bucket = std::max(m_from >> shift, origin);
        const qint64 end = std::min((ns(m_window.to) - 1) >> shift, origin + static_cast<qint64>(buckets.size()) - 1) + 1;
        m_out.visited += static_cast<quint32>(std::max<qint64>(0, end - bucket));
        int current = -1;
        int count = 0;
        double good = 0;
        double backoff = 0;
        double bad = 0;
        const auto finish = [&] {
            if (current < 0)
                return;
            FoldedColumn &c = column(current);
            const double scale = covers < 1 ? covers : 1.0 / count;
            c.good = static_cast<quint16>(std::min(65535.0, good * scale + 0.5));
            c.backoff = static_cast<quint16>(std::min(65535.0, backoff * scale + 0.5));
            c.bad = static_cast<quint16>(std::min(65535.0, bad * scale + 0.5));
        };
        qint64 wideUntil = Instant::min().time_since_epoch().count();
        for (; bucket < end; ++bucket) {
            const TimeBucket &b = buckets[static_cast<size_t>(bucket - origin)];
            const qint64 middle = (bucket << shift) + half;
            const int c = columnOf(std::max(middle, m_from));
            if (c != current) {
                finish();
                current = c;
                count = 0;
                good = backoff = bad = 0;
            }
            ++count;
            if (!(b.flags & TimeBucket::occupied))
                continue;
            good += b.good;
            backoff += b.backoff;
            bad += b.bad;
            FoldedColumn &folded = column(c);
            folded.occupied = true;
            folded.worst = std::max(folded.worst, b.worst);
            // A bucket that one span fills is the sign of a wide span; it is looked up once.
            if (b.flags & TimeBucket::single && middle >= wideUntil) {
                const quint32 i = m_lane.firstEndingAfter(Instant{Duration{middle}});
                if (i < m_lane.size() && m_lane.end(i) != never) {
                    wideUntil = ns(m_lane.end(i));
                    if (isWide(ns(m_lane.begin(i)), wideUntil))
                        addWide(i);
                }
            }
        }
        finish();
    }

    // More spans than can be looked at: one span and one failure for each pixel, found by halving; shares from the bucket
    // around it.
    void foldBurst(quint32 first, quint32 last)
    {
        const LanePyramid &pyramid = m_lane.pyramid();
        const std::vector<TimeBucket> &base = pyramid.buckets(0);
        const int shift = pyramid.shiftOf(0);
        quint32 i = first;
        int c = 0;
        while (c < m_window.width) {
            const Instant left{Duration{m_from + static_cast<qint64>(c * m_perPixel)}};
            const Instant right{Duration{m_from + static_cast<qint64>((c + 1) * m_perPixel)}};
            i = gallop(i, last, [&](quint32 at) { return m_lane.end(at) < left; });
            if (i < last && m_lane.end(i) == left && m_lane.begin(i) < left)
                ++i; // it only touches the pixel
            if (i >= last)
                break;
            ++m_out.visited;
            const Instant begin = m_lane.begin(i);
            if (begin >= right && begin < m_window.to) {
                c = std::max(c + 1, columnOf(ns(begin)));
                continue;
            }
            const Instant end = drawnEnd(m_lane, i, m_window.now);
            if (isWide(ns(begin), ns(end))) {
                addSpan(i);
                // The column it ends in holds what follows it, too.
                ++i;
                c = end >= m_window.to ? m_window.width : std::max(c + 1, columnOf(ns(end)));
                continue;
            }
            FoldedColumn &folded = column(c);
            folded.occupied = true;
            const qint64 bucket = ((ns(left) + static_cast<qint64>(m_perPixel / 2)) >> shift) - pyramid.firstBucket(0);
            if (bucket >= 0 && bucket < static_cast<qint64>(base.size())) {
                const TimeBucket &b = base[static_cast<size_t>(bucket)];
                folded.good = std::max(folded.good, b.good);
                folded.backoff = std::max(folded.backoff, b.backoff);
                folded.bad = std::max(folded.bad, b.bad);
            }
            ++c;
        }
        markFailures(first, last);
    }

    // At least one failure in every pixel that has any, though not always the worst of them.
    void markFailures(quint32 first, quint32 last)
    {
        const Lane::Positions &failures = m_lane.failures();
        const quint32 count = failures.size();
        quint32 failure = gallop(0, count, [&](quint32 at) { return failures[at] < first; });
        while (failure < count && failures[failure] < last) {
            ++m_out.visited;
            const quint32 i = failures[failure];
            const qint64 begin = std::max(ns(m_lane.begin(i)), m_from);
            const int c = columnOf(begin);
            FoldedColumn &folded = column(c);
            folded.occupied = true;
            folded.worst = std::max(folded.worst, static_cast<quint8>(m_lane.severity(i)));
            // On to the first failure that begins in a later column.
            const Instant right{Duration{m_from + static_cast<qint64>((c + 1) * m_perPixel)}};
            failure = gallop(failure + 1, count, [&](quint32 at) { return m_lane.begin(failures[at]) < right; });
        }
    }

    // First place from `low` on that is not `before`: steps that double, then halving. Near places are found fast.
    template<class Before> static quint32 gallop(quint32 low, quint32 end, Before before)
    {
        quint32 step = 1;
        quint32 high = low;
        while (high < end && before(high)) {
            low = high + 1;
            high = end - high > step ? high + step : end;
            step *= 2;
        }
        while (low < high) {
            const quint32 middle = low + (high - low) / 2;
            if (before(middle))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    const TraceStore &m_store;
    const Lane &m_lane;
    const TimeWindow &m_window;
    VisibleSpans &m_out;
    qint64 m_from;
    double m_perPixel; // nanoseconds
    double m_perNs;    // pixels
};

} // namespace

SpanClass FoldedColumn::dominant() const noexcept
{
    if (good == 0 && backoff == 0 && bad == 0)
        return worst > severityOf(Outcome::Partial) ? SpanClass::Bad : SpanClass::Good;
    if (bad >= good && bad >= backoff)
        return SpanClass::Bad;
    return backoff >= good ? SpanClass::Backoff : SpanClass::Good;
}

double FoldedColumn::weight() const noexcept
{
    if (!occupied)
        return 0;
    return std::clamp((good + backoff + bad) / 65535.0, 0.25, 1.0);
}

void findVisible(const TraceStore &store, LaneId laneId, const TimeWindow &window, VisibleSpans &out)
{
    out.wide.clear();
    // Every frame clears a row of them for every lane: as plain memory, which is eight times as fast as one by one.
    static_assert(std::is_trivially_copyable_v<FoldedColumn>);
    out.columns.resize(static_cast<size_t>(std::max(0, window.width)));
    if (!out.columns.empty())
        std::memset(static_cast<void *>(out.columns.data()), 0, out.columns.size() * sizeof(FoldedColumn));
    out.path = FoldPath::Scan;
    out.visited = 0;
    const auto inRange = [](Instant t) { return std::clamp(t, earliestTime, latestTime); };
    const TimeWindow within{inRange(window.from), inRange(window.to), window.width, inRange(window.now)};
    if (within.width > 0 && within.to > within.from)
        Folding(store, store.lane(laneId), within, out).run();
}

SpanId spanAt(const TraceStore &store, LaneId laneId, Instant t, Instant now)
{
    const Lane &lane = store.lane(laneId);
    const quint32 i = lane.firstEndingAfter(t);
    if (i == lane.size() || lane.begin(i) > t || (lane.end(i) == never && t > now))
        return {};
    return store.spanAtIndex(lane.spanIndex(i));
}

SpanId nearestSpan(const TraceStore &store, LaneId laneId, Instant t, Instant now)
{
    if (const SpanId covering = spanAt(store, laneId, t, now))
        return covering;
    const Lane &lane = store.lane(laneId);
    if (lane.size() == 0)
        return {};
    // Nothing covers t: what ends before it, or what begins after it, or an open span that is not drawn as far as t.
    quint32 i = std::min(lane.firstEndingAfter(t), lane.size() - 1);
    const auto distance = [&](quint32 at) {
        const Instant end = drawnEnd(lane, at, now);
        return lane.begin(at) > t ? lane.begin(at) - t : t - end;
    };
    if (i > 0 && distance(i - 1) <= distance(i))
        --i;
    return store.spanAtIndex(lane.spanIndex(i));
}

std::vector<SpanId> ancestorsOf(const TraceStore &store, SpanId id)
{
    std::vector<SpanId> found;
    for (SpanId up = store.parentOf(id); up; up = store.parentOf(up))
        found.push_back(up);
    return found;
}

bool isWithin(const TraceStore &store, SpanId id, SpanId ancestor)
{
    while (id && id != ancestor)
        id = store.parentOf(id);
    return static_cast<bool>(id);
}

std::vector<SpanId> causeChain(const TraceStore &store, SpanId id)
{
    std::vector<SpanId> chain;
    for (SpanId at = store.kindOf(id) ? id : SpanId{}; at; at = store.causeOf(at))
        chain.push_back(at);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

SpanId previousInChain(const TraceStore &store, SpanId id)
{
    return store.causeOf(id);
}

SpanId nextInChain(const TraceStore &store, SpanId id)
{
    const std::vector<SpanId> effects = store.effectsOf(id);
    return effects.empty() ? SpanId{} : effects.front();
}

std::optional<Instant> nextEdge(const TraceStore &store, Instant t, std::span<const LaneId> lanes)
{
    Instant nearest = never;
    for (LaneId id : lanes.empty() ? store.laneOrder() : lanes) {
        const Lane &lane = store.lane(id);
        const quint32 ending = lane.firstEndingAfter(t);
        if (ending < lane.size())
            nearest = std::min(nearest, lane.end(ending)); // never for an open span
        const quint32 beginning = lane.firstBeginningFrom(after(t, Duration{1}));
        if (beginning < lane.size())
            nearest = std::min(nearest, lane.begin(beginning));
    }
    return nearest == never ? std::nullopt : std::optional(nearest);
}

std::optional<Instant> previousEdge(const TraceStore &store, Instant t, std::span<const LaneId> lanes)
{
    std::optional<Instant> nearest;
    const auto take = [&](Instant edge) { nearest = nearest ? std::max(*nearest, edge) : edge; };
    for (LaneId id : lanes.empty() ? store.laneOrder() : lanes) {
        const Lane &lane = store.lane(id);
        if (const quint32 ending = lane.firstEndingFrom(t); ending > 0)
            take(lane.end(ending - 1));
        if (const quint32 beginning = lane.firstBeginningFrom(t); beginning > 0)
            take(lane.begin(beginning - 1));
    }
    return nearest;
}

} // namespace Waitscope
