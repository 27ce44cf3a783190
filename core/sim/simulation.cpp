// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/simulation.h"

#include "sim/rememberedstream.h"
#include "sim/scriptedtransport.h"
#include "sim/seededrandom.h"
#include "sim/virtualclock.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<Random> randomFor(JitterMode mode, quint64 seed)
{
    switch (mode) {
    case JitterMode::None: // the policies of such a run have no jitter; what is drawn all the same is the middle
    case JitterMode::Mid:
        return std::make_unique<FixedRandom>(0.5);
    case JitterMode::Min:
        return std::make_unique<FixedRandom>(0.0);
    case JitterMode::Max:
        return std::make_unique<FixedRandom>(1.0);
    case JitterMode::Random:
        return std::make_unique<SeededRandom>(seed);
    }
    Q_UNREACHABLE();
}

QString pathOf(Api api)
{
    switch (api) {
    case Api::OpenaiResponses:
        return u"v1/responses"_s;
    case Api::OpenaiChat:
        return u"v1/chat/completions"_s;
    case Api::AnthropicMessages:
        return u"v1/messages"_s;
    case Api::Gemini:
        return u"v1beta/models/simulated:streamGenerateContent"_s;
    case Api::Ollama:
        return u"api/chat"_s;
    case Api::Sse:
        return u"stream"_s;
    }
    Q_UNREACHABLE();
}

PolicyPtr withoutJitter(PolicyPtr policy)
{
    Policy changed = *policy;
    for (Setting setting : {Setting::ExecJitterShare, Setting::ExecHintJitterShare, Setting::SessionJitterShare,
                            Setting::SessionHintJitterShare, Setting::StreamJitterShare, Setting::StreamHintJitterShare})
        changed = changed.with(setting, SettingValue::number(0), u"--jitter none"_s);
    return std::make_shared<const Policy>(std::move(changed));
}

} // namespace

QDateTime simulationEpoch()
{
    static const QDateTime epoch(QDate(2026, 1, 1), QTime(0, 0), Qt::UTC);
    return epoch;
}

SimulationResult runSimulation(const SimulationSpec &spec)
{
    VirtualClock clock;
    CountingSink counter(spec.sink);
    EventLog log(clock, counter);
    const std::unique_ptr<Random> random = randomFor(spec.jitter, spec.seed);
    const auto nowUtc = [&clock] { return simulationEpoch().addMSecs(clock.now().time_since_epoch().count() / 1'000'000); };
    ScriptedTransport transport(clock, spec.scenarios, nowUtc);
    HttpPorts ports(transport, nowUtc);
    AttemptMemory memory;

    std::vector<TaskPlan> plans;
    for (const SimulatedTask &task : spec.tasks) {
        auto call = std::make_shared<HttpCall>();
        const QString scenario = task.scenario.isEmpty() ? spec.scenarios.front().name : task.scenario;
        call->request.url = QUrl(u"http://simulated/%1/%2"_s.arg(scenario, pathOf(spec.api)));
        call->request.body = "{}";
        call->api = spec.api;
        call->keepContent = spec.keepContent;
        call->peer = u"simulated"_s;
        TaskPlan plan;
        plan.name = task.name;
        plan.call = std::move(call);
        plan.policy = spec.jitter == JitterMode::None ? withoutJitter(task.policy) : task.policy;
        // Side by side, tasks could meet in one instant, and their order would be the memory's.
        if (!spec.sink && spec.concurrency == 1 && canRemember(*plan.policy)) {
            plan.makeStream = [&transport, &memory, call = plan.call](HttpPorts &wire) {
                return std::make_shared<RememberedStream>(wire, transport, call, memory);
            };
        }
        plans.push_back(std::move(plan));
    }
    Harness harness(clock, log, *random, ports, std::move(plans), spec.concurrency);
    harness.start();
    SimulationResult result;
    std::vector<Finish> finishes(static_cast<size_t>(harness.taskCount()), Finish::Ended);
    const auto markOpen = [&](Finish how) {
        for (qsizetype i = 0; i < harness.taskCount(); ++i) {
            if (!harness.ending(i))
                finishes[static_cast<size_t>(i)] = how;
        }
    };
    if (clock.run(spec.limit, spec.stop)) {
        markOpen(Finish::Hangs);
    } else {
        result.wasCut = true;
        markOpen(Finish::CutByLimit);
    }
    // Whatever is open unwinds now, so that a trace shows where it stood.
    if (!harness.isFinished() || result.wasCut) {
        harness.stop(result.wasCut ? u"the simulation was stopped"_s : u"nothing is left that could end it"_s);
        clock.run(spec.limit);
    }
    for (qsizetype i = 0; i < harness.taskCount(); ++i) {
        TaskEnding &ending = result.tasks.emplace_back(harness.ending(i) ? *harness.ending(i) : TaskEnding());
        ending.finish = finishes[static_cast<size_t>(i)];
    }
    result.counts = counter.counts();
    result.remembered = memory.played;
    result.ended = clock.now();
    return result;
}

} // namespace Waitscope
