// SPDX-License-Identifier: GPL-3.0-or-later
// A stream's bytes as one item per line: what it was, and what it means in the API's dialect.
#pragma once

#include "engine/http/api.h"
#include "engine/http/linereader.h"
#include "engine/http/sse.h"
#include "policy/policy.h"

#include <QString>

namespace Waitscope {

// The text of an error event that says nothing at all.
inline constexpr QLatin1StringView emptyErrorEvent("empty error event (transient backend hiccup)");

// One line read, plus what it completed. `strict` completes an event with its blank line, `openprogram` with its data line.
struct StreamItem {
    enum class Kind : quint8 {
        Line,  // only a line: a field of an event, a blank, bad JSON
        Data,  // a parsed data event: resets the data-stall timer
        Ping,  // comment, ping event, keepalive: a sign of life that is no data
        Error, // an error event inside a 200 stream: errorType, errorText
        End,   // the protocol's own end: [DONE], message_stop, response.completed, response.incomplete, done
    };

    Kind kind = Kind::Line;
    qint64 bytes = 0;     // of the line, without its end
    qint64 dataBytes = 0; // of the event this line completed; 0 = it completed none
    bool cut = false;     // the line or the event was longer than 1 MiB; what was cut off was not looked at
    bool badJson = false; // strict: the event was to be JSON and is none; it counts as a line
    enum class Arguments : quint8 { Unchanged, Open, Closed };
    Arguments arguments = Arguments::Unchanged; // of a tool call: a piece of them came, or they were said to be whole
    bool content = false; // text, refusal or tool delta: the consumer has it, which commits the call; reasoning does not
    QString errorType;    // the server's word ("overloaded_error", "server_error"); may be empty
    QString errorText;    // in the rule set's wording; never empty for Kind::Error
    QString finishReason; // the dialect's word, on the event that carries it ("stop", "end_turn", "max_output_tokens")
    std::optional<qint64> inputTokens;
    std::optional<qint64> outputTokens;
    QString text;         // the text delta; only when content is kept
    QByteArray rawLine;   // at most 4 KiB of the line; only when content is kept
};

class StreamParser
{
public:
    enum class Keep : quint8 { Facts, Content };

    StreamParser(Api api, RuleSet rules, Keep keep = Keep::Facts);

    void feed(QByteArrayView chunk, std::vector<StreamItem> &items);
    // The body has ended: gives the unterminated last line, and an end marker or error whose blank line is missing.
    void finish(std::vector<StreamItem> &items);

    // The stream may be called complete: its end event was seen, or in chat and Gemini a finish reason (Gemini has no other
    // end, and some chat servers send no [DONE]).
    [[nodiscard]] bool sawEndMarker() const noexcept { return m_sawEndMarker; }
    [[nodiscard]] const QString &finishReason() const noexcept { return m_finishReason; }
    // Pieces of a tool call's arguments have come and nothing said that they are whole.
    [[nodiscard]] bool hasOpenArguments() const noexcept { return m_openArguments; }
    // The last numbers the stream named.
    [[nodiscard]] std::optional<qint64> inputTokens() const noexcept { return m_inputTokens; }
    [[nodiscard]] std::optional<qint64> outputTokens() const noexcept { return m_outputTokens; }

private:
    void takeLines(std::vector<StreamItem> &items);
    void takeStrict(const Line &line, StreamItem &item);
    void takeOpenprogram(const Line &line, StreamItem &item);
    void takeJsonLine(const Line &line, StreamItem &item);
    void readEvent(const SseEvent &event, StreamItem &item);
    void readPayload(QByteArrayView name, const QJsonValue &payload, StreamItem &item);
    void readText(const SseEvent &event, StreamItem &item);
    void readCutEvent(QByteArrayView name, QByteArrayView text, StreamItem &item);
    void remember(const StreamItem &item);

    Api m_api;
    RuleSet m_rules;
    Keep m_keep;
    LineReader m_reader;
    SseAssembler m_assembler;
    std::vector<Line> m_lines; // empty between calls; kept for its memory
    bool m_sawEndMarker = false;
    bool m_openArguments = false;
    QString m_finishReason;
    std::optional<qint64> m_inputTokens;
    std::optional<qint64> m_outputTokens;
};

} // namespace Waitscope
