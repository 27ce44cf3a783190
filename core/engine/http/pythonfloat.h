// SPDX-License-Identifier: GPL-3.0-or-later
// A number as Python's str() writes a float, for the texts that `openprogram` builds from limits.
#pragma once

#include <QString>

namespace Waitscope {

// The shortest digits that read back to the same number, always with a point or an exponent: 1800.0, 0.5, 1e-09, 1e+16, inf.
[[nodiscard]] QString pythonFloat(double number);

} // namespace Waitscope
