// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/lane.h"

namespace Waitscope {

namespace {

// First position whose value is not `before`, by halving.
template<class Before> quint32 firstNot(quint32 size, Before before)
{
    quint32 low = 0;
    quint32 high = size;
    while (low < high) {
        const quint32 middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

bool Lane::isFreeAt(Instant at) const noexcept
{
    return !hasOpenSpan() && (m_ends.isEmpty() || m_ends.last() <= at);
}

quint32 Lane::firstEndingAfter(Instant t) const noexcept
{
    return firstNot(size(), [&](quint32 i) { return m_ends[i] <= t; });
}

quint32 Lane::firstEndingFrom(Instant t) const noexcept
{
    return firstNot(size(), [&](quint32 i) { return m_ends[i] < t; });
}

quint32 Lane::firstBeginningFrom(Instant t) const noexcept
{
    return firstNot(size(), [&](quint32 i) { return m_begins[i] < t; });
}

Lane::Run Lane::runFrom(quint32 i) const noexcept
{
    // All columns have chunks of the same sizes.
    return {&m_begins[i], &m_ends[i], &m_tags[i], m_begins.runFrom(i)};
}

quint32 Lane::append(Instant begin, quint32 spanIndex, SpanKind kind)
{
    m_begins.append(begin);
    m_ends.append(never);
    m_spans.append(spanIndex);
    m_tags.append(tag(Waitscope::classOf(kind, Outcome::Ok), Outcome::Ok));
    return m_spans.size() - 1;
}

void Lane::endLast(Instant end, SpanKind kind, Outcome outcome)
{
    const quint32 position = m_spans.size() - 1;
    m_ends[position] = end;
    m_tags[position] = tag(Waitscope::classOf(kind, outcome), outcome);
    if (outcome != Outcome::Ok)
        m_failures.append(position);
    m_ended = m_spans.size();
    m_pyramid.spanEnded(*this, position);
}

quint8 Lane::tag(SpanClass spanClass, Outcome outcome) noexcept
{
    return static_cast<quint8>(static_cast<int>(spanClass) << 3 | Waitscope::severityOf(outcome));
}

qsizetype Lane::memory() const noexcept
{
    return m_begins.memory() + m_ends.memory() + m_spans.memory() + m_tags.memory() + m_failures.memory()
        + m_pyramid.memory();
}

} // namespace Waitscope
