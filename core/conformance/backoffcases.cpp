// SPDX-License-Identifier: GPL-3.0-or-later
// The table `backoff`: the reference's three formulas as retry policies.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/rulecases.h"
#include "rules/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

int tryNumber(CaseReader &inputs, int offset)
{
    const qint64 attempt = inputs.integer("attempt"_L1);
    return static_cast<int>(std::clamp<qint64>(attempt + offset, -1, std::numeric_limits<int>::max() / 2));
}

QJsonValue sessionMilliseconds(CaseReader &inputs)
{
    RetryPolicy policy;
    policy.baseS = inputs.number("base_ms"_L1) / 1000;
    return tableNumber(backoffAfter(policy, tryNumber(inputs, 0), std::nullopt, 0).seconds * 1000);
}

// Attempts count from 0 here. The reference multiplies a negative base as it stands and lets the sleep fail; our rule
// never goes below zero, so that the sign is put back.
QJsonValue jitteredSeconds(CaseReader &inputs, std::optional<double> capS)
{
    RetryPolicy policy;
    const double base = inputs.number("base_s"_L1);
    policy.baseS = std::abs(base);
    if (base >= 0)
        policy.capS = capS;
    policy.jitter = JitterForm::Symmetric;
    policy.jitterShare = 0.25;
    policy.hintJitterShare = 0.25;
    const std::optional<double> hint = inputs.numberOrNull("retry_after_s"_L1);
    const double u = inputs.number("u"_L1);
    const int failedTry = tryNumber(inputs, 1);
    if (base >= 0)
        return tableNumber(backoffAfter(policy, failedTry, hint, u).seconds);
    if (hint && *hint > 0)
        return tableNumber(backoffAfter(policy, 0, hint, u).seconds);
    return tableNumber(-backoffAfter(policy, failedTry, std::nullopt, u).seconds);
}

} // namespace

CaseResult runBackoffCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QString function = inputs.text("fn"_L1);
    QJsonValue actual;
    if (function == "session_backoff_ms"_L1)
        actual = sessionMilliseconds(inputs);
    else if (function == "exec_retry_sleep_s"_L1)
        actual = jitteredSeconds(inputs, std::nullopt);
    else if (function == "stream_backoff_s"_L1)
        actual = jitteredSeconds(inputs, inputs.numberOrNull("cap_s"_L1));
    else
        inputs.blame("fn"_L1, "names no back-off function"_L1);
    return judged(inputs, expected, actual);
}

} // namespace Waitscope
