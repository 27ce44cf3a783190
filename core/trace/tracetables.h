// SPDX-License-Identifier: GPL-3.0-or-later
// What a TraceStore is made of: rows that name each other by table index, strings and recurring values pooled.
#pragma once

#include "trace/idmap.h"
#include "trace/lanebook.h"
#include "trace/linetails.h"
#include "trace/timertable.h"
#include "trace/tracestore.h"
#include "trace/valuepool.h"

namespace Waitscope {

// How a span began, without what is its own: few different ones in a whole trace.
struct SpanShape {
    quint32 label = 0;
    qint32 attempt = 0;
    qint32 maxAttempts = 0;
    SpanKind kind = SpanKind::Task;
    Layer layer = Layer::Task;
    Phase phase = Phase::None;
    Role role = Role::First;

    friend bool operator==(const SpanShape &, const SpanShape &) noexcept = default;
    friend size_t qHash(const SpanShape &s, size_t seed = 0) noexcept
    {
        return qHashMulti(seed, s.label, s.attempt, s.maxAttempts, static_cast<int>(s.kind), static_cast<int>(s.layer),
                          static_cast<int>(s.phase), static_cast<int>(s.role));
    }
};

[[nodiscard]] inline size_t quickHash(const SpanShape &s) noexcept
{
    return static_cast<size_t>(s.kind) + static_cast<size_t>(s.attempt) * 10 + static_cast<size_t>(s.phase) * 5
        + s.label * 3;
}

// How a span ended; most end alike.
struct SpanEnding {
    double hintSeconds = 0;
    quint32 type = 0;
    quint32 text = 0;
    quint32 rule = 0;
    qint32 status = 0;
    Outcome outcome = Outcome::Ok;
    ErrorReason reason = ErrorReason::None;
    bool retryable = false;
    bool exhausted = false;

    friend bool operator==(const SpanEnding &, const SpanEnding &) noexcept = default;
    friend size_t qHash(const SpanEnding &e, size_t seed = 0) noexcept
    {
        return qHashMulti(seed, e.hintSeconds, e.type, e.text, e.rule, e.status, static_cast<int>(e.outcome),
                          static_cast<int>(e.reason), e.retryable, e.exhausted);
    }
};

[[nodiscard]] inline size_t quickHash(const SpanEnding &e) noexcept
{
    return static_cast<size_t>(e.outcome) + static_cast<size_t>(e.status) * 3 + e.text * 5 + e.rule * 7;
}

struct TraceStore::Tables {
    static constexpr quint32 none = 0xffffffff;
    // Walks up the parents stay short, whatever a file says. A call within a call within a call comes to 20 or so.
    static constexpr int deepest = 64;

    // Begin, end, class and outcome are in the lane, where drawing needs them side by side.
    struct SpanRow {
        quint32 parent = none;
        quint32 cause = none;
        quint32 lane = none;
        quint32 position = 0; // within the lane
        quint32 shape = 0;
        quint32 ending = 0;
        quint32 lastChild = none;
        quint32 previousSibling = none;
        quint32 extra = none;
    };
    // Only for spans that have timers, marks, draws or traffic.
    struct Extra {
        quint32 lastTimer = none;
        quint32 lastMark = none;
        quint32 lastDraw = none;
        quint32 traffic = none;
    };
    struct MarkRow {
        Instant at;
        qint64 value = 0;
        quint32 span = 0;
        quint32 text = 0;
        quint32 previous = none;
        MarkKind kind = MarkKind::Note;
    };
    struct DrawRow {
        Instant at;
        double u = 0;
        quint32 span = 0; // index + 1; 0 = a span that is not known
        quint32 previous = none;
        qint32 attempt = 0;
        Layer layer = Layer::Exec;
    };
    struct CounterRow {
        Instant at;
        double value = 0;
        quint32 span = 0; // index + 1; 0 = none
        quint32 name = 0;
    };

    explicit Tables(const StoreLimits &theLimits);

    void take(const SpanBegan &e);
    void take(const SpanEnded &e);
    void take(const Marked &e);
    void take(const TimerArmed &e);
    void take(const TimerFired &e);
    void take(const TimerDisarmed &e);
    void take(const DrawMade &e);
    void take(const PolicyChanged &e);
    void take(const CommandGiven &e);
    void take(const ClockJumped &e);
    void take(const CounterSampled &e);

    void note(Instant at, QString text);
    [[nodiscard]] quint32 find(SpanId id) const { return ids.find(id.value).value_or(none); }
    [[nodiscard]] SpanId idAt(quint32 index) const { return index == none ? SpanId{} : SpanId{ids.idAt(index)}; }
    [[nodiscard]] const SpanShape &shapeAt(quint32 index) const { return shapes[spans[index].shape]; }
    [[nodiscard]] SpanKind kindAt(quint32 index) const { return shapeAt(index).kind; }
    [[nodiscard]] Instant beginAt(quint32 index) const { return lanes.lane(spans[index].lane).begin(spans[index].position); }
    [[nodiscard]] Instant endAt(quint32 index) const { return lanes.lane(spans[index].lane).end(spans[index].position); }
    [[nodiscard]] Extra &extraOf(quint32 index);
    [[nodiscard]] const Extra *extraAt(quint32 index) const;
    // Traffic is kept for requests, and summed up for calls and what was abandoned.
    [[nodiscard]] static bool holdsTraffic(SpanKind kind) noexcept;
    [[nodiscard]] const Traffic *trafficAt(quint32 index) const;
    // The traffic that resets the timers of this span: its own, or that of the nearest holder above it.
    [[nodiscard]] const Traffic *trafficFor(quint32 index) const;
    [[nodiscard]] quint32 callAt(quint32 index) const;      // none where no exec is above
    [[nodiscard]] quint32 tailOwnerAt(quint32 index) const; // the call, else the root
    [[nodiscard]] bool isWithin(quint32 index, quint32 ancestor) const;
    [[nodiscard]] ShownTimer timerAt(quint32 row) const;
    void extendEffects() const;

    StoreLimits limits;
    TraceHeader header;
    quint64 events = 0;
    Instant first;
    Instant last;

    IdMap ids;
    Chunked<SpanRow> spans;
    Chunked<Extra> extras;
    Chunked<quint32> roots;
    qint64 requests = 0;
    LaneBook lanes;
    ValuePool<QString> strings;
    ValuePool<SpanShape> shapes;
    ValuePool<SpanEnding> endings;

    TimerTable timers;
    Chunked<MarkRow> marks;
    Chunked<Traffic> traffics;
    LineTails tails;
    Chunked<DrawRow> draws;
    Chunked<CounterRow> counters;
    std::vector<PolicyChanged> policyChanges;
    std::vector<CommandGiven> commands;
    std::vector<ClockJumped> clockJumps;
    std::vector<StoreProblem> problems;
    quint64 problemCount = 0;

    // Spans by cause, made when first asked for and extended from there.
    mutable QMultiHash<quint32, quint32> effects;
    mutable quint32 effectsUpTo = 0;
};

} // namespace Waitscope
