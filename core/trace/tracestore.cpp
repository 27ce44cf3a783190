// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracestore.h"

#include "trace/tracetables.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

template<class T> qsizetype memoryOf(const std::vector<T> &rows)
{
    return static_cast<qsizetype>(rows.capacity() * sizeof(T));
}

} // namespace

TraceStore::TraceStore(StoreLimits limits)
    : d(std::make_unique<Tables>(limits))
{
}

TraceStore::~TraceStore() = default;

void TraceStore::setHeader(TraceHeader header)
{
    d->header = std::move(header);
}

const TraceHeader &TraceStore::header() const noexcept
{
    return d->header;
}

void TraceStore::write(const Event &event)
{
    ++d->events;
    const Instant at = timeOf(event);
    if (at > latestTime || at < earliestTime) [[unlikely]] {
        d->note(at, u"the time is out of range; the event is left out"_s);
        return;
    }
    if (d->events == 1) {
        d->first = d->last = at;
    } else if (at < d->last) [[unlikely]] {
        d->note(at, u"the event is %1 ns earlier than the one before it"_s.arg((d->last - at).count()));
        d->first = std::min(d->first, at);
    } else {
        d->last = at;
    }
    std::visit([this](const auto &e) { d->take(e); }, event);
}

quint64 TraceStore::revision() const noexcept
{
    return d->events;
}

Instant TraceStore::firstTime() const noexcept
{
    return d->first;
}

Instant TraceStore::lastTime() const noexcept
{
    return d->last;
}

qint64 TraceStore::requestCount() const noexcept
{
    return d->requests;
}

quint32 TraceStore::spanCount() const noexcept
{
    return d->spans.size();
}

SpanId TraceStore::spanAtIndex(quint32 index) const noexcept
{
    return index < d->spans.size() ? d->idAt(index) : SpanId{};
}

std::optional<SpanInfo> TraceStore::span(SpanId id) const
{
    const quint32 index = d->find(id);
    if (index == Tables::none)
        return std::nullopt;
    const Tables::SpanRow &row = d->spans[index];
    const SpanShape &shape = d->shapes[row.shape];
    const SpanEnding &ending = d->endings[row.ending];
    SpanInfo info;
    info.id = id;
    info.parent = d->idAt(row.parent);
    info.cause = d->idAt(row.cause);
    info.kind = shape.kind;
    info.layer = shape.layer;
    info.phase = shape.phase;
    info.role = shape.role;
    info.attempt = shape.attempt;
    info.maxAttempts = shape.maxAttempts;
    info.label = d->strings[shape.label];
    info.lane = LaneId{quint64{row.lane} + 1};
    info.begin = d->beginAt(index);
    info.end = d->endAt(index);
    info.outcome = ending.outcome;
    info.reason = ending.reason;
    info.retryable = ending.retryable;
    info.exhausted = ending.exhausted;
    info.status = ending.status;
    info.type = d->strings[ending.type];
    info.text = d->strings[ending.text];
    info.rule = d->strings[ending.rule];
    info.hintSeconds = ending.hintSeconds;
    return info;
}

SpanId TraceStore::parentOf(SpanId id) const noexcept
{
    const quint32 index = d->find(id);
    return index == Tables::none ? SpanId{} : d->idAt(d->spans[index].parent);
}

SpanId TraceStore::causeOf(SpanId id) const noexcept
{
    const quint32 index = d->find(id);
    return index == Tables::none ? SpanId{} : d->idAt(d->spans[index].cause);
}

std::optional<SpanKind> TraceStore::kindOf(SpanId id) const noexcept
{
    const quint32 index = d->find(id);
    return index == Tables::none ? std::nullopt : std::optional(d->kindAt(index));
}

bool TraceStore::isOpen(SpanId id) const noexcept
{
    const quint32 index = d->find(id);
    return index != Tables::none && d->endAt(index) == never;
}

