// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/orphan.h"

#include "engine/spanend.h"

#include <algorithm>

namespace Waitscope {

Orphan::Orphan(CallContext &outer)
    : m_policies(outer.policies())
    , m_strand(outer.clock())
    , m_context(outer, m_strand)
{
    m_policies.add(m_strand);
}

Orphan::~Orphan()
{
    m_policies.remove(m_strand);
}

void Orphan::start()
{
    m_driver = drive();
    m_driver.start();
}

Task<> Orphan::drive()
{
    auto call = std::move(m_call);
    m_result = co_await std::move(call);
    if (m_span)
        endSpan(m_context.log(), m_span, *m_result, Classification());
    if (m_wait)
        m_wait->ready();
}

void OrphanScope::adopt(std::unique_ptr<Orphan> orphan, EventLog &log, SpanId cause)
{
    SpanBegan span;
    span.cause = cause;
    span.kind = SpanKind::Orphan;
    span.layer = Layer::Exec;
    orphan->m_span = log.begin(std::move(span));
    m_orphans.push_back(std::move(orphan));
}

int OrphanScope::running() const noexcept
{
    return static_cast<int>(std::ranges::count_if(m_orphans, [](const auto &orphan) { return !orphan->isDone(); }));
}

void OrphanScope::interruptAll(const Interrupted &signal)
{
    for (const std::unique_ptr<Orphan> &orphan : m_orphans) {
        if (!orphan->isDone())
            orphan->strand().interrupt(signal);
    }
}

} // namespace Waitscope
