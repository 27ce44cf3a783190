// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracetables.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString number(quint64 value)
{
    return QString::number(value);
}

void byteSeen(Traffic &t, Instant at)
{
    if (t.firstByte == never)
        t.firstByte = at;
    t.lastByte = at;
}

void lineSeen(Traffic &t, const Marked &m)
{
    ++t.lines;
    t.bytes += m.value;
    byteSeen(t, m.at);
    t.lastLine = m.at;
}

void apply(Traffic &t, const Marked &m)
{
    switch (m.kind) {
    case MarkKind::Headers:
        t.status = static_cast<int>(m.value);
        byteSeen(t, m.at);
        break;
    case MarkKind::Line:
        lineSeen(t, m);
        break;
    case MarkKind::Data:
        lineSeen(t, m);
        ++t.dataEvents;
        t.arrivals.take(m.at);
        t.lastData = m.at;
        break;
    case MarkKind::Ping:
        lineSeen(t, m);
        ++t.pings;
        break;
    case MarkKind::StreamError:
        lineSeen(t, m);
        break;
    case MarkKind::EndMarker:
        lineSeen(t, m);
        t.lastData = t.endMarker = m.at;
        break;
    case MarkKind::Committed:
        if (t.committed == never)
            t.committed = m.at;
        break;
    case MarkKind::Progress:
        t.sentBytes = m.value;
        t.lastProgress = m.at;
        break;
    case MarkKind::SendBegan:
        ++t.sent;
        break;
    case MarkKind::Usage:
        t.outputTokens = m.value;
        break;
    case MarkKind::Trying:
    case MarkKind::AddressFailed:
    case MarkKind::Connected:
    case MarkKind::ResendRefused:
    case MarkKind::AlarmEntered:
    case MarkKind::AlarmSwallowed:
    case MarkKind::AlarmUndelivered:
    case MarkKind::Unprotected:
    case MarkKind::Interrupted:
    case MarkKind::Retrying:
    case MarkKind::GaveUp:
    case MarkKind::Note:
        break;
    }
}

// Each line of a stream has one mark, whatever it turned out to be.
bool isLine(MarkKind kind)
{
    return kind == MarkKind::Line || kind == MarkKind::Data || kind == MarkKind::Ping || kind == MarkKind::StreamError
        || kind == MarkKind::EndMarker;
}

// These come by the thousand: counted, and the latest lines kept as a tail, but no rows of their own.
bool isOnlyCounted(MarkKind kind)
{
    return kind == MarkKind::Line || kind == MarkKind::Data || kind == MarkKind::Ping || kind == MarkKind::Progress;
}

} // namespace

TraceStore::Tables::Tables(const StoreLimits &theLimits)
    : limits(theLimits)
    , lanes(theLimits.tasksWithOwnRows)
    , tails(theLimits)
{
}

void TraceStore::Tables::take(const SpanBegan &e)
{
    if (!e.id || spans.size() == none - 1)
        return note(e.at, u"a span without a number"_s);
    if (find(e.id) != none)
        return note(e.at, u"span %1 begins a second time"_s.arg(number(e.id.value)));
    SpanRow row;
    row.parent = find(e.parent);
    row.cause = find(e.cause);
    if (e.parent && row.parent == none)
        note(e.at, u"span %1 has parent %2, which never began"_s.arg(number(e.id.value), number(e.parent.value)));
    if (e.cause && row.cause == none)
        note(e.at, u"span %1 names cause %2, which never began"_s.arg(number(e.id.value), number(e.cause.value)));
    if (row.parent != none && lanes.info(spans[row.parent].lane).depth >= deepest) {
        note(e.at, u"span %1 is nested deeper than %2 spans; it is shown as a root"_s.arg(number(e.id.value)).arg(deepest));
        row.parent = none;
    }
    row.shape = shapes.add({strings.add(e.label), e.attempt, e.maxAttempts, e.kind, e.layer, e.phase, e.role});

    const quint32 index = spans.size();
    const auto laneOf = [&](quint32 span) { return span == none ? LaneBook::none : spans[span].lane; };
    const LaneBook::Place place = lanes.place(e, index, laneOf(row.parent), laneOf(row.cause));
    row.lane = place.lane;
    row.position = place.position;
    if (row.parent != none) {
        row.previousSibling = spans[row.parent].lastChild;
        spans[row.parent].lastChild = index;
    } else {
        roots.append(index);
    }
    requests += e.kind == SpanKind::Request ? 1 : 0;
    ids.add(e.id.value);
    spans.append(row);
}

void TraceStore::Tables::take(const SpanEnded &e)
{
    const quint32 index = find(e.id);
    if (index == none)
        return note(e.at, u"span %1 ends but never began"_s.arg(number(e.id.value)));
    if (endAt(index) != never)
        return note(e.at, u"span %1 ends a second time"_s.arg(number(e.id.value)));
    Instant end = e.at;
    if (end < beginAt(index)) {
        end = beginAt(index);
        note(e.at, u"span %1 ends before it begins"_s.arg(number(e.id.value)));
    }
    SpanRow &row = spans[index];
    row.ending = endings.add({e.hintSeconds, strings.add(e.type), strings.add(e.text), strings.add(e.rule), e.status,
                              e.outcome, e.reason, e.retryable, e.exhausted});
    const SpanKind kind = kindAt(index);
    lanes.end(row.lane, end, kind, e.outcome);
    if (const Extra *extra = extraAt(index); extra && extra->lastTimer != none)
        timers.ownerEnded(extra->lastTimer, end);
    if (kind == SpanKind::Exec || row.parent == none)
        tails.callEnded(index);
}

