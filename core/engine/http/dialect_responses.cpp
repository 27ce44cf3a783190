// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

void readError(const DialectEvent &event, const QJsonValue &error, StreamItem &item)
{
    const QJsonObject words = error.toObject();
    setError(error, item);
    if (event.rules != RuleSet::Openprogram || item.errorType.isEmpty())
        return;
    const bool hasText = !words.value("message"_L1).isNull() && !words.value("message"_L1).isUndefined();
    item.errorText = u"Error Code "_s + item.errorType + u": "_s + (hasText ? item.errorText : QString());
}

// The whole answer as it stood at the end.
void readResponse(const QJsonObject &response, StreamItem &item)
{
    readUsage(response.value("usage"_L1), "input_tokens"_L1, "output_tokens"_L1, item);
    item.finishReason = response.value("status"_L1).toString();
    const QString detail = response.value("incomplete_details"_L1).toObject().value("reason"_L1).toString();
    if (!detail.isEmpty())
        item.finishReason = detail;
}

bool beginsTool(const QJsonObject &item)
{
    const QString type = item.value("type"_L1).toString();
    return type == "function_call"_L1 || type == "custom_tool_call"_L1 || type == "mcp_call"_L1;
}

// "response.function_call_arguments.delta", "response.custom_tool_call_input.done"
bool isOfArguments(QStringView type)
{
    return type.contains(u"_call_arguments.") || type.contains(u"_call_input.");
}

} // namespace

void readResponsesEvent(const DialectEvent &event, StreamItem &item)
{
    const QJsonObject &payload = event.payload;
    const QString type = typeOf(event);
    if (type == "error"_L1) {
        // The words stand in the event itself, or behind some gateways in an object of their own.
        const QJsonValue nested = payload.value("error"_L1);
        readError(event, isErrorValue(nested) ? nested : payload, item);
    } else if (type == "response.failed"_L1) {
        const QJsonObject response = payload.value("response"_L1).toObject();
        readError(event, response.value("error"_L1), item);
        readUsage(response.value("usage"_L1), "input_tokens"_L1, "output_tokens"_L1, item);
    } else if (type == "response.completed"_L1 || type == "response.incomplete"_L1 || type == "response.done"_L1) {
        item.kind = StreamItem::Kind::End;
        readResponse(payload.value("response"_L1).toObject(), item);
    } else if (type.endsWith(".delta"_L1)) {
        if (!type.contains("reasoning"_L1) && !payload.value("delta"_L1).toString().isEmpty()) {
            item.content = true;
            if (isOfArguments(type))
                item.arguments = StreamItem::Arguments::Open;
            if (type == "response.output_text.delta"_L1 || type == "response.refusal.delta"_L1)
                addText(event, payload.value("delta"_L1).toString(), item);
        }
    } else if (type == "response.output_item.added"_L1) {
        item.content = beginsTool(payload.value("item"_L1).toObject());
        if (item.content)
            item.arguments = StreamItem::Arguments::Open;
    } else if (type.endsWith(".done"_L1) && (isOfArguments(type) || type == "response.output_item.done"_L1)) {
        item.arguments = StreamItem::Arguments::Closed;
    } else if (event.rules == RuleSet::Strict && (type == "keepalive"_L1 || type == "ping"_L1)) {
        item.kind = StreamItem::Kind::Ping;
    } else if (type.isEmpty() && isErrorValue(payload.value("error"_L1))) {
        // What stands between client and API writes errors in its own shape.
        readError(event, payload.value("error"_L1), item);
    }
}

} // namespace Waitscope
