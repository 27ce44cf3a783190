// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/callcontext.h"

namespace Waitscope {

namespace {

// Texts of a storm are mostly the same memory.
bool isSame(const QString &a, const QString &b)
{
    return a.size() == b.size() && (a.constData() == b.constData() || a == b);
}

} // namespace

CallContext::CallContext(const CallContext &outer, Strand &strand)
    : deadline(outer.deadline)
    , clampAt(outer.clampAt)
    , task(outer.task)
    , cause(outer.cause)
    , orphans(outer.orphans)
    , m_clock(outer.m_clock)
    , m_log(outer.m_log)
    , m_random(outer.m_random)
    , m_policies(outer.m_policies)
    , m_strand(strand)
    , m_exec(outer.m_exec)
    , m_requests(outer.m_requests)
    , m_draws(outer.m_draws)
{
}

void CallContext::alarmSwallowed(SpanId by, Layer layer)
{
    m_log.mark(by, MarkKind::AlarmSwallowed, 0, wordOf(layer));
    m_log.mark(task, MarkKind::Unprotected);
}

double CallContext::draw(SpanId owner, Layer layer, int attempt)
{
    DrawKey key;
    key.exec = m_exec;
    key.layer = layer;
    key.attempt = attempt;
    key.nth = ++m_draws[static_cast<size_t>(layer)];
    const double u = m_random.draw(key);
    if (m_log.countsOnly())
        return u;
    DrawMade made;
    made.at = now();
    made.span = owner;
    made.layer = layer;
    made.attempt = attempt;
    made.u = u;
    m_log.write(made);
    return u;
}

const Classification &CallContext::classified(const Failure &failure)
{
    const RuleSet rules = policy().rules();
    for (const Remembered &entry : m_remembered) {
        if (entry.rules == rules && entry.facts.httpStatus == failure.httpStatus && entry.facts.reason == failure.reason
            && entry.facts.kind == failure.kind && entry.facts.timedOutByDeadline == failure.timedOutByDeadline
            && entry.facts.retryable == failure.retryable && entry.facts.retriesLeft == failure.retriesLeft && isSame(entry.facts.type, failure.type)
            && isSame(entry.facts.text, failure.text) && isSame(entry.facts.errorText, failure.errorText))
            return entry.verdict;
    }
    Remembered &entry = m_remembered[m_nextRemembered];
    m_nextRemembered = (m_nextRemembered + 1) % m_remembered.size();
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
    entry.verdict = classify(rules, failure);
    return entry.verdict;
}

const Classification &CallContext::judged(const SessionMessage &message, const SessionRule &rule)
{
    const RuleSet rules = policy().rules();
    if (!m_rememberedMessage || m_rememberedMessage->rules != rules || m_rememberedMessage->rule != rule
        || m_rememberedMessage->message != message)
        m_rememberedMessage = {rules, message, rule, sessionVerdict(rules, message, rule)};
    return m_rememberedMessage->verdict;
}

void CallContext::beginExec(quint64 number) noexcept
{
    m_exec = number;
    m_requests = 0;
    m_draws.fill(0);
}

} // namespace Waitscope
