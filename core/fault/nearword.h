// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the word a person most likely meant.
#pragma once

#include <QString>
#include <QStringList>

namespace Waitscope {

// The nearest of `known` by edits, if it is near enough to be a slip; else empty.
[[nodiscard]] QString nearestWord(const QString &word, const QStringList &known);

} // namespace Waitscope
