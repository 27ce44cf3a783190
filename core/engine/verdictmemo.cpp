// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verdictmemo.h"

namespace Waitscope {

namespace {

// Texts of a storm are mostly the same memory.
bool isSame(const QString &a, const QString &b)
{
    return a.size() == b.size() && (a.constData() == b.constData() || a == b);
}

bool isSame(const SessionMessage &a, const SessionMessage &b)
{
    return a.retryable == b.retryable && a.usageInput == b.usageInput && a.usageCacheRead == b.usageCacheRead
        && isSame(a.stopReason, b.stopReason) && a.errorMessage.has_value() == b.errorMessage.has_value()
        && (!a.errorMessage || isSame(*a.errorMessage, *b.errorMessage));
}

} // namespace

VerdictMemo &VerdictMemo::ofThread()
{
    static thread_local VerdictMemo memo;
    return memo;
}

const Classification &VerdictMemo::ByFailure::of(RuleSet rules, const Failure &failure,
                                                 Classification (*ask)(RuleSet, const Failure &))
{
    for (const Entry &entry : m_entries) {
        const Failure &facts = entry.facts;
        if (entry.rules == rules && facts.httpStatus == failure.httpStatus && facts.reason == failure.reason
            && facts.kind == failure.kind && facts.timedOutByDeadline == failure.timedOutByDeadline
            && facts.retryable == failure.retryable && facts.retriesLeft == failure.retriesLeft
            && facts.verdictFrom == failure.verdictFrom
            && isSame(facts.type, failure.type) && isSame(facts.text, failure.text)
            && isSame(facts.errorText, failure.errorText))
            return entry.verdict;
    }
    Entry &entry = m_entries[m_next];
    m_next = (m_next + 1) % m_entries.size();
    entry.rules = rules;
    entry.facts.type = failure.type;
    entry.facts.text = failure.text;
    entry.facts.errorText = failure.errorText;
    entry.facts.httpStatus = failure.httpStatus;
    entry.facts.reason = failure.reason;
    entry.facts.kind = failure.kind;
    entry.facts.timedOutByDeadline = failure.timedOutByDeadline;
    entry.facts.retryable = failure.retryable;
    entry.facts.retriesLeft = failure.retriesLeft;
    entry.facts.verdictFrom = failure.verdictFrom;
    entry.verdict = ask(rules, failure);
    return entry.verdict;
}

const Classification &VerdictMemo::judged(RuleSet rules, const SessionMessage &message, const SessionRule &rule)
{
    for (const ByMessage &entry : m_judged) {
        if (entry.rules == rules && entry.rule == rule && isSame(entry.message, message))
            return entry.verdict;
    }
    ByMessage &entry = m_judged[m_nextJudged];
    m_nextJudged = (m_nextJudged + 1) % m_judged.size();
    entry = {rules, message, rule, sessionVerdict(rules, message, rule)};
    return entry.verdict;
}

const QString &VerdictMemo::typeAndText(const Failure &failure)
{
    for (const Words &entry : m_words) {
        if (isSame(entry.type, failure.type) && isSame(entry.text, failure.text) && !entry.both.isNull())
            return entry.both;
    }
    Words &entry = m_words[m_nextWords];
    m_nextWords = (m_nextWords + 1) % m_words.size();
    entry = {failure.type, failure.text, failure.typeAndText()};
    return entry.both;
}

} // namespace Waitscope
