// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/resultjson.h"
#include "app/runs/recording.h"
#include "fault/scenarioreader.h"
#include "sim/simulation.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

Expected<JitterMode> jitterNamed(const std::string &name)
{
    static constexpr std::pair<const char *, JitterMode> modes[] = {
        {"none", JitterMode::None}, {"min", JitterMode::Min},       {"mid", JitterMode::Mid},
        {"max", JitterMode::Max},   {"random", JitterMode::Random},
    };
    for (const auto &[word, mode] : modes) {
        if (name == word)
            return mode;
    }
    return usageProblem(u"--jitter"_s, u"\"%1\" is not known"_s.arg(QString::fromStdString(name)),
                        u"use none, min, mid, max or random"_s);
}

class Simulate final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        app.add_option("--scenario", m_scenario, "a built-in fault or a scenario file")->check(fileName())->required();
        app.add_option("--runs", m_runs, "how many runs; each has the next seed")->check(CLI::Range(1, 1'000'000))->capture_default_str();
        app.add_option("--jitter", m_jitter, "none, min, mid, max or random (default: mid for one run, random for several)");
        app.add_option("--api", m_api, apiWords())->capture_default_str();
        app.add_option("--limit", m_limitS, "nominal seconds after which a run that has not ended is stopped")
            ->check(realBetween(1, 1e9))
            ->capture_default_str();
        app.add_flag("--json", m_json, "print one JSON object");
        m_policy.addTo(app);
        m_run.addTo(app);
    }

    Exit run() override
    {
        const Expected<Scenario> scenario = findScenario(QString::fromStdString(m_scenario));
        if (!scenario)
            return fail(scenario.error());
        const Expected<PolicyPtr> policy = m_policy.policy();
        if (!policy)
            return fail(policy.error());
        const Expected<Api> api = apiNamed(m_api);
        if (!api)
            return fail(api.error());
        if (m_jitter.empty())
            m_jitter = m_runs > 1 ? "random" : "mid";
        const Expected<JitterMode> jitter = jitterNamed(m_jitter);
        if (!jitter)
            return fail(jitter.error());

        SimulationSpec spec;
        spec.scenarios = {*scenario};
        SimulatedTask task;
        task.name = scenario->name;
        task.policy = *policy;
        spec.tasks = {task};
        spec.api = *api;
        spec.jitter = *jitter;
        spec.seed = m_run.seed();
        spec.limit = Instant{fromSeconds(m_limitS)};
        Recording recording;
        if (m_run.isRecorded()) {
            if (m_runs > 1)
                return fail(Problem(ProblemKind::Usage, u"--record"_s, u"records one run"_s, u"leave --runs out"_s));
            TraceHeader header = headerFor(**policy, spec.seed, scenario->name);
            header.clock = ClockKind::Virtual;
            if (const Expected<void> opened = recording.open(m_run.recorder(), header, {}); !opened)
                return fail(opened.error());
            spec.sink = &recording.sink();
        }
        std::vector<TaskEnding> endings;
        RunCounts counts;
        for (int i = 0; i < m_runs; ++i) {
            SimulationResult result = runSimulation(spec);
            ++spec.seed;
            counts += result.counts;
            endings.push_back(std::move(result.tasks.front()));
        }
        const Redactor redactor; // a scenario file of anybody's may hold anything
        if (m_json)
            printResult(m_runs > 1 ? manyJson(endings, counts) : callJson(endings.front(), counts), redactor);
        else
            printResult(m_runs > 1 ? manyLines(endings, counts) : callLines(endings.front(), counts), redactor);
        // The result stands, whatever became of its recording.
        if (const Expected<void> closed = recording.close(); !closed)
            return fail(closed.error());
        return std::ranges::all_of(endings, isSuccess) ? Exit::Done : Exit::Failed;
    }

private:
    PolicyOptions m_policy;
    RunOptions m_run;
    std::string m_scenario;
    int m_runs = 1;
    double m_limitS = toSeconds(SimulationSpec().limit.time_since_epoch());
    std::string m_jitter;
    std::string m_api = "openai-chat";
    bool m_json = false;
};

} // namespace

CommandPtr simulateCommand()
{
    return std::make_unique<Simulate>();
}

} // namespace Waitscope
