// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/monotonic.h"

#include <limits>

#include <time.h>

namespace Waitscope {

namespace {

qint64 readClock(clockid_t id) noexcept
{
    timespec t{};
    clock_gettime(id, &t);
    return qint64{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

} // namespace

qint64 monotonicNs() noexcept
{
    return readClock(CLOCK_MONOTONIC);
}

qint64 suspendedNs() noexcept
{
    // The two clocks cannot be read at once. Being scheduled away between the readings would look like a suspend, so the
    // reading with the shortest way between its two monotonic stamps counts.
    qint64 best = 0;
    qint64 shortest = std::numeric_limits<qint64>::max();
    for (int i = 0; i < 3; ++i) {
        const qint64 before = readClock(CLOCK_MONOTONIC);
        const qint64 boot = readClock(CLOCK_BOOTTIME);
        const qint64 after = readClock(CLOCK_MONOTONIC);
        if (after - before >= shortest)
            continue;
        shortest = after - before;
        best = boot - before - shortest / 2;
    }
    return best;
}

} // namespace Waitscope
