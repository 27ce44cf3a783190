// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/virtualclock.h"

namespace Waitscope {

bool VirtualClock::run(Instant limit)
{
    do {
        runReady();
    } while (fireNext(limit, true));
    if (nextDue() == never)
        return true;
    advanceTo(limit);
    return false;
}

} // namespace Waitscope
