// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/dialectwriter.h"

#include <QUrlQuery>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// What the closing events of OpenAI responses repeat is held in memory; a longer stream's end repeats only its beginning.
constexpr qsizetype keptText = 64 * 1024;

// A JSON string with its quotes.
QByteArray quoted(const QString &text)
{
    static constexpr char hex[] = "0123456789abcdef";
    const QByteArray utf8 = text.toUtf8();
    QByteArray out;
    out.reserve(utf8.size() + 2);
    out += '"';
    for (const char c : utf8) {
        const auto byte = static_cast<uchar>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20) {
            out += "\\u00";
            out += hex[byte >> 4];
            out += hex[byte & 15];
        } else {
            out += c;
        }
    }
    out += '"';
    return out;
}

QByteArray dataLine(const QByteArray &json)
{
    return "data: " + json + "\n\n";
}

QByteArray namedEvent(const QByteArray &name, const QByteArray &json)
{
    return "event: " + name + "\ndata: " + json + "\n\n";
}

QByteArray chatChunk(const QByteArray &delta, const QByteArray &finishReason)
{
    return dataLine(R"({"id":"chatcmpl-waitscope","object":"chat.completion.chunk","created":1700000000,"model":"waitscope",)"
                    R"("choices":[{"index":0,"delta":)"
                    + delta + R"(,"logprobs":null,"finish_reason":)" + finishReason + "}]}");
}

QByteArray ollamaLine(const QByteArray &content, const QByteArray &rest)
{
    return R"({"model":"waitscope","created_at":"2023-11-14T22:13:20.000000Z","message":{"role":"assistant","content":)" + content
           + "}," + rest + "}\n";
}

// `rest` follows the sequence number inside the same object.
QByteArray responsesEvent(const QByteArray &type, qint64 sequence, const QByteArray &rest)
{
    return namedEvent(type, R"({"type":")" + type + R"(","sequence_number":)" + QByteArray::number(sequence) + ',' + rest + '}');
}

QByteArray responseObject(const QByteArray &status, const QByteArray &rest)
{
    return R"("response":{"id":"resp_waitscope","object":"response","created_at":1700000000,"status":")" + status
           + R"(","model":"waitscope","error":null,)" + rest + '}';
}

constexpr char itemPlace[] = R"("item_id":"msg_waitscope","output_index":0,"content_index":0)";

QByteArray textPart(const QString &text)
{
    return R"({"type":"output_text","text":)" + quoted(text) + R"(,"annotations":[]})";
}

QByteArray messageItem(const QByteArray &status, const QByteArray &content)
{
    return R"({"id":"msg_waitscope","type":"message","status":")" + status + R"(","role":"assistant","content":[)" + content + "]}";
}

QByteArray sseText(const QString &text)
{
    // Several lines of text are several data lines of one event.
    QByteArray block;
    const QStringList lines = QString(text).replace(u"\r\n"_s, u"\n"_s).replace(u'\r', u'\n').split(u'\n');
    for (const QString &line : lines)
        block += "data: " + line.toUtf8() + '\n';
    return block + '\n';
}

// Is this the name of a value in the JSON that may be cut anywhere? Within a text its quotes would be escaped.
bool hasName(const QByteArray &json, QByteArrayView quoted)
{
    for (qsizetype at = json.indexOf(quoted); at >= 0; at = json.indexOf(quoted, at + 1)) {
        qsizetype behind = at + quoted.size();
        while (behind < json.size() && (json[behind] == ' ' || json[behind] == '\t' || json[behind] == '\r' || json[behind] == '\n'))
            ++behind;
        if (behind < json.size() && json[behind] == ':' && (at == 0 || json[at - 1] != '\\'))
            return true;
    }
    return false;
}

} // namespace

QLatin1StringView wordOf(ServedDialect dialect)
{
    switch (dialect) {
    case ServedDialect::OpenAiChat:
        return "openai-chat"_L1;
    case ServedDialect::OpenAiResponses:
        return "openai-responses"_L1;
    case ServedDialect::AnthropicMessages:
        return "anthropic-messages"_L1;
    case ServedDialect::Gemini:
        return "gemini"_L1;
    case ServedDialect::Ollama:
        return "ollama"_L1;
    case ServedDialect::Sse:
        return "sse"_L1;
    }
    Q_UNREACHABLE();
}

std::span<const ServedDialect> servedDialects()
{
    static constexpr ServedDialect values[] = {ServedDialect::OpenAiChat, ServedDialect::OpenAiResponses,
                                               ServedDialect::AnthropicMessages, ServedDialect::Gemini,
                                               ServedDialect::Ollama, ServedDialect::Sse};
    return values;
}

