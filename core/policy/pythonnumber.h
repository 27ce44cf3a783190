// SPDX-License-Identifier: GPL-3.0-or-later
// Texts read as numbers the way Python's float() and int() do: Unicode digits and blanks, underscores, inf and nan.
#pragma once

#include <QStringView>

#include <optional>

namespace Waitscope {

// nullopt where Python raises ValueError. Overflow gives infinity, as there.
[[nodiscard]] std::optional<double> pythonFloat(QStringView text);
// Base 10. Exact up to 2^53, the nearest number beyond; nullopt where Python raises ValueError, also for more than
// 4300 digits.
[[nodiscard]] std::optional<double> pythonInt(QStringView text);
// What str.strip() leaves.
[[nodiscard]] QStringView pythonStrip(QStringView text);

} // namespace Waitscope