std::vector<SpanId> TraceStore::childrenOf(SpanId id) const
{
    std::vector<SpanId> children;
    const quint32 index = d->find(id);
    if (index == Tables::none)
        return children;
    for (quint32 c = d->spans[index].lastChild; c != Tables::none; c = d->spans[c].previousSibling)
        children.push_back(d->idAt(c));
    std::reverse(children.begin(), children.end());
    return children;
}

std::vector<SpanId> TraceStore::roots() const
{
    std::vector<SpanId> roots;
    roots.reserve(d->roots.size());
    for (quint32 i = 0; i < d->roots.size(); ++i)
        roots.push_back(d->idAt(d->roots[i]));
    return roots;
}

std::vector<SpanId> TraceStore::effectsOf(SpanId id) const
{
    std::vector<SpanId> found;
    const quint32 index = d->find(id);
    if (index == Tables::none)
        return found;
    d->extendEffects();
    for (auto [it, end] = d->effects.equal_range(index); it != end; ++it)
        found.push_back(d->idAt(it.value()));
    std::reverse(found.begin(), found.end()); // a multi-hash gives the latest first
    return found;
}

std::vector<SpanId> TraceStore::openSpans() const
{
    std::vector<SpanId> open;
    for (LaneId id : laneOrder()) {
        const Lane &row = lane(id);
        if (row.hasOpenSpan())
            open.push_back(d->idAt(row.spanIndex(row.size() - 1)));
    }
    return open;
}

quint32 TraceStore::laneCount() const noexcept
{
    return d->lanes.size();
}

std::span<const LaneId> TraceStore::laneOrder() const
{
    return d->lanes.order();
}

LaneInfo TraceStore::laneInfo(LaneId id) const
{
    return id && id.value <= d->lanes.size() ? d->lanes.info(static_cast<quint32>(id.value - 1)) : LaneInfo{};
}

const Lane &TraceStore::lane(LaneId id) const
{
    static const Lane empty;
    return id && id.value <= d->lanes.size() ? d->lanes.lane(static_cast<quint32>(id.value - 1)) : empty;
}

Instant TraceStore::changedFrom(LaneId id, LaneStamp drawn) const
{
    const Lane &row = lane(id);
    if (row.stamp() == drawn)
        return never;
    if (row.size() < drawn.spans || drawn.spans == 0) // drawn from another store, or not at all
        return row.size() > 0 ? row.begin(0) : Instant::min();
    // Only the last span drawn can have been open, and what came since stands behind it.
    return row.begin(drawn.ended < drawn.spans ? drawn.spans - 1 : drawn.spans);
}

std::vector<ShownTimer> TraceStore::timersOf(SpanId owner) const
{
    std::vector<ShownTimer> shown;
    const quint32 index = d->find(owner);
    const Tables::Extra *extra = index == Tables::none ? nullptr : d->extraAt(index);
    for (quint32 t = extra ? extra->lastTimer : Tables::none; t != Tables::none; t = d->timers.previousOf(t))
        shown.push_back(d->timerAt(t));
    std::reverse(shown.begin(), shown.end());
    return shown;
}

