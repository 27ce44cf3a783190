// SPDX-License-Identifier: GPL-3.0-or-later
// The reference's classification of a failure, quirks and all; fixed by tests/data/vectors/classify_error.json.
#pragma once

#include "rules/rules.h"

namespace Waitscope {

[[nodiscard]] Classification openprogramVerdict(const Failure &failure);

} // namespace Waitscope
