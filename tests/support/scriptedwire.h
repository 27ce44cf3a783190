// SPDX-License-Identifier: GPL-3.0-or-later
// A wire that reports given facts at given times, and a run of the whole engine over it that is remembered span by span.
#pragma once

#include "engine/harness.h"
#include "sim/seededrandom.h"
#include "sim/simulation.h"
#include "sim/virtualclock.h"
#include "trace/tracestore.h"

#include <algorithm>
#include <map>

namespace Waitscope {

struct WireMoment {
    double after = 0; // seconds since the moment before
    WireFact fact;
};
using WireScript = std::vector<WireMoment>;

[[nodiscard]] inline WireMoment begins(Phase phase, double after = 0)
{
    WireMoment moment{after, {}};
    moment.fact.kind = WireFact::Kind::PhaseBegan;
    moment.fact.phase = phase;
    return moment;
}

// The request has been handed over, on a new connection or on a kept one.
[[nodiscard]] inline WireMoment sent(bool reused = false, double after = 0)
{
    WireMoment moment{after, {}};
    moment.fact.kind = WireFact::Kind::Sent;
    moment.fact.reused = reused;
    return moment;
}

[[nodiscard]] inline WireMoment headers(int status, std::vector<WireHeader> list = {}, double after = 0)
{
    WireMoment moment{after, {}};
    moment.fact.kind = WireFact::Kind::Headers;
    moment.fact.status = status;
    moment.fact.headers = std::move(list);
    return moment;
}

[[nodiscard]] inline WireMoment bytes(QByteArray body, double after = 0)
{
    WireMoment moment{after, {}};
    moment.fact.kind = WireFact::Kind::Bytes;
    moment.fact.bytes = std::move(body);
    return moment;
}

[[nodiscard]] inline WireMoment ends(WireEnd how, double after = 0)
{
    WireMoment moment{after, {}};
    moment.fact.kind = WireFact::Kind::End;
    moment.fact.end = how;
    return moment;
}

class ScriptedWire final : public Transport
{
public:
    // Asked for each request, counted over all calls from 1; the URL says whose it is.
    using Choice = std::function<WireScript(const QUrl &url, int number, double now)>;

    ScriptedWire(Clock &clock, Choice choice)
        : m_clock(clock)
        , m_choice(std::move(choice))
    {
    }

    [[nodiscard]] std::unique_ptr<Exchange> begin(const WireRequest &request, int, const WireOptions &,
                                                  WireListener &listener) override
    {
        return std::make_unique<Playing>(*this, m_choice(request.url, ++begun, toSeconds(m_clock.now())), listener);
    }

    int begun = 0;
    int alive = 0;
    int mostAlive = 0;

private:
    class Playing final : public Exchange, private ClockNode
    {
    public:
        Playing(ScriptedWire &wire, WireScript script, WireListener &listener)
            : m_wire(wire)
            , m_script(std::move(script))
            , m_listener(listener)
        {
            m_wire.mostAlive = std::max(m_wire.mostAlive, ++m_wire.alive);
            armNext();
        }
        ~Playing() override { --m_wire.alive; }
        Q_DISABLE_COPY_MOVE(Playing)

        void abort() override { m_wire.m_clock.disarm(*this); }
        void resumeReading() override { }

    private:
        void onReady() override { }
        void onDue() override
        {
            WireFact fact = std::move(m_script.at(m_next).fact);
            ++m_next;
            fact.at = m_wire.m_clock.now();
            armNext();
            m_listener.onFact(std::move(fact));
        }
        void armNext()
        {
            if (m_next < m_script.size())
                m_wire.m_clock.arm(*this, after(m_wire.m_clock.now(), fromSeconds(m_script[m_next].after)));
        }

        ScriptedWire &m_wire;
        WireScript m_script;
        WireListener &m_listener;
        size_t m_next = 0;
    };

    Clock &m_clock;
    Choice m_choice;
};

// The events of a run, by what tests ask.
class SpanMemory final : public EventSink
{
public:
    void write(const Event &event) override
    {
        store.write(event);
        if (const auto *span = std::get_if<SpanBegan>(&event))
            began.push_back(*span);
        else if (const auto *end = std::get_if<SpanEnded>(&event))
            ended[end->id.value].push_back(*end);
        else if (const auto *mark = std::get_if<Marked>(&event))
            marks.push_back(*mark);
        else if (const auto *armed = std::get_if<TimerArmed>(&event))
            m_armed[armed->id.value] = *armed;
        else if (const auto *timer = std::get_if<TimerFired>(&event))
            fired.emplace_back(m_armed[timer->id.value], *timer);
    }

    [[nodiscard]] std::vector<SpanBegan> of(SpanKind kind) const
    {
        std::vector<SpanBegan> spans;
        std::ranges::copy_if(began, std::back_inserter(spans), [kind](const SpanBegan &span) { return span.kind == kind; });
        return spans;
    }
    // How the n-th span of a kind ended; a span that never did has an empty end.
    [[nodiscard]] SpanEnded endOf(SpanKind kind, size_t n = 0) const
    {
        const std::vector<SpanBegan> spans = of(kind);
        const auto found = n < spans.size() ? ended.find(spans[n].id.value) : ended.end();
        return found == ended.end() ? SpanEnded() : found->second.front();
    }
    [[nodiscard]] const Marked *mark(MarkKind kind) const
    {
        const auto found = std::ranges::find(marks, kind, &Marked::kind);
        return found == marks.end() ? nullptr : &*found;
    }

    TraceStore store;
    std::vector<SpanBegan> began;
    std::map<quint64, std::vector<SpanEnded>> ended;
    std::vector<Marked> marks;
    std::vector<std::pair<TimerArmed, TimerFired>> fired;

private:
    std::map<quint64, TimerArmed> m_armed;
};

// Tasks, each one call to "http://host/<its number>", over a scripted wire; jitter is the middle.
class WireRun
{
public:
    WireRun(PolicyPtr policy, int tasks, int concurrency, ScriptedWire::Choice choice, Api api = Api::OpenaiChat,
            const QString &peer = QStringLiteral("host"))
        : wire(m_clock, std::move(choice))
        , m_ports(wire, [this] { return simulationEpoch().addMSecs(m_clock.now().time_since_epoch().count() / 1'000'000); })
        , m_log(m_clock, spans)
        , m_harness(m_clock, m_log, m_random, m_ports, plansFor(std::move(policy), tasks, api, peer), concurrency)
    {
        m_harness.start();
        m_clock.run(Instant{std::chrono::hours(24)});
    }

    [[nodiscard]] const TaskEnding *ending(int task) const { return m_harness.ending(task); }
    [[nodiscard]] int slotsHeld() const { return m_ports.pool.inUse(); }

private:
    static std::vector<TaskPlan> plansFor(PolicyPtr policy, int tasks, Api api, const QString &peer)
    {
        std::vector<TaskPlan> plans;
        for (int i = 0; i < tasks; ++i) {
            auto call = std::make_shared<HttpCall>();
            call->request.url = QUrl(QStringLiteral("http://host/%1").arg(i));
            call->api = api;
            call->peer = peer;
            call->keepContent = true;
            TaskPlan plan;
            plan.call = std::move(call);
            plan.policy = policy;
            plans.push_back(std::move(plan));
        }
        return plans;
    }

    VirtualClock m_clock;

public:
    SpanMemory spans;
    ScriptedWire wire;

private:
    HttpPorts m_ports;
    EventLog m_log;
    FixedRandom m_random{0.5};
    Harness m_harness;
};

} // namespace Waitscope
