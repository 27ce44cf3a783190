// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execerror.h"

#include "rules/rules.h"

#include <QStringBuilder>

#include <cstdio>

namespace Waitscope {

using namespace Qt::StringLiterals;

Failure execError(RuleSet rules, const Failure &last, const std::vector<FailedAttempt> &history, const ExecEnding &ending)
{
    Failure error;
    error.kind = FailureKind::LlmError;
    error.type = u"LLMError"_s;
    error.errorText = last.errorText;
    error.provider = last.provider;
    error.httpStatus = last.httpStatus;
    error.retryAfterS = last.retryAfterS;
    error.exhausted = last.exhausted;
    error.attempts = std::max(1, ending.attempts);
    error.elapsedS = toSeconds(ending.elapsed);
    error.hadImage = ending.hadImage;
    error.lastErrorType = last.type;
    error.committed = last.committed;
    error.cause = std::make_shared<const Failure>(last);
    if (ending.deadline) {
        error.reason = ErrorReason::Timeout;
        error.retryable = false;
        error.timedOutByDeadline = true;
    } else {
        const Classification verdict = classify(rules, last);
        error.reason = verdict.reason;
        error.retryable = ending.permanently ? false : verdict.retryable;
    }
    QString text = ending.permanently || ending.deadline ? u"exec() failed permanently:"_s
                                                         : u"exec() failed after %1 attempt(s):"_s.arg(ending.attempts);
    if (history.empty())
        text += u'\n' + last.typeAndText();
    for (const FailedAttempt &attempt : history)
        text += u"\nAttempt " % QString::number(attempt.number) % u": " % attempt.what;
    error.message = text;
    error.text = printedExecError(error);
    return error;
}

QString printedExecError(const Failure &error)
{
    QString tags;
    const auto add = [&tags](const auto &words) { tags += (tags.isEmpty() ? u" ["_s : u", "_s) % words; };
    if (error.reason != ErrorReason::Unknown && error.reason != ErrorReason::None)
        add(u"reason=" % wordOf(error.reason));
    if (error.retryable.value_or(false))
        add(u"retryable"_s);
    if (error.httpStatus.value_or(0) != 0)
        add(u"status=" % QString::number(*error.httpStatus));
    if (error.attempts > 1)
        add(u"attempts=" % QString::number(error.attempts));
    if (error.elapsedS != 0)
        add(u"elapsed=" % oneDecimal(error.elapsedS) % u's');
    if (error.retryAfterS.value_or(0) != 0)
        add(u"retry_after=" % oneDecimal(*error.retryAfterS) % u's');
    if (error.hadImage)
        add(u"had_image"_s);
    return tags.isEmpty() ? error.message : error.message % tags % u']';
}

QString oneDecimal(double seconds)
{
    // printf rounds the exact binary value, ties to even, as the reference's formatting does.
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.1f", seconds);
    return QString::fromLatin1(buffer);
}

} // namespace Waitscope
