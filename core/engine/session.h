// SPDX-License-Identifier: GPL-3.0-or-later
// The session layer: runs the agent, looks at its last assistant message, and runs it again where the rules say so.
#pragma once

#include "engine/callcontext.h"
#include "engine/task.h"
#include "rules/rules.h"

namespace Waitscope {

// One entry of the conversation. For an assistant message that stands for a failure, `failure` keeps what the wire said;
// how much of it survives the session is session.carry_verdict's affair.
struct Message {
    Message() = default;
    QString role = QStringLiteral("assistant"); // "user", "assistant", "toolResult"
    SessionMessage state;                       // only of an assistant
    QString text;
    std::shared_ptr<const Failure> failure;
    std::shared_ptr<const Reply> reply;
};

// What one agent run added to the conversation, or what it raised past the agent.
struct AgentRunResult {
    AgentRunResult() = default;
    std::vector<Message> appended;
    std::optional<Failure> raised;
    std::optional<Interrupted> interrupted;
};

// The agent under the session.
class Agent
{
public:
    Agent() = default;
    virtual ~Agent() = default;
    Q_DISABLE_COPY_MOVE(Agent)

    // `fresh` = with a new prompt, else it continues from the history.
    [[nodiscard]] virtual Task<AgentRunResult> run(CallContext &context, int n, bool fresh, SpanId runSpan) = 0;
};

// What a session tells its listeners; nobody may ask.
class SessionListener
{
public:
    SessionListener() = default;
    virtual ~SessionListener() = default;
    Q_DISABLE_COPY_MOVE(SessionListener)

    virtual void onRunStarted(bool fresh) = 0;
    virtual void onRunEnded(const AgentRunResult &result) = 0;
    virtual void onRetryStarted(int attempt, int maxRetries, double seconds, const QString &errorMessage) = 0;
    virtual void onRetryEnded(bool success, int attempt, const QString &finalError) = 0;
    virtual void onSleep(double seconds) = 0;
};

struct SessionCall {
    SessionCall() = default;
    SpanId parent;
    bool freshPrompt = true;           // false = continue from the history
    QString prompt;
    std::vector<Message> history;
    SessionListener *listener = nullptr;
};

struct SessionResult {
    SessionResult() = default;
    std::optional<Message> returned;   // the newest assistant message, be it an old one
    std::optional<Failure> raised;
    std::optional<Interrupted> interrupted;
    bool cancelled = false;            // a retry's sleep was cancelled: nothing is returned, nothing raised
    std::vector<Message> messages;
    int retryAttempt = 0;
};

[[nodiscard]] Task<SessionResult> runSession(CallContext &context, SessionCall call, Agent &agent);

// What exec sees of a session: a reply, the session's own RuntimeError, or what was raised.
[[nodiscard]] CallResult sessionAsCall(const Policy &policy, SessionResult session);

} // namespace Waitscope
