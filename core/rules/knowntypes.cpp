// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/knowntypes.h"

#include "rules/rules.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace Waitscope {

namespace {

struct KnownType {
    QStringView name;
    ErrorReason reason;
};

// Python's standard library, httpx, requests, urllib3, aiohttp, websockets, the vendor SDKs, and Node's undici.
constexpr std::array strictTypes{
    KnownType{u"APIConnectionError", ErrorReason::Transport},
    KnownType{u"APIConnectionTimeoutError", ErrorReason::Transport},
    KnownType{u"APITimeoutError", ErrorReason::Transport},
    KnownType{u"AuthenticationError", ErrorReason::Auth},
    KnownType{u"BadRequestError", ErrorReason::Invalid},
    KnownType{u"BodyTimeoutError", ErrorReason::Transport},
    KnownType{u"BrokenPipeError", ErrorReason::Transport},
    KnownType{u"ChunkedEncodingError", ErrorReason::Transport},
    KnownType{u"ClientConnectionError", ErrorReason::Transport},
    KnownType{u"ClientConnectorError", ErrorReason::Transport},
    KnownType{u"ClientOSError", ErrorReason::Transport},
    KnownType{u"ClientPayloadError", ErrorReason::Transport},
    KnownType{u"ConnectError", ErrorReason::Transport},
    KnownType{u"ConnectTimeout", ErrorReason::Transport},
    KnownType{u"ConnectTimeoutError", ErrorReason::Transport},
    KnownType{u"ConnectionAbortedError", ErrorReason::Transport},
    KnownType{u"ConnectionClosedError", ErrorReason::Transport},
    KnownType{u"ConnectionError", ErrorReason::Transport},
    KnownType{u"ConnectionRefusedError", ErrorReason::Transport},
    KnownType{u"ConnectionResetError", ErrorReason::Transport},
    KnownType{u"ConnectionTerminated", ErrorReason::Transport},
    KnownType{u"ConnectionTimeoutError", ErrorReason::Transport},
    KnownType{u"ContentPolicyViolationError", ErrorReason::Policy},
    KnownType{u"ContextLengthExceededError", ErrorReason::Context},
    KnownType{u"ContextWindowExceededError", ErrorReason::Context},
    KnownType{u"ForbiddenError", ErrorReason::Authz},
    KnownType{u"HeadersTimeoutError", ErrorReason::Transport},
    KnownType{u"IncompleteRead", ErrorReason::Transport},
    KnownType{u"IncompleteReadError", ErrorReason::Transport},
    KnownType{u"InternalServerError", ErrorReason::Provider},
    KnownType{u"InvalidImageError", ErrorReason::Invalid},
    KnownType{u"InvalidRequestError", ErrorReason::Invalid},
    KnownType{u"MaxRetryError", ErrorReason::Transport},
    KnownType{u"NetworkError", ErrorReason::Transport},
    KnownType{u"NewConnectionError", ErrorReason::Transport},
    KnownType{u"NotFoundError", ErrorReason::Invalid},
    KnownType{u"OverloadedError", ErrorReason::RateLimit},
    KnownType{u"PermissionDeniedError", ErrorReason::Authz},
    KnownType{u"PoolTimeout", ErrorReason::Transport},
    KnownType{u"ProtocolError", ErrorReason::Transport},
    KnownType{u"ProxyError", ErrorReason::Transport},
    KnownType{u"QuotaExceeded", ErrorReason::Authz},
    KnownType{u"QuotaExceededError", ErrorReason::Authz},
    KnownType{u"RateLimitError", ErrorReason::RateLimit},
    KnownType{u"ReadError", ErrorReason::Transport},
    KnownType{u"ReadTimeout", ErrorReason::Transport},
    KnownType{u"ReadTimeoutError", ErrorReason::Transport},
    KnownType{u"RemoteDisconnected", ErrorReason::Transport},
    KnownType{u"RemoteProtocolError", ErrorReason::Transport},
    KnownType{u"SSLEOFError", ErrorReason::Transport},
    KnownType{u"SSLZeroReturnError", ErrorReason::Transport},
    KnownType{u"ServerDisconnectedError", ErrorReason::Transport},
    KnownType{u"ServerTimeoutError", ErrorReason::Transport},
    KnownType{u"ServiceUnavailableError", ErrorReason::Provider},
    KnownType{u"SocketError", ErrorReason::Transport},
    KnownType{u"SocketTimeoutError", ErrorReason::Transport},
    KnownType{u"StreamIdleTimeout", ErrorReason::Transport},
    KnownType{u"StreamReset", ErrorReason::Transport},
    KnownType{u"StreamTotalTimeout", ErrorReason::Transport},
    KnownType{u"ThrottlingException", ErrorReason::RateLimit},
    KnownType{u"TimeoutError", ErrorReason::Transport},
    KnownType{u"TimeoutException", ErrorReason::Transport},
    KnownType{u"Unauthorized", ErrorReason::Auth},
    KnownType{u"UnauthorizedError", ErrorReason::Auth},
    KnownType{u"UnprocessableEntityError", ErrorReason::Invalid},
    KnownType{u"WriteError", ErrorReason::Transport},
    KnownType{u"WriteTimeout", ErrorReason::Transport},
    KnownType{u"gaierror", ErrorReason::Transport},
};

template<class Table, class Projection>
constexpr bool isSortedBy(const Table &table, Projection projection)
{
    for (size_t i = 1; i < table.size(); ++i) {
        const QStringView before = std::invoke(projection, table[i - 1]);
        const QStringView name = std::invoke(projection, table[i]);
        if (std::u16string_view(before.utf16(), static_cast<size_t>(before.size()))
            >= std::u16string_view(name.utf16(), static_cast<size_t>(name.size())))
            return false;
    }
    return true;
}

static_assert(isSortedBy(strictTypes, &KnownType::name));
static_assert(isSortedBy(openprogramTransportTypes, &OpenprogramTransportType::name));

template<class Table, class Projection>
const auto *named(const Table &table, QStringView name, Projection projection) noexcept
{
    const auto found = std::ranges::lower_bound(table, name, {}, projection);
    return found != table.end() && std::invoke(projection, *found) == name ? &*found : nullptr;
}

} // namespace

ErrorReason strictReasonOfType(QStringView name) noexcept
{
    const KnownType *type = named(strictTypes, name, &KnownType::name);
    return type ? type->reason : ErrorReason::None;
}

bool isTransportType(RuleSet rules, QStringView typeName)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return named(openprogramTransportTypes, typeName, &OpenprogramTransportType::name) != nullptr;
    case RuleSet::Strict:
        return strictReasonOfType(typeName) == ErrorReason::Transport;
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
