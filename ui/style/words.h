// SPDX-License-Identifier: GPL-3.0-or-later
// The vocabulary as people read it, translated: what a span, a timer, an outcome or a reason is called on screen.
#pragma once

#include "base/vocabulary.h"
#include "event/event.h"
#include "trace/lane.h"
#include "trace/spaninfo.h"

#include <QString>

namespace Waitscope {

[[nodiscard]] QString shownWord(Layer layer);
[[nodiscard]] QString shownWord(SpanKind kind);
[[nodiscard]] QString shownWord(Phase phase);
[[nodiscard]] QString shownWord(Outcome outcome);
[[nodiscard]] QString shownWord(Role role);
[[nodiscard]] QString shownWord(ErrorReason reason);
[[nodiscard]] QString shownWord(TimerKind kind);
[[nodiscard]] QString shownWord(Resets resets);
[[nodiscard]] QString shownWord(Kills kills);
[[nodiscard]] QString shownWord(TimerState state);
[[nodiscard]] QString shownWord(MarkKind kind);
[[nodiscard]] QString shownWord(LaneRow row); // in the plural: "requests"

// "attempt 2 of 6", "attempt 2", or nothing where counting makes no sense.
[[nodiscard]] QString shownAttempt(int attempt, int maxAttempts);
// "request 2 of 3", "connect", "backoff after try 1", a task's own name.
[[nodiscard]] QString shownName(const SpanInfo &span);
// "timeout: ConnectTimeout", "ok", "open".
[[nodiscard]] QString shownEnd(const SpanInfo &span);

} // namespace Waitscope
