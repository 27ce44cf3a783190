// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/sse.h"

#include "engine/http/jsontext.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

SseAssembler::Took SseAssembler::take(const Line &line, SseEvent &event)
{
    const QByteArrayView bytes(line.bytes);
    if (bytes.isEmpty()) {
        if (!std::exchange(m_hasData, false)) {
            m_event = {};
            return Took::Blank;
        }
        event = std::exchange(m_event, {});
        return Took::Complete;
    }
    if (bytes.front() == ':')
        return Took::Comment;
    const qsizetype colon = bytes.indexOf(':');
    const QByteArrayView field = colon < 0 ? bytes : bytes.first(colon);
    QByteArrayView value = colon < 0 ? QByteArrayView() : bytes.sliced(colon + 1);
    if (value.startsWith(' '))
        value = value.sliced(1);
    if (field == "data") {
        addData(value);
        m_event.cut = m_event.cut || line.cut;
    } else if (field == "event") {
        m_event.name = value.toByteArray();
    }
    return Took::Field;
}

std::optional<SseEvent> SseAssembler::rest()
{
    SseEvent event = std::exchange(m_event, {});
    if (!std::exchange(m_hasData, false))
        return std::nullopt;
    return event;
}

void SseAssembler::addData(QByteArrayView value)
{
    const bool joins = std::exchange(m_hasData, true);
    const qsizetype room = m_longest - m_event.text.size() - (joins ? 1 : 0);
    if (room < 0) {
        m_event.cut = true;
        return;
    }
    if (joins)
        m_event.text += '\n';
    m_event.text += value.first(std::min(room, value.size()));
    m_event.cut = m_event.cut || room < value.size();
}

std::optional<QJsonValue> openprogramPayload(QByteArrayView line)
{
    constexpr QByteArrayView prefix("data: ");
    if (!line.startsWith(prefix))
        return std::nullopt;
    return readJson(line.sliced(prefix.size()), JsonReading::Python);
}

bool isDoneLine(QByteArrayView line)
{
    return line == "data: [DONE]";
}

} // namespace Waitscope
