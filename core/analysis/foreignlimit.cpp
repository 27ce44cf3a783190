// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/foreignlimit.h"

#include <algorithm>
#include <cmath>

namespace Waitscope {

namespace {

constexpr size_t enoughFailures = 3;
constexpr double shortest = 5;    // s: below, servers fail at all kinds of times that look round
constexpr double roundest = 20;   // so many steps of its own roundness a limit has at most
constexpr double alike = 1.01;
constexpr double latest = 1.015;  // what connecting and answering take on top of a limit

// The roundest number of seconds not above `least` and not much below it; 0 = none.
double roundBelow(double least)
{
    for (const double step : {600.0, 300.0, 60.0, 30.0, 10.0, 5.0}) {
        const double value = std::floor(least / step) * step;
        // 285 s is a multiple of five, but nobody's default.
        const bool isRound = step * roundest >= value;
        if (value > 0 && isRound && value * latest >= least)
            return value;
    }
    return 0;
}

} // namespace

std::optional<Duration> foreignLimit(std::span<const Duration> failures, std::span<const Duration> own)
{
    if (failures.size() < enoughFailures)
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(failures);
    const double from = toSeconds(least);
    const double to = toSeconds(most);
    if (from < shortest || to > from * alike)
        return std::nullopt;
    const double limit = roundBelow(from);
    const auto isOurs = [&](Duration value) { return std::abs(toSeconds(value) - from) <= from * (latest - 1); };
    if (limit <= 0 || to > limit * latest * alike || std::ranges::any_of(own, isOurs))
        return std::nullopt;
    return fromSeconds(limit);
}

} // namespace Waitscope
