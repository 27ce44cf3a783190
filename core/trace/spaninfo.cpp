// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/spaninfo.h"

#include <algorithm>
#include <array>

namespace Waitscope {

namespace {

// From harmless to worst; a severity is a place in this row.
constexpr std::array bySeverity{Outcome::Ok,        Outcome::Partial, Outcome::Interrupted, Outcome::Truncated,
                                Outcome::Abandoned, Outcome::Timeout, Outcome::Error};

void takeLater(Instant &mine, Instant other)
{
    if (other != never && (mine == never || other > mine))
        mine = other;
}

void takeEarlier(Instant &mine, Instant other)
{
    mine = std::min(mine, other); // never is the latest of all
}

} // namespace

SpanClass classOf(SpanKind kind, Outcome outcome) noexcept
{
    if (kind == SpanKind::Backoff)
        return SpanClass::Backoff;
    return outcome == Outcome::Ok || outcome == Outcome::Partial ? SpanClass::Good : SpanClass::Bad;
}

int severityOf(Outcome outcome) noexcept
{
    for (size_t i = 0; i < bySeverity.size(); ++i) {
        if (bySeverity[i] == outcome)
            return static_cast<int>(i);
    }
    Q_UNREACHABLE();
}

Outcome outcomeOfSeverity(int severity) noexcept
{
    return bySeverity[static_cast<size_t>(qBound(0, severity, static_cast<int>(bySeverity.size()) - 1))];
}

void Arrivals::take(Instant at)
{
    constexpr Duration together = std::chrono::milliseconds(5);
    constexpr int burst = 3;
    if (lastAt != never && at - lastAt < together) {
        if (++inLast == burst)
            ++bursts;
        return;
    }
    if (lastAt != never) {
        shortestGap = std::min(shortestGap, at - lastAt);
        longestGap = std::max(longestGap, at - lastAt);
    }
    lastAt = at;
    inLast = 1;
    ++count;
}

void Traffic::add(const Traffic &later)
{
    lines += later.lines;
    dataEvents += later.dataEvents;
    pings += later.pings;
    bytes += later.bytes;
    sent += later.sent;
    if (later.lastProgress != never)
        sentBytes = later.sentBytes;
    if (later.outputTokens != 0)
        outputTokens = later.outputTokens;
    if (later.status != 0)
        status = later.status;
    takeLater(lastProgress, later.lastProgress);
    takeEarlier(firstByte, later.firstByte);
    takeLater(lastByte, later.lastByte);
    takeLater(lastLine, later.lastLine);
    takeLater(lastData, later.lastData);
    takeEarlier(committed, later.committed);
    takeLater(endMarker, later.endMarker);
}

} // namespace Waitscope
