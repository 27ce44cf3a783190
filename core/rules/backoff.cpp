// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace Waitscope {

namespace {

constexpr double longest = std::numeric_limits<double>::max();

// Zero for what is negative or no number; never infinite.
double saturated(double seconds) noexcept
{
    return seconds > 0 ? std::min(seconds, longest) : 0;
}

double exponentialPart(const RetryPolicy &policy, int failedTry) noexcept
{
    if (failedTry < 1 || !(policy.baseS > 0))
        return 0;
    const int power = failedTry - 1;
    // Powers of two are exact, and by far the most common.
    const double grown = policy.factor == 2 ? std::ldexp(policy.baseS, power)
                                            : policy.baseS * std::pow(policy.factor, power);
    const double d = saturated(grown);
    return policy.capS ? std::clamp(*policy.capS, 0.0, d) : d;
}

double jittered(const RetryPolicy &policy, double d, double u) noexcept
{
    const double s = policy.jitterShare;
    switch (policy.jitter) {
    case JitterForm::None:
        return d;
    case JitterForm::Symmetric:
        return saturated(d * (1 - s + 2 * s * u));
    case JitterForm::Shorten:
        return saturated(d * (1 - s + s * u));
    case JitterForm::Lengthen:
    case JitterForm::Additive: // the cap was applied before, so that both come to the same
        return saturated(d * (1 + s * u));
    }
    Q_UNREACHABLE();
}

// The hint as it counts: nothing for zero, negative and not-a-number, and after what the policy does with long ones.
struct UsableHint {
    std::optional<double> seconds;
    bool stop = false;
};

UsableHint usableHint(const RetryPolicy &policy, std::optional<double> hintS) noexcept
{
    if (!hintS || !(*hintS > 0))
        return {};
    if (!policy.hintMaxS || *hintS <= *policy.hintMaxS)
        return {hintS, false};
    switch (policy.hintAbove) {
    case HintAbove::Obey:
        return {hintS, false};
    case HintAbove::Cut:
        return {policy.hintMaxS, false};
    case HintAbove::OwnBackoff:
        return {};
    case HintAbove::Stop:
        return {std::nullopt, true};
    }
    Q_UNREACHABLE();
}

} // namespace

Pause backoffAfter(const RetryPolicy &policy, int failedTry, std::optional<double> hintS, double u)
{
    const UsableHint hint = usableHint(policy, hintS);
    if (hint.stop)
        return {0, true, true};
    const double d = exponentialPart(policy, failedTry);
    if (!hint.seconds)
        return {jittered(policy, d, u), false, false};
    const double floor = std::max(d, *hint.seconds);
    const double pause = floor * (1 + policy.hintJitterShare * u);
    return {std::isinf(floor) ? floor : saturated(pause), false, true};
}

bool needsDraw(const RetryPolicy &policy, std::optional<double> hintS)
{
    const UsableHint hint = usableHint(policy, hintS);
    if (hint.stop)
        return false;
    if (hint.seconds)
        return policy.hintJitterShare > 0;
    return policy.jitter != JitterForm::None && policy.jitterShare > 0;
}

} // namespace Waitscope
