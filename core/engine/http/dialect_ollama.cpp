// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

#include <QJsonArray>

namespace Waitscope {

using namespace Qt::StringLiterals;

// One JSON object a line, under both rule sets: there is no other way to read it.
void readOllamaEvent(const DialectEvent &event, StreamItem &item)
{
    const QJsonValue error = event.payload.value("error"_L1);
    if (isErrorValue(error)) {
        setError(error, item);
        return;
    }
    const QJsonObject message = event.payload.value("message"_L1).toObject();
    addText(event, message.value("content"_L1).toString(), item); // "thinking" beside it commits nothing
    addText(event, event.payload.value("response"_L1).toString(), item); // of /api/generate
    if (!message.value("tool_calls"_L1).toArray().isEmpty())
        item.content = true;
    if (!event.payload.value("done"_L1).toBool())
        return;
    item.kind = StreamItem::Kind::End;
    item.finishReason = event.payload.value("done_reason"_L1).toString();
    readUsage(QJsonValue(event.payload), "prompt_eval_count"_L1, "eval_count"_L1, item);
}

} // namespace Waitscope
