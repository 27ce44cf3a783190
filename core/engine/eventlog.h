// SPDX-License-Identifier: GPL-3.0-or-later
// How layers write the trace: numbers spans and timers, stamps everything with the clock's present.
#pragma once

#include "engine/ports/clock.h"
#include "event/eventcounter.h"
#include "event/sink.h"

namespace Waitscope {

class EventLog
{
public:
    EventLog(const Clock &clock, EventSink &sink) noexcept
        : m_clock(clock)
        , m_sink(sink)
        , m_counter(sink.countsOnly())
    {
    }
    Q_DISABLE_COPY_MOVE(EventLog)

    // `span.at` and `span.id` are filled in here.
    SpanId begin(SpanBegan span);
    // The common case: an inner span without label and count.
    SpanId begin(SpanKind kind, Layer layer, SpanId parent, int attempt = 0, int maxAttempts = 0);
    void end(SpanId id, Outcome outcome = Outcome::Ok);
    void end(SpanEnded ended);
    void mark(SpanId span, MarkKind kind, qint64 value = 0, QString text = {});
    TimerId arm(const TimerArmed &armed);
    void fired(TimerFired firing);
    void disarm(TimerId id);
    void write(const Event &event)
    {
        if (!m_counter)
            m_sink.write(event);
    }

    // Nobody will read an event: none need be made.
    [[nodiscard]] bool countsOnly() const noexcept { return m_counter != nullptr; }

    [[nodiscard]] Instant now() const noexcept { return m_clock.now(); }

private:
    const Clock &m_clock;
    EventSink &m_sink;
    EventCounter *m_counter; // nullptr = events are written
    quint64 m_spans = 0;
    quint64 m_timers = 0;
};

} // namespace Waitscope
