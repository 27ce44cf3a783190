// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/strictverdict.h"

#include "policy/pythonnumber.h"
#include "rules/knowntypes.h"
#include "rules/overflow.h"
#include "rules/quotadetails.h"
#include "rules/rulenames.h"
#include "rules/statusintext.h"
#include "rules/strictwords.h"

#include <algorithm>
#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool isRetried(ErrorReason reason)
{
    return reason == ErrorReason::Transport || reason == ErrorReason::RateLimit || reason == ErrorReason::Provider;
}

// "exec() failed …: [reason=rate_limit, retryable, status=429]": a final error that came along as text keeps its verdict.
std::optional<Classification> printedVerdict(QStringView text)
{
    if (!text.contains(u'(') && !text.contains(u'['))
        return std::nullopt;
    constexpr QStringView mark = u"[reason=";
    const qsizetype start = text.lastIndexOf(mark);
    if (start < 0) {
        if (!text.contains(u"exec() timed out after") && !text.contains(u"exec() exhausted timeout_s"))
            return std::nullopt;
        return Classification{ErrorReason::Timeout, false, u"printed time-out of exec"_s, QString()};
    }
    QStringView tags = text.sliced(start + mark.size());
    const qsizetype end = tags.indexOf(u']');
    if (end >= 0)
        tags.truncate(end);
    const qsizetype comma = tags.indexOf(u',');
    const QStringView word = comma < 0 ? tags : tags.first(comma);
    const std::optional<ErrorReason> reason = fromWord<ErrorReason>(word.trimmed());
    if (!reason || *reason == ErrorReason::None)
        return std::nullopt;
    bool retryable = false;
    for (const QStringView tag : tags.tokenize(u','))
        retryable = retryable || tag.trimmed() == u"retryable";
    return Classification{*reason, retryable && *reason != ErrorReason::Timeout, u"printed final error"_s, tags.toString()};
}

bool isSpentQuota(const MarkerHits &hits, QuotaDetails details)
{
    return details.perDay || (hits.has(MarkerGroup::Quota) && !hits.has(MarkerGroup::PerMinute) && !details.perMinute);
}

QuotaDetails detailsOf(const StrictFacts &facts)
{
    const QuotaDetails inText = quotaDetailsIn(facts.text);
    const QuotaDetails inBody = quotaDetailsIn(facts.body);
    return {inText.perMinute || inBody.perMinute, inText.perDay || inBody.perDay};
}

// "Too many tokens, please wait" is a throttle's; alone these words mean the prompt.
bool isOverflow(const MarkerHits &hits)
{
    return hits.has(MarkerGroup::Overflow)
        && !(hits.has(MarkerGroup::RateLimit) && hits.words(MarkerGroup::Overflow) == "too many tokens"_L1);
}

bool isTransientStatus(int status)
{
    static constexpr std::array<int, 12> statuses{408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529};
    return std::ranges::binary_search(statuses, status);
}

ErrorReason reasonOfStatus(int status, const MarkerHits &hits)
{
    if (status >= 500)
        return ErrorReason::Provider;
    switch (status) {
    case 401:
        return ErrorReason::Auth;
    case 402:
    case 403:
        return ErrorReason::Authz;
    case 408:
        return ErrorReason::Transport;
    case 429:
        return ErrorReason::RateLimit;
    case 400:
    case 413:
    case 422:
        if (hits.has(MarkerGroup::Auth))
            return ErrorReason::Auth;
        if (hits.has(MarkerGroup::Context) || isOverflow(hits))
            return ErrorReason::Context;
        if (hits.has(MarkerGroup::Authz)) // an account that was closed, a region
            return ErrorReason::Authz;
        return hits.has(MarkerGroup::Policy) ? ErrorReason::Policy : ErrorReason::Invalid;
    default:
        return ErrorReason::Invalid;
    }
}

