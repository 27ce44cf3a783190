// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include "rules/openprogramwords.h"
#include "rules/pythonpattern.h"
#include "rules/rulenames.h"
#include "rules/strictverdict.h"

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// A spent quota ends it at any status; else four statuses and 429 are retried, or a body that speaks of a passing fault.
Classification openprogramStatus(int status, const QString &body)
{
    static const PythonPattern transient(
        u"rate.?limit|overloaded|service.?unavailable|upstream.?connect|connection.?refused|connection.?reset"
        "|temporarily.?unavailable",
        {u"rate", u"overloaded", u"service", u"upstream", u"connection", u"temporarily"});
    const MarkerHits hits = openprogramMarkers().find({body});
    if (hits.has(MarkerGroup::Quota))
        return {ErrorReason::Authz, false, u"spent quota in the body"_s, hits.words(MarkerGroup::Quota)};
    if (status == 429)
        return {ErrorReason::RateLimit, true, ruleOfStatus(status), wordOfStatus(status)};
    if (status == 500 || (status >= 502 && status <= 504))
        return {ErrorReason::Provider, true, ruleOfStatus(status), wordOfStatus(status)};
    const QString words = transient.match(body);
    Failure failure;
    failure.httpStatus = status;
    failure.errorText = body;
    Classification verdict = classify(RuleSet::Openprogram, failure);
    verdict.retryable = !words.isNull();
    if (verdict.retryable) {
        verdict.rule = u"transient words in the body"_s;
        verdict.matched = words;
    }
    return verdict;
}

} // namespace

Classification statusVerdict(RuleSet rules, int status, const QString &body)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return openprogramStatus(status, body);
    case RuleSet::Strict:
        return strictVerdict({status, {}, {}, body});
    }
    Q_UNREACHABLE();
}

Classification statusVerdict(RuleSet rules, int status, const QString &body, std::span<const int> retryStatuses)
{
    Classification verdict = statusVerdict(rules, status, body);
    const bool spentQuota = rules == RuleSet::Strict && saysSpentQuota({}, body);
    if (retryStatuses.empty() || spentQuota)
        return verdict;
    const bool listed = std::ranges::find(retryStatuses, status) != retryStatuses.end();
    if (listed != verdict.retryable) {
        verdict.retryable = listed;
        verdict.rule = listed ? u"status in the policy's list"_s : u"status not in the policy's list"_s;
        verdict.matched = wordOfStatus(status);
    }
    return verdict;
}

} // namespace Waitscope
