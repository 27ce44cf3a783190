// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/dialect.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

// No API is known here: everything is content, except what calls itself an error or a ping.
void readPlainEvent(const DialectEvent &event, StreamItem &item)
{
    const QString type = typeOf(event);
    const QJsonValue nested = event.payload.value("error"_L1);
    if (isErrorValue(nested)) {
        item.content = false;
        setError(nested, item);
    } else if (event.name == "error" || type == "error"_L1) {
        item.content = false;
        setError(event.payload, item);
    } else if (event.rules == RuleSet::Strict && (type == "ping"_L1 || type == "keepalive"_L1)) {
        item.content = false;
        item.kind = StreamItem::Kind::Ping;
    }
}

} // namespace Waitscope
