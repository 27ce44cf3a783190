// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of simulations: time jumps from event to event, so that an hour takes a moment and never differs.
#pragma once

#include "engine/ports/clock.h"

#include <atomic>

namespace Waitscope {

class VirtualClock final : public Clock
{
public:
    VirtualClock() = default;

    // Runs until nothing is left to happen, the next event lies beyond `limit`, or `stop` is set. True = nothing is left.
    // now() ends at the last event, or at `limit` when that was the end.
    bool run(Instant limit = never, const std::atomic<bool> *stop = nullptr);

    // The time of the next event; never = nothing is left.
    [[nodiscard]] Instant next() const noexcept { return hasReady() ? now() : nextDue(); }

private:
    void wakeNeeded() override { }
};

} // namespace Waitscope
