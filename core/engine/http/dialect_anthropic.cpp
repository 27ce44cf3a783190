// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

void readUsageOf(const QJsonObject &holder, StreamItem &item)
{
    readUsage(holder.value("usage"_L1), "input_tokens"_L1, "output_tokens"_L1, item);
}

void readBlockStart(const DialectEvent &event, const QJsonObject &block, StreamItem &item)
{
    addText(event, block.value("text"_L1).toString(), item);
    if (block.value("type"_L1).toString().endsWith("tool_use"_L1)) {
        item.content = true;
        item.arguments = StreamItem::Arguments::Open;
    }
}

void readBlockDelta(const DialectEvent &event, const QJsonObject &delta, StreamItem &item)
{
    addText(event, delta.value("text"_L1).toString(), item);
    if (!delta.value("partial_json"_L1).toString().isEmpty())
        item.content = true;
}

} // namespace

void readAnthropicEvent(const DialectEvent &event, StreamItem &item)
{
    const QJsonObject &payload = event.payload;
    const QString type = typeOf(event);
    if (type == "error"_L1) {
        const QJsonValue nested = payload.value("error"_L1);
        setError(isErrorValue(nested) ? nested : payload, item);
    } else if (type == "message_start"_L1) {
        readUsageOf(payload.value("message"_L1).toObject(), item);
    } else if (type == "content_block_start"_L1) {
        readBlockStart(event, payload.value("content_block"_L1).toObject(), item);
    } else if (type == "content_block_delta"_L1) {
        readBlockDelta(event, payload.value("delta"_L1).toObject(), item);
    } else if (type == "content_block_stop"_L1) {
        item.arguments = StreamItem::Arguments::Closed;
    } else if (type == "message_delta"_L1) {
        item.finishReason = payload.value("delta"_L1).toObject().value("stop_reason"_L1).toString();
        readUsageOf(payload, item);
    } else if (type == "message_stop"_L1) {
        item.kind = StreamItem::Kind::End;
    } else if (type == "ping"_L1) {
        if (event.rules == RuleSet::Strict)
            item.kind = StreamItem::Kind::Ping;
    } else if (type.isEmpty() && isErrorValue(payload.value("error"_L1))) {
        setError(payload.value("error"_L1), item);
    }
}

} // namespace Waitscope
