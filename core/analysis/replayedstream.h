// SPDX-License-Identifier: GPL-3.0-or-later
// A task's requests as they were recorded, played again in order; what comes after them meets a wire that stays silent.
#pragma once

#include "engine/provider.h"
#include "trace/tracestore.h"

namespace Waitscope {

// How one request ended, or will end if nothing more arrives.
struct RecordedRequest {
    RecordedRequest() = default;
    Instant ends;
    std::optional<Failure> failure; // nullopt = a reply
    std::optional<TimerKind> firing; // what will end it, of a request that is open
};

// The requests below `task` up to `now`, in order. An open one ends by the timer that is due first; nullopt = none is.
[[nodiscard]] std::optional<std::vector<RecordedRequest>> recordedRequests(const TraceStore &store, SpanId task, Instant now,
                                                                           RuleSet rules);

class ReplayedStream final : public StreamBody
{
public:
    // `next` counts requests over all rounds of the task; both outlive the stream.
    ReplayedStream(const std::vector<RecordedRequest> &requests, size_t &next, HttpPorts &ports,
                   std::shared_ptr<const HttpCall> call)
        : m_requests(requests)
        , m_next(next)
        , m_ports(ports)
        , m_call(std::move(call))
    {
    }
    [[nodiscard]] Task<CallResult> attempt(CallContext &context, int n, int most, SpanId parent) override;

private:
    const std::vector<RecordedRequest> &m_requests;
    size_t &m_next;
    HttpPorts &m_ports;
    std::shared_ptr<const HttpCall> m_call;
};

} // namespace Waitscope
