// SPDX-License-Identifier: GPL-3.0-or-later
// The marker words of the `openprogram` rules: substrings of the lower-cased text, accidents included.
#pragma once

#include "rules/markers.h"

namespace Waitscope {

// Quota (counts with status 429 only), auth, image, context, policy, rate limit, transient, transport names.
[[nodiscard]] const MarkerTable &openprogramMarkers();

// exec's shorter list: a broken image, a login that is gone, a bad key.
[[nodiscard]] const MarkerTable &openprogramPermanentMarkers();

} // namespace Waitscope
