// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what looks like a secret: credentials in header lines, bearer tokens, keys by their prefix, passwords in URLs.
#pragma once

#include "trace/knownsecrets.h"

namespace Waitscope {

// Appends them in order; only the value, not the name before it. Takes time in proportion to the text, whatever stands in
// it; lone surrogates and NUL are text like any other.
void findSecretPatterns(QStringView text, std::vector<TextRange> &found);

} // namespace Waitscope
