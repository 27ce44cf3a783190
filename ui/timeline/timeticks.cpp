// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeticks.h"

#include <QtGlobal>

#include <array>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

struct Step {
    Duration length;
    int parts; // minor stretches within one
};

// The smallest round step of at least `least`.
Step stepFrom(Duration least)
{
    for (Duration decade = 1ns; decade < 1s; decade *= 10) {
        for (const Step step : {Step{decade, 5}, Step{decade * 2, 4}, Step{decade * 5, 5}}) {
            if (step.length >= least)
                return step;
        }
    }
    constexpr std::array steps{Step{1s, 5},    Step{2s, 4},    Step{5s, 5},     Step{10s, 5},   Step{15s, 3},  Step{30s, 6},
                               Step{1min, 6},  Step{2min, 4},  Step{5min, 5},   Step{10min, 5}, Step{15min, 3}, Step{30min, 6},
                               Step{1h, 4},    Step{2h, 4},    Step{3h, 3},     Step{6h, 6},    Step{12h, 4}};
    for (const Step step : steps) {
        if (step.length >= least)
            return step;
    }
    Duration days = 24h;
    while (days < least)
        days *= 2;
    return {days, 4};
}

qint64 floorDiv(qint64 a, qint64 b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

} // namespace

TimeTicks ticksOf(const TimeScale &scale, double room)
{
    const Step step = stepFrom(std::max(scale.length(room), Duration{1}));
    TimeTicks ticks;
    ticks.step = step.length;
    const qint64 part = std::max<qint64>(1, step.length.count() / step.parts);
    const qint64 first = floorDiv(scale.from().time_since_epoch().count(), part);
    const qint64 last = floorDiv(scale.to().time_since_epoch().count(), part) + 1;
    for (qint64 i = first; i <= last; ++i) {
        const Instant at{Duration{i * part}};
        const bool major = (i * part) % step.length.count() == 0;
        (major ? ticks.major : ticks.minor).push_back(at);
    }
    return ticks;
}

} // namespace Waitscope
