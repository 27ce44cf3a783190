// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time.h"

#include <cmath>

namespace Waitscope {

Duration fromSeconds(double seconds) noexcept
{
    if (std::isnan(seconds))
        return Duration::zero();
    const double ns = std::round(seconds * 1e9);
    // 2^63 is exactly representable; the largest representable double below it still fits.
    if (ns >= 9223372036854775808.0)
        return Duration::max();
    if (ns <= -9223372036854775808.0)
        return Duration::min();
    return Duration{static_cast<Duration::rep>(ns)};
}

Instant after(Instant start, Duration d) noexcept
{
    Duration::rep sum = 0;
    if (__builtin_add_overflow(start.time_since_epoch().count(), d.count(), &sum))
        return d > Duration::zero() ? Instant::max() : Instant::min();
    return Instant{Duration{sum}};
}

} // namespace Waitscope
