// SPDX-License-Identifier: GPL-3.0-or-later
// Time as the whole program counts it: integer nanoseconds since a trace began, on that trace's clock.
#pragma once

#include <chrono>

namespace Waitscope {

using Duration = std::chrono::nanoseconds;

// The clock of a trace. It has no now(): the present is asked of a Clock port, never of a global.
struct TraceTime {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<TraceTime, Duration>;
    static constexpr bool is_steady = true;
};

// A moment of a trace. Instant{} is the trace's start; `never` stands for "not armed" and "still open".
using Instant = TraceTime::time_point;

inline constexpr Instant never = Instant::max();

// The nearest nanosecond. Saturates beyond +-292 years; not-a-number gives zero.
[[nodiscard]] Duration fromSeconds(double seconds) noexcept;

[[nodiscard]] constexpr double toSeconds(Duration d) noexcept
{
    return static_cast<double>(d.count()) / 1e9;
}

[[nodiscard]] constexpr double toSeconds(Instant t) noexcept
{
    return toSeconds(t.time_since_epoch());
}

// Saturating sum, so that an endless timeout (off) never wraps into the past.
[[nodiscard]] Instant after(Instant start, Duration d) noexcept;

} // namespace Waitscope
