// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestErrorText = 4096;

// Codes are words or numbers, messages are texts or, with some gateways, whole objects.
QString wordIn(const QJsonValue &value)
{
    if (value.isDouble())
        return QString::number(value.toInteger());
    if (value.isObject())
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    return value.toString();
}

QString bounded(QString text)
{
    if (text.size() <= longestErrorText)
        return text;
    text.truncate(longestErrorText);
    if (text.back().isHighSurrogate())
        text.chop(1);
    return text;
}

void readCount(const QJsonValue &value, std::optional<qint64> &count)
{
    if (const qint64 number = value.toInteger(-1); number >= 0)
        count = number;
}

} // namespace

QString typeOf(const DialectEvent &event)
{
    const QJsonValue type = event.payload.value("type"_L1);
    return type.isString() ? type.toString() : QString::fromUtf8(event.name);
}

bool isErrorValue(const QJsonValue &value)
{
    return value.isObject() || (value.isString() && !value.toString().isEmpty());
}

void setError(const QJsonValue &error, StreamItem &item)
{
    if (!error.isObject()) {
        setErrorWords({}, wordIn(error), item);
        return;
    }
    const QJsonObject what = error.toObject();
    const QString text = wordIn(what.value("message"_L1));
    const QJsonValue code = what.value("code"_L1);
    // The stream's own event type says only that this is an error; a nested object's type says which.
    QString type = what.value("type"_L1).toString();
    if (type == "error"_L1 || type.startsWith("response."_L1))
        type.clear();
    if (type.isEmpty() || (code.isString() && !code.toString().isEmpty()))
        type = wordIn(code);
    setErrorWords(type, text, item);
}

void setErrorWords(const QString &type, const QString &text, StreamItem &item)
{
    item.kind = StreamItem::Kind::Error;
    item.errorType = bounded(type);
    item.errorText = bounded(text);
    if (item.errorText.isEmpty())
        item.errorText = type.isEmpty() ? QString(emptyErrorEvent) : item.errorType;
}

void addText(const DialectEvent &event, const QString &text, StreamItem &item)
{
    if (text.isEmpty())
        return;
    item.content = true;
    if (event.keep == StreamParser::Keep::Content)
        item.text += text;
}

void readUsage(const QJsonValue &usage, QLatin1StringView inputName, QLatin1StringView outputName, StreamItem &item)
{
    const QJsonObject counts = usage.toObject();
    readCount(counts.value(inputName), item.inputTokens);
    readCount(counts.value(outputName), item.outputTokens);
}

} // namespace Waitscope
