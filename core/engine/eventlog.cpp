// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/eventlog.h"

namespace Waitscope {

SpanId EventLog::begin(SpanBegan span)
{
    if (m_counter) {
        const SpanId counted{++m_spans};
        m_counter->began(span.kind, span.layer, counted, m_clock.now());
        return counted;
    }
    span.at = m_clock.now();
    span.id = SpanId{++m_spans};
    const SpanId id = span.id;
    m_sink.write(std::move(span));
    return id;
}

SpanId EventLog::begin(SpanKind kind, Layer layer, SpanId parent, int attempt, int maxAttempts)
{
    SpanBegan span;
    span.parent = parent;
    span.kind = kind;
    span.layer = layer;
    span.attempt = attempt;
    span.maxAttempts = maxAttempts;
    return begin(std::move(span));
}

void EventLog::end(SpanId id, Outcome outcome)
{
    if (m_counter) {
        m_counter->ended(id, m_clock.now());
        return;
    }
    SpanEnded ended;
    ended.id = id;
    ended.outcome = outcome;
    end(std::move(ended));
}

void EventLog::end(SpanEnded ended)
{
    if (m_counter) {
        m_counter->ended(ended.id, m_clock.now());
        return;
    }
    ended.at = m_clock.now();
    m_sink.write(std::move(ended));
}

void EventLog::mark(SpanId span, MarkKind kind, qint64 value, QString text)
{
    if (m_counter) {
        m_counter->marked(kind);
        return;
    }
    Marked marked;
    marked.at = m_clock.now();
    marked.span = span;
    marked.kind = kind;
    marked.value = value;
    marked.text = std::move(text);
    m_sink.write(std::move(marked));
}

TimerId EventLog::arm(const TimerArmed &armed)
{
    if (m_counter) {
        const TimerId counted{++m_timers};
        m_counter->armed(armed.kind, counted);
        return counted;
    }
    TimerArmed timer = armed;
    timer.at = m_clock.now();
    timer.id = TimerId{++m_timers};
    const TimerId id = timer.id;
    m_sink.write(timer);
    return id;
}

void EventLog::fired(TimerFired firing)
{
    if (m_counter) {
        m_counter->fired(firing.id);
        return;
    }
    firing.at = m_clock.now();
    m_sink.write(firing);
}

void EventLog::disarm(TimerId id)
{
    if (m_counter)
        return;
    TimerDisarmed disarmed;
    disarmed.at = m_clock.now();
    disarmed.id = id;
    m_sink.write(disarmed);
}

} // namespace Waitscope
