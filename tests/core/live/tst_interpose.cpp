// SPDX-License-Identifier: GPL-3.0-or-later
// The interposed libc calls: they are in place, silent in threads of others, exact in the watched one.
#include "live/libchooks.h"
#include "live/monotonic.h"
#include "live/networkwatch.h"

#include <QHostInfo>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>
#include <thread>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <unistd.h>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// A manager whose thread has registered itself with a watch.
struct Watched {
    Watched()
    {
        manager.setProxy(QNetworkProxy::NoProxy);
        QObject::connect(&watch, &NetworkWatch::socketStarted, &watch, [this](const auto &socket) { started.push_back(socket); });
        QObject::connect(&watch, &NetworkWatch::socketEnded, &watch, [this](const auto &socket) { ended.push_back(socket); });
        QNetworkReply *reply = manager.get(QNetworkRequest(watch.registrationUrl()));
        QObject::connect(reply, &QNetworkReply::finished, reply, [reply] {
            if (reply->error() != QNetworkReply::ConnectionRefusedError)
                qFatal("the registration went further than the hook");
            reply->deleteLater();
        });
    }

    QNetworkReply *get(const QUrl &url)
    {
        QNetworkRequest request(url);
        request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
        return manager.get(request);
    }

    std::vector<std::shared_ptr<WatchedSocket>> started;
    std::vector<std::shared_ptr<WatchedSocket>> ended;
    NetworkWatch watch;
    QNetworkAccessManager manager;
};

QUrl urlOf(const QTcpServer &server)
{
    return QUrl(u"http://127.0.0.1:%1/"_s.arg(server.serverPort()));
}

int optionOf(qintptr fd, int level, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    getsockopt(static_cast<int>(fd), level, name, &value, &size);
    return value;
}

// The client's end of a connection in this very process, found by its port.
int clientEndOf(quint16 localPort)
{
    for (int fd = 3; fd < 1024; ++fd) {
        sockaddr_in own{};
        sockaddr_in peer{};
        socklen_t ownSize = sizeof own;
        socklen_t peerSize = sizeof peer;
        if (getsockname(fd, reinterpret_cast<sockaddr *>(&own), &ownSize) == 0 && own.sin_family == AF_INET
            && ntohs(own.sin_port) == localPort
            && getpeername(fd, reinterpret_cast<sockaddr *>(&peer), &peerSize) == 0)
            return fd;
    }
    return -1;
}

} // namespace

class TestInterpose : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSelfCheckPasses();
    void otherThreadsAreLeftAlone();
    void registersTheManagersThread();
    void tellsAConnectionExactly();
    void tellsARefusal();
    void followsTheAnnouncement();
    void setsOptions();
    void ipv4OnlyRefusesOtherAddresses();
    void tellsLookups();
    void followsWhatIsRead();
    void aWatchMayGoFirst();
    void signalHandlersMayConnect();
};

void TestInterpose::theSelfCheckPasses()
{
    QVERIFY(interpositionWorks());
}

void TestInterpose::otherThreadsAreLeftAlone()
{
    NetworkWatch watch;
    int news = 0;
    connect(&watch, &NetworkWatch::socketStarted, this, [&] { ++news; });
    connect(&watch, &NetworkWatch::lookupBegan, this, [&] { ++news; });
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, server.serverPort());
    QVERIFY(socket.waitForConnected(5000));
    QCOMPARE(QHostInfo::fromName(u"localhost"_s).error(), QHostInfo::NoError);
    QTest::qWait(20);
    QCOMPARE(news, 0);
    QVERIFY(optionOf(socket.socketDescriptor(), SOL_SOCKET, SO_SNDBUF) > 2 * 64 * 1024);
    // An address of the reserved block that marks nobody goes the usual way: the kernel refuses it.
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in reserved{};
    reserved.sin_family = AF_INET;
    reserved.sin_port = htons(9);
    reserved.sin_addr.s_addr = htonl((240U << 24) | 0xabcdefU);
    QCOMPARE(::connect(fd, reinterpret_cast<sockaddr *>(&reserved), sizeof reserved), -1);
    QVERIFY(errno != ECONNREFUSED);
    ::close(fd);
}

void TestInterpose::registersTheManagersThread()
{
    Watched watched;
    QVERIFY(!watched.watch.isRegistered());
    QTRY_VERIFY(watched.watch.isRegistered());
    QVERIFY(watched.started.empty()); // the registration itself is no connection
    // Two watches never hear of each other's.
    Watched other;
    QTRY_VERIFY(other.watch.isRegistered());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const std::unique_ptr<QNetworkReply> reply(other.get(urlOf(server)));
    QTRY_COMPARE(int(other.started.size()), 1);
    QTest::qWait(20);
    QVERIFY(watched.started.empty());
}

