// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of simulations that keep only counts: what a script does to a request under a policy is played once through the
// http layer, and from memory ever after.
//
// The same attempt always takes the same time and ends the same way, so nothing is lost but its inner events, which nobody
// reads. Wherever anything from outside could reach into an attempt other than an interrupt, the http layer plays it:
// see canRemember() and RememberedStream::fits().
#pragma once

#include "engine/harness.h"
#include "sim/scriptedtransport.h"

namespace Waitscope {

// What is known of the scripts of one run. Scripts and policies outlive it.
class AttemptMemory
{
public:
    struct Known {
        Known(const FaultScript &what, const Policy &under)
            : script(what)
            , policy(under)
        {
        }
        const FaultScript &script;
        const Policy &policy;
        bool usable = false;
        Duration length{};
        CallResult result;
        bool connected = false; // scripts connect and send at once or never
        bool sent = false;
    };

    [[nodiscard]] const Known *find(const FaultScript &script, const Policy &policy) const noexcept;
    void add(Known known) { m_known.push_back(std::move(known)); }

    // Requests that were played from memory.
    qint64 played = 0;

private:
    std::vector<Known> m_known;
};

// Nothing but the call itself is at work under this policy: no alarm enters its waits, no abandoned call runs beside it.
[[nodiscard]] bool canRemember(const Policy &policy);

class RememberedStream final : public StreamBody
{
public:
    RememberedStream(HttpPorts &ports, ScriptedTransport &transport, std::shared_ptr<const HttpCall> call, AttemptMemory &memory)
        : m_ports(ports)
        , m_scenario(transport.scenarioOf(call->request.url))
        , m_call(std::move(call))
        , m_memory(memory)
    {
    }
    [[nodiscard]] Task<CallResult> attempt(CallContext &context, int n, int most, SpanId parent) override;

private:
    [[nodiscard]] static bool fits(const CallContext &context, Duration length);
    Task<CallResult> learn(CallContext &context, const FaultScript &script, int n, int most, SpanId parent);
    Task<CallResult> play(CallContext &context, const AttemptMemory::Known &known);

    HttpPorts &m_ports;
    const Scenario &m_scenario;
    std::shared_ptr<const HttpCall> m_call;
    AttemptMemory &m_memory;
};

} // namespace Waitscope
