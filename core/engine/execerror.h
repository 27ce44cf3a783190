// SPDX-License-Identifier: GPL-3.0-or-later
// How a failed exec words its one final error.
#pragma once

#include "base/time.h"
#include "policy/policy.h"
#include "rules/failure.h"

namespace Waitscope {

// One failed attempt as the final message lists it.
struct FailedAttempt {
    FailedAttempt(int n, QString typeAndText)
        : number(n)
        , what(std::move(typeAndText))
    {
    }
    int number;
    QString what;
};

struct ExecEnding {
    ExecEnding() = default;
    bool permanently = false; // "exec() failed permanently:" or "… after N attempt(s):"
    bool deadline = false;    // always timeout, not retryable
    int attempts = 0;         // made; an error that came before the first counts as 1 in the record
    Duration elapsed{};
    bool hadImage = false;
};

// The LlmError for `last`, the failure it ends with.
[[nodiscard]] Failure execError(RuleSet rules, const Failure &last, const std::vector<FailedAttempt> &history,
                                const ExecEnding &ending);

// The printed form: the message and its bracketed tags, each only when it says something.
[[nodiscard]] QString printedExecError(const Failure &llmError);

// A number of seconds with one decimal as the reference prints it: half to even on the exact double.
[[nodiscard]] QString oneDecimal(double seconds);

} // namespace Waitscope