void TestInterpose::tellsAConnectionExactly()
{
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const qint64 before = monotonicNs();
    const std::unique_ptr<QNetworkReply> reply(watched.get(urlOf(server)));
    QTRY_VERIFY(server.hasPendingConnections());
    const qint64 after = monotonicNs();
    const std::unique_ptr<QTcpSocket> peer(server.nextPendingConnection());
    QTRY_COMPARE(int(watched.started.size()), 1);
    const WatchedSocket &socket = *watched.started.front();
    QTRY_VERIFY(socket.isEstablished());
    QCOMPARE(socket.localPort.load(), peer->peerPort());
    QCOMPARE(socket.peerPort, server.serverPort());
    QVERIFY(socket.beganNs >= before && socket.beganNs <= socket.endedNs);
    QVERIFY(socket.beganNs <= after);
}

void TestInterpose::tellsARefusal()
{
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QUrl url = urlOf(server);
    server.close();
    const std::unique_ptr<QNetworkReply> reply(watched.get(url));
    QTRY_VERIFY(reply->isFinished());
    QTRY_VERIFY(!watched.started.empty()); // the library tries each address twice
    for (const auto &socket : watched.started) {
        QCOMPARE(socket->error.load(), ECONNREFUSED);
        QVERIFY(!socket->isEstablished());
    }
}

// The rule that finds a connection's request: its news comes right behind the library's own announcement.
void TestInterpose::followsTheAnnouncement()
{
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    constexpr int count = 60;
    std::vector<std::unique_ptr<QTcpServer>> servers; // one each, so that the peer's port says which is which
    std::vector<std::unique_ptr<QNetworkReply>> replies;
    QList<quint16> announced;
    QList<quint16> started;
    connect(&watched.watch, &NetworkWatch::socketStarted, this, [&](const auto &socket) {
        started.push_back(socket->peerPort);
        // At this moment it is the last one announced, however many are under way.
        QCOMPARE(announced.value(announced.size() - 1), socket->peerPort);
    });
    for (int i = 0; i < count; ++i) {
        servers.push_back(std::make_unique<QTcpServer>());
        QVERIFY(servers.back()->listen(QHostAddress::LocalHost));
    }
    for (const auto &server : servers) {
        replies.emplace_back(watched.get(urlOf(*server)));
        connect(replies.back().get(), &QNetworkReply::socketStartedConnecting, this,
                [&announced, port = server->serverPort()] { announced.push_back(port); });
    }
    QTRY_COMPARE(int(started.size()), count);
    QCOMPARE(started, announced);
}

