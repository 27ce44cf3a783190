// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/rulecases.h"

#include "conformance/adapters.h"
#include "conformance/comparison.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

HeaderList headersOf(CaseReader &inputs)
{
    HeaderList headers;
    const QJsonValue given = inputs.value("headers"_L1);
    if (!given.isNull() && !given.isObject())
        inputs.blame("headers"_L1, "is neither null nor an object"_L1);
    const QJsonObject object = given.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it->isString())
            headers.emplace_back(it.key(), it->toString());
        else if (it->isDouble() && it->toDouble() != 0)
            headers.emplace_back(it.key(), QString::number(it->toDouble(), 'g', 17));
        else if (!it->isDouble())
            inputs.blame("headers"_L1, "holds something that is neither text nor number"_L1);
    }
    return headers;
}

QJsonObject classifyAnswer(RuleSet rules, CaseReader &inputs)
{
    Failure failure;
    failure.type = inputs.text("type_name"_L1);
    failure.text = inputs.text("message"_L1);
    failure.httpStatus = inputs.intOrNull("http_status"_L1);
    failure.errorText = inputs.textOrNull("error_text"_L1).value_or(QString());
    const Classification verdict = classify(rules, failure);
    return {{u"reason"_s, wordOf(verdict.reason)}, {u"retryable"_s, verdict.retryable}};
}

QJsonValue permanentAnswer(RuleSet rules, CaseReader &inputs)
{
    Failure failure;
    failure.type = inputs.text("type_name"_L1);
    failure.text = inputs.text("message"_L1);
    failure.retryable = inputs.flagOrNull("retryable_attr"_L1);
    return !permanentVerdict(rules, failure).retryable;
}

QJsonValue statusAnswer(RuleSet rules, CaseReader &inputs)
{
    const std::optional<int> status = inputs.intOrNull("status"_L1);
    if (!status)
        inputs.blame("status"_L1, "is not a number"_L1);
    const QString body = inputs.textOrNull("body"_L1).value_or(QString());
    return statusVerdict(rules, status.value_or(0), body).retryable;
}

QJsonValue retryAfterAnswer(RuleSet rules, CaseReader &inputs)
{
    const HeaderList headers = headersOf(inputs);
    const QDateTime now = QDateTime::fromString(inputs.text("now"_L1), Qt::ISODateWithMs);
    if (!now.isValid())
        inputs.blame("now"_L1, "is not a moment like 2025-10-21T07:27:00Z"_L1);
    return tableNumber(retryAfter(rules, headers, HintForms(), now.toUTC()));
}

QJsonObject sessionAnswer(RuleSet rules, CaseReader &inputs)
{
    SessionMessage message;
    message.stopReason = inputs.text("stop_reason"_L1);
    message.errorMessage = inputs.textOrNull("error_message"_L1);
    message.retryable = inputs.flagOrNull("error_retryable"_L1);
    message.usageInput = inputs.integer("usage_input"_L1);
    message.usageCacheRead = inputs.integer("usage_cache_read"_L1);
    SessionRule rule;
    rule.contextWindow = inputs.integer("context_window"_L1);
    return {{u"retryable"_s, sessionVerdict(rules, message, rule).retryable},
            {u"overflow"_s, isContextOverflow(rules, message, rule.contextWindow)}};
}

CaseResult judged(const CaseReader &inputs, const QJsonValue &expected, const QJsonValue &actual)
{
    CaseResult result;
    result.malformed = inputs.fault();
    result.difference = firstDifference(expected, actual);
    result.passed = result.difference.isEmpty();
    return result;
}

CaseResult runClassifyCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QJsonObject actual = classifyAnswer(RuleSet::Openprogram, inputs);
    return judged(inputs, expected, actual);
}

CaseResult runPermanentCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QJsonValue actual = permanentAnswer(RuleSet::Openprogram, inputs);
    return judged(inputs, expected, actual);
}

CaseResult runStatusCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QJsonValue actual = statusAnswer(RuleSet::Openprogram, inputs);
    return judged(inputs, expected, actual);
}

CaseResult runRetryAfterCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QJsonValue actual = retryAfterAnswer(RuleSet::Openprogram, inputs);
    return judged(inputs, expected, actual);
}

CaseResult runSessionCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QJsonObject actual = sessionAnswer(RuleSet::Openprogram, inputs);
    return judged(inputs, expected, actual);
}

} // namespace Waitscope
