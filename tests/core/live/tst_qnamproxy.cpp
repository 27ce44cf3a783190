// SPDX-License-Identifier: GPL-3.0-or-later
// The transport through a proxy. The proxy is in this test's own thread and forwards nothing: targets are addresses set
// aside for documentation, so that nothing could leave this machine even by mistake.
#include "live/qnamtransport.h"
#include "support/wirerecorder.h"

#include <QSslKey>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;
using Kind = WireFact::Kind;

namespace {

constexpr int patience = 30'000;

// Answers each request, or each CONNECT, with the given bytes; none = closes without an answer.
class Proxy : public QTcpServer
{
public:
    Proxy()
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port");
        connect(this, &QTcpServer::newConnection, this, [this] {
            ++connections;
            QTcpSocket *socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
                heard += socket->readAll();
                if (!heard.contains("\r\n\r\n") || (!heard.startsWith("CONNECT") && !heard.endsWith("{}")))
                    return;
                if (answer.isEmpty())
                    socket->disconnectFromHost();
                else
                    socket->write(answer);
            });
        });
    }

    WireOptions options(const QString &credentials = {}) const
    {
        WireOptions options;
        options.proxyUrl = u"http://"_s + credentials + u"127.0.0.1:"_s + QString::number(serverPort());
        return options;
    }

    QByteArray answer;
    QByteArray heard;
    int connections = 0;
};

struct Client {
    std::unique_ptr<WireRecorder> send(const QString &url, const WireOptions &options)
    {
        WireRequest request;
        request.url = QUrl(url);
        request.body = "{}";
        auto recorder = std::make_unique<WireRecorder>();
        recorder->exchange = transport.begin(request, 1, options, *recorder);
        return recorder;
    }

    RealClock clock;
    QnamTransport transport{clock};
};

} // namespace

class TestQnamProxy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainHttp();
    void credentialsGoAlong();
    void refusals_data();
    void refusals();
    void connectAnswers();
    void aProxyThatClosesIsNoticed();
    void eachProxyItsOwn();
};

void TestQnamProxy::plainHttp()
{
    Proxy proxy;
    proxy.answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    Client client;
    const auto recorder = client.send(u"http://192.0.2.1:8080/v1/x"_s, proxy.options());
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(recorder->body(), "ok"_qba);
    QCOMPARE(recorder->story(), u"connect connected send begun progress sent headers bytes end"_s);
    QVERIFY2(proxy.heard.startsWith("POST http://192.0.2.1:8080/v1/x HTTP/1.1\r\n"), proxy.heard);
    QVERIFY(!proxy.heard.contains("Proxy-Authorization"));
    proxy.heard.clear();
    const auto again = client.send(u"http://192.0.2.1:8080/v1/x"_s, proxy.options());
    QTRY_VERIFY_WITH_TIMEOUT(again->hasEnded(), patience);
    QCOMPARE(again->end(), WireEnd::Complete);
    QCOMPARE(proxy.connections, 1);
    // Cut answers are seen through it too.
    proxy.heard.clear();
    proxy.answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    const auto bad = client.send(u"http://192.0.2.1:8080/v1/x"_s, proxy.options());
    QTRY_VERIFY_WITH_TIMEOUT(bad->hasEnded(), patience);
    QCOMPARE(bad->end(), WireEnd::BadChunk);
}

void TestQnamProxy::credentialsGoAlong()
{
    for (const QString &url : {u"http://192.0.2.1/"_s, u"https://192.0.2.1/"_s}) {
        Proxy proxy;
        proxy.answer = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n";
        Client client;
        const auto recorder = client.send(url, proxy.options(u"me:secret@"_s));
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QCOMPARE(recorder->end(), WireEnd::ProxyFailed);
        QCOMPARE(recorder->facts.back().text, u"407 Proxy Authentication Required"_s);
        QVERIFY2(proxy.heard.contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"), proxy.heard);
        QVERIFY(!recorder->facts.back().text.contains(u"secret"_s));
    }
}

void TestQnamProxy::refusals_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("http") << u"http://192.0.2.1/"_s;
    QTest::newRow("https") << u"https://192.0.2.1/"_s;
}

void TestQnamProxy::refusals()
{
    QFETCH(QString, url);
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    WireOptions options;
    options.proxyUrl = u"127.0.0.1:%1"_s.arg(closed.serverPort());
    closed.close();
    Client client;
    const auto recorder = client.send(url, options);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::ProxyFailed);
    QVERIFY(!recorder->find(Kind::SendBegan));
    QCOMPARE(recorder->facts.back().text, u"Connection refused"_s);
}

void TestQnamProxy::connectAnswers()
{
    for (const char *answer : {"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
                               "HTTP/1.1 503 Service Unavailable\r\n\r\n"}) {
        Proxy proxy;
        proxy.answer = answer;
        Client client;
        const auto recorder = client.send(u"https://192.0.2.1/"_s, proxy.options());
        QTRY_VERIFY2_WITH_TIMEOUT(recorder->hasEnded(), answer, patience);
        QCOMPARE(recorder->end(), WireEnd::ProxyFailed);
        QVERIFY(proxy.heard.startsWith("CONNECT 192.0.2.1:443 HTTP/1.1\r\n"));
        const QByteArray statusLine = QByteArray(answer).split('\r').value(0);
        QCOMPARE(recorder->facts.back().text, QString::fromLatin1(statusLine.mid(9)));
    }
}

// The network library itself would wait for ever.
void TestQnamProxy::aProxyThatClosesIsNoticed()
{
    Proxy proxy;
    Client client;
    const auto recorder = client.send(u"https://192.0.2.1/"_s, proxy.options());
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::ProxyFailed);
    QCOMPARE(recorder->story(), u"connect connected tls end"_s);
    QVERIFY(!recorder->facts.back().text.isEmpty());
}

void TestQnamProxy::eachProxyItsOwn()
{
    Proxy a;
    Proxy b;
    a.answer = b.answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    Client client;
    for (Proxy *proxy : {&a, &b, &a, &b}) {
        proxy->heard.clear();
        const auto recorder = client.send(u"http://192.0.2.1/"_s, proxy->options());
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QCOMPARE(recorder->end(), WireEnd::Complete);
    }
    QCOMPARE(a.connections, 1);
    QCOMPARE(b.connections, 1);
}

QTEST_GUILESS_MAIN(TestQnamProxy)
#include "tst_qnamproxy.moc"
