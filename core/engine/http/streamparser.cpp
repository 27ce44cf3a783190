// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/streamparser.h"

#include "engine/http/dialect.h"
#include "engine/http/jsontext.h"

#include <utility>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestRawLine = 4096;

// Where `"type":"…"` is looked for in an event too long to be parsed: APIs write it first.
constexpr qsizetype typeWithin = 512;

QByteArrayView typeInPrefix(QByteArrayView text)
{
    constexpr QByteArrayView key("\"type\":");
    const QByteArrayView head = text.first(std::min(typeWithin, text.size()));
    const qsizetype at = head.indexOf(key);
    const qsizetype open = at < 0 ? -1 : head.indexOf('"', at + key.size());
    const qsizetype close = open < 0 ? -1 : head.indexOf('"', open + 1);
    return close < 0 ? QByteArrayView() : head.sliced(open + 1, close - open - 1);
}

} // namespace

StreamParser::StreamParser(Api api, RuleSet rules, Keep keep)
    : m_api(api)
    , m_rules(rules)
    , m_keep(keep)
    , m_reader(LineReader::defaultLongest, rules == RuleSet::Strict ? LineReader::Bom::Drop : LineReader::Bom::Keep)
{
}

void StreamParser::feed(QByteArrayView chunk, std::vector<StreamItem> &items)
{
    m_reader.feed(chunk, m_lines);
    takeLines(items);
}

void StreamParser::finish(std::vector<StreamItem> &items)
{
    m_reader.finish(m_lines);
    takeLines(items);
    const std::optional<SseEvent> rest = m_assembler.rest();
    if (!rest)
        return;
    // The standard drops an event without its blank line. But an end or an error that is all there must not be lost.
    StreamItem item;
    readEvent(*rest, item);
    if (item.kind != StreamItem::Kind::End && item.kind != StreamItem::Kind::Error)
        return;
    remember(item);
    items.push_back(std::move(item));
}

void StreamParser::takeLines(std::vector<StreamItem> &items)
{
    for (const Line &line : m_lines) {
        StreamItem item;
        item.bytes = line.size;
        item.cut = line.cut;
        if (m_keep == Keep::Content)
            item.rawLine = line.bytes.first(std::min(longestRawLine, line.bytes.size()));
        if (m_api == Api::Ollama)
            takeJsonLine(line, item);
        else if (m_rules == RuleSet::Strict)
            takeStrict(line, item);
        else
            takeOpenprogram(line, item);
        remember(item);
        items.push_back(std::move(item));
    }
    m_lines.clear();
}

void StreamParser::takeStrict(const Line &line, StreamItem &item)
{
    SseEvent event;
    switch (m_assembler.take(line, event)) {
    case SseAssembler::Took::Field:
    case SseAssembler::Took::Blank:
        return;
    case SseAssembler::Took::Comment:
        item.kind = StreamItem::Kind::Ping;
        return;
    case SseAssembler::Took::Complete:
        readEvent(event, item);
        return;
    }
}

void StreamParser::takeOpenprogram(const Line &line, StreamItem &item)
{
    if (isDoneLine(line.bytes)) {
        item.kind = StreamItem::Kind::End;
        return;
    }
    constexpr QByteArrayView prefix("data: ");
    const QByteArrayView bytes(line.bytes);
    if (line.cut && bytes.startsWith(prefix)) {
        readCutEvent({}, bytes.sliced(prefix.size()), item);
        return;
    }
    if (const std::optional<QJsonValue> payload = openprogramPayload(line.bytes)) {
        item.dataBytes = line.size - prefix.size();
        readPayload({}, *payload, item);
        if (m_api == Api::Sse && m_keep == Keep::Content && item.content)
            item.text = QString::fromUtf8(bytes.sliced(prefix.size()));
    } else if (line.bytes.startsWith(':')) {
        item.kind = StreamItem::Kind::Ping;
    }
}

