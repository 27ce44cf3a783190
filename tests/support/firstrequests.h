// SPDX-License-Identifier: GPL-3.0-or-later
// A sink that keeps how the first request of each task ended, in the words of a scenario's expectation.
#pragma once

#include "event/event.h"
#include "event/sink.h"
#include "fault/expectation.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <vector>

namespace WaitscopeTest {

struct SeenEnd {
    bool ended = false;
    Waitscope::Instant at;
    Waitscope::ExpectedEnd what;
};

// One line, equal for equal ends; what the call came to is not in it.
inline QString lineOf(const Waitscope::ExpectedEnd &end)
{
    using namespace Waitscope;
    QStringList phases;
    for (const Phase phase : end.phases)
        phases << wordOf(phase);
    return QStringLiteral("%1 in %2, timer %3, reason %4, retryable %5, type %6")
        .arg(wordOf(end.outcome), phases.join(QStringLiteral(" or ")), end.timer ? wordOf(*end.timer) : QLatin1StringView("none"), wordOf(end.reason),
             end.retryable ? QLatin1StringView("yes") : QLatin1StringView("no"), end.type.isEmpty() ? QStringLiteral("none") : end.type);
}

// With one of the phases that the wire leaves open.
inline bool meets(const Waitscope::ExpectedEnd &seen, Waitscope::ExpectedEnd expected)
{
    if (std::ranges::find(expected.phases, seen.phases.at(0)) != expected.phases.end())
        expected.phases = seen.phases;
    return lineOf(seen) == lineOf(expected);
}

class FirstRequests final : public Waitscope::EventSink
{
public:
    void write(const Waitscope::Event &event) override
    {
        std::visit([this](const auto &e) { take(e); }, event);
    }

    // By task, in the order of their first requests.
    [[nodiscard]] std::vector<SeenEnd> ends() const
    {
        std::vector<SeenEnd> list;
        for (const quint64 request : m_firstOrder)
            list.push_back(m_ends.value(request));
        return list;
    }

private:
    void take(const Waitscope::SpanBegan &span)
    {
        using namespace Waitscope;
        m_parents.insert(span.id.value, span.parent.value);
        if (span.kind == SpanKind::Phase) {
            if (const auto it = m_ends.find(span.parent.value); it != m_ends.end())
                it->what.phases = {span.phase};
        } else if (span.kind == SpanKind::Request) {
            quint64 task = span.id.value;
            while (m_parents.value(task) != 0)
                task = m_parents.value(task);
            if (m_tasks.contains(task))
                return;
            m_tasks.insert(task, span.id.value);
            m_firstOrder.push_back(span.id.value);
            m_ends.insert(span.id.value, {}).value().what.phases = {Phase::None};
        }
    }
    void take(const Waitscope::SpanEnded &span)
    {
        const auto it = m_ends.find(span.id.value);
        if (it == m_ends.end())
            return;
        it->ended = true;
        it->at = span.at;
        it->what.outcome = span.outcome;
        it->what.reason = span.reason;
        it->what.retryable = span.retryable;
        it->what.type = span.type;
    }
    void take(const Waitscope::TimerArmed &timer) { m_timers.insert(timer.id.value, {timer.owner.value, timer.kind}); }
    void take(const Waitscope::TimerFired &timer)
    {
        const auto armed = m_timers.constFind(timer.id.value);
        if (armed == m_timers.constEnd())
            return;
        if (const auto it = m_ends.find(armed->first); it != m_ends.end() && !it->ended)
            it->what.timer = armed->second;
    }
    template<class Other>
    void take(const Other &)
    {
    }

    QHash<quint64, quint64> m_parents;
    QHash<quint64, quint64> m_tasks; // the first request of each
    QHash<quint64, std::pair<quint64, Waitscope::TimerKind>> m_timers;
    QHash<quint64, SeenEnd> m_ends;  // by request
    std::vector<quint64> m_firstOrder;
};

} // namespace WaitscopeTest
