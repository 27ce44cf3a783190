// SPDX-License-Identifier: GPL-3.0-or-later
// What holds a call right now, in one sentence, with the layers above it and the timers that are armed.
#pragma once

#include "trace/callquery.h"

#include <vector>

namespace Waitscope {

// One layer of the stack, from outside in; only layers that the call has at the moment.
struct LadderRung {
    Layer layer = Layer::Task;
    SpanId span;
    QString text;                    // translated: "attempt 2 of 6", "sleeping 2 s before attempt 3"
    bool holds = false;              // this one is what the call waits for
    std::vector<ShownTimer> timers;  // the armed timers it owns
};

struct Verdict {
    QString sentence;                // translated; never empty
    QString warning;                 // a lost protection of this task, and what stands out; translated, empty = none
    SpanId task;                     // the outermost span; none when nothing is known of the one asked for
    SpanId holder;                   // the innermost open span; none when nothing is open
    std::vector<LadderRung> rungs;
    std::vector<ShownTimer> timers;  // all that can end it, in firing order
    std::optional<Duration> sinceLastByte;
    std::optional<Duration> sinceLastData;
    bool ended = false;
    QString advice;                  // of an ended call: what to do now, by reason, and what stood out; translated
};

// Of a task span (or any span within one), at `now`.
[[nodiscard]] Verdict verdictOf(const TraceStore &store, SpanId task, Instant now);

} // namespace Waitscope
