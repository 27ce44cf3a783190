// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/callcontext.h"

#include <algorithm>

namespace Waitscope {

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
    , m_retriesLeft(outer.m_retriesLeft)
    , m_draws(outer.m_draws)
{
}

void CallContext::countRetriesLeft(Failure &failure) noexcept
{
    if (!failure.retriesLeft)
        return;
    const int left = std::min(*failure.retriesLeft, m_retriesLeft.value_or(*failure.retriesLeft));
    failure.retriesLeft = left;
    if (left <= 0)
        failure.retryable = false;
    m_retriesLeft = left - 1;
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

void CallContext::beginExec(quint64 number) noexcept
{
    m_exec = number;
    m_requests = 0;
    m_retriesLeft.reset();
    m_draws.fill(0);
}

} // namespace Waitscope
