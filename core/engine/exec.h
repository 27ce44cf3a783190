// SPDX-License-Identifier: GPL-3.0-or-later
// The exec layer: one Runtime::exec with its deadline, its tries and its final, structured error.
#pragma once

#include "engine/callcontext.h"
#include "engine/task.h"

#include <memory>

namespace Waitscope {

// What exec tries again and again.
class ExecBody
{
public:
    ExecBody() = default;
    virtual ~ExecBody() = default;
    Q_DISABLE_COPY_MOVE(ExecBody)

    // One pass under the exec_attempt span `attemptSpan`. The context is the exec's own: an abandoned exec has another.
    [[nodiscard]] virtual Task<CallResult> attempt(CallContext &context, int n, SpanId attemptSpan) = 0;
};

// What the retry hook is told before a sleep.
struct RetryInfo {
    int attempt = 0;
    int maxAttempts = 0;
    ErrorReason reason = ErrorReason::None;
    double sleepS = 0;
    double elapsedS = 0;
    std::optional<double> retryAfterS;
    QString lastErrorType;
    QString lastErrorText;
};

// A caller's own code around an exec. It may take time; its failures never end the loop.
class ExecHooks
{
public:
    ExecHooks() = default;
    virtual ~ExecHooks() = default;
    Q_DISABLE_COPY_MOVE(ExecHooks)

    // Between setting the deadline and the first attempt.
    [[nodiscard]] virtual Task<> setUp() = 0;
    // Returns the type of what it raised, or nothing; that is noted and changes nothing.
    [[nodiscard]] virtual Task<std::optional<QString>> onRetry(RetryInfo info) = 0;
};

struct ExecCall {
    ExecCall() = default;
    quint64 number = 1;                // of the exec within the run
    SpanId parent;
    bool withImage = false;
    bool asynchronous = false;         // async_exec retries ImportError, exec does not
    std::optional<double> timeoutS;    // the call's own argument; nullopt = exec.timeout_s
    ExecHooks *hooks = nullptr;
    QString label;
};

// A success after the deadline is a success. A failure that is FailureKind::Programming passes through unchanged.
// Any other failure comes back as an LlmError with message, reason, attempts and elapsed time.
// `body` is shared with the exec, since an abandoned call runs on after its caller has gone.
[[nodiscard]] Task<CallResult> runExec(CallContext &context, ExecCall call, std::shared_ptr<ExecBody> body);

} // namespace Waitscope
