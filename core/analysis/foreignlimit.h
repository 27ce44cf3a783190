// SPDX-License-Identifier: GPL-3.0-or-later
// A limit that is none of ours, seen by what it does: failures that all end after the same round time.
#pragma once

#include "base/time.h"

#include <optional>
#include <span>

namespace Waitscope {

// The round length, in whole seconds, at which all of these failures ended, each within 1 % of the others and at most 1.5 %
// later than it. nullopt: fewer than three, not alike, too short to tell, or near one of `own`, which then is the limit.
[[nodiscard]] std::optional<Duration> foreignLimit(std::span<const Duration> failures, std::span<const Duration> own);

} // namespace Waitscope
