// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file that is small by nature, whatever a path turns out to be.
#pragma once

#include "base/problem.h"

#include <QByteArray>

namespace Waitscope {

// At most `most` bytes; a longer one, or one without an end (/dev/zero), is a problem: "too large for a profile".
[[nodiscard]] Expected<QByteArray> readWhole(const QString &path, qint64 most, const QString &what);

} // namespace Waitscope
