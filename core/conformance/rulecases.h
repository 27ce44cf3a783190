// SPDX-License-Identifier: GPL-3.0-or-later
// What the rules answer to the inputs of one case, in the form in which tables write it; under either rule set.
#pragma once

#include "conformance/casereader.h"
#include "conformance/table.h"
#include "rules/rules.h"

namespace Waitscope {

// The field "headers": null or an object. Without the number 0, which the reference, asking what is true in Python's
// sense, does not see.
[[nodiscard]] HeaderList headersOf(CaseReader &inputs);

// {"reason": …, "retryable": …}
[[nodiscard]] QJsonObject classifyAnswer(RuleSet rules, CaseReader &inputs);
// true = permanent
[[nodiscard]] QJsonValue permanentAnswer(RuleSet rules, CaseReader &inputs);
// true = retried
[[nodiscard]] QJsonValue statusAnswer(RuleSet rules, CaseReader &inputs);
// seconds, or null
[[nodiscard]] QJsonValue retryAfterAnswer(RuleSet rules, CaseReader &inputs);
// {"retryable": …, "overflow": …}
[[nodiscard]] QJsonObject sessionAnswer(RuleSet rules, CaseReader &inputs);

// Compares, or says why the case cannot be run.
[[nodiscard]] CaseResult judged(const CaseReader &inputs, const QJsonValue &expected, const QJsonValue &actual);

} // namespace Waitscope
