// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the object `expect` of a scenario from JSON.
#pragma once

#include "fault/expectation.h"
#include "fault/jsonfields.h"

namespace Waitscope {

// Nothing is expected where the object is absent. What is wrong is left in `problem`; the result then means nothing.
[[nodiscard]] Expectation readExpectation(JsonFields &owner, const QString &name, JsonProblem &problem);

} // namespace Waitscope
