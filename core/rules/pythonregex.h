// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions that match as Python's re does with IGNORECASE.
#pragma once

#include <QRegularExpression>

namespace Waitscope {

// Letters match without regard to case, i, k and s their Unicode look-alikes too; \d is a digit of any script, \s a
// space as Python knows it, and a dot anything but a line feed. Inside [...] only plain characters may stand.
[[nodiscard]] QRegularExpression pythonIgnoringCase(QStringView pattern);

} // namespace Waitscope
