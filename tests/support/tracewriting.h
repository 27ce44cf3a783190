// SPDX-License-Identifier: GPL-3.0-or-later
// Writes events into a sink in few words, for tests that need a trace but no engine.
#pragma once

#include "event/sink.h"

#include <chrono>

namespace Waitscope {

[[nodiscard]] inline Instant at(double seconds)
{
    return Instant{fromSeconds(seconds)};
}

class TraceWriting
{
public:
    explicit TraceWriting(EventSink &sink)
        : m_sink(sink)
    {
    }

    // Numbers spans as they come.
    SpanId begin(double seconds, SpanKind kind, Layer layer, SpanId parent = {}, SpanId cause = {}, QString label = {})
    {
        SpanBegan e;
        e.at = at(seconds);
        e.id = SpanId{++m_spans};
        e.parent = parent;
        e.cause = cause;
        e.kind = kind;
        e.layer = layer;
        e.label = std::move(label);
        m_sink.write(e);
        return e.id;
    }
    SpanId phase(double seconds, Phase phase, SpanId parent)
    {
        SpanBegan e;
        e.at = at(seconds);
        e.id = SpanId{++m_spans};
        e.parent = parent;
        e.kind = SpanKind::Phase;
        e.layer = Layer::Http;
        e.phase = phase;
        m_sink.write(e);
        return e.id;
    }
    void end(double seconds, SpanId id, Outcome outcome = Outcome::Ok)
    {
        SpanEnded e;
        e.at = at(seconds);
        e.id = id;
        e.outcome = outcome;
        m_sink.write(e);
    }
    void mark(double seconds, SpanId span, MarkKind kind, qint64 value = 0, QString text = {})
    {
        m_sink.write(Marked{at(seconds), span, kind, value, std::move(text)});
    }
    TimerId arm(double seconds, SpanId owner, TimerKind kind, double value, Resets resets = Resets::Nothing, TimerId id = {})
    {
        TimerArmed e;
        e.at = at(seconds);
        e.id = id ? id : TimerId{++m_timers};
        e.owner = owner;
        e.kind = kind;
        e.resets = resets;
        e.value = fromSeconds(value);
        e.due = at(seconds + value);
        m_sink.write(e);
        return e.id;
    }

private:
    EventSink &m_sink;
    quint64 m_spans = 0;
    quint64 m_timers = 0;
};

} // namespace Waitscope
