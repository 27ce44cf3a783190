// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the whole program: Fusion with a light or a dark palette, and fonts named one by one.
#pragma once

#include "ui/style/palette.h"

#include <QFont>
#include <QPalette>

#include <optional>

namespace Waitscope {

enum class Theme : quint8 { System, Light, Dark };

[[nodiscard]] QLatin1StringView wordOf(Theme theme); // as `--theme` spells it
[[nodiscard]] std::optional<Theme> themeFromWord(QStringView word);

// Once the QApplication exists, and again whenever the user chooses another one: widgets hear of it as a PaletteChange.
void applyTheme(Theme theme);

[[nodiscard]] QPalette qtPaletteOf(Scheme scheme);

// What a bare system picks by default varies, down to a mathematics font: families are named, Chinese ones included.
[[nodiscard]] QFont textFont(double pointSize = 0);  // 0 = the system's size
[[nodiscard]] QFont fixedFont(double pointSize = 0); // raw lines, headers, variables

} // namespace Waitscope
