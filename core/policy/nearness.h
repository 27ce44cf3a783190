// SPDX-License-Identifier: GPL-3.0-or-later
// How far two names are apart, for "did you mean".
#pragma once

#include <QStringList>
#include <QStringView>

namespace Waitscope {

// Edits from one to the other; two neighbours in the wrong order are one edit. For names, not for texts of any length.
[[nodiscard]] int editDistance(QStringView a, QStringView b);

// "did you mean a or b?" for the candidates within a third of the name's length, best first, at most three; else empty.
[[nodiscard]] QString suggestion(QStringView name, const QStringList &candidates);

} // namespace Waitscope
