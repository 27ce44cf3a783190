// SPDX-License-Identifier: GPL-3.0-or-later
// What the innermost open span of a call is doing, as a clause of the verdict and as a rung of the ladder.
#pragma once

#include "analysis/verdict.h"

namespace Waitscope {

// The layer a span stands for on the ladder: whatever a request does is the stream layer's.
[[nodiscard]] Layer rungLayer(const SpanInfo &span);

// "connecting to 10.0.0.9, 12.4 s of 30 s; nothing has been sent". `path` ends with the holder and is not empty.
[[nodiscard]] QString holdingClause(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now);

// One rung a layer, outermost first, the last one holding.
[[nodiscard]] std::vector<LadderRung> rungsOf(const TraceStore &store, const std::vector<SpanInfo> &path,
                                              const std::vector<ShownTimer> &timers, Instant now);

} // namespace Waitscope
