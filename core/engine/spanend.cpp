// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spanend.h"

namespace Waitscope {

Outcome outcomeOf(const CallResult &result)
{
    if (result.isReply()) {
        if (result.reply().partial)
            return Outcome::Partial;
        return result.reply().truncated ? Outcome::Truncated : Outcome::Ok;
    }
    if (result.isInterrupted())
        return Outcome::Interrupted;
    return outcomeOf(result.failure());
}

Outcome outcomeOf(const Failure &failure)
{
    if (failure.abandoned)
        return Outcome::Abandoned;
    if (failure.truncated)
        return Outcome::Truncated;
    return failure.timedOutByDeadline || failure.reason == ErrorReason::Timeout ? Outcome::Timeout : Outcome::Error;
}

void endSpan(EventLog &log, SpanId id, const CallResult &result, const Classification &verdict)
{
    log.endWith(id, [&result, &verdict](SpanEnded &end) {
        end.outcome = outcomeOf(result);
        if (result.isFailure()) {
            const Failure &failure = result.failure();
            end.reason = verdict.reason;
            end.retryable = failure.retryable.value_or(verdict.retryable);
            end.exhausted = failure.exhausted;
            end.status = failure.httpStatus.value_or(0);
            end.type = failure.type;
            end.text = failure.text;
            end.rule = verdict.rule;
            end.hintSeconds = failure.retryAfterS.value_or(0);
        } else if (result.isInterrupted()) {
            end.text = result.interrupted().why;
        }
    });
}

} // namespace Waitscope
