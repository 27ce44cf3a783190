// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that exec's hard cap let go of: they run on, owned by the run's root scope, and stay visible as leaking spans.
#pragma once

#include "engine/callcontext.h"
#include "engine/task.h"

#include <list>
#include <memory>

namespace Waitscope {

// A call in a strand of its own, so that whoever waits for it can stop waiting.
class Orphan
{
public:
    explicit Orphan(CallContext &outer);
    ~Orphan();
    Q_DISABLE_COPY_MOVE(Orphan)

    [[nodiscard]] CallContext &context() noexcept { return m_context; }
    [[nodiscard]] Strand &strand() noexcept { return m_strand; }
    void hold(Task<CallResult> call) { m_call = std::move(call); }
    void start();
    [[nodiscard]] bool isDone() const noexcept { return m_result.has_value(); }
    [[nodiscard]] CallResult take() { return std::move(*m_result); }
    // nullptr = nobody waits any more.
    void wakeWhenDone(Wait *wait) noexcept { m_wait = wait; }

private:
    friend class OrphanScope;
    [[nodiscard]] Task<> drive();

    PolicyBox &m_policies;
    Strand m_strand;
    CallContext m_context;
    Wait *m_wait = nullptr;
    std::optional<CallResult> m_result;
    SpanId m_span; // its orphan span, once it is one
    Task<CallResult> m_call;
    Task<> m_driver; // last: the frames go first
};

class OrphanScope
{
public:
    OrphanScope() = default;
    Q_DISABLE_COPY_MOVE(OrphanScope)

    // Begins the orphan span; `cause` is the exec that let go.
    void adopt(std::unique_ptr<Orphan> orphan, EventLog &log, SpanId cause);
    [[nodiscard]] int running() const noexcept;
    // Ends those that still run; what they were waiting for is aborted.
    void interruptAll(const Interrupted &signal);

private:
    std::list<std::unique_ptr<Orphan>> m_orphans;
};

} // namespace Waitscope
