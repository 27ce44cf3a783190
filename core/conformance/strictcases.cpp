// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the `strict` rules: each case names its function and gives a reason.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/rulecases.h"
#include "engine/http/wirefailure.h"
#include "rules/resettime.h"
#include "rules/rules.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Fields left out stand at these values, so that a case shows only what it is about.
QJsonObject defaultsOf(const QString &function)
{
    const QJsonValue null(QJsonValue::Null);
    const QJsonObject failure{{u"type_name"_s, u""_s}, {u"message"_s, u""_s}, {u"http_status"_s, null},
                              {u"error_text"_s, u""_s}, {u"retryable"_s, null}, {u"retries_left"_s, null},
                              {u"own_deadline"_s, false}, {u"programming"_s, false}, {u"known_reason"_s, u"none"_s}};
    if (function == "classify"_L1 || function == "permanent"_L1)
        return failure;
    if (function == "status"_L1)
        return {{u"status"_s, 0}, {u"body"_s, u""_s}, {u"retry_statuses"_s, QJsonArray()}};
    if (function == "session"_L1)
        return {{u"stop_reason"_s, u"error"_s}, {u"error_message"_s, null}, {u"error_retryable"_s, null},
                {u"usage_input"_s, 0}, {u"usage_cache_read"_s, 0}, {u"context_window"_s, 128000}};
    if (function == "retry_after"_L1)
        return {{u"headers"_s, null}, {u"now"_s, u"2025-10-21T07:27:00Z"_s}};
    if (function == "should_retry"_L1)
        return {{u"headers"_s, null}};
    if (function == "answer"_L1)
        return {{u"status"_s, 0}, {u"headers"_s, null}, {u"body"_s, u""_s}, {u"now"_s, u"2025-10-21T07:27:00Z"_s}};
    if (function == "stream_error"_L1)
        return {{u"type"_s, u""_s}, {u"text"_s, u""_s}};
    if (function == "reset_time"_L1)
        return {{u"text"_s, u""_s}};
    if (function == "page"_L1)
        return {{u"content_type"_s, u""_s}, {u"body"_s, u""_s}};
    return {{u"failed_try"_s, 1}, {u"hint_s"_s, null}, {u"u"_s, 0.5}, {u"base_s"_s, 1.0}, {u"factor"_s, 2.0},
            {u"cap_s"_s, null}, {u"jitter_share"_s, 0.25}, {u"hint_jitter_share"_s, 0.25}, {u"hint_max_s"_s, null},
            {u"hint_above"_s, u"obey"_s}, {u"jitter"_s, u"symmetric"_s}};
}

// The case's inputs over the defaults; a field that the function does not have is a spelling mistake.
QJsonObject completed(const QString &function, const QJsonObject &given, CaseReader &blamed)
{
    QJsonObject inputs = defaultsOf(function);
    for (auto it = given.begin(); it != given.end(); ++it) {
        if (!inputs.contains(it.key()))
            blamed.blame("inputs"_L1, "has a field that its function does not know"_L1);
        inputs.insert(it.key(), *it);
    }
    return inputs;
}

Failure failureOf(CaseReader &inputs)
{
    Failure failure;
    failure.type = inputs.text("type_name"_L1);
    failure.text = inputs.text("message"_L1);
    failure.httpStatus = inputs.intOrNull("http_status"_L1);
    failure.errorText = inputs.text("error_text"_L1);
    failure.retryable = inputs.flagOrNull("retryable"_L1);
    failure.retriesLeft = inputs.intOrNull("retries_left"_L1);
    failure.timedOutByDeadline = inputs.flagOrNull("own_deadline"_L1).value_or(false);
    if (inputs.flagOrNull("programming"_L1).value_or(false))
        failure.kind = FailureKind::Programming;
    const std::optional<ErrorReason> known = fromWord<ErrorReason>(inputs.text("known_reason"_L1));
    if (!known)
        inputs.blame("known_reason"_L1, "is no reason"_L1);
    failure.reason = known.value_or(ErrorReason::None);
    return failure;
}

QJsonObject described(const Classification &verdict)
{
    return {{u"reason"_s, wordOf(verdict.reason)},
            {u"retryable"_s, verdict.retryable},
            {u"rule"_s, verdict.rule},
            {u"matched"_s, verdict.matched}};
}

QJsonObject statusOf(CaseReader &inputs)
{
    std::vector<int> listed;
    for (const QJsonValue &status : inputs.value("retry_statuses"_L1).toArray())
        listed.push_back(status.toInt());
    return described(statusVerdict(RuleSet::Strict, inputs.intOrNull("status"_L1).value_or(0), inputs.text("body"_L1),
                                   listed));
}

// What becomes of a whole answer, or of an error event: the verdict with what the server said of waiting.
QJsonObject described(const Failure &failure)
{
    const Classification verdict = classify(RuleSet::Strict, failure);
    QJsonObject answer = described(verdict);
    answer.insert(u"hint_s"_s, tableNumber(failure.retryAfterS));
    answer.insert(u"retries_left"_s, failure.retriesLeft ? QJsonValue(*failure.retriesLeft) : QJsonValue());
    return answer;
}

