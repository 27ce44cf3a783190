// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/forecast.h"

#include "analysis/replayedstream.h"
#include "engine/spanend.h"
#include "sim/scriptedtransport.h"
#include "sim/simulation.h"
#include "sim/virtualclock.h"

#include <QCoreApplication>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t shownSteps = 8;

QString translated(const char *text)
{
    return QCoreApplication::translate("Forecast", text);
}

// The draws that were made, then `u` for those still to come.
class ReplayedRandom final : public Random
{
public:
    ReplayedRandom(std::vector<double> drawn, double u)
        : m_drawn(std::move(drawn))
        , m_u(u)
    {
    }
    double draw(const DrawKey &) override { return m_next < m_drawn.size() ? m_drawn[m_next++] : m_u; }

private:
    std::vector<double> m_drawn;
    size_t m_next = 0;
    double m_u;
};

QString timerStep(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Connect:
        return translated("connect timer fires");
    case TimerKind::Write:
        return translated("write timer fires");
    case TimerKind::Pool:
        return translated("pool timer fires");
    case TimerKind::FirstByte:
        return translated("first-byte timer fires");
    case TimerKind::Read:
        return translated("read timer fires");
    case TimerKind::Idle:
        return translated("idle timer fires");
    case TimerKind::DataStall:
        return translated("data-stall timer fires");
    case TimerKind::Total:
        return translated("total timer fires");
    case TimerKind::Deadline:
        return translated("deadline reached");
    case TimerKind::Watchdog:
        return translated("watchdog fires");
    case TimerKind::HardCap:
        return translated("hard cap reached");
    case TimerKind::BackoffEnd:
        return {};
    }
    Q_UNREACHABLE();
}

// Picks what is worth a line out of what happens after now.
class StepSink final : public EventSink
{
public:
    explicit StepSink(Instant now)
        : m_now(now)
    {
    }
    void write(const Event &event) override
    {
        std::visit([this](const auto &e) { take(e); }, event);
    }
    std::vector<ForecastStep> steps;
    int requests = 0;

private:
    template<class E>
    void take(const E &)
    {
    }
    void take(const TimerArmed &timer)
    {
        m_kinds.emplace_back(timer.id, timer.kind);
        if (timer.kind == TimerKind::BackoffEnd && timer.at >= m_now)
            add(timer.at, translated("%1: sleeps %2 s").arg(wordOf(m_sleeper)).arg(toSeconds(timer.value)));
    }
    void take(const TimerFired &fired)
    {
        if (fired.at < m_now)
            return;
        for (const auto &[id, kind] : m_kinds) {
            if (id == fired.id)
                add(fired.at, timerStep(kind));
        }
    }
    void take(const SpanBegan &began)
    {
        if (began.kind == SpanKind::Backoff)
            m_sleeper = began.layer;
        if (began.at < m_now)
            return;
        if (began.kind == SpanKind::Request) {
            ++requests;
            add(began.at, translated("request, attempt %1").arg(began.attempt));
        } else if (began.kind == SpanKind::SessionRun && began.attempt > 1) {
            add(began.at, translated("session run %1").arg(began.attempt));
        } else if (began.kind == SpanKind::ExecAttempt && began.attempt > 1) {
            add(began.at, translated("exec attempt %1").arg(began.attempt));
        } else if (began.kind == SpanKind::Round) {
            add(began.at, translated("round %1").arg(began.attempt));
        }
    }
    void add(Instant at, QString what)
    {
        if (!what.isEmpty())
            steps.emplace_back(at, std::move(what));
    }

    Instant m_now;
    std::vector<std::pair<TimerId, TimerKind>> m_kinds;
    Layer m_sleeper = Layer::Exec;
};

struct Played {
    TaskEnding ending;
    std::vector<ForecastStep> steps;
    int requests = 0;
};

Scenario silence()
{
    FaultScript script;
    script.connection = ConnectionFault::BlackHole;
    Scenario scenario;
    scenario.requests = {script};
    return scenario;
}

