// SPDX-License-Identifier: GPL-3.0-or-later
// The names of rules as verdicts carry them, without an allocation.
#pragma once

#include <QString>

namespace Waitscope {

// "status 429"
[[nodiscard]] QString ruleOfStatus(int status);
// "429"
[[nodiscard]] QString wordOfStatus(int status);

} // namespace Waitscope
