// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/libchooks.h"

#include "live/monotonic.h"
#include "live/watchchannel.h"

#include <QAbstractEventDispatcher>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <span>
#include <utility>

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

namespace Waitscope {

// The registered thread's side of a NetworkWatch: its sockets by file descriptor.
class ThreadWatch
{
public:
    explicit ThreadWatch(std::shared_ptr<WatchChannel> channel);
    ~ThreadWatch();
    Q_DISABLE_COPY_MOVE(ThreadWatch)

    int connect(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size);
    ssize_t read(const LibcCalls &real, int fd, void *buffer, size_t size);

    // No constructor runs for it: looking at it is safe anywhere, also in a signal handler.
    static thread_local constinit ThreadWatch *ofThisThread;

private:
    int begin(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size);
    void applyOptions(int fd, const SocketOptions &options) const;
    // Through this thread's own queue: behind what the library has posted to itself and to others up to now.
    void tellBehind(std::function<void(NetworkWatch &)> news);

    std::shared_ptr<WatchChannel> m_channel;
    std::vector<std::shared_ptr<WatchedSocket>> m_byFd;
};

thread_local constinit ThreadWatch *ThreadWatch::ofThisThread = nullptr;

namespace {

constinit LibcCalls announcedCalls;

template<class Address>
Address copyOf(const sockaddr *address) noexcept
{
    Address copy{};
    std::copy_n(reinterpret_cast<const char *>(address), sizeof copy, reinterpret_cast<char *>(&copy));
    return copy;
}

quint32 markOf(const sockaddr *address, socklen_t size) noexcept
{
    if (!address || size < sizeof(sockaddr_in) || address->sa_family != AF_INET)
        return 0;
    return markOfAddress(ntohl(copyOf<sockaddr_in>(address).sin_addr.s_addr));
}

quint16 portOf(const sockaddr *address) noexcept
{
    return ntohs(address->sa_family == AF_INET ? copyOf<sockaddr_in>(address).sin_port
                                               : copyOf<sockaddr_in6>(address).sin6_port);
}

// At the end of what can be read: a peer that closed leaves a connection half open. Where nothing is left of it, there was
// a reset, and a write that the library made before has taken the error.
bool isGone(int fd) noexcept
{
    tcp_info info{};
    socklen_t size = sizeof info;
    return ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_state == TCP_CLOSE;
}

quint16 localPortOf(int fd) noexcept
{
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    const auto *address = reinterpret_cast<const sockaddr *>(&own);
    return getsockname(fd, reinterpret_cast<sockaddr *>(&own), &size) == 0 ? portOf(address) : quint16{0};
}

bool isTcp(int fd, const sockaddr *address, socklen_t size) noexcept
{
    const bool internet = address
        && ((address->sa_family == AF_INET && size >= sizeof(sockaddr_in))
            || (address->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)));
    int type = 0;
    socklen_t typeSize = sizeof type;
    return internet && getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &typeSize) == 0 && type == SOCK_STREAM;
}

void setOption(int fd, int level, int name, int value) noexcept
{
    // A connection without the option is better than none.
    setsockopt(fd, level, name, &value, sizeof value);
}

} // namespace

ThreadWatch::ThreadWatch(std::shared_ptr<WatchChannel> channel)
    : m_channel(std::move(channel))
{
    ofThisThread = this;
    m_channel->tell([](NetworkWatch &owner) { owner.m_registered = true; });
}

ThreadWatch::~ThreadWatch()
{
    ofThisThread = nullptr;
}

void ThreadWatch::applyOptions(int fd, const SocketOptions &options) const
{
    // The kernel's own bounds; beyond them it would refuse and leave hours.
    constexpr int longestS = 32767;
    constexpr int mostProbes = 127;
    if (options.keepalive) {
        setOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
        setOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, std::clamp(options.keepaliveIdleS, 1, longestS));
        setOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, std::clamp(options.keepaliveIntervalS, 1, longestS));
        setOption(fd, IPPROTO_TCP, TCP_KEEPCNT, std::clamp(options.keepaliveCount, 1, mostProbes));
    }
    setOption(fd, SOL_SOCKET, SO_SNDBUF, options.sendBufferBytes);
}

void ThreadWatch::tellBehind(std::function<void(NetworkWatch &)> news)
{
    if (QObject *queue = QAbstractEventDispatcher::instance())
        QMetaObject::invokeMethod(queue, [channel = m_channel, news] { channel->tell(news); }, Qt::QueuedConnection);
    else
        m_channel->tell(std::move(news));
}

int ThreadWatch::begin(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size)
{
    const SocketOptions options = m_channel->options();
    if (options.ipv4Only && address->sa_family == AF_INET6) {
        // An address from before the option was set, out of the library's cache of names.
        errno = ENETUNREACH;
        return -1;
    }
    applyOptions(fd, options);
    sockaddr_storage peer{};
    std::copy_n(reinterpret_cast<const char *>(address), std::min<size_t>(size, sizeof peer), reinterpret_cast<char *>(&peer));
    auto socket = std::make_shared<WatchedSocket>(monotonicNs(), peer, portOf(address));
    const int result = real.connect(fd, address, size);
    const int error = result == 0 ? 0 : errno;
    socket->localPort = localPortOf(fd);
    if (error != EINPROGRESS) {
        socket->error = error;
        socket->endedNs = monotonicNs();
    }
    const auto index = static_cast<size_t>(fd);
    if (index >= m_byFd.size())
        m_byFd.resize(index + 1);
    m_byFd[index] = socket;
    tellBehind([socket](NetworkWatch &owner) { Q_EMIT owner.socketStarted(socket); }); // see networkwatch.h
    errno = error;
    return result;
}