std::vector<ShownTimer> TraceStore::armedTimers(SpanId about) const
{
    const quint32 index = d->find(about);
    std::vector<quint32> rows;
    for (quint32 row : d->timers.armed()) {
        const quint32 owner = d->timers.ownerOf(row);
        if (!about || (index != Tables::none && (d->isWithin(owner, index) || d->isWithin(index, owner))))
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<ShownTimer> shown;
    shown.reserve(rows.size());
    for (quint32 row : rows)
        shown.push_back(d->timerAt(row));
    return shown;
}

std::vector<ShownMark> TraceStore::marksOf(SpanId span) const
{
    std::vector<ShownMark> shown;
    const quint32 index = d->find(span);
    const Tables::Extra *extra = index == Tables::none ? nullptr : d->extraAt(index);
    for (quint32 m = extra ? extra->lastMark : Tables::none; m != Tables::none; m = d->marks[m].previous) {
        const Tables::MarkRow &row = d->marks[m];
        shown.push_back({row.at, span, row.kind, row.value, d->strings[row.text]});
    }
    std::reverse(shown.begin(), shown.end());
    return shown;
}

Traffic TraceStore::traffic(SpanId span) const
{
    const quint32 index = d->find(span);
    if (index == Tables::none)
        return {};
    const SpanKind kind = d->kindAt(index);
    const bool below = kind == SpanKind::Phase || kind == SpanKind::Backoff;
    const Traffic *found = below ? d->trafficFor(index) : d->trafficAt(index);
    if (found || Tables::holdsTraffic(kind) || below)
        return found ? *found : Traffic{};
    Traffic sum;
    for (SpanId child : childrenOf(span)) {
        if (kindOf(child) != SpanKind::Backoff)
            sum.add(traffic(child));
    }
    return sum;
}

std::vector<RawLine> TraceStore::rawLines(SpanId span) const
{
    const quint32 index = d->find(span);
    return index == Tables::none ? std::vector<RawLine>() : d->tails.lines(d->tailOwnerAt(index));
}

qint64 TraceStore::linesLeftOut(SpanId span) const
{
    const quint32 index = d->find(span);
    return index == Tables::none ? 0 : d->tails.leftOut(d->tailOwnerAt(index));
}

SpanId TraceStore::callOf(SpanId span) const noexcept
{
    const quint32 index = d->find(span);
    return index == Tables::none ? SpanId{} : d->idAt(d->callAt(index));
}

std::vector<ShownDraw> TraceStore::drawsOf(SpanId span) const
{
    std::vector<ShownDraw> shown;
    const quint32 index = d->find(span);
    const Tables::Extra *extra = index == Tables::none ? nullptr : d->extraAt(index);
    for (quint32 n = extra ? extra->lastDraw : Tables::none; n != Tables::none; n = d->draws[n].previous) {
        const Tables::DrawRow &row = d->draws[n];
        shown.push_back({row.at, span, row.layer, row.attempt, row.u});
    }
    std::reverse(shown.begin(), shown.end());
    return shown;
}

std::vector<ShownDraw> TraceStore::draws() const
{
    std::vector<ShownDraw> shown;
    shown.reserve(d->draws.size());
    for (quint32 i = 0; i < d->draws.size(); ++i) {
        const Tables::DrawRow &row = d->draws[i];
        shown.push_back({row.at, row.span ? d->idAt(row.span - 1) : SpanId{}, row.layer, row.attempt, row.u});
    }
    return shown;
}

std::vector<ShownCounter> TraceStore::counters() const
{
    std::vector<ShownCounter> shown;
    shown.reserve(d->counters.size());
    for (quint32 i = 0; i < d->counters.size(); ++i) {
        const Tables::CounterRow &row = d->counters[i];
        shown.push_back({row.at, row.span ? d->idAt(row.span - 1) : SpanId{}, d->strings[row.name], row.value});
    }
    return shown;
}

const std::vector<PolicyChanged> &TraceStore::policyChanges() const noexcept
{
    return d->policyChanges;
}

const std::vector<CommandGiven> &TraceStore::commands() const noexcept
{
    return d->commands;
}

const std::vector<ClockJumped> &TraceStore::clockJumps() const noexcept
{
    return d->clockJumps;
}

const std::vector<StoreProblem> &TraceStore::problems() const noexcept
{
    return d->problems;
}

quint64 TraceStore::problemCount() const noexcept
{
    return d->problemCount;
}

qsizetype TraceStore::memory() const noexcept
{
    return static_cast<qsizetype>(sizeof(Tables)) + d->ids.memory() + d->spans.memory() + d->extras.memory()
        + d->roots.memory() + d->lanes.memory() + d->strings.memory() + d->shapes.memory() + d->endings.memory()
        + d->timers.memory() + d->marks.memory() + d->traffics.memory() + d->tails.memory() + d->draws.memory()
        + d->counters.memory() + memoryOf(d->policyChanges) + memoryOf(d->commands) + memoryOf(d->clockJumps)
        + memoryOf(d->problems);
}

} // namespace Waitscope
