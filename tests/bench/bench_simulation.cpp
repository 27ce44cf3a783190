// SPDX-License-Identifier: GPL-3.0-or-later
// How many execs a second one core simulates: 72 requests an exec, counters only.
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "sim/simulation.h"

#include <benchmark/benchmark.h>

namespace {

using namespace Waitscope;
using namespace Qt::StringLiterals;

SimulationSpec storm(int tasks)
{
    Policy policy = findProfile(u"openprogram-2026-08"_s).value().policy;
    policy = policy.withAssignment(u"stream.max_attempts=3"_s, u"bench"_s).value();
    policy = policy.withAssignment(u"stream.backoff_base_s=1"_s, u"bench"_s).value();
    SimulationSpec spec;
    spec.scenarios = {findScenario(u"connect-blackhole"_s).value()};
    SimulatedTask task;
    task.policy = std::make_shared<const Policy>(std::move(policy));
    spec.tasks.assign(static_cast<size_t>(tasks), task);
    spec.jitter = JitterMode::Random;
    return spec;
}

// One run an exec, as `simulate --runs N` makes them.
void oneExecARun(benchmark::State &state)
{
    SimulationSpec spec = storm(1);
    qint64 requests = 0;
    for (auto _ : state) {
        ++spec.seed;
        requests += runSimulation(spec).counts.requests;
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["requests/s"] = benchmark::Counter(static_cast<double>(requests), benchmark::Counter::kIsRate);
}
BENCHMARK(oneExecARun);

// A hundred side by side on one clock.
void hundredExecsARun(benchmark::State &state)
{
    SimulationSpec spec = storm(100);
    spec.concurrency = 100;
    for (auto _ : state) {
        ++spec.seed;
        benchmark::DoNotOptimize(runSimulation(spec).counts.requests);
    }
    state.SetItemsProcessed(state.iterations() * 100);
}
BENCHMARK(hundredExecsARun);

} // namespace

BENCHMARK_MAIN();
