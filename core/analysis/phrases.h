// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and words in sentences about a call, translated; plain blanks, because commands print them too.
#pragma once

#include "base/time.h"
#include "base/vocabulary.h"

#include <QString>

namespace Waitscope {

// One decimal. An age rounds down; what is left rounds up, so that 0.0 means due.
[[nodiscard]] QString saidAge(Duration age);
[[nodiscard]] QString saidLeft(Duration left);
// A length that stands still: "30 s", "1.5 s", "0.25 s".
[[nodiscard]] QString saidLength(Duration length);
// A long one by its two largest units: "2 d 8 h", "49 min"; under two minutes as saidLength().
[[nodiscard]] QString saidSpan(Duration length);
[[nodiscard]] QString saidBytes(qint64 bytes);

[[nodiscard]] QString saidLayer(Layer layer);
[[nodiscard]] QString saidReason(ErrorReason reason);
// What the layer counts: "attempt 2 of 6", "run 2 of 4", "request 2"; empty where it counts nothing.
[[nodiscard]] QString saidTry(Layer layer, int n, int most);

} // namespace Waitscope