void TestInterpose::setsOptions()
{
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    SocketOptions options;
    options.keepaliveIdleS = 28;
    options.keepaliveIntervalS = 7;
    options.keepaliveCount = 4;
    watched.watch.setOptions(options);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const std::unique_ptr<QNetworkReply> reply(watched.get(urlOf(server)));
    QTRY_VERIFY(!watched.started.empty() && watched.started.front()->isEstablished());
    const int fd = clientEndOf(watched.started.front()->localPort);
    QVERIFY(fd >= 0);
    QCOMPARE(optionOf(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
    QCOMPARE(optionOf(fd, IPPROTO_TCP, TCP_KEEPIDLE), 28);
    QCOMPARE(optionOf(fd, IPPROTO_TCP, TCP_KEEPINTVL), 7);
    QCOMPARE(optionOf(fd, IPPROTO_TCP, TCP_KEEPCNT), 4);
    QCOMPARE(optionOf(fd, SOL_SOCKET, SO_SNDBUF), 2 * 64 * 1024); // the kernel doubles what it is given

    options.keepalive = false;
    watched.watch.setOptions(options);
    QTcpServer second;
    QVERIFY(second.listen(QHostAddress::LocalHost));
    const std::unique_ptr<QNetworkReply> plain(watched.get(urlOf(second)));
    QTRY_COMPARE(int(watched.started.size()), 2);
    QTRY_VERIFY(watched.started.back()->isEstablished());
    const int plainFd = clientEndOf(watched.started.back()->localPort);
    QVERIFY(plainFd >= 0);
    QVERIFY(optionOf(plainFd, IPPROTO_TCP, TCP_KEEPIDLE) >= 7200); // two hours: as good as off
}

void TestInterpose::ipv4OnlyRefusesOtherAddresses()
{
    QTcpServer server;
    if (!server.listen(QHostAddress::LocalHostIPv6))
        QSKIP("no IPv6 on this machine");
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    SocketOptions options;
    options.ipv4Only = true;
    watched.watch.setOptions(options);
    const std::unique_ptr<QNetworkReply> reply(watched.get(QUrl(u"http://[::1]:%1/"_s.arg(server.serverPort()))));
    QTRY_VERIFY(reply->isFinished());
    QVERIFY(reply->error() != QNetworkReply::NoError);
    QVERIFY(!server.hasPendingConnections());
    // And a name gives addresses of the other kind only.
    watched.watch.watchName("localhost");
    addrinfo *found = nullptr;
    QCOMPARE(::getaddrinfo("localhost", nullptr, nullptr, &found), 0);
    for (const addrinfo *a = found; a; a = a->ai_next)
        QCOMPARE(a->ai_family, AF_INET);
    ::freeaddrinfo(found);
}

void TestInterpose::tellsLookups()
{
    NetworkWatch watch;
    QByteArrayList told;
    std::vector<qint64> times;
    int result = 1;
    connect(&watch, &NetworkWatch::lookupBegan, this, [&](const QByteArray &name, qint64 at) {
        told.push_back("began " + name);
        times.push_back(at);
    });
    connect(&watch, &NetworkWatch::lookupEnded, this, [&](const QByteArray &name, qint64 at, int outcome) {
        told.push_back("ended " + name);
        times.push_back(at);
        result = outcome;
    });
    watch.watchName("localhost");
    watch.watchName("localhost");
    addrinfo *found = nullptr;
    const qint64 before = monotonicNs();
    std::jthread([&] { ::getaddrinfo("localhost", nullptr, nullptr, &found); }).join(); // whichever thread does it
    const qint64 after = monotonicNs();
    ::freeaddrinfo(found);
    QTRY_COMPARE(int(told.size()), 2);
    QCOMPARE(told, (QByteArrayList{"began localhost", "ended localhost"}));
    QCOMPARE(result, 0);
    QVERIFY(before <= times[0] && times[0] <= times[1] && times[1] <= after);

    // A label may have 63 letters, so nobody needs to be asked.
    const QByteArray longName = QByteArray(70, 'x') + ".invalid";
    watch.watchName(longName);
    QVERIFY(::getaddrinfo(longName.constData(), nullptr, nullptr, &found) != 0);
    QTRY_COMPARE(int(told.size()), 4);
    QVERIFY(result != 0);

    watch.unwatchName("localhost");
    QCOMPARE(::getaddrinfo("localhost", nullptr, nullptr, &found), 0);
    ::freeaddrinfo(found);
    QTRY_COMPARE(int(told.size()), 6); // still watched by one
    watch.unwatchName("localhost");
    QCOMPARE(::getaddrinfo("localhost", nullptr, nullptr, &found), 0);
    ::freeaddrinfo(found);
    QTest::qWait(20);
    QCOMPARE(int(told.size()), 6);
}

void TestInterpose::followsWhatIsRead()
{
    Watched watched;
    QTRY_VERIFY(watched.watch.isRegistered());
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const std::unique_ptr<QNetworkReply> reply(watched.get(urlOf(server)));
    QTRY_VERIFY(server.hasPendingConnections());
    const std::unique_ptr<QTcpSocket> peer(server.nextPendingConnection());
    QTRY_COMPARE(int(watched.started.size()), 1);
    const WatchedSocket &socket = *watched.started.front();
    QTRY_VERIFY(peer->bytesAvailable() > 0);
    QCOMPARE(socket.responses.stage(), ResponseWatch::Stage::Between);
    peer->write("HTTP/1.1 200 OK\r\n");
    QTRY_COMPARE(socket.responses.stage(), ResponseWatch::Stage::Headers);
    peer->write("Transfer-Encoding: chunked\r\n\r\n5\r\nhel");
    QTRY_COMPARE(socket.responses.stage(), ResponseWatch::Stage::Body);
    QCOMPARE(socket.responses.completed(), 0U);
    peer->write("lo\r\n0\r\n\r\n");
    QTRY_COMPARE(socket.responses.completed(), 1U);
    QTRY_VERIFY(reply->isFinished());
    QCOMPARE(reply->readAll(), "hello"_qba);
    QCOMPARE(socket.peer.load(), WatchedSocket::Peer::Open);
    peer->disconnectFromHost();
    QTRY_COMPARE(socket.peer.load(), WatchedSocket::Peer::Closed);
}

void TestInterpose::aWatchMayGoFirst()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QNetworkAccessManager manager;
    manager.setProxy(QNetworkProxy::NoProxy);
    auto watch = std::make_unique<NetworkWatch>();
    const std::unique_ptr<QNetworkReply> mark(manager.get(QNetworkRequest(watch->registrationUrl())));
    QTRY_VERIFY(watch->isRegistered());
    watch.reset();
    const std::unique_ptr<QNetworkReply> reply(manager.get(QNetworkRequest(urlOf(server))));
    QTRY_VERIFY(server.hasPendingConnections());
}

void TestInterpose::signalHandlersMayConnect()
{
    // What a thread of others does in a handler goes straight through. The handler connects a socket made before.
    static int fd = -1;
    static volatile sig_atomic_t result = 1;
    static sockaddr_in address{};
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    fd = ::socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons(server.serverPort());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto previous = std::signal(SIGUSR1, [](int) {
        result = ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    });
    std::raise(SIGUSR1);
    std::signal(SIGUSR1, previous);
    QCOMPARE(int(result), 0);
    ::close(fd);
}

QTEST_GUILESS_MAIN(TestInterpose)
#include "tst_interpose.moc"