void TraceStore::Tables::take(const Marked &e)
{
    const quint32 index = find(e.span);
    if (index == none)
        return note(e.at, u"%1 on span %2, which never began"_s.arg(wordOf(e.kind), number(e.span.value)));
    for (quint32 i = index; i != none; i = spans[i].parent) {
        if (!holdsTraffic(kindAt(i)))
            continue;
        Extra &extra = extraOf(i);
        if (extra.traffic == none) {
            extra.traffic = traffics.size();
            traffics.append({});
        }
        apply(traffics[extra.traffic], e);
    }
    if (isLine(e.kind))
        tails.add(tailOwnerAt(index), {e.at, e.span, e.kind, e.value, e.text});
    if (isOnlyCounted(e.kind))
        return;
    Extra &extra = extraOf(index);
    const quint32 previous = extra.lastMark;
    extra.lastMark = marks.size();
    marks.append({e.at, e.value, index, strings.add(e.text), previous, e.kind});
}

void TraceStore::Tables::take(const TimerArmed &e)
{
    const quint32 owner = find(e.owner);
    if (owner == none || !e.id) {
        return note(e.at,
                    u"%1 timer %2 belongs to span %3, which never began"_s.arg(wordOf(e.kind), number(e.id.value),
                                                                               number(e.owner.value)));
    }
    Extra &extra = extraOf(owner);
    extra.lastTimer = timers.arm(e, owner, extra.lastTimer);
    if (endAt(owner) != never) {
        note(e.at,
             u"%1 timer %2 is armed after its span %3 ended"_s.arg(wordOf(e.kind), number(e.id.value),
                                                                   number(e.owner.value)));
        timers.drop(extra.lastTimer, e.at);
    }
}

void TraceStore::Tables::take(const TimerFired &e)
{
    bool dropped = false;
    if (!timers.fire(e, dropped))
        note(e.at, u"timer %1 fires but is not armed"_s.arg(number(e.id.value)));
}

void TraceStore::Tables::take(const TimerDisarmed &e)
{
    bool dropped = false;
    if (!timers.disarm(e, dropped))
        note(e.at, u"timer %1 is disarmed but is not armed"_s.arg(number(e.id.value)));
}

void TraceStore::Tables::take(const DrawMade &e)
{
    const quint32 index = find(e.span);
    DrawRow row{e.at, e.u, index == none ? 0 : index + 1, none, e.attempt, e.layer};
    if (index != none) {
        Extra &extra = extraOf(index);
        row.previous = extra.lastDraw;
        extra.lastDraw = draws.size();
    } else if (e.span) {
        note(e.at, u"a draw for span %1, which never began"_s.arg(number(e.span.value)));
    }
    draws.append(row);
}

void TraceStore::Tables::take(const PolicyChanged &e)
{
    policyChanges.push_back(e);
}

void TraceStore::Tables::take(const CommandGiven &e)
{
    commands.push_back(e);
}

void TraceStore::Tables::take(const ClockJumped &e)
{
    clockJumps.push_back(e);
}

void TraceStore::Tables::take(const CounterSampled &e)
{
    const quint32 index = find(e.span);
    if (e.span && index == none)
        note(e.at, u"a counter of span %1, which never began"_s.arg(number(e.span.value)));
    counters.append({e.at, e.value, index == none ? 0 : index + 1, strings.add(e.name)});
}

void TraceStore::Tables::note(Instant at, QString text)
{
    ++problemCount;
    if (static_cast<int>(problems.size()) < limits.problems)
        problems.push_back({events, at, std::move(text)});
}

TraceStore::Tables::Extra &TraceStore::Tables::extraOf(quint32 index)
{
    quint32 &extra = spans[index].extra;
    if (extra == none) {
        extra = extras.size();
        extras.append({});
    }
    return extras[extra];
}

const TraceStore::Tables::Extra *TraceStore::Tables::extraAt(quint32 index) const
{
    const quint32 extra = spans[index].extra;
    return extra == none ? nullptr : &extras[extra];
}

bool TraceStore::Tables::holdsTraffic(SpanKind kind) noexcept
{
    return kind == SpanKind::Request || kind == SpanKind::Exec || kind == SpanKind::Orphan;
}

const Traffic *TraceStore::Tables::trafficAt(quint32 index) const
{
    const Extra *extra = extraAt(index);
    return extra && extra->traffic != none ? &traffics[extra->traffic] : nullptr;
}

const Traffic *TraceStore::Tables::trafficFor(quint32 index) const
{
    while (index != none && !holdsTraffic(kindAt(index)))
        index = spans[index].parent;
    return index == none ? nullptr : trafficAt(index);
}

quint32 TraceStore::Tables::callAt(quint32 index) const
{
    while (index != none && kindAt(index) != SpanKind::Exec)
        index = spans[index].parent;
    return index;
}

quint32 TraceStore::Tables::tailOwnerAt(quint32 index) const
{
    quint32 root = index;
    for (quint32 i = index; i != none; i = spans[i].parent) {
        if (kindAt(i) == SpanKind::Exec)
            return i;
        root = i;
    }
    return root;
}

bool TraceStore::Tables::isWithin(quint32 index, quint32 ancestor) const
{
    while (index != none && index != ancestor)
        index = spans[index].parent;
    return index != none;
}

ShownTimer TraceStore::Tables::timerAt(quint32 row) const
{
    const quint32 owner = timers.ownerOf(row);
    ShownTimer shown = timers.shown(row, trafficFor(owner));
    shown.owner = idAt(owner);
    return shown;
}

void TraceStore::Tables::extendEffects() const
{
    for (; effectsUpTo < spans.size(); ++effectsUpTo) {
        if (spans[effectsUpTo].cause != none)
            effects.insert(spans[effectsUpTo].cause, effectsUpTo);
    }
}

} // namespace Waitscope
