// SPDX-License-Identifier: GPL-3.0-or-later
// The pure decisions of every layer, under both rule sets. No clock, no randomness, no state.
// What `openprogram` answers is fixed by tests/data/vectors; what `strict` answers by tests/data/strict.
#pragma once

#include "policy/policy.h"
#include "rules/failure.h"

#include <QDateTime>

#include <span>
#include <utility>
#include <vector>

namespace Waitscope {

// Reason and retryability of a failure: status, then type, then text; first match wins.
[[nodiscard]] Classification classify(RuleSet rules, const Failure &failure);

// exec's own test: an explicit "not retryable", or a marker in lower("Type: text").
[[nodiscard]] Classification permanentVerdict(RuleSet rules, const Failure &failure); // retryable = not permanent

// Does the stream layer retry a failure of this type that carries no verdict of its own?
[[nodiscard]] bool isTransportType(RuleSet rules, QStringView typeName);

// Does the stream layer retry this response? `body` is the error body.
[[nodiscard]] Classification statusVerdict(RuleSet rules, int status, const QString &body);

// The same with RetryPolicy::retryStatuses: an empty list leaves it to the rule set (which does not retry 409), another
// one decides by itself. Under `strict` a spent quota stays final all the same.
[[nodiscard]] Classification statusVerdict(RuleSet rules, int status, const QString &body,
                                           std::span<const int> retryStatuses);

// How exec was called; the reference's two forms differ in what they let pass.
enum class CallStyle : quint8 { Blocking, Async };

// A mistake in the caller's program (TypeError, NotImplementedError, ImportError, StructuredOutputError): rethrown.
[[nodiscard]] bool isProgrammingType(RuleSet rules, QStringView typeName, CallStyle style = CallStyle::Blocking);

// The last assistant message as the session layer sees it.
struct SessionMessage {
    QString stopReason;                   // "error", "stop", "length", "toolUse", "aborted"
    std::optional<QString> errorMessage;
    std::optional<bool> retryable;        // the verdict on the message
    qint64 usageInput = 0;
    qint64 usageCacheRead = 0;
};

[[nodiscard]] bool isContextOverflow(RuleSet rules, const SessionMessage &message, qint64 contextWindow);

struct SessionRule {
    qint64 contextWindow = 0;
    bool useVerdict = true;
    bool retryEmpty = true;

    friend bool operator==(const SessionRule &, const SessionRule &) = default;
};

// Re-run the agent after this message? rule says which step decided.
[[nodiscard]] Classification sessionVerdict(RuleSet rules, const SessionMessage &message, const SessionRule &rule);

// Response headers as a reader found them: spelling and order kept. `openprogram` looks at spellings, `strict` does not.
using HeaderList = std::vector<std::pair<QString, QString>>;

// Seconds to wait that the server asked for; nullopt = no usable hint (past, zero, negative, unreadable).
// `openprogram` may answer infinity.
[[nodiscard]] std::optional<double> retryAfter(RuleSet rules, const HeaderList &headers, const HintForms &forms,
                                               const QDateTime &nowUtc);

// The same with what an onlooker should know of how it was read. `openprogram` notes nothing.
struct HintReading {
    std::optional<double> seconds;
    bool asksBody = false;       // no header could be read ("0" can, and asks for no wait), and bodies are a form to read
    std::optional<double> skewS; // how far the server's clock is ahead of ours, where its date was measured by it
    QString note;                // a header that was passed over, or clocks that are seconds apart; empty = nothing
};
[[nodiscard]] HintReading readHint(RuleSet rules, const HeaderList &headers, const HintForms &forms,
                                   const QDateTime &nowUtc);

// The server's own verdict in x-should-retry, which goes before every table; nullopt = it has none.
[[nodiscard]] std::optional<bool> shouldRetryHeader(const HeaderList &headers);

// How a hint that is too long ends the wait, or the seconds to sleep.
struct Pause {
    double seconds = 0;
    bool stop = false; // strict: a hint above the limit ends the call as rate_limit
    bool hinted = false;
};

// The sleep after failed try number `failedTry` (from 1). `u` in [0, 1) fixes the jitter.
// Saturates: no attempt count and no base makes it infinite or negative unless the hint itself is infinite.
[[nodiscard]] Pause backoffAfter(const RetryPolicy &policy, int failedTry, std::optional<double> hintS, double u);

// Does this pause need a draw at all? (No jitter: none is made, none is recorded.)
[[nodiscard]] bool needsDraw(const RetryPolicy &policy, std::optional<double> hintS);

} // namespace Waitscope
