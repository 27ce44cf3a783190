// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ports/transport.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(WireEnd value)
{
    switch (value) {
    case WireEnd::Complete:
        return "complete"_L1;
    case WireEnd::Refused:
        return "refused"_L1;
    case WireEnd::NameNotFound:
        return "name_not_found"_L1;
    case WireEnd::DnsFailed:
        return "dns_failed"_L1;
    case WireEnd::Unreachable:
        return "unreachable"_L1;
    case WireEnd::ProxyFailed:
        return "proxy_failed"_L1;
    case WireEnd::TlsFailed:
        return "tls_failed"_L1;
    case WireEnd::ClosedInTls:
        return "closed_in_tls"_L1;
    case WireEnd::ClosedBeforeStatus:
        return "closed_before_status"_L1;
    case WireEnd::ClosedInHeaders:
        return "closed_in_headers"_L1;
    case WireEnd::ResetBeforeHeaders:
        return "reset_before_headers"_L1;
    case WireEnd::BadStatusLine:
        return "bad_status_line"_L1;
    case WireEnd::CutBody:
        return "cut_body"_L1;
    case WireEnd::ResetInBody:
        return "reset_in_body"_L1;
    case WireEnd::BadChunk:
        return "bad_chunk"_L1;
    case WireEnd::ConnectionTimeout:
        return "connection_timeout"_L1;
    case WireEnd::LostInSleep:
        return "lost_in_sleep"_L1;
    case WireEnd::StaleConnection:
        return "stale_connection"_L1;
    case WireEnd::Interim103:
        return "interim_103"_L1;
    case WireEnd::Undecodable:
        return "undecodable"_L1;
    case WireEnd::Aborted:
        return "aborted"_L1;
    case WireEnd::Failed:
        return "failed"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const WireEnd> allOf<WireEnd>()
{
    static constexpr WireEnd values[] = {
        WireEnd::Complete,
        WireEnd::Refused,
        WireEnd::NameNotFound,
        WireEnd::DnsFailed,
        WireEnd::Unreachable,
        WireEnd::ProxyFailed,
        WireEnd::TlsFailed,
        WireEnd::ClosedInTls,
        WireEnd::ClosedBeforeStatus,
        WireEnd::ClosedInHeaders,
        WireEnd::ResetBeforeHeaders,
        WireEnd::BadStatusLine,
        WireEnd::CutBody,
        WireEnd::ResetInBody,
        WireEnd::BadChunk,
        WireEnd::ConnectionTimeout,
        WireEnd::LostInSleep,
        WireEnd::StaleConnection,
        WireEnd::Interim103,
        WireEnd::Undecodable,
        WireEnd::Aborted,
        WireEnd::Failed,
    };
    return values;
}

} // namespace Waitscope
