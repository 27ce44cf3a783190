// SPDX-License-Identifier: GPL-3.0-or-later
// What every layer of one call works with. Owned by the task that makes the call; outlives every coroutine of it.
#pragma once

#include "engine/eventlog.h"
#include "engine/policybox.h"
#include "engine/ports/random.h"
#include "engine/strand.h"
#include "engine/verdictmemo.h"

#include <array>

namespace Waitscope {

class OrphanScope;

class CallContext
{
public:
    CallContext(Clock &clock, EventLog &log, Random &random, PolicyBox &policies, Strand &strand) noexcept
        : m_clock(clock)
        , m_log(log)
        , m_random(random)
        , m_policies(policies)
        , m_strand(strand)
    {
    }
    // The context of an exec that may be abandoned: it sees what `outer` sees and waits on a strand of its own.
    CallContext(const CallContext &outer, Strand &strand);
    Q_DISABLE_COPY_MOVE(CallContext)

    [[nodiscard]] Instant now() const noexcept { return m_clock.now(); }
    [[nodiscard]] Clock &clock() const noexcept { return m_clock; }
    [[nodiscard]] EventLog &log() const noexcept { return m_log; }
    [[nodiscard]] Strand &strand() const noexcept { return m_strand; }
    [[nodiscard]] const Policy &policy() const noexcept { return *m_policies.current(); }
    [[nodiscard]] PolicyBox &policies() const noexcept { return m_policies; }

    // A jitter draw, recorded. Numbered within the exec, so interleaving calls never changes it.
    [[nodiscard]] double draw(SpanId owner, Layer layer, int attempt);

    // The rules' answers under the policy of the moment; see VerdictMemo for how long the references hold.
    [[nodiscard]] const Classification &classified(const Failure &failure) const
    {
        return VerdictMemo::ofThread().classified(policy().rules(), failure);
    }
    [[nodiscard]] const Classification &permanent(const Failure &failure) const
    {
        return VerdictMemo::ofThread().permanent(policy().rules(), failure);
    }
    [[nodiscard]] const Classification &judged(const SessionMessage &message, const SessionRule &rule) const
    {
        return VerdictMemo::ofThread().judged(policy().rules(), message, rule);
    }
    [[nodiscard]] const QString &typeAndText(const Failure &failure) const { return VerdictMemo::ofThread().typeAndText(failure); }

    // Begins an exec: draws and requests count anew.
    void beginExec(quint64 number) noexcept;
    [[nodiscard]] quint64 execNumber() const noexcept { return m_exec; }
    [[nodiscard]] int nextRequest() noexcept { return ++m_requests; }
    [[nodiscard]] int requests() const noexcept { return m_requests; }

    // "At most n more" is meant for the whole call, whichever layer makes the next try. Called once for each failed request.
    void countRetriesLeft(Failure &failure) noexcept;

    // A retry layer took a swallowed watchdog for one more transient failure: from now on nothing protects the task.
    void alarmSwallowed(SpanId by, Layer layer);

    // Exec's deadline as the layers below see it (exec.propagate_deadline); nullopt = none. Bound by exec, for its scope.
    std::optional<Instant> deadline;
    // The same for the wire's timers (http.clamp_to_deadline).
    std::optional<Instant> clampAt;
    SpanId task; // the task's span
    // The span whose end led to the next attempt.
    SpanId cause;
    // Where an abandoned call lives on; nullptr = it cannot be abandoned.
    OrphanScope *orphans = nullptr;

private:
    Clock &m_clock;
    EventLog &m_log;
    Random &m_random;
    PolicyBox &m_policies;
    Strand &m_strand;
    quint64 m_exec = 0;
    int m_requests = 0;
    std::optional<int> m_retriesLeft;
    std::array<quint64, 5> m_draws{};
};

} // namespace Waitscope
