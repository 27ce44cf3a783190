// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include "policy/pythonnumber.h"
#include "rules/overflow.h"
#include "rules/pythonpattern.h"
#include "rules/strictverdict.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

Classification byPattern(const QString &text)
{
    static const PythonPattern transient(
        u"overloaded|rate.?limit|too many requests|429|500|502|503|504|service.?unavailable|server error|internal error"
        "|connection.?error|connection.?refused|other side closed|fetch failed|upstream.?connect|reset before headers"
        "|terminated|retry delay",
        {u"overloaded", u"rate", u"too many requests", u"429", u"500", u"502", u"503", u"504", u"service", u"server error",
         u"internal error", u"connection", u"other side closed", u"fetch failed", u"upstream", u"reset before headers",
         u"terminated", u"retry delay"});
    Failure failure;
    failure.text = text;
    Classification verdict = classify(RuleSet::Openprogram, failure);
    verdict.matched = transient.match(text);
    verdict.retryable = !verdict.matched.isNull();
    verdict.rule = verdict.retryable ? u"retry pattern"_s : u"retry pattern does not match"_s;
    return verdict;
}

bool isEmpty(RuleSet rules, const QString &text)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return pythonStrip(text).isEmpty();
    case RuleSet::Strict:
        return saysNothing(text);
    }
    Q_UNREACHABLE();
}

Classification byText(RuleSet rules, const QString &text)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return byPattern(text);
    case RuleSet::Strict:
        return strictVerdict({std::nullopt, {}, text, {}});
    }
    Q_UNREACHABLE();
}

} // namespace

Classification sessionVerdict(RuleSet rules, const SessionMessage &message, const SessionRule &rule)
{
    if (message.stopReason != "error"_L1)
        return {ErrorReason::None, false, u"stop reason is not an error"_s, message.stopReason};
    const QString text = message.errorMessage.value_or(QString());
    // Without a known window the reference does not ask; a prompt that is too long stays too long all the same.
    const bool asksOverflow = rules == RuleSet::Strict || rule.contextWindow > 0;
    if (asksOverflow && isContextOverflow(rules, message, rule.contextWindow))
        return {ErrorReason::Context, false, u"context overflow"_s,
                rules == RuleSet::Strict ? strictOverflowWords(text) : overflowWords(text)};
    if (rule.useVerdict && message.retryable) {
        Classification verdict = byText(rules, text);
        verdict.retryable = *message.retryable;
        verdict.rule = u"explicit verdict"_s;
        verdict.matched = *message.retryable ? u"retryable"_s : u"not retryable"_s;
        return verdict;
    }
    if (isEmpty(rules, text) && (rule.retryEmpty || rules == RuleSet::Strict)) {
        const QString why = rule.retryEmpty ? u"empty error: a dropped stream"_s : u"empty error: session.retry_empty is off"_s;
        return {ErrorReason::Transport, rule.retryEmpty, why, QString()};
    }
    return byText(rules, text);
}

} // namespace Waitscope
