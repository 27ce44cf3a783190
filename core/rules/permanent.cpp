// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include "rules/openprogramwords.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

Classification openprogramPermanence(const Failure &failure)
{
    if (failure.retryable == false) {
        Classification verdict = classify(RuleSet::Openprogram, failure);
        verdict.retryable = false;
        verdict.rule = u"explicit verdict"_s;
        verdict.matched = u"not retryable"_s;
        return verdict;
    }
    const MarkerHits hits = openprogramPermanentMarkers().find({failure.type, u": ", failure.text});
    if (hits.has(MarkerGroup::Image))
        return {ErrorReason::Invalid, false, u"image marker in type and text"_s, hits.words(MarkerGroup::Image)};
    if (hits.has(MarkerGroup::Auth))
        return {ErrorReason::Auth, false, u"auth marker in type and text"_s, hits.words(MarkerGroup::Auth)};
    return {ErrorReason::Unknown, true, u"no permanent marker"_s, QString()};
}

} // namespace

Classification permanentVerdict(RuleSet rules, const Failure &failure)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return openprogramPermanence(failure);
    case RuleSet::Strict: {
        // One verdict for all layers. What nothing is known about may be tried again within the layer's budget,
        // unless it was said not to be.
        Classification verdict = classify(rules, failure);
        if (verdict.reason == ErrorReason::Unknown && failure.retryable != false && failure.retriesLeft.value_or(1) > 0
            && failure.kind != FailureKind::Programming) {
            verdict.retryable = true;
        }
        return verdict;
    }
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
