// SPDX-License-Identifier: GPL-3.0-or-later
// One simulated run: the engine over a virtual clock, scripted faults and fixed or seeded draws.
#pragma once

#include "engine/harness.h"
#include "fault/faultscript.h"
#include "sim/countingsink.h"

#include <atomic>

namespace Waitscope {

enum class JitterMode : quint8 { None, Min, Mid, Max, Random };

struct SimulatedTask {
    SimulatedTask() = default;
    QString name;
    QString scenario;  // of Simulation::scenarios; empty = the first
    PolicyPtr policy;
};

struct SimulationSpec {
    SimulationSpec() = default;
    std::vector<Scenario> scenarios;
    std::vector<SimulatedTask> tasks;
    Api api = Api::OpenaiChat;
    int concurrency = 1;
    JitterMode jitter = JitterMode::Mid;
    quint64 seed = 0;
    EventSink *sink = nullptr;     // nullptr = counters only
    Instant limit{std::chrono::hours(7 * 24)}; // nominal time after which the run is stopped; never = not at all
    const std::atomic<bool> *stop = nullptr;   // set by another thread to stop it now; outlives the run
    bool keepContent = false;
};

struct SimulationResult {
    SimulationResult() = default;
    std::vector<TaskEnding> tasks; // of one that hangs, `ended` is when the last thing happened
    RunCounts counts;
    Instant ended;
    bool wasCut = false; // by the limit or by `stop`
    qint64 remembered = 0; // requests that were played from memory (rememberedstream.h)
};

// The same spec gives the same events, byte for byte.
[[nodiscard]] SimulationResult runSimulation(const SimulationSpec &spec);

// Wall-clock time of simulations: they have none, so every one begins at the same moment.
[[nodiscard]] QDateTime simulationEpoch();

} // namespace Waitscope
