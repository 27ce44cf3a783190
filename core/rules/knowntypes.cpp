// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/knowntypes.h"

#include "rules/rules.h"

#include <algorithm>

namespace Waitscope {

namespace {

struct KnownType {
    QStringView name;
    ErrorReason reason;
};

// Python's standard library, httpx, requests, urllib3, aiohttp, websockets, the vendor SDKs, Bedrock, and Node's undici.
constexpr std::array strictTypes{
    KnownType{u"APIConnectionError", ErrorReason::Transport},
    KnownType{u"APIConnectionTimeoutError", ErrorReason::Transport},
    KnownType{u"APITimeoutError", ErrorReason::Transport},
    KnownType{u"AccessDeniedException", ErrorReason::Authz},
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
    KnownType{u"ExpiredTokenException", ErrorReason::Auth},
    KnownType{u"ForbiddenError", ErrorReason::Authz},
    KnownType{u"HeadersTimeoutError", ErrorReason::Transport},
    KnownType{u"IncompleteRead", ErrorReason::Transport},
    KnownType{u"IncompleteReadError", ErrorReason::Transport},
    KnownType{u"InternalServerException", ErrorReason::Provider},
    KnownType{u"InternalServerError", ErrorReason::Provider},
    KnownType{u"InvalidImageError", ErrorReason::Invalid},
    KnownType{u"InvalidRequestError", ErrorReason::Invalid},
    KnownType{u"MaxRetryError", ErrorReason::Transport},
    KnownType{u"ModelErrorException", ErrorReason::Provider},
    KnownType{u"ModelNotReadyException", ErrorReason::Provider},
    KnownType{u"ModelStreamErrorException", ErrorReason::Provider},
    KnownType{u"ModelTimeoutException", ErrorReason::Transport},
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
    KnownType{u"ServiceQuotaExceededException", ErrorReason::Authz},
    KnownType{u"ServiceUnavailableError", ErrorReason::Provider},
    KnownType{u"ServiceUnavailableException", ErrorReason::Provider},
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
    KnownType{u"ValidationException", ErrorReason::Invalid},
    KnownType{u"WriteError", ErrorReason::Transport},
    KnownType{u"WriteTimeout", ErrorReason::Transport},
    KnownType{u"gaierror", ErrorReason::Transport},
};

// Names ordered by length, so that a look-up compares only with the few of the same length.
template<size_t count>
class NameIndex
{
public:
    template<class Entry>
    constexpr explicit NameIndex(const std::array<Entry, count> &entries)
    {
        size_t filled = 0;
        for (size_t length = 0; length < m_start.size() - 1; ++length) {
            m_start[length] = static_cast<quint8>(filled);
            for (size_t i = 0; i < count; ++i) {
                if (static_cast<size_t>(entries[i].name.size()) == length)
                    m_order[filled++] = static_cast<quint8>(i);
            }
        }
        m_start.back() = static_cast<quint8>(filled);
        m_complete = filled == count;
    }

    // Does no entry have a name too long for the index?
    [[nodiscard]] constexpr bool isComplete() const { return m_complete; }

    template<class Entry>
    [[nodiscard]] const Entry *find(const std::array<Entry, count> &entries, QStringView name) const noexcept
    {
        const auto length = static_cast<size_t>(name.size());
        if (length >= m_start.size() - 1)
            return nullptr;
        for (size_t i = m_start[length]; i < m_start[length + 1]; ++i) {
            const Entry &entry = entries[m_order[i]];
            if (entry.name == name)
                return &entry;
        }
        return nullptr;
    }

private:
    static constexpr size_t longest = 40;
    std::array<quint8, longest + 2> m_start{};
    std::array<quint8, count> m_order{};
    bool m_complete = false;
};

constexpr NameIndex<strictTypes.size()> strictIndex(strictTypes);
constexpr NameIndex<openprogramTransportTypes.size()> openprogramIndex(openprogramTransportTypes);
static_assert(strictIndex.isComplete() && openprogramIndex.isComplete());

} // namespace

ErrorReason strictReasonOfType(QStringView name) noexcept
{
    const KnownType *type = strictIndex.find(strictTypes, name);
    return type ? type->reason : ErrorReason::None;
}

QString strictNameOfType(QStringView name)
{
    const KnownType *type = strictIndex.find(strictTypes, name);
    return type ? QString::fromRawData(type->name.data(), type->name.size()) : QString();
}

bool isTransportType(RuleSet rules, QStringView typeName)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return openprogramIndex.find(openprogramTransportTypes, typeName) != nullptr;
    case RuleSet::Strict:
        return strictReasonOfType(typeName) == ErrorReason::Transport;
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
