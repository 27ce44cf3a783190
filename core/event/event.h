// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary of a trace: everything on screen can be rebuilt from these events alone.
//
// Times are nanoseconds since the trace's start on its clock. Identity is explicit: spans and timers carry ids, parents and
// causes; nothing is inferred from timing. Events arrive in the order of their `at`, ends before begins at equal times.
// A timer is armed again only when its *value* changes: a reset by traffic follows from the line's mark and `resets`.
#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "base/vocabulary.h"

#include <QString>

#include <optional>
#include <variant>

namespace Waitscope {

struct SpanBegan {
    Instant at;
    SpanId id;
    SpanId parent;       // none for a task of the run's root scope
    SpanId cause;        // the span whose end led to this one: the failed attempt behind a backoff or a retry
    SpanKind kind = SpanKind::Task;
    Layer layer = Layer::Task;
    Phase phase = Phase::None; // only for SpanKind::Phase
    Role role = Role::First;
    int attempt = 0;     // from 1; 0 where counting makes no sense
    int maxAttempts = 0; // 0 = unlimited or not counted
    QString label;       // task name, peer ("127.0.0.1:8080"), what a backoff waits for
};

struct SpanEnded {
    Instant at;
    SpanId id;
    Outcome outcome = Outcome::Ok;
    ErrorReason reason = ErrorReason::None;
    bool retryable = false; // as the layer's rules judged it
    bool exhausted = false; // the layer used up its own budget on this failure
    int status = 0;         // HTTP status; 0 = none was seen
    QString type;           // the failure's type name in the rule set's words ("ConnectTimeout")
    QString text;           // the failure's text; may be empty even for a failure (that is a fact worth showing)
    QString rule;           // which rule decided, with the matched words
    double hintSeconds = 0; // what the server asked for; 0 = nothing
};

enum class MarkKind : quint8 {
    Headers,          // complete response headers; value = status
    Line,             // one line of the stream; value = bytes, text = the bounded raw line when content is kept
    Data,             // a parsed data event; value = bytes
    Ping,             // a line that is no data: comment, ping event
    StreamError,      // an error event inside a 200 stream
    EndMarker,        // the protocol's own end ([DONE], message_stop, a finish reason)
    Committed,        // first real content reached the consumer
    Progress,         // request bytes handed to the kernel; value = bytes so far
    SendBegan,        // the request's first byte was handed over: one more request the server may count
    Trying,           // a connect to one of the host's addresses began; text = the address
    AddressFailed,    // and failed; text = the address and why
    Connected,        // TCP established; value = local port, text = the address where it is known
    ResendRefused,    // the network library wanted to re-send silently and was refused
    Usage,            // token usage; value = output tokens
    AlarmEntered,     // swallowed watchdog: surfaced in a layer as an ordinary failure
    AlarmSwallowed,   // that layer's retry took it for one more transient failure
    AlarmUndelivered, // the watchdog fired and reached nobody
    Unprotected,      // nothing limits this task any more
    Interrupted,      // a control signal passed this span
    Retrying,         // the layer decided to try again; text = rule
    GaveUp,           // the layer decided to stop; text = rule
    Note,             // anything else worth a line
};

[[nodiscard]] QLatin1StringView wordOf(MarkKind);
template<>
std::span<const MarkKind> allOf<MarkKind>();

struct Marked {
    Instant at;
    SpanId span;
    MarkKind kind = MarkKind::Note;
    qint64 value = 0;
    QString text;
};

struct TimerArmed {
    Instant at;
    TimerId id;
    SpanId owner;
    TimerKind kind = TimerKind::Total;
    Resets resets = Resets::Nothing;
    Kills kills = Kills::Nothing;
    Instant due;
    Duration value{};         // what it was armed with
    bool clamped = false;     // cut to the deadline
    QLatin1StringView setting;  // "http.connect_timeout_s"; empty where no setting stands behind it. Static storage.
    QLatin1StringView variable; // "OPENPROGRAM_HTTPX_CONNECT_TIMEOUT_S"; static storage
};

struct TimerFired {
    Instant at;  // when it came
    TimerId id;
    Instant due; // when it should have come
    std::optional<Duration> sinceLastByte;
    std::optional<Duration> sinceLastData;
};

struct TimerDisarmed {
    Instant at;
    TimerId id;
};

// One random number; replay feeds it back. u is in [0, 1).
struct DrawMade {
    Instant at;
    SpanId span;
    Layer layer = Layer::Exec;
    int attempt = 0;
    double u = 0;
};

struct PolicyChanged {
    Instant at;
    int version = 0;
    QString setting;
    QString from;
    QString to;
    QString origin;
};

// What a person or a program asked for while the run went on: stop, stop-all, interrupt.
struct CommandGiven {
    Instant at;
    QString name;
    QString argument;
};

// Wall-clock time moved against the trace's clock: suspend, or somebody set the time.
struct ClockJumped {
    Instant at;
    Duration by{};
};

struct CounterSampled {
    Instant at;
    SpanId span;
    QString name;
    double value = 0;
};

using Event = std::variant<SpanBegan, SpanEnded, Marked, TimerArmed, TimerFired, TimerDisarmed, DrawMade, PolicyChanged,
                           CommandGiven, ClockJumped, CounterSampled>;

[[nodiscard]] Instant timeOf(const Event &event);

} // namespace Waitscope
