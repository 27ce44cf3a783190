// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

#include <QJsonArray>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// A text, or with some servers a list of parts.
void addContent(const DialectEvent &event, const QJsonValue &content, StreamItem &item)
{
    addText(event, content.toString(), item);
    const QJsonArray parts = content.toArray();
    for (const auto &part : parts)
        addText(event, part.toObject().value("text"_L1).toString(), item);
}

void readChoice(const DialectEvent &event, const QJsonObject &choice, StreamItem &item)
{
    const QJsonObject delta = choice.value("delta"_L1).toObject();
    addContent(event, delta.value("content"_L1), item);
    addText(event, delta.value("refusal"_L1).toString(), item);
    addText(event, choice.value("text"_L1).toString(), item); // the older completions API
    if (!delta.value("tool_calls"_L1).toArray().isEmpty() || !delta.value("function_call"_L1).toObject().isEmpty()) {
        item.content = true;
        item.arguments = StreamItem::Arguments::Open;
    }
    if (const QString reason = choice.value("finish_reason"_L1).toString(); !reason.isEmpty()) {
        item.finishReason = reason;
        item.arguments = StreamItem::Arguments::Closed;
    }
}

} // namespace

void readChatEvent(const DialectEvent &event, StreamItem &item)
{
    const QJsonValue error = event.payload.value("error"_L1);
    if (isErrorValue(error)) {
        setError(error, item);
        return;
    }
    if (event.name == "error") {
        setError(event.payload, item);
        return;
    }
    const QJsonArray choices = event.payload.value("choices"_L1).toArray();
    for (const auto &choice : choices)
        readChoice(event, choice.toObject(), item);
    readUsage(event.payload.value("usage"_L1), "prompt_tokens"_L1, "completion_tokens"_L1, item);
    // Routers end a stream that broke behind them this way; the reason is then all there is.
    if (item.finishReason == "error"_L1)
        setErrorWords({}, u"stream ended with error stop_reason"_s, item);
}

} // namespace Waitscope