ServedDialect dialectOf(const DialectHints &hints)
{
    const QUrl &url = hints.url;
    const QString wanted = QUrlQuery(url).queryItemValue(u"dialect"_s);
    for (const ServedDialect dialect : servedDialects()) {
        if (wanted == wordOf(dialect))
            return dialect;
    }
    QString path = url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (path.endsWith("/chat/completions"_L1))
        return ServedDialect::OpenAiChat;
    if (path.endsWith("/responses"_L1))
        return ServedDialect::OpenAiResponses;
    if (path.endsWith("/messages"_L1))
        return ServedDialect::AnthropicMessages;
    if (path.endsWith(":streamGenerateContent"_L1))
        return ServedDialect::Gemini;
    if (path.endsWith("/api/chat"_L1))
        return ServedDialect::Ollama;
    if (hints.anthropicHeader)
        return ServedDialect::AnthropicMessages;
    if (hints.wantsLines)
        return ServedDialect::Ollama;
    if (hasName(hints.bodyStart, "\"messages\""))
        return ServedDialect::OpenAiChat;
    if (hasName(hints.bodyStart, "\"contents\""))
        return ServedDialect::Gemini;
    if (hasName(hints.bodyStart, "\"input\""))
        return ServedDialect::OpenAiResponses;
    return ServedDialect::Sse;
}

QByteArray contentTypeOf(ServedDialect dialect)
{
    return dialect == ServedDialect::Ollama ? QByteArrayLiteral("application/x-ndjson")
                                            : QByteArrayLiteral("text/event-stream; charset=utf-8");
}

QByteArray DialectWriter::opening()
{
    if (m_opened)
        return {};
    m_opened = true;
    switch (m_dialect) {
    case ServedDialect::OpenAiChat:
        return chatChunk(R"({"role":"assistant","content":""})", "null");
    case ServedDialect::OpenAiResponses: {
        const qint64 n = m_sequence;
        m_sequence += 4;
        return responsesEvent("response.created", n, responseObject("in_progress", R"("output":[],"usage":null)"))
               + responsesEvent("response.in_progress", n + 1, responseObject("in_progress", R"("output":[],"usage":null)"))
               + responsesEvent("response.output_item.added", n + 2,
                                R"("output_index":0,"item":)" + messageItem("in_progress", {}))
               + responsesEvent("response.content_part.added", n + 3, QByteArray(itemPlace) + R"(,"part":)" + textPart({}));
    }
    case ServedDialect::AnthropicMessages:
        return namedEvent("message_start",
                          R"({"type":"message_start","message":{"id":"msg_waitscope","type":"message","role":"assistant",)"
                          R"("model":"waitscope","content":[],"stop_reason":null,"stop_sequence":null,)"
                          R"("usage":{"input_tokens":0,"output_tokens":0}}})")
               + namedEvent("content_block_start",
                            R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})");
    case ServedDialect::Gemini:
    case ServedDialect::Ollama:
    case ServedDialect::Sse:
        return {};
    }
    Q_UNREACHABLE();
}

QByteArray DialectWriter::event(const QString &text)
{
    const QByteArray before = opening();
    ++m_events;
    switch (m_dialect) {
    case ServedDialect::OpenAiChat:
        return before + chatChunk(R"({"content":)" + quoted(text) + '}', "null");
    case ServedDialect::OpenAiResponses:
        if (m_text.size() < keptText)
            m_text += QStringView(text).left(keptText - m_text.size());
        return before
               + responsesEvent("response.output_text.delta", m_sequence++,
                                QByteArray(itemPlace) + R"(,"delta":)" + quoted(text) + R"(,"logprobs":[])");
    case ServedDialect::AnthropicMessages:
        return before
               + namedEvent("content_block_delta",
                            R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":)" + quoted(text) + "}}");
    case ServedDialect::Gemini:
        return dataLine(R"({"candidates":[{"content":{"parts":[{"text":)" + quoted(text)
                        + R"(}],"role":"model"},"index":0}],"modelVersion":"waitscope"})");
    case ServedDialect::Ollama:
        return ollamaLine(quoted(text), R"("done":false)");
    case ServedDialect::Sse:
        return sseText(text);
    }
    Q_UNREACHABLE();
}

QByteArray DialectWriter::ping() const
{
    switch (m_dialect) {
    case ServedDialect::AnthropicMessages:
        return namedEvent("ping", R"({"type":"ping"})");
    case ServedDialect::OpenAiChat:
    case ServedDialect::OpenAiResponses:
    case ServedDialect::Gemini:
    case ServedDialect::Sse:
        return ": ping\n\n";
    case ServedDialect::Ollama:
        // Lines of JSON know no comment; readers skip an empty line.
        return "\n";
    }
    Q_UNREACHABLE();
}

