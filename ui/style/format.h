// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers and times are written everywhere in the window.
#pragma once

#include "base/time.h"

#include <QString>

namespace Waitscope {

struct TraceHeader;

// Three digits or so: "350 ms", "12.4 s", "93 s", "20 m 9 s", "1 h 14 m", "2 d 3 h"; "off" for an endless one.
[[nodiscard]] QString shownDuration(Duration d);
// One decimal, never shorter than 6 characters (figure spaces), never "-0.0": "  17.6 s". Rounds up, so that 0.0 means due.
[[nodiscard]] QString shownCountdown(Duration left);
// An age, counting up: rounds down; otherwise the same.
[[nodiscard]] QString shownAge(Duration age);
// Nominal time until the text of shownCountdown(left) or shownAge(age) changes; what a view waits before it repaints.
[[nodiscard]] Duration untilCountdownChanges(Duration left);
[[nodiscard]] Duration untilAgeChanges(Duration age);

// A moment since the trace's start, exact to the millisecond (or finer where it is not whole): "0.000 s", "83.250 s".
[[nodiscard]] QString shownInstant(Instant t);
// The same as a distance with its sign, for forecasts: "+17.6 s".
[[nodiscard]] QString shownOffset(Duration d);
// Wall-clock time in the user's zone; empty where the trace has none (simulations).
[[nodiscard]] QString shownWallTime(const TraceHeader &header, Instant t);
// Label of a ruler line where lines stand `step` apart: no more digits than the step needs.
[[nodiscard]] QString shownTick(Instant t, Duration step);

[[nodiscard]] QString shownCount(qint64 n);       // "12 345" with narrow no-break spaces
[[nodiscard]] QString shownBytes(qint64 bytes);   // "512 B", "4.0 KiB"
[[nodiscard]] QString shownShare(double fraction); // "87 %"

} // namespace Waitscope