QJsonObject answeredOf(CaseReader &inputs)
{
    const QDateTime now = QDateTime::fromString(inputs.text("now"_L1), Qt::ISODate);
    if (!now.isValid())
        inputs.blame("now"_L1, "is no moment"_L1);
    return described(statusFailure(RuleSet::Strict, inputs.intOrNull("status"_L1).value_or(0), headersOf(inputs),
                                   inputs.text("body"_L1).toUtf8(), HintForms(), now));
}

QJsonObject resetOf(CaseReader &inputs)
{
    const ResetTime reset = resetTimeIn(inputs.text("text"_L1)).value_or(ResetTime());
    return {{u"in_s"_s, tableNumber(reset.inSeconds)},
            {u"at"_s, reset.at.isValid() ? QJsonValue(reset.at.toString(Qt::ISODate)) : QJsonValue()},
            {u"wall_clock"_s, reset.wallClock.isEmpty() ? QJsonValue() : QJsonValue(reset.wallClock)}};
}

QJsonObject pauseOf(CaseReader &inputs)
{
    static constexpr std::array forms{"none"_L1, "symmetric"_L1, "shorten"_L1, "lengthen"_L1, "additive"_L1};
    static constexpr std::array above{"obey"_L1, "cut"_L1, "own_backoff"_L1, "stop"_L1};
    const auto placeOf = [&inputs](const auto &words, QLatin1StringView key) {
        const auto found = std::ranges::find(words, inputs.text(key));
        if (found == words.end())
            inputs.blame(key, "is none of the known words"_L1);
        return found == words.end() ? 0 : static_cast<int>(found - words.begin());
    };
    RetryPolicy policy;
    policy.baseS = inputs.number("base_s"_L1);
    policy.factor = inputs.number("factor"_L1);
    policy.capS = inputs.numberOrNull("cap_s"_L1);
    policy.jitter = static_cast<JitterForm>(placeOf(forms, "jitter"_L1));
    policy.jitterShare = inputs.number("jitter_share"_L1);
    policy.hintJitterShare = inputs.number("hint_jitter_share"_L1);
    policy.hintMaxS = inputs.numberOrNull("hint_max_s"_L1);
    policy.hintAbove = static_cast<HintAbove>(placeOf(above, "hint_above"_L1));
    const std::optional<double> hint = inputs.numberOrNull("hint_s"_L1);
    const int failedTry = inputs.intOrNull("failed_try"_L1).value_or(1);
    const Pause pause = backoffAfter(policy, failedTry, hint, inputs.number("u"_L1));
    return {{u"seconds"_s, tableNumber(pause.seconds)},
            {u"stop"_s, pause.stop},
            {u"hinted"_s, pause.hinted},
            {u"draws"_s, needsDraw(policy, hint)}};
}

QJsonValue answerOf(const QString &function, CaseReader &inputs)
{
    if (function == "classify"_L1)
        return described(classify(RuleSet::Strict, failureOf(inputs)));
    if (function == "permanent"_L1)
        return QJsonObject{{u"permanent"_s, !permanentVerdict(RuleSet::Strict, failureOf(inputs)).retryable}};
    if (function == "status"_L1)
        return statusOf(inputs);
    if (function == "session"_L1)
        return sessionAnswer(RuleSet::Strict, inputs);
    if (function == "retry_after"_L1)
        return QJsonObject{{u"seconds"_s, retryAfterAnswer(RuleSet::Strict, inputs)}};
    if (function == "should_retry"_L1) {
        const std::optional<bool> said = shouldRetryHeader(headersOf(inputs));
        return QJsonObject{{u"retry"_s, said ? QJsonValue(*said) : QJsonValue(QJsonValue::Null)}};
    }
    if (function == "answer"_L1)
        return answeredOf(inputs);
    if (function == "stream_error"_L1)
        return described(streamErrorFailure(RuleSet::Strict, inputs.text("type"_L1), inputs.text("text"_L1)));
    if (function == "reset_time"_L1)
        return resetOf(inputs);
    if (function == "page"_L1)
        return QJsonObject{
            {u"page"_s, isPage(inputs.text("content_type"_L1).toUtf8(), inputs.text("body"_L1).toUtf8())}};
    if (function == "backoff"_L1)
        return pauseOf(inputs);
    inputs.blame("fn"_L1, "names no rule"_L1);
    return {};
}

// A case states what it is about; what it leaves open is not compared.
QJsonObject onlyExpected(const QJsonObject &expected, const QJsonObject &answer)
{
    QJsonObject compared;
    for (const QString &key : expected.keys()) {
        if (answer.contains(key))
            compared.insert(key, answer.value(key));
    }
    return compared;
}

} // namespace

CaseResult runStrictCase(const QJsonObject &object)
{
    CaseReader fields(object);
    const QString function = fields.text("fn"_L1);
    if (fields.text("reason"_L1).isEmpty())
        fields.blame("reason"_L1, "is empty"_L1);
    const QJsonObject expected = fields.object("expect"_L1);
    CaseReader inputs(completed(function, fields.object("inputs"_L1), fields));
    const QJsonObject answer = answerOf(function, inputs).toObject();
    return judged(fields.fault().isEmpty() ? inputs : fields, expected, onlyExpected(expected, answer));
}

} // namespace Waitscope
