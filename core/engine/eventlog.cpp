// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/eventlog.h"

namespace Waitscope {

SpanId EventLog::begin(SpanBegan span)
{
    if (m_counter)
        return counted(span.kind, span.layer);
    span.at = m_clock.now();
    span.id = SpanId{++m_spans};
    const SpanId id = span.id;
    m_sink.write(std::move(span));
    return id;
}

void EventLog::end(SpanId id, Outcome outcome)
{
    endWith(id, [outcome](SpanEnded &ended) { ended.outcome = outcome; });
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

void EventLog::written(SpanEnded ended)
{
    ended.at = m_clock.now();
    m_sink.write(std::move(ended));
}

void EventLog::written(SpanId span, MarkKind kind, qint64 value, const QString &text)
{
    Marked marked;
    marked.at = m_clock.now();
    marked.span = span;
    marked.kind = kind;
    marked.value = value;
    marked.text = text;
    m_sink.write(std::move(marked));
}

} // namespace Waitscope
