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

Classification byStatus(int status, const MarkerHits &hits)
{
    Classification verdict{ErrorReason::Invalid, false, ruleOfStatus(status), wordOfStatus(status)};
    const auto withMarker = [&](MarkerGroup group, ErrorReason reason, const QString &rule) {
        verdict.reason = reason;
        verdict.rule = rule;
        verdict.matched = hits.words(group);
    };
    if (status >= 500) {
        verdict.reason = ErrorReason::Provider;
        verdict.retryable = true;
    } else if (status == 429 && hits.has(MarkerGroup::Quota)) {
        withMarker(MarkerGroup::Quota, ErrorReason::Authz, u"status 429 with a spent quota in the text"_s);
    } else if (status == 429) {
        verdict.reason = ErrorReason::RateLimit;
        verdict.retryable = true;
    } else if (status == 401) {
        verdict.reason = ErrorReason::Auth;
    } else if (status == 403) {
        verdict.reason = ErrorReason::Authz;
    } else if (status == 400 && hits.has(MarkerGroup::Context)) {
        withMarker(MarkerGroup::Context, ErrorReason::Context, u"status 400 with a context marker in the text"_s);
    } else if (status == 400 && hits.has(MarkerGroup::Policy)) {
        withMarker(MarkerGroup::Policy, ErrorReason::Policy, u"status 400 with a policy marker in the text"_s);
    }
    return verdict;
}

} // namespace

Classification openprogramVerdict(const Failure &failure)
{
    const auto hits = [&failure] { return openprogramMarkers().find({failure.text, u" ", failure.errorText}); };
    if (failure.httpStatus && *failure.httpStatus >= 400 && *failure.httpStatus <= 599)
        return byStatus(*failure.httpStatus, hits());
    if (isTransportType(RuleSet::Openprogram, failure.type))
        return {ErrorReason::Transport, true, u"type in the transport set"_s, failure.type};
    const MarkerHits found = hits();
    for (const TextRule &rule : textRules()) {
        if (found.has(rule.group))
            return {rule.reason, rule.retryable, rule.rule, found.words(rule.group)};
    }
    return {ErrorReason::Unknown, false, u"nothing known about it"_s, QString()};
}

} // namespace Waitscope
