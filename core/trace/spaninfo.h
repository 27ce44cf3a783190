// SPDX-License-Identifier: GPL-3.0-or-later
// What a store tells of spans, timers, marks and traffic: plain values that stay valid while the store grows.
#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "base/vocabulary.h"
#include "event/event.h"

#include <QString>

#include <optional>

namespace Waitscope {

// One row of the timeline; numbers start at 1 in order of appearance and never change.
using LaneId = Id<struct LaneTag>;

// Events are within 73 years of the trace's start: the distance of any two times, and twice that, is a number that fits.
inline constexpr Instant latestTime{Duration{qint64{1} << 61}};
inline constexpr Instant earliestTime{Duration{-(qint64{1} << 61)}};

// What a span is to a glance; the hue comes from the lane's layer, this is its variant.
enum class SpanClass : quint8 { Good, Backoff, Bad };

// Partial counts as good: content arrived and was kept. Its mark still shows, because it is not Ok.
[[nodiscard]] SpanClass classOf(SpanKind kind, Outcome outcome) noexcept;

// Order of badness for "the worst of several": Ok < Partial < Interrupted < Truncated < Abandoned < Timeout < Error.
[[nodiscard]] int severityOf(Outcome outcome) noexcept;
[[nodiscard]] Outcome outcomeOfSeverity(int severity) noexcept;

struct SpanInfo {
    SpanId id;
    SpanId parent;
    SpanId cause;
    SpanKind kind = SpanKind::Task;
    Layer layer = Layer::Task;
    Phase phase = Phase::None;
    Role role = Role::First;
    int attempt = 0;
    int maxAttempts = 0;
    QString label;
    LaneId lane;

    Instant begin;
    Instant end = never; // never = still open; what follows is meaningful only for an ended span
    Outcome outcome = Outcome::Ok;
    ErrorReason reason = ErrorReason::None;
    bool retryable = false;
    bool exhausted = false;
    int status = 0;
    QString type;
    QString text;
    QString rule;
    double hintSeconds = 0;

    [[nodiscard]] bool isOpen() const noexcept { return end == never; }
    [[nodiscard]] Duration length(Instant now) const noexcept
    {
        return (isOpen() ? (now > begin ? now : begin) : end) - begin;
    }
};

enum class TimerState : quint8 {
    Armed,
    Fired,
    Disarmed,
    Replaced, // armed again under the same id with another value
    Dropped,  // its owner ended and nothing said what became of it
};

struct ShownTimer {
    TimerId id;
    SpanId owner;
    TimerKind kind = TimerKind::Total;
    Resets resets = Resets::Nothing;
    Kills kills = Kills::Nothing;
    TimerState state = TimerState::Armed;
    bool clamped = false;
    Instant armed;
    Instant due; // as armed
    Duration value{};
    Instant ended = never; // when it fired, was disarmed, replaced or dropped
    QLatin1StringView setting;
    QLatin1StringView variable;

    std::optional<Instant> lastReset; // the traffic that last started it anew, after it was armed
    Instant effectiveDue; // last reset (or arming) + value, never past a clamp; when it fired: when it should have

    // Of a firing only.
    std::optional<Duration> sinceLastByte;
    std::optional<Duration> sinceLastData;
};

struct ShownMark {
    Instant at;
    SpanId span;
    MarkKind kind = MarkKind::Note;
    qint64 value = 0;
    QString text;
};

// How a request's data events arrived: one by one, or many at a time with a steady gap between, as a buffer on the way
// hands them on. Events within 5 ms count as one arrival.
struct Arrivals {
    int count = 0;
    int bursts = 0; // of at least three events each
    int inLast = 0;
    Instant lastAt = never; // when the last arrival began
    Duration shortestGap = Duration::max(); // between bursts
    Duration longestGap{};

    void take(Instant at);
};

// What came over the wire, kept up as marks arrive: of one request, or of a whole call (exec) or task.
struct Traffic {
    qint64 lines = 0; // of every sort; the next two say how many of them were data and pings
    qint64 dataEvents = 0;
    qint64 pings = 0;
    qint64 bytes = 0;             // of lines
    qint64 sentBytes = 0;         // request bytes handed over, of the latest request
    qint64 outputTokens = 0;      // as the last usage report said
    int sent = 0;                 // requests whose first byte was handed over: what the server may count
    int status = 0;               // of the latest complete headers; 0 = none yet
    Instant lastProgress = never; // never = not yet
    Instant firstByte = never;
    Instant lastByte = never;
    Instant lastLine = never;
    Instant lastData = never;
    Instant committed = never;
    Instant endMarker = never;
    Arrivals arrivals; // of one request only

    // Takes in what came later or beside it: counts add up, of times and states the latest stands (the first of firsts).
    void add(const Traffic &later);
};

// One line of a stream as it came, with what it turned out to be (line, data, ping, stream error, end marker); the store
// keeps a bounded tail of them for each call.
struct RawLine {
    Instant at;
    SpanId span; // the request, or its phase, that the mark named
    MarkKind kind = MarkKind::Line;
    qint64 bytes = 0;
    QString text;
};

struct ShownDraw {
    Instant at;
    SpanId span;
    Layer layer = Layer::Exec;
    int attempt = 0;
    double u = 0;
};

struct ShownCounter {
    Instant at;
    SpanId span;
    QString name;
    double value = 0;
};

// Something in the events that cannot be: kept and shown, never fatal.
struct StoreProblem {
    quint64 event = 0; // its number in order of arrival, from 1
    Instant at;
    QString text;
};

} // namespace Waitscope
