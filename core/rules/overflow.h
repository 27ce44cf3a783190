// SPDX-License-Identifier: GPL-3.0-or-later
// The words in which providers say that a prompt is too long.
#pragma once

#include <QString>

namespace Waitscope {

// The matched words as the reference's patterns find them; empty = none.
[[nodiscard]] QString overflowWords(const QString &text);

} // namespace Waitscope
