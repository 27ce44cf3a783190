// SPDX-License-Identifier: GPL-3.0-or-later
// A client that sends and reads bytes on a plain socket, and can tell a FIN from an RST; blocking, for tests.
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QUrl>

#include <cerrno>
#include <chrono>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace WaitscopeTest {

class WireClient
{
public:
    enum class End { Open, Fin, Reset };

    WireClient() = default;
    ~WireClient() { close(); }
    WireClient(const WireClient &) = delete;
    WireClient &operator=(const WireClient &) = delete;

    // 0, or the errno of the connect; ETIMEDOUT when there was no answer in time.
    int connectTo(quint16 port, std::chrono::milliseconds patience = std::chrono::seconds(30), int sendBuffer = 0)
    {
        close();
        m_fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (sendBuffer > 0)
            ::setsockopt(m_fd, SOL_SOCKET, SO_SNDBUF, &sendBuffer, sizeof sendBuffer);
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_port = htons(port);
        in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        sockaddr plain{};
        std::memcpy(&plain, &in, sizeof plain);
        if (::connect(m_fd, &plain, sizeof plain) == 0)
            return 0;
        if (errno != EINPROGRESS)
            return errno;
        if (!wait(POLLOUT, patience))
            return ETIMEDOUT;
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(m_fd, SOL_SOCKET, SO_ERROR, &error, &size);
        return error;
    }

    // How many bytes the kernel took before `patience` passed without any progress.
    qsizetype send(const QByteArray &bytes, std::chrono::milliseconds patience = std::chrono::seconds(30))
    {
        qsizetype done = 0;
        while (done < bytes.size()) {
            const ssize_t sent = ::send(m_fd, bytes.constData() + done, size_t(bytes.size() - done), MSG_NOSIGNAL);
            if (sent >= 0)
                done += sent;
            else if ((errno != EAGAIN && errno != EINTR) || !wait(POLLOUT, patience))
                break;
        }
        return done;
    }

    void post(const QUrl &url, const QByteArray &headers = {}, const QByteArray &body = "{}")
    {
        send("POST " + url.path().toUtf8() + (url.hasQuery() ? '?' + url.query().toUtf8() : QByteArray())
             + " HTTP/1.1\r\nHost: " + url.host().toUtf8() + "\r\n" + headers + "Content-Length: " + QByteArray::number(body.size())
             + "\r\n\r\n" + body);
    }

    void halfClose() { ::shutdown(m_fd, SHUT_WR); }

    void close()
    {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
    }

    // Reads until `enough` says so, the peer ends the connection, or nothing comes for `patience`.
    template<class Enough>
    QByteArray readUntil(Enough enough, std::chrono::milliseconds patience = std::chrono::seconds(30))
    {
        QByteArray all;
        m_end = End::Open;
        while (!enough(all)) {
            char piece[64 * 1024];
            const ssize_t got = ::recv(m_fd, piece, sizeof piece, 0);
            if (got > 0) {
                all.append(piece, got);
            } else if (got == 0) {
                m_end = End::Fin;
                break;
            } else if (errno == ECONNRESET) {
                m_end = End::Reset;
                break;
            } else if (errno != EAGAIN || !wait(POLLIN, patience)) {
                break;
            }
        }
        return all;
    }

    QByteArray readAll(std::chrono::milliseconds patience = std::chrono::seconds(30))
    {
        return readUntil([](const QByteArray &) { return false; }, patience);
    }

    // One reply with its body by length or chunks, as long as it is complete.
    QByteArray readReply()
    {
        return readUntil([](const QByteArray &all) { return isComplete(all); });
    }

    End end() const { return m_end; } // of the last reading

    static bool isComplete(const QByteArray &reply)
    {
        const qsizetype head = reply.indexOf("\r\n\r\n");
        if (head < 0)
            return false;
        const QByteArray lower = reply.left(head + 2).toLower();
        if (lower.contains("transfer-encoding: chunked\r\n"))
            return reply.endsWith("\r\n0\r\n\r\n");
        const qsizetype at = lower.indexOf("content-length: ");
        return at >= 0 && reply.size() >= head + 4 + lower.mid(at + 16, lower.indexOf('\r', at) - at - 16).toLongLong();
    }

    // The body without its chunk frames, as far as whole chunks came.
    static QByteArray bodyOf(const QByteArray &reply)
    {
        const qsizetype head = reply.indexOf("\r\n\r\n");
        if (head < 0)
            return {};
        QByteArray rest = reply.mid(head + 4);
        if (!reply.left(head).toLower().contains("transfer-encoding: chunked"))
            return rest;
        QByteArray body;
        for (;;) {
            const qsizetype line = rest.indexOf("\r\n");
            bool ok = false;
            const qsizetype size = line < 0 ? 0 : rest.left(line).toLongLong(&ok, 16);
            if (!ok || size == 0 || rest.size() < line + 2 + size + 2)
                return body;
            body += rest.mid(line + 2, size);
            rest = rest.mid(line + 2 + size + 2);
        }
    }

private:
    bool wait(short events, std::chrono::milliseconds patience)
    {
        pollfd p{m_fd, events, 0};
        return ::poll(&p, 1, int(patience.count())) > 0;
    }

    int m_fd = -1;
    End m_end = End::Open;
};

} // namespace WaitscopeTest
