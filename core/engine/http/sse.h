// SPDX-License-Identifier: GPL-3.0-or-later
// Server-sent events in both readings: as the standard writes them, and as OpenProgram's reader takes them.
#pragma once

#include "engine/http/linereader.h"

#include <QJsonValue>

#include <optional>

namespace Waitscope {

struct SseEvent {
    QByteArray name;  // of the `event` field; empty = "message"
    QByteArray text;  // data lines joined with LF
    bool cut = false; // longer than the bound: `text` is only its beginning
};

// The standard's reading: fields with or without a blank after the colon, comments, dispatch on a blank line.
// `id` and `retry` are known and have no effect: they serve reconnection, and a POST is never resumed.
class SseAssembler
{
public:
    enum class Took : quint8 {
        Field,    // kept for the event, or without meaning
        Comment,
        Blank,    // nothing to dispatch
        Complete, // a blank line completed `event`
    };

    explicit SseAssembler(qsizetype longest = LineReader::defaultLongest)
        : m_longest(longest)
    {
    }

    [[nodiscard]] Took take(const Line &line, SseEvent &event);
    // What the stream's end cut off before its blank line. The standard drops it; whoever asks decides.
    [[nodiscard]] std::optional<SseEvent> rest();

private:
    void addData(QByteArrayView value);

    qsizetype m_longest;
    SseEvent m_event;
    bool m_hasData = false;
};

// OpenProgram's reading: one line, one event. Only "data: " with its blank counts; the payload is read as Python's
// json.loads reads it, so `null`, numbers, strings and lists are events. NaN and Infinity, at the top or inside, are doubles
// of a QJsonValue; QJsonDocument would write them as null.
[[nodiscard]] std::optional<QJsonValue> openprogramPayload(QByteArrayView line);

// "data: [DONE]" and nothing else, not even a trailing blank.
[[nodiscard]] bool isDoneLine(QByteArrayView line);

} // namespace Waitscope
