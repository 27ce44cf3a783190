// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultport.h"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

struct Address {
    sockaddr_storage storage{};
    socklen_t size = 0;

    Address(const QHostAddress &host, quint16 port)
    {
        if (host.protocol() == QAbstractSocket::IPv6Protocol) {
            sockaddr_in6 in6{};
            in6.sin6_family = AF_INET6;
            in6.sin6_port = htons(port);
            const Q_IPV6ADDR bytes = host.toIPv6Address();
            std::memcpy(&in6.sin6_addr, &bytes, sizeof in6.sin6_addr);
            size = sizeof in6;
            std::memcpy(&storage, &in6, sizeof in6);
        } else {
            sockaddr_in in{};
            in.sin_family = AF_INET;
            in.sin_port = htons(port);
            in.sin_addr.s_addr = htonl(host.toIPv4Address());
            size = sizeof in;
            std::memcpy(&storage, &in, sizeof in);
        }
    }

    // The one cast that the socket interface asks for.
    [[nodiscard]] const sockaddr *plain() const { return static_cast<const sockaddr *>(static_cast<const void *>(&storage)); }
    [[nodiscard]] sockaddr *plain() { return static_cast<sockaddr *>(static_cast<void *>(&storage)); }
};

int newSocket(const QHostAddress &host)
{
    const int family = host.protocol() == QAbstractSocket::IPv6Protocol ? AF_INET6 : AF_INET;
    return ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

} // namespace

Expected<FaultPort> FaultPort::open(Kind kind, const QHostAddress &host)
{
    FaultPort port;
    if (!port.bindTo(host) || (kind == Kind::BlackHole && !port.fillQueue(host)))
        return unavailable(u"a port on %1"_s.arg(host.toString()), u"cannot be had: "_s + qt_error_string(errno));
    return port;
}

FaultPort::FaultPort(FaultPort &&other) noexcept
    : m_fds(std::exchange(other.m_fds, {}))
    , m_port(other.m_port)
{
}

FaultPort &FaultPort::operator=(FaultPort &&other) noexcept
{
    std::swap(m_fds, other.m_fds);
    std::swap(m_port, other.m_port);
    return *this;
}

FaultPort::~FaultPort()
{
    for (const int fd : m_fds)
        ::close(fd);
}

bool FaultPort::bindTo(const QHostAddress &host)
{
    const int fd = newSocket(host);
    if (fd < 0)
        return false;
    m_fds.push_back(fd);
    Address address(host, 0);
    if (::bind(fd, address.plain(), address.size) != 0 || ::getsockname(fd, address.plain(), &address.size) != 0)
        return false;
    sockaddr_in in{};
    sockaddr_in6 in6{};
    if (address.storage.ss_family == AF_INET6) {
        std::memcpy(&in6, &address.storage, sizeof in6);
        m_port = ntohs(in6.sin6_port);
    } else {
        std::memcpy(&in, &address.storage, sizeof in);
        m_port = ntohs(in.sin_port);
    }
    return true;
}

bool FaultPort::fillQueue(const QHostAddress &host)
{
    // The queue of a listener with backlog 1 takes two on Linux; others may round up. On a local address a handshake is over
    // within the call, whatever connect() says of it, so the first one still under way afterwards means that the queue is full.
    constexpr int mostFillers = 16;
    constexpr int graceMs = 20;
    if (::listen(m_fds[0], 1) != 0)
        return false;
    const Address address(host, m_port);
    for (int i = 0; i < mostFillers; ++i) {
        const int fd = newSocket(host);
        if (fd < 0)
            return false;
        m_fds.push_back(fd);
        if (::connect(fd, address.plain(), address.size) == 0)
            continue;
        if (errno != EINPROGRESS)
            return false;
        pollfd wait{fd, POLLOUT, 0};
        if (::poll(&wait, 1, graceMs) == 0) {
            // Kept: its retransmits would take a place that gets free.
            return true;
        }
    }
    errno = ENOBUFS;
    return false;
}

} // namespace Waitscope
