// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/event.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(MarkKind value)
{
    switch (value) {
    case MarkKind::Headers:
        return "headers"_L1;
    case MarkKind::Line:
        return "line"_L1;
    case MarkKind::Data:
        return "data"_L1;
    case MarkKind::Ping:
        return "ping"_L1;
    case MarkKind::StreamError:
        return "stream_error"_L1;
    case MarkKind::EndMarker:
        return "end_marker"_L1;
    case MarkKind::Committed:
        return "committed"_L1;
    case MarkKind::Progress:
        return "progress"_L1;
    case MarkKind::SendBegan:
        return "send_began"_L1;
    case MarkKind::Trying:
        return "trying"_L1;
    case MarkKind::AddressFailed:
        return "address_failed"_L1;
    case MarkKind::Connected:
        return "connected"_L1;
    case MarkKind::ResendRefused:
        return "resend_refused"_L1;
    case MarkKind::Usage:
        return "usage"_L1;
    case MarkKind::AlarmEntered:
        return "alarm_entered"_L1;
    case MarkKind::AlarmSwallowed:
        return "alarm_swallowed"_L1;
    case MarkKind::AlarmUndelivered:
        return "alarm_undelivered"_L1;
    case MarkKind::Unprotected:
        return "unprotected"_L1;
    case MarkKind::Interrupted:
        return "interrupted"_L1;
    case MarkKind::Retrying:
        return "retrying"_L1;
    case MarkKind::GaveUp:
        return "gave_up"_L1;
    case MarkKind::Note:
        return "note"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const MarkKind> allOf<MarkKind>()
{
    static constexpr MarkKind values[] = {
        MarkKind::Headers,
        MarkKind::Line,
        MarkKind::Data,
        MarkKind::Ping,
        MarkKind::StreamError,
        MarkKind::EndMarker,
        MarkKind::Committed,
        MarkKind::Progress,
        MarkKind::SendBegan,
        MarkKind::Trying,
        MarkKind::AddressFailed,
        MarkKind::Connected,
        MarkKind::ResendRefused,
        MarkKind::Usage,
        MarkKind::AlarmEntered,
        MarkKind::AlarmSwallowed,
        MarkKind::AlarmUndelivered,
        MarkKind::Unprotected,
        MarkKind::Interrupted,
        MarkKind::Retrying,
        MarkKind::GaveUp,
        MarkKind::Note,
    };
    return values;
}

Instant timeOf(const Event &event)
{
    return std::visit([](const auto &e) { return e.at; }, event);
}

} // namespace Waitscope
