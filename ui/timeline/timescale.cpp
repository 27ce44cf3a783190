// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timescale.h"

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

Duration rounded(double ns) noexcept
{
    return fromSeconds(ns / 1e9);
}

// Exact where it matters: doubles of nanoseconds are whole up to 2^53 (104 days), so short lengths must not go through
// seconds.
Duration lengthOf(double ns) noexcept
{
    return std::abs(ns) < 9e15 ? Duration{std::llround(ns)} : rounded(ns);
}

} // namespace

TimeScale::TimeScale(Instant from, double nsPerPixel, int width)
    : m_from(from)
    , m_nsPerPixel(std::isnan(nsPerPixel) ? 1e8 : std::clamp(nsPerPixel, finest, coarsest))
    , m_width(std::max(0, width))
{
}

TimeScale TimeScale::fitting(Instant from, Instant to, int width)
{
    const double ns = static_cast<double>(to.time_since_epoch().count()) - static_cast<double>(from.time_since_epoch().count());
    return TimeScale(from, ns / std::max(1, width), width);
}

double TimeScale::xOf(Instant t) const noexcept
{
    Duration::rep distance = 0;
    // Short distances exactly; only what is centuries away goes through doubles.
    if (!__builtin_sub_overflow(t.time_since_epoch().count(), m_from.time_since_epoch().count(), &distance))
        return static_cast<double>(distance) / m_nsPerPixel;
    return (static_cast<double>(t.time_since_epoch().count()) - static_cast<double>(m_from.time_since_epoch().count()))
        / m_nsPerPixel;
}

Instant TimeScale::timeAt(double x) const noexcept
{
    return after(m_from, length(x));
}

Duration TimeScale::length(double pixels) const noexcept
{
    return lengthOf(pixels * m_nsPerPixel);
}

TimeScale TimeScale::zoomedAt(double x, double factor) const
{
    const TimeScale zoomed(m_from, m_nsPerPixel / factor, m_width);
    // From what stays to the new left edge, in one step: rounding never adds up over many zooms.
    return zoomed.movedTo(after(m_from, lengthOf(x * m_nsPerPixel - x * zoomed.m_nsPerPixel)));
}

TimeScale TimeScale::pannedBy(double pixels) const
{
    return movedTo(timeAt(pixels));
}

std::optional<Duration> TimeScale::untilPixelChanges(Instant now, double density) const
{
    const double x = xOf(now);
    if (x >= m_width)
        return std::nullopt;
    const double next = x < 0 ? 0 : std::floor(x * density) + 1;
    Duration wait = timeAt(next / density) - now;
    // timeAt() rounds; what it gives may lie a nanosecond before the pixel's edge.
    return std::max(wait, Duration{1});
}

} // namespace Waitscope
