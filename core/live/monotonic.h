// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's clocks as integer nanoseconds; the only place of the program that reads them for an engine.
#pragma once

#include <QtGlobal>

namespace Waitscope {

// CLOCK_MONOTONIC: stands still while the machine is suspended. Any thread.
[[nodiscard]] qint64 monotonicNs() noexcept;

// How much longer the machine has been up than the monotonic clock has run: the time spent suspended since boot.
// Read as one moment as far as that can be: the best of a few tries.
[[nodiscard]] qint64 suspendedNs() noexcept;

} // namespace Waitscope
