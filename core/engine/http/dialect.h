// SPDX-License-Identifier: GPL-3.0-or-later
// What one event of a stream means, one function and one file per API; streamparser.cpp calls the right one.
#pragma once

#include "engine/http/streamparser.h"

#include <QJsonObject>

namespace Waitscope {

// One event: an SSE event in `strict`, one data line in `openprogram`.
struct DialectEvent {
    RuleSet rules = RuleSet::Strict;
    StreamParser::Keep keep = StreamParser::Keep::Facts;
    QByteArrayView name;         // the `event` field; always empty in `openprogram`, whose reader looks at data lines only
    const QJsonObject &payload;
};

// Each finds the item as plain Data and says what more it is. `openprogram` has no pings: every parsed payload is data.
void readChatEvent(const DialectEvent &event, StreamItem &item);
void readResponsesEvent(const DialectEvent &event, StreamItem &item);
void readAnthropicEvent(const DialectEvent &event, StreamItem &item);
void readGeminiEvent(const DialectEvent &event, StreamItem &item);
void readOllamaEvent(const DialectEvent &event, StreamItem &item);
void readPlainEvent(const DialectEvent &event, StreamItem &item);

// The `type` of the payload, or the event's name where there is none.
[[nodiscard]] QString typeOf(const DialectEvent &event);

// Is this a member that says what went wrong? (`"error": null` and `"error": ""` say that nothing did.)
[[nodiscard]] bool isErrorValue(const QJsonValue &value);

// Makes the item an error event. `error` is an object with `code`, `type` and `message`, or the message itself.
void setError(const QJsonValue &error, StreamItem &item);
void setErrorWords(const QString &type, const QString &text, StreamItem &item);

// A delta of text that reached the consumer. An empty one is no content.
void addText(const DialectEvent &event, const QString &text, StreamItem &item);

// Token counts under the dialect's two names; what is missing or no whole number changes nothing.
void readUsage(const QJsonValue &usage, QLatin1StringView inputName, QLatin1StringView outputName, StreamItem &item);

} // namespace Waitscope