// Lines of JSON, each an event; an empty one is a sign of life.
void StreamParser::takeJsonLine(const Line &line, StreamItem &item)
{
    const QByteArrayView text = QByteArrayView(line.bytes).trimmed();
    if (text.isEmpty()) {
        item.kind = StreamItem::Kind::Ping;
        return;
    }
    if (line.cut) {
        readCutEvent({}, text, item);
        return;
    }
    if (const std::optional<QJsonValue> payload = readJson(text, JsonReading::Standard)) {
        item.dataBytes = text.size();
        readPayload({}, *payload, item);
    } else {
        item.badJson = m_rules == RuleSet::Strict;
    }
}

void StreamParser::readEvent(const SseEvent &event, StreamItem &item)
{
    item.dataBytes = event.text.size();
    item.cut = item.cut || event.cut;
    if (event.cut) {
        readCutEvent(event.name, event.text, item);
        return;
    }
    if (event.text.trimmed() == "[DONE]") {
        item.kind = StreamItem::Kind::End;
        return;
    }
    if (const std::optional<QJsonValue> payload = readJson(event.text, JsonReading::Standard))
        readPayload(event.name, *payload, item);
    else if (m_api == Api::Sse || event.name == "error")
        readText(event, item);
    else
        item.badJson = !event.text.trimmed().isEmpty();
    if (m_api == Api::Sse && m_keep == Keep::Content && item.content)
        item.text = QString::fromUtf8(event.text);
}

void StreamParser::readPayload(QByteArrayView name, const QJsonValue &payload, StreamItem &item)
{
    item.kind = StreamItem::Kind::Data;
    item.content = m_api == Api::Sse;
    if (!payload.isObject())
        return;
    const QJsonObject object = payload.toObject();
    const DialectEvent event = {m_rules, m_keep, name, object};
    switch (m_api) {
    case Api::OpenaiResponses:
        readResponsesEvent(event, item);
        break;
    case Api::OpenaiChat:
        readChatEvent(event, item);
        break;
    case Api::AnthropicMessages:
        readAnthropicEvent(event, item);
        break;
    case Api::Gemini:
        readGeminiEvent(event, item);
        break;
    case Api::Ollama:
        readOllamaEvent(event, item);
        break;
    case Api::Sse:
        readPlainEvent(event, item);
        break;
    }
}

// Text that is no JSON: what a plain stream is made of, and what an error may be written as.
void StreamParser::readText(const SseEvent &event, StreamItem &item)
{
    if (event.name == "error") {
        setErrorWords({}, QString::fromUtf8(event.text), item);
        return;
    }
    const bool ping = event.name == "ping" || event.name == "keepalive";
    item.kind = ping ? StreamItem::Kind::Ping : StreamItem::Kind::Data;
    item.content = !ping && !event.text.isEmpty();
}

// Too long to be parsed. An answer of that size does occur, as the closing event that repeats it.
void StreamParser::readCutEvent(QByteArrayView name, QByteArrayView text, StreamItem &item)
{
    const QByteArrayView inside = typeInPrefix(text);
    const QByteArrayView type = inside.isEmpty() ? name : inside;
    item.cut = true;
    item.dataBytes = std::max<qint64>(item.dataBytes, text.size());
    const bool ends = m_api == Api::OpenaiResponses
        && (type == "response.completed" || type == "response.incomplete" || type == "response.done");
    if (ends) {
        item.kind = StreamItem::Kind::End;
        item.finishReason = QString::fromLatin1(type.sliced(type.indexOf('.') + 1));
        return;
    }
    item.kind = StreamItem::Kind::Data;
    item.content = m_api == Api::Sse || m_api == Api::OpenaiChat || m_api == Api::Gemini || m_api == Api::Ollama || type.endsWith("delta");
}

void StreamParser::remember(const StreamItem &item)
{
    const bool endsByReason = m_api == Api::OpenaiChat || m_api == Api::Gemini;
    if (item.kind == StreamItem::Kind::End || (endsByReason && !item.finishReason.isEmpty()))
        m_sawEndMarker = true;
    if (item.arguments != StreamItem::Arguments::Unchanged)
        m_openArguments = item.arguments == StreamItem::Arguments::Open;
    if (!item.finishReason.isEmpty())
        m_finishReason = item.finishReason;
    if (item.inputTokens)
        m_inputTokens = item.inputTokens;
    if (item.outputTokens)
        m_outputTokens = item.outputTokens;
}

} // namespace Waitscope
