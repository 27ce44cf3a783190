// SPDX-License-Identifier: GPL-3.0-or-later
// The marker words of the `strict` rules: whole words and phrases in English and Chinese.
#pragma once

#include "rules/markers.h"

namespace Waitscope {

// The pieces are read as one text.
[[nodiscard]] MarkerHits strictHits(std::initializer_list<QStringView> pieces) noexcept;

} // namespace Waitscope
