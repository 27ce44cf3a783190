// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one request: turns facts and firings into phases, timers, marks and, in the end, a result.
#pragma once

#include "engine/callcontext.h"
#include "engine/http/sendattempt.h"
#include "engine/http/streamparser.h"
#include "engine/http/timerset.h"
#include "engine/http/wirefailure.h"

namespace Waitscope {

class Attempt
{
public:
    Attempt(CallContext &context, HttpPorts &ports, const HttpCall &call, SpanId requestSpan);
    ~Attempt();
    Q_DISABLE_COPY_MOVE(Attempt)

    void enterQueue();
    void leaveQueue();
    // Dispatch: from here on the connect timer runs.
    void dispatched();

    // When the next timer, clamp or propagated deadline is due.
    [[nodiscard]] Instant nextDue() const noexcept;
    // The result it ends with, or nothing.
    [[nodiscard]] std::optional<CallResult> onWake(Wake wake);
    [[nodiscard]] std::optional<CallResult> onFact(WireFact &fact);
    // A wait for the next fact begins.
    void beginWait();
    // Lines of data events that the consumer has not been given yet.
    [[nodiscard]] std::vector<QByteArray> takeForConsumer() { return std::exchange(m_forConsumer, {}); }
    [[nodiscard]] bool wasStale() const noexcept { return m_stale; }

private:
    void enterPhase(Phase phase);
    void endPhase(Outcome outcome = Outcome::Ok);
    void onHeaders(WireFact &fact);
    void sampleRateLimits();
    [[nodiscard]] std::optional<CallResult> onBytes(const WireFact &fact);
    [[nodiscard]] std::optional<CallResult> onItems();
    [[nodiscard]] CallResult onEnd(const WireFact &fact);
    [[nodiscard]] std::optional<CallResult> onDue();
    [[nodiscard]] std::optional<CallResult> onPoll();
    [[nodiscard]] bool keepsLines() const noexcept { return m_call.keepContent || m_call.consumer; }
    [[nodiscard]] CallResult finished(bool truncated);
    [[nodiscard]] CallResult failed(Failure &&failure);
    [[nodiscard]] Failure statusFailed();
    [[nodiscard]] WireFailureContext wireContext() const;
    [[nodiscard]] bool isErrorStatus() const noexcept { return m_status >= 300; }
    // Where the reference looks at exec's deadline: in the SSE wait only.
    [[nodiscard]] std::optional<Instant> watchedDeadline() const noexcept;

    CallContext &m_context;
    HttpPorts &m_ports;
    const HttpCall &m_call;
    SpanId m_request;
    Instant m_began;
    SpanId m_phaseSpan;
    Phase m_phase = Phase::None;
    TimerSet m_timers;
    std::optional<StreamParser> m_parser;
    std::vector<StreamItem> m_items;
    std::vector<WireHeader> m_headers;
    std::vector<QByteArray> m_forConsumer;
    Instant m_pollAt = never;
    QByteArray m_errorBody;
    QString m_text;
    int m_status = 0;
    qint64 m_received = 0;
    qint64 m_sent = 0;
    qint64 m_toSend = 0;
    int m_dataEvents = 0;
    std::optional<Instant> m_committedAt;
    bool m_stale = false;
    bool m_sawBadJson = false;
};

} // namespace Waitscope
