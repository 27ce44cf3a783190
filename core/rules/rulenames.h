// SPDX-License-Identifier: GPL-3.0-or-later
// The names of rules as verdicts carry them, made once so that a verdict costs no allocation.
#pragma once

#include <QString>

namespace Waitscope {

// "status 429"
[[nodiscard]] const QString &ruleOfStatus(int status);
// "429"
[[nodiscard]] const QString &wordOfStatus(int status);

} // namespace Waitscope
