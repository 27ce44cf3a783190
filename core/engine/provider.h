// SPDX-License-Identifier: GPL-3.0-or-later
// The provider path: exec's body over session and stream down to HTTP, as the policy of the moment stacks them.
#pragma once

#include "engine/exec.h"
#include "engine/http/sendattempt.h"
#include "engine/session.h"
#include "engine/stream.h"

namespace Waitscope {

// An assistant message for what the agent got: a reply, or a caught failure in the words of the rule set.
[[nodiscard]] Message messageOf(CallContext &context, CallResult result);

// The agent that makes one stream a run.
class StreamAgent final : public Agent
{
public:
    StreamAgent(StreamCall call, StreamBody &body)
        : m_call(std::move(call))
        , m_body(body)
    {
    }
    [[nodiscard]] Task<AgentRunResult> run(CallContext &context, int n, bool fresh, SpanId runSpan) override;

private:
    StreamCall m_call;
    StreamBody &m_body;
};

class HttpStreamBody final : public StreamBody
{
public:
    HttpStreamBody(HttpPorts &ports, std::shared_ptr<const HttpCall> call)
        : m_ports(ports)
        , m_call(std::move(call))
    {
    }
    [[nodiscard]] Task<CallResult> attempt(CallContext &context, int n, int most, SpanId parent) override;

private:
    HttpPorts &m_ports;
    std::shared_ptr<const HttpCall> m_call;
};

// One pass of exec: a session over the stream, or the stream directly where the session is off.
class ProviderBody final : public ExecBody
{
public:
    ProviderBody(std::shared_ptr<StreamBody> stream, StreamCall call)
        : m_stream(std::move(stream))
        , m_call(std::move(call))
    {
    }
    [[nodiscard]] Task<CallResult> attempt(CallContext &context, int n, SpanId attemptSpan) override;

private:
    std::shared_ptr<StreamBody> m_stream;
    StreamCall m_call;
};

} // namespace Waitscope