Classification byStatus(int status, const MarkerHits &hits)
{
    Classification verdict{reasonOfStatus(status, hits), isTransientStatus(status), ruleOfStatus(status),
                           wordOfStatus(status)};
    // An odd server error is worth another try only where its text says so.
    for (const MarkerGroup group : {MarkerGroup::RateLimit, MarkerGroup::Gateway, MarkerGroup::Transient}) {
        if (status >= 500 && !verdict.retryable && hits.has(group))
            verdict = {ErrorReason::Provider, true, u"server error with transient words"_s, hits.words(group)};
    }
    return verdict;
}

bool isIdentifier(QStringView word)
{
    const auto belongs = [](QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'.'; };
    return !word.isEmpty() && std::ranges::all_of(word, belongs);
}

// The first class name that says something: the failure's own, or one of those that lead its text as in
// "ProviderStreamError: ConnectError: dead route".
struct NamedReason {
    ErrorReason reason = ErrorReason::None;
    QStringView name;
    QStringView rest; // of the text, behind all leading class names
};

NamedReason reasonByName(QStringView type, QStringView text)
{
    NamedReason found{strictReasonOfType(type), type, text};
    while (true) {
        const qsizetype colon = found.rest.indexOf(u':');
        const QStringView word = (colon < 0 ? found.rest : found.rest.first(colon)).trimmed();
        if (!isIdentifier(word))
            return found;
        const QStringView name = word.sliced(word.lastIndexOf(u'.') + 1);
        const bool isClass = name.front().isUpper() || strictReasonOfType(name) != ErrorReason::None;
        if (!isClass || (colon < 0 && strictReasonOfType(name) == ErrorReason::None))
            return found;
        if (found.reason == ErrorReason::None && strictReasonOfType(name) != ErrorReason::None) {
            found.reason = strictReasonOfType(name);
            found.name = name;
        }
        found.rest = colon < 0 ? QStringView() : found.rest.sliced(colon + 1);
        if (colon < 0)
            return found;
    }
}

struct TextRule {
    MarkerGroup group;
    ErrorReason reason;
    QString rule;
};

// First match wins: what can never succeed goes before what may pass.
const std::array<TextRule, 10> &textRules()
{
    static const std::array<TextRule, 10> rules{{
        {MarkerGroup::Auth, ErrorReason::Auth, u"auth words in the text"_s},
        {MarkerGroup::Overflow, ErrorReason::Context, u"overflow words in the text"_s},
        {MarkerGroup::Context, ErrorReason::Context, u"context words in the text"_s},
        {MarkerGroup::Policy, ErrorReason::Policy, u"policy words in the text"_s},
        {MarkerGroup::Authz, ErrorReason::Authz, u"permission words in the text"_s},
        {MarkerGroup::Image, ErrorReason::Invalid, u"invalid request words in the text"_s},
        {MarkerGroup::RateLimit, ErrorReason::RateLimit, u"rate limit words in the text"_s},
        {MarkerGroup::Gateway, ErrorReason::Provider, u"gateway words in the text"_s},
        {MarkerGroup::Transient, ErrorReason::Transport, u"transport words in the text"_s},
        {MarkerGroup::Provider, ErrorReason::Provider, u"provider words in the text"_s},
    }};
    return rules;
}

// No status came, nothing was raised by name, and nothing was said: what is left of a stream that was dropped.
bool isContentFree(const StrictFacts &facts)
{
    constexpr QStringView wrapper = u"ProviderStreamError";
    if (facts.status.value_or(0) != 0 || (!facts.type.isEmpty() && facts.type != wrapper))
        return false;
    QStringView text = facts.text;
    if (text.startsWith(wrapper) && text.sliced(wrapper.size()).startsWith(u':'))
        text = text.sliced(wrapper.size() + 1);
    return saysNothing(text) && saysNothing(facts.body);
}

