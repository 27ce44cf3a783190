// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/peerhistory.h"

#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// The context of translations.
class PeerHistory
{
    Q_DECLARE_TR_FUNCTIONS(PeerHistory)
};

namespace {

constexpr quint32 looksBack = 1000; // spans

// Requests to the same peer that had ended when `request` began, latest first.
std::vector<SpanInfo> earlierTo(const TraceStore &store, const SpanInfo &request)
{
    std::vector<SpanInfo> earlier;
    const quint32 count = store.spanCount();
    const quint32 least = count > looksBack ? count - looksBack : 0;
    for (quint32 index = count; index-- > least;) {
        const SpanId id = store.spanAtIndex(index);
        if (store.kindOf(id) != SpanKind::Request)
            continue;
        std::optional<SpanInfo> other = store.span(id);
        if (other && !other->isOpen() && other->end <= request.begin && other->id != request.id && other->label == request.label)
            earlier.push_back(std::move(*other));
    }
    std::ranges::sort(earlier, std::ranges::greater(), &SpanInfo::end);
    return earlier;
}

std::optional<Instant> headersAt(const TraceStore &store, SpanId request)
{
    for (const ShownMark &mark : store.marksOf(request)) {
        if (mark.kind == MarkKind::Headers)
            return mark.at;
    }
    return std::nullopt;
}

// A time-out's wait is round; a server's work is not.
std::optional<Duration> roundWait(const TraceStore &store, const SpanInfo &request)
{
    constexpr Duration step = 5s;
    constexpr Duration off = 100ms;
    const std::optional<Instant> answered = headersAt(store, request.id);
    if (!answered)
        return std::nullopt;
    const Duration waited = *answered - request.begin;
    const Duration nearest = (waited + step / 2) / step * step;
    return nearest >= step && std::chrono::abs(waited - nearest) <= off ? std::optional(nearest) : std::nullopt;
}

bool isReused(const TraceStore &store, SpanId request)
{
    const std::vector<ShownMark> marks = store.marksOf(request);
    return std::ranges::any_of(
        marks, [](const ShownMark &mark) { return mark.kind == MarkKind::SendBegan && !mark.text.isEmpty(); });
}

// Since the last request to this peer ended: its connection has idled at least that long. `earlier` has the latest first.
std::optional<Duration> idleBefore(const std::vector<SpanInfo> &earlier, const SpanInfo &request)
{
    const auto last = std::ranges::find_if(
        earlier, [&request](const SpanInfo &other) { return other.end <= request.begin && other.id != request.id; });
    return last == earlier.end() ? std::nullopt : std::optional(request.begin - last->end);
}

} // namespace

QString contradictionOf(const TraceStore &store, const SpanInfo &request)
{
    const std::vector<SpanInfo> earlier = earlierTo(store, request);
    const auto good = std::ranges::find(earlier, Outcome::Ok, &SpanInfo::outcome);
    if (good == earlier.end())
        return {};
    const QString ago = saidLength(std::chrono::round<std::chrono::seconds>(request.begin - good->end));
    const std::optional<Duration> wait = roundWait(store, request);
    if (!wait)
        return PeerHistory::tr("It let the same call to %1 pass %2 before: you may try it once more.").arg(request.label, ago);
    return PeerHistory::tr("It let the same call to %1 pass %2 before, and refused after %3, a wait as round as a time-out's: "
                           "something on the way may have failed, so you may try it once more.")
        .arg(request.label, ago, saidLength(*wait));
}

QString idleAdvice(const TraceStore &store, const SpanInfo &reconnect)
{
    const std::optional<SpanInfo> dead = store.span(reconnect.cause);
    if (!dead)
        return {};
    const std::vector<SpanInfo> earlier = earlierTo(store, *dead);
    const std::optional<Duration> idle = idleBefore(earlier, *dead);
    if (!idle || *idle <= Duration::zero())
        return {};
    std::optional<Duration> good;
    for (const SpanInfo &request : earlier) {
        const std::optional<Duration> rested
            = request.outcome == Outcome::Ok && isReused(store, request.id) ? idleBefore(earlier, request) : std::nullopt;
        if (rested && *rested < *idle)
            good = std::max(good.value_or(Duration::zero()), *rested);
    }
    const QString whole = saidLength(std::chrono::round<std::chrono::seconds>(*idle));
    if (!good)
        return PeerHistory::tr("A kept connection to %1 was dead after %2 without use: keep them for less.").arg(dead->label, whole);
    return PeerHistory::tr("A kept connection to %1 was dead after %2 without use, others were good after %3: keep them no "
                           "longer than that.")
        .arg(dead->label, whole, saidLength(std::chrono::round<std::chrono::seconds>(*good)));
}

} // namespace Waitscope
