// SPDX-License-Identifier: GPL-3.0-or-later
// What follows if nothing more arrives: the call's own events replayed up to now, then a transport that stays silent.
#pragma once

#include "policy/policy.h"
#include "trace/tracestore.h"

#include <vector>

namespace Waitscope {

struct ForecastStep {
    ForecastStep(Instant when, QString text)
        : at(when)
        , what(std::move(text))
    {
    }
    Instant at;
    QString what; // translated: "the connect timer fires", "backoff 1 s (stream)", "attempt 3", "fails: transport"
};

struct Forecast {
    Forecast() = default;
    bool known = false;               // false: the events do not say enough to go on from
    std::vector<ForecastStep> steps;  // the first ones, in order
    int furtherSteps = 0;             // how many more lie between the last of `steps` and the end
    Instant ends;                     // when the task is over, with middle draws
    Outcome outcome = Outcome::Error; // how it ends then
    ErrorReason reason = ErrorReason::None;
    Duration best{};                  // remaining, with the shortest sleeps
    Duration worst{};                 // remaining, with the longest
    int furtherRequests = 0;          // that will still be sent
    QString cap;                      // the one change that would cap it, translated; empty = it is capped already
};

// Of the task that `task` is the span of. `policy` is the one the task began with; recorded changes are taken from the store.
[[nodiscard]] Forecast forecast(const TraceStore &store, SpanId task, Instant now, const PolicyPtr &policy);

} // namespace Waitscope