Classification byText(const MarkerHits &hits, QStringView rest)
{
    // A limit per minute passes, whatever else its text mentions.
    if (hits.has(MarkerGroup::PerMinute) && (hits.has(MarkerGroup::Quota) || hits.has(MarkerGroup::RateLimit)))
        return {ErrorReason::RateLimit, true, u"limit per minute in the text"_s, hits.words(MarkerGroup::PerMinute)};
    for (const TextRule &rule : textRules()) {
        if (hits.has(rule.group) && (rule.group != MarkerGroup::Overflow || isOverflow(hits)))
            return {rule.reason, isRetried(rule.reason), rule.rule, hits.words(rule.group)};
    }
    // Inside a sentence these words can mean anything; alone they are what clients print for a cut stream.
    const QStringView word = rest.trimmed();
    for (const QStringView whole : {QStringView(u"terminated"), QStringView(u"timeout")}) {
        if (word.compare(whole, Qt::CaseInsensitive) == 0)
            return {ErrorReason::Transport, true, u"transport word as the whole text"_s, whole.toString()};
    }
    return {ErrorReason::Unknown, false, u"nothing known about it"_s, QString()};
}

} // namespace

Classification strictVerdict(const StrictFacts &facts)
{
    if (std::optional<Classification> printed = printedVerdict(facts.text))
        return *printed;
    const MarkerHits hits = strictHits({facts.text, u"\n.\n", facts.body});
    const QuotaDetails details = detailsOf(facts);
    if (isSpentQuota(hits, details)) {
        if (!hits.has(MarkerGroup::Quota) || details.perMinute)
            return {ErrorReason::Authz, false, u"spent quota in the details"_s, u"per day"_s};
        return {ErrorReason::Authz, false, u"spent quota in the text"_s, hits.words(MarkerGroup::Quota)};
    }
    if (hits.has(MarkerGroup::NeverFits))
        return {ErrorReason::Context, false, u"larger than the whole limit"_s, hits.words(MarkerGroup::NeverFits)};
    if (facts.status && *facts.status >= 400 && *facts.status <= 599)
        return byStatus(*facts.status, hits);

    const NamedReason named = reasonByName(facts.type, facts.text);
    std::optional<int> written = statusInText(named.rest);
    if (!written)
        written = statusInText(facts.body);
    if (written) {
        Classification verdict = byStatus(*written, hits);
        verdict.rule += u" in the text"_s;
        return verdict;
    }
    if (details.perMinute)
        return {ErrorReason::RateLimit, true, u"limit per minute in the details"_s, u"per minute"_s};
    if (hits.has(MarkerGroup::Deadline))
        return {ErrorReason::Timeout, false, u"deadline words in the text"_s, hits.words(MarkerGroup::Deadline)};
    if (hits.has(MarkerGroup::Page))
        return {ErrorReason::Transport, false, u"a page instead of an answer"_s, hits.words(MarkerGroup::Page)};
    if (hits.has(MarkerGroup::Certificate))
        return {ErrorReason::Transport, false, u"rejected certificate"_s, hits.words(MarkerGroup::Certificate)};
    if (named.reason != ErrorReason::None)
        return {named.reason, isRetried(named.reason), u"type known by its name"_s, strictNameOfType(named.name)};
    if (!hits.any() && isContentFree(facts))
        return {ErrorReason::Transport, true, u"empty error: a dropped stream"_s, QString()};
    return byText(hits, named.rest);
}

bool saysSpentQuota(QStringView text, QStringView body)
{
    return isSpentQuota(strictHits({text, u"\n.\n", body}), detailsOf({{}, {}, text, body}));
}

bool saysNothing(QStringView text)
{
    static constexpr std::array<QStringView, 8> hollow{
        u"", u"none", u"null", u"undefined", u"{}", u"error", u"error code none: none", u"{\"type\":\"error\"}"};
    const QStringView word = pythonStrip(text);
    const auto isWord = [word](QStringView nothing) { return word.compare(nothing, Qt::CaseInsensitive) == 0; };
    return std::ranges::any_of(hollow, isWord);
}

QString strictOverflowWords(const QString &text)
{
    const MarkerHits hits = strictHits({text});
    if (hits.has(MarkerGroup::PerMinute) || (hits.has(MarkerGroup::Overflow) && !isOverflow(hits)))
        return {};
    return hits.has(MarkerGroup::Overflow) ? hits.words(MarkerGroup::Overflow) : overflowWords(text);
}

} // namespace Waitscope
