// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the steps of a script from JSON.
#pragma once

#include "fault/faultscript.h"
#include "fault/jsonfields.h"

namespace Waitscope {

// `depth` counts the repeats around the list. What is wrong is left in `problem`; the result then means nothing.
[[nodiscard]] std::vector<FaultStep> readSteps(JsonFields &owner, const QString &name, bool required, int depth,
                                               JsonProblem &problem);

} // namespace Waitscope