int ThreadWatch::connect(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size)
{
    if (markOf(address, size) != 0) {
        errno = ECONNREFUSED;
        return -1;
    }
    if (!isTcp(fd, address, size))
        return real.connect(fd, address, size);
    // A socket gets its local port with the first connect(); the library calls again to learn the result.
    if (localPortOf(fd) == 0)
        return begin(real, fd, address, size);
    const int result = real.connect(fd, address, size);
    const int error = result == 0 ? 0 : errno;
    const auto index = static_cast<size_t>(fd);
    const bool pending = error == EALREADY || error == EINPROGRESS || error == EINTR || error == EAGAIN;
    if (!pending && index < m_byFd.size() && m_byFd[index] && m_byFd[index]->endedNs == 0) {
        std::shared_ptr<WatchedSocket> socket = m_byFd[index];
        socket->error = error == EISCONN ? 0 : error;
        socket->endedNs = monotonicNs();
        m_channel->tell([socket](NetworkWatch &owner) { Q_EMIT owner.socketEnded(socket); });
    }
    errno = error;
    return result;
}

ssize_t ThreadWatch::read(const LibcCalls &real, int fd, void *buffer, size_t size)
{
    const ssize_t got = real.read(fd, buffer, size);
    const auto index = static_cast<size_t>(fd);
    if (fd < 0 || index >= m_byFd.size() || !m_byFd[index] || size == 0)
        return got;
    const int error = errno;
    WatchedSocket &socket = *m_byFd[index];
    const bool wasBroken = socket.isBroken();
    if (socket.peer != WatchedSocket::Peer::Open) {
        // What comes after the end is another file behind the same number.
    } else if (got > 0) {
        socket.responses.feed(std::span(static_cast<const char *>(buffer), static_cast<size_t>(got)));
    } else if (got == 0) {
        socket.responses.feedEnd();
        socket.peer = isGone(fd) ? WatchedSocket::Peer::Reset : WatchedSocket::Peer::Closed;
    } else if (error == ECONNRESET || error == EPIPE) {
        socket.peer = WatchedSocket::Peer::Reset;
    } else if (error == ETIMEDOUT) {
        socket.peer = WatchedSocket::Peer::TimedOut;
    }
    if (!wasBroken && socket.isBroken())
        tellBehind([broken = m_byFd[index]](NetworkWatch &owner) { Q_EMIT owner.socketBroke(broken); });
    errno = error;
    return got;
}

void announceInterposition(const LibcCalls &interposed) noexcept
{
    announcedCalls = interposed;
}

bool interpositionWorks()
{
    const auto found = [](const char *name, auto *expected) {
        return expected && dlsym(RTLD_DEFAULT, name) == reinterpret_cast<void *>(expected);
    };
    return found("connect", announcedCalls.connect) && found("getaddrinfo", announcedCalls.getaddrinfo)
        && found("read", announcedCalls.read);
}

int hookedConnect(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size)
{
    if (ThreadWatch *watch = ThreadWatch::ofThisThread)
        return watch->connect(real, fd, address, size);
    const quint32 mark = markOf(address, size);
    if (mark == 0)
        return real.connect(fd, address, size);
    std::shared_ptr<WatchChannel> channel = WatchRegistry::instance().byMark(mark);
    if (!channel)
        return real.connect(fd, address, size);
    // Kept until the thread ends.
    static thread_local std::unique_ptr<ThreadWatch> kept;
    kept = std::make_unique<ThreadWatch>(std::move(channel));
    errno = ECONNREFUSED;
    return -1;
}

int hookedGetaddrinfo(const LibcCalls &real, const char *node, const char *service, const addrinfo *hints,
                      addrinfo **result)
{
    if (!node || !WatchRegistry::instance().isInUse())
        return real.getaddrinfo(node, service, hints, result);
    const QByteArray name(node);
    WatchRegistry &registry = WatchRegistry::instance();
    const std::shared_ptr<WatchRegistry::Lookup> lookup = registry.beginLookup(name, monotonicNs());
    if (!lookup)
        return real.getaddrinfo(node, service, hints, result);
    addrinfo own{};
    own.ai_flags = AI_V4MAPPED | AI_ADDRCONFIG; // what no hints mean
    if (hints)
        own = *hints;
    if (registry.wantsIpv4Only(*lookup))
        own.ai_family = AF_INET;
    const int outcome = real.getaddrinfo(node, service, &own, result);
    const int error = errno;
    registry.endLookup(lookup, monotonicNs(), outcome);
    errno = error;
    return outcome;
}

ssize_t hookedRead(const LibcCalls &real, int fd, void *buffer, size_t size)
{
    if (ThreadWatch *watch = ThreadWatch::ofThisThread)
        return watch->read(real, fd, buffer, size);
    return real.read(fd, buffer, size);
}

} // namespace Waitscope