QByteArray DialectWriter::error(const QString &type, const QString &text)
{
    const QByteArray kind = quoted(type);
    const QByteArray message = quoted(text);
    switch (m_dialect) {
    case ServedDialect::OpenAiChat:
        return dataLine(R"({"error":{"message":)" + message + R"(,"type":)" + kind + R"(,"param":null,"code":null}})");
    case ServedDialect::OpenAiResponses:
        return responsesEvent("error", m_sequence++, R"("code":)" + kind + R"(,"message":)" + message + R"(,"param":null)");
    case ServedDialect::AnthropicMessages:
        return namedEvent("error", R"({"type":"error","error":{"type":)" + kind + R"(,"message":)" + message + "}}");
    case ServedDialect::Gemini:
        return dataLine(R"({"error":{"code":500,"message":)" + message + R"(,"status":)" + kind + "}}");
    case ServedDialect::Ollama:
        return R"({"error":)" + message + "}\n";
    case ServedDialect::Sse:
        return namedEvent("error", R"({"type":)" + kind + R"(,"message":)" + message + '}');
    }
    Q_UNREACHABLE();
}

QByteArray DialectWriter::end(const EndMarkerStep &marker)
{
    const QByteArray before = opening();
    const qint64 outputTokens = marker.outputTokens ? *marker.outputTokens : m_events;
    const QByteArray in = QByteArray::number(marker.inputTokens);
    const QByteArray out = QByteArray::number(outputTokens);
    const QByteArray total = QByteArray::number(marker.inputTokens + outputTokens);
    switch (m_dialect) {
    case ServedDialect::OpenAiChat:
        return before + chatChunk("{}", marker.cutByLength ? R"("length")" : R"("stop")")
               + dataLine(R"({"id":"chatcmpl-waitscope","object":"chat.completion.chunk","created":1700000000,)"
                          R"("model":"waitscope","choices":[],"usage":{"prompt_tokens":)"
                          + in + R"(,"completion_tokens":)" + out + R"(,"total_tokens":)" + total + "}}")
               + dataLine("[DONE]");
    case ServedDialect::OpenAiResponses: {
        const QByteArray status = marker.cutByLength ? "incomplete" : "completed";
        const QByteArray item = messageItem(status, textPart(m_text));
        const qint64 n = m_sequence;
        m_sequence += 4;
        return before
               + responsesEvent("response.output_text.done", n,
                                QByteArray(itemPlace) + R"(,"text":)" + quoted(m_text) + R"(,"logprobs":[])")
               + responsesEvent("response.content_part.done", n + 1, QByteArray(itemPlace) + R"(,"part":)" + textPart(m_text))
               + responsesEvent("response.output_item.done", n + 2, R"("output_index":0,"item":)" + item)
               + responsesEvent("response." + status, n + 3,
                                responseObject(status,
                                               QByteArray(R"("incomplete_details":)")
                                                   + (marker.cutByLength ? R"({"reason":"max_output_tokens"})" : "null")
                                                   + R"(,"output":[)" + item + R"(],"usage":{"input_tokens":)" + in
                                                   + R"(,"output_tokens":)" + out + R"(,"total_tokens":)" + total + '}'));
    }
    case ServedDialect::AnthropicMessages:
        return before + namedEvent("content_block_stop", R"({"type":"content_block_stop","index":0})")
               + namedEvent("message_delta", QByteArray(R"({"type":"message_delta","delta":{"stop_reason":")")
                                                 + (marker.cutByLength ? "max_tokens" : "end_turn")
                                                 + R"(","stop_sequence":null},"usage":{"input_tokens":)" + in
                                                 + R"(,"output_tokens":)" + out + "}}")
               + namedEvent("message_stop", R"({"type":"message_stop"})");
    case ServedDialect::Gemini:
        return dataLine(QByteArray(R"({"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":")")
                        + (marker.cutByLength ? "MAX_TOKENS" : "STOP")
                        + R"(","index":0}],"usageMetadata":{"promptTokenCount":)" + in + R"(,"candidatesTokenCount":)" + out
                        + R"(,"totalTokenCount":)" + total + R"(},"modelVersion":"waitscope"})");
    case ServedDialect::Ollama:
        return ollamaLine(R"("")", QByteArray(R"("done":true,"done_reason":")") + (marker.cutByLength ? "length" : "stop")
                                       + R"(","prompt_eval_count":)" + in + R"(,"eval_count":)" + out);
    case ServedDialect::Sse:
        return dataLine("[DONE]");
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
