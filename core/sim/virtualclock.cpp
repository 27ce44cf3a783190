// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/virtualclock.h"

namespace Waitscope {

bool VirtualClock::run(Instant limit, const std::atomic<bool> *stop)
{
    do {
        runReady();
        if (stop && stop->load(std::memory_order_relaxed))
            return false;
    } while (fireNext(limit, true));
    if (nextDue() == never)
        return true;
    advanceTo(limit);
    return false;
}

} // namespace Waitscope
