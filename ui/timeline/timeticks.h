// SPDX-License-Identifier: GPL-3.0-or-later
// Where a ruler's lines stand: round times, as many as have room for their labels.
#pragma once

#include "ui/timeline/timescale.h"

#include <vector>

namespace Waitscope {

struct TimeTicks {
    Duration step{};            // between lines with labels
    std::vector<Instant> major; // with labels
    std::vector<Instant> minor;
};

// `room` is the least distance of labels in pixels.
[[nodiscard]] TimeTicks ticksOf(const TimeScale &scale, double room);

} // namespace Waitscope
