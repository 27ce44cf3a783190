// SPDX-License-Identifier: GPL-3.0-or-later
// How layers write the trace: numbers spans and timers, stamps everything with the clock's present.
//
// The forms with a `fill` make the event only where somebody reads it: `fill` gets what is known already and adds the rest.
#pragma once

#include "engine/ports/clock.h"
#include "event/eventcounter.h"
#include "event/sink.h"

#include <utility>

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
    template<class Fill>
    SpanId begin(SpanKind kind, Layer layer, Fill &&fill)
    {
        if (m_counter)
            return counted(kind, layer);
        SpanBegan span;
        span.kind = kind;
        span.layer = layer;
        std::forward<Fill>(fill)(span);
        return begin(std::move(span));
    }
    void end(SpanId id, Outcome outcome = Outcome::Ok);
    template<class Fill>
    void endWith(SpanId id, Fill &&fill)
    {
        if (m_counter) {
            m_counter->ended(id, m_clock.now());
            return;
        }
        SpanEnded ended;
        ended.id = id;
        std::forward<Fill>(fill)(ended);
        written(std::move(ended));
    }
    void mark(SpanId span, MarkKind kind, qint64 value = 0, const QString &text = {})
    {
        if (m_counter)
            m_counter->marked(kind);
        else
            written(span, kind, value, text);
    }
    template<class Fill>
    TimerId arm(TimerKind kind, Fill &&fill)
    {
        const TimerId id{++m_timers};
        if (m_counter) {
            m_counter->armed(kind, id);
            return id;
        }
        TimerArmed timer;
        timer.at = m_clock.now();
        timer.id = id;
        timer.kind = kind;
        std::forward<Fill>(fill)(timer);
        m_sink.write(timer);
        return id;
    }
    void fired(TimerFired firing)
    {
        if (m_counter) {
            m_counter->fired(firing.id);
            return;
        }
        firing.at = m_clock.now();
        m_sink.write(firing);
    }
    void disarm(TimerId id);
    void write(const Event &event)
    {
        if (!m_counter)
            m_sink.write(event);
    }

    // Nobody will read an event: none need be made.
    [[nodiscard]] bool countsOnly() const noexcept { return m_counter != nullptr; }
    // So far; only where counts are all there is.
    [[nodiscard]] const RunCounts &counts() const noexcept { return m_counter->counts(); }
    [[nodiscard]] Instant now() const noexcept { return m_clock.now(); }

private:
    SpanId counted(SpanKind kind, Layer layer)
    {
        const SpanId id{++m_spans};
        m_counter->began(kind, layer, id, m_clock.now());
        return id;
    }
    void written(SpanEnded ended);
    void written(SpanId span, MarkKind kind, qint64 value, const QString &text);

    const Clock &m_clock;
    EventSink &m_sink;
    EventCounter *m_counter; // nullptr = events are written
    quint64 m_spans = 0;
    quint64 m_timers = 0;
};

} // namespace Waitscope