Played play(const TraceStore &store, const SpanInfo &task, Instant now, const PolicyPtr &policy,
            const std::vector<RecordedRequest> &requests, double u)
{
    std::vector<double> drawn;
    for (const ShownDraw &draw : store.draws()) {
        for (SpanId at = draw.span; at; at = store.parentOf(at)) {
            if (at == task.id) {
                drawn.push_back(draw.u);
                break;
            }
        }
    }
    VirtualClock clock;
    clock.advanceTo(task.begin);
    StepSink sink(now);
    EventLog log(clock, sink);
    ReplayedRandom random(std::move(drawn), u);
    const std::vector<Scenario> quiet{silence()};
    ScriptedTransport transport(clock, quiet, [] { return simulationEpoch(); });
    HttpPorts ports(transport, [] { return simulationEpoch(); });
    auto call = std::make_shared<HttpCall>();
    size_t next = 0;
    TaskPlan plan;
    plan.policy = policy;
    plan.makeStream = [&requests, &next, call](HttpPorts &wire) {
        return std::make_shared<ReplayedStream>(requests, next, wire, call);
    };
    std::vector<TaskPlan> plans;
    plans.push_back(std::move(plan));
    Harness harness(clock, log, random, ports, std::move(plans), 1);
    harness.start();
    for (const PolicyChanged &change : store.policyChanges()) {
        if (change.at < task.begin || change.at > now)
            continue;
        clock.run(change.at);
        const std::optional<Setting> setting = settingNamed(change.setting);
        if (!setting)
            continue;
        if (const Expected<SettingValue> value = parseValue(infoOf(*setting), change.to))
            harness.changePolicy(*setting, *value, change.origin);
    }
    clock.run();
    Played played;
    if (const TaskEnding *ending = harness.ending(0))
        played.ending = *ending;
    else
        played.ending.ended = never; // nothing limits it
    played.steps = std::move(sink.steps);
    played.requests = sink.requests;
    return played;
}

Duration remaining(Instant end, Instant now)
{
    return end == never ? Duration::max() : std::max(Duration::zero(), end - now);
}

} // namespace

Forecast forecast(const TraceStore &store, SpanId taskId, Instant now, const PolicyPtr &policy)
{
    Forecast result;
    const std::optional<SpanInfo> task = store.span(taskId);
    if (!task || task->kind != SpanKind::Task || !task->isOpen())
        return result;
    const auto requests = recordedRequests(store, taskId, now, policy->rules());
    if (!requests)
        return result;
    const Played middle = play(store, *task, now, policy, *requests, 0.5);
    const Played shortest = play(store, *task, now, policy, *requests, 0.0);
    const Played longest = play(store, *task, now, policy, *requests, 1.0);
    result.known = true;
    result.ends = middle.ending.ended;
    result.outcome = outcomeOf(middle.ending.result);
    if (middle.ending.result.isFailure())
        result.reason = middle.ending.result.failure().reason;
    result.best = std::min(remaining(shortest.ending.ended, now), remaining(middle.ending.ended, now));
    result.worst = std::max(remaining(longest.ending.ended, now), remaining(middle.ending.ended, now));
    result.furtherRequests = middle.requests;
    if (!requests->empty() && requests->back().firing)
        result.steps.emplace_back(requests->back().ends, timerStep(*requests->back().firing));
    const size_t shown = std::min(middle.steps.size(), shownSteps);
    result.steps.insert(result.steps.end(), middle.steps.begin(), middle.steps.begin() + static_cast<std::ptrdiff_t>(shown));
    result.furtherSteps = static_cast<int>(middle.steps.size() - shown);
    const SettingInfo &cap = infoOf(Setting::ExecTimeout);
    if (!policy->seconds(Setting::ExecTimeout))
        result.cap = translated("%1 (%2) would cap it").arg(cap.name, cap.variable);
    else if (!policy->flag(Setting::HttpClampToDeadline))
        result.cap = translated("http.clamp_to_deadline would end it at the deadline exactly");
    return result;
}

} // namespace Waitscope
