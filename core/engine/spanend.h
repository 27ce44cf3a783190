// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a span with what a layer's result says: one place for the mapping from results to outcomes.
#pragma once

#include "engine/callresult.h"
#include "engine/eventlog.h"

namespace Waitscope {

[[nodiscard]] Outcome outcomeOf(const CallResult &result);
[[nodiscard]] Outcome outcomeOf(const Failure &failure);

// `verdict` is the layer's classification of a failure; ignored for replies and signals.
void endSpan(EventLog &log, SpanId id, const CallResult &result, const Classification &verdict);

} // namespace Waitscope
