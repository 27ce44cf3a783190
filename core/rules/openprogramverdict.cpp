// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/openprogramverdict.h"

#include "rules/openprogramwords.h"
#include "rules/rulenames.h"

#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

struct TextRule {
    MarkerGroup group;
    ErrorReason reason;
    bool retryable;
    QString rule;
};

// First match wins. The quota words are absent: without status 429 the reference does not know them.
const std::array<TextRule, 7> &textRules()
{
    static const std::array<TextRule, 7> rules{{
        {MarkerGroup::Auth, ErrorReason::Auth, false, u"auth marker in the text"_s},
        {MarkerGroup::Image, ErrorReason::Invalid, false, u"image marker in the text"_s},
        {MarkerGroup::Context, ErrorReason::Context, false, u"context marker in the text"_s},
        {MarkerGroup::Policy, ErrorReason::Policy, false, u"policy marker in the text"_s},
        {MarkerGroup::RateLimit, ErrorReason::RateLimit, true, u"rate limit marker in the text"_s},
        {MarkerGroup::Transient, ErrorReason::Transport, true, u"transient marker in the text"_s},
        {MarkerGroup::TransportName, ErrorReason::Transport, true, u"transport type's name in the text"_s},
    }};
    return rules;
}

MarkerHits hitsOf(const Failure &failure)
{
    return openprogramMarkers().find({failure.text, u" ", failure.errorText});
}

Classification byMarker(const MarkerHits &hits, MarkerGroup group, ErrorReason reason, const QString &rule)
{
    return {reason, false, rule, hits.words(group)};
}

// Only 400 and 429 are looked into.
Classification byStatus(int status, const Failure &failure)
{
    if (status >= 500)
        return {ErrorReason::Provider, true, ruleOfStatus(status), wordOfStatus(status)};
    if (status == 429) {
        const MarkerHits hits = hitsOf(failure);
        if (hits.has(MarkerGroup::Quota))
            return byMarker(hits, MarkerGroup::Quota, ErrorReason::Authz, u"status 429 with a spent quota in the text"_s);
        return {ErrorReason::RateLimit, true, ruleOfStatus(status), wordOfStatus(status)};
    }
    if (status == 400) {
        const MarkerHits hits = hitsOf(failure);
        if (hits.has(MarkerGroup::Context))
            return byMarker(hits, MarkerGroup::Context, ErrorReason::Context,
                            u"status 400 with a context marker in the text"_s);
        if (hits.has(MarkerGroup::Policy))
            return byMarker(hits, MarkerGroup::Policy, ErrorReason::Policy,
                            u"status 400 with a policy marker in the text"_s);
    }
    const ErrorReason reason = status == 401 ? ErrorReason::Auth : status == 403 ? ErrorReason::Authz : ErrorReason::Invalid;
    return {reason, false, ruleOfStatus(status), wordOfStatus(status)};
}

} // namespace

Classification openprogramVerdict(const Failure &failure)
{
    if (failure.httpStatus && *failure.httpStatus >= 400 && *failure.httpStatus <= 599)
        return byStatus(*failure.httpStatus, failure);
    if (isTransportType(RuleSet::Openprogram, failure.type))
        return {ErrorReason::Transport, true, u"type in the transport set"_s, failure.type};
    const MarkerHits found = hitsOf(failure);
    for (const TextRule &rule : textRules()) {
        if (found.has(rule.group))
            return {rule.reason, rule.retryable, rule.rule, found.words(rule.group)};
    }
    return {ErrorReason::Unknown, false, u"nothing known about it"_s, QString()};
}

} // namespace Waitscope
