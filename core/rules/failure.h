// SPDX-License-Identifier: GPL-3.0-or-later
// A failure as a value: what a layer hands up, with the facts every rule set decides on.
#pragma once

#include "base/vocabulary.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace Waitscope {

// Which Python exception family a type belongs to where the name alone does not say it.
enum class FailureKind : quint8 {
    Ordinary,
    Programming, // TypeError, NotImplementedError, ImportError, StructuredOutputError: never retried, rethrown
    LlmError,    // a final error of exec, with its own reason
    Alarm,       // a swallowed watchdog: every retry layer takes it for one more transient failure
};

struct Failure {
    FailureKind kind = FailureKind::Ordinary;
    QString type;                       // "ConnectTimeout", "ProviderStreamError"; in the rule set's words
    QString text;                       // may be empty: that is what the client raised
    QString errorText;                  // the response's error body, redacted, at most 4 KiB
    QString provider;
    std::optional<int> httpStatus;
    std::optional<double> retryAfterS;  // the server's hint, in seconds
    std::optional<bool> retryable;      // an explicit verdict; nullopt = none was given
    QLatin1StringView verdictFrom;      // strict: who gave it ("x-should-retry"); empty = the rules. Static storage.
    std::optional<int> retriesLeft;     // strict: "at most n more"
    bool exhausted = false;             // an inner layer used up its budget on it
    bool committed = false;             // real content had reached the consumer
    bool responseBegan = false;         // complete response headers had been seen
    bool inStream = false;              // an error event inside a 200 stream, not a failure of the wire
    bool abandoned = false;             // exec's hard cap let go of a call that still runs
    bool truncated = false;             // the stream ended without its end marker
    bool timedOutByDeadline = false;    // exec's deadline, not a timer of the wire
    ErrorReason reason = ErrorReason::None; // a reason already known (deadline = Timeout, hint too long = RateLimit)
    // For an LlmError: what exec's caller sees besides.
    int attempts = 0;
    double elapsedS = 0;
    bool hadImage = false;
    QString lastErrorType;
    QString message;                    // "exec() failed after 2 attempt(s):\nAttempt 1: …"
    std::shared_ptr<const Failure> cause;

    // "Type: text", the form in which failures cross a message boundary. The type keeps its ": " when text is empty.
    [[nodiscard]] QString typeAndText() const;
};

// A verdict and the rule behind it; what the inspector and `classify` show.
struct Classification {
    ErrorReason reason = ErrorReason::Unknown;
    bool retryable = false;
    QString rule;    // "status 429", "type in the transport set", "text marker"
    QString matched; // the words that matched
};

} // namespace Waitscope
