// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/openprogramverdict.h"
#include "rules/strictverdict.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isOwnDeadline(const Failure &failure)
{
    return failure.timedOutByDeadline || failure.reason == ErrorReason::Timeout;
}

Classification deadlineVerdict()
{
    return {ErrorReason::Timeout, false, u"own deadline"_s, QString()};
}

Classification strictClassification(const Failure &failure)
{
    if (isOwnDeadline(failure))
        return deadlineVerdict();
    if (failure.kind == FailureKind::Programming)
        return {ErrorReason::Unknown, false, u"programming error"_s, failure.type};
    Classification verdict = strictVerdict({failure.httpStatus, failure.type, failure.text, failure.errorText});
    if (failure.reason != ErrorReason::None && failure.reason != verdict.reason) {
        verdict.reason = failure.reason;
        verdict.retryable = failure.reason == ErrorReason::Transport || failure.reason == ErrorReason::RateLimit
            || failure.reason == ErrorReason::Provider;
        verdict.rule = u"reason known before"_s;
        verdict.matched = wordOf(failure.reason);
    }
    if (failure.retryable && (*failure.retryable != verdict.retryable || !failure.verdictFrom.isEmpty())) {
        verdict.retryable = *failure.retryable;
        verdict.rule = failure.verdictFrom.isEmpty() ? u"explicit verdict"_s : QString(failure.verdictFrom);
        verdict.matched = *failure.retryable ? u"retryable"_s : u"not retryable"_s;
    }
    if (failure.retriesLeft && *failure.retriesLeft <= 0 && verdict.retryable) {
        verdict.retryable = false;
        verdict.rule = u"the verdict's tries are used up"_s;
    }
    return verdict;
}

} // namespace

Classification classify(RuleSet rules, const Failure &failure)
{
    switch (rules) {
    case RuleSet::Openprogram:
        // A final error of an inner exec is read like any other text, even where that says it timed out.
        if (failure.kind != FailureKind::LlmError && isOwnDeadline(failure))
            return deadlineVerdict();
        return openprogramVerdict(failure);
    case RuleSet::Strict:
        return strictClassification(failure);
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
