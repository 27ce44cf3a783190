// SPDX-License-Identifier: GPL-3.0-or-later
// The one decision of the `strict` rules, from which every layer's verdict follows.
#pragma once

#include "rules/rules.h"

namespace Waitscope {

// What is known of a failure; views must outlive the call.
struct StrictFacts {
    std::optional<int> status;
    QStringView type;
    QStringView text;
    QStringView body;
};

[[nodiscard]] Classification strictVerdict(const StrictFacts &facts);

// Does one of the texts say that an allowance is used up (and not only that of the running minute)?
[[nodiscard]] bool saysSpentQuota(QStringView text, QStringView body);

// A text without content: blank, or what clients print when every field of the error was empty.
[[nodiscard]] bool saysNothing(QStringView text);

// The words that say that the prompt is too long; empty = none, or a limit per minute.
[[nodiscard]] QString strictOverflowWords(const QString &text);

} // namespace Waitscope
