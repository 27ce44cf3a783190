// SPDX-License-Identifier: GPL-3.0-or-later
// The transport over TLS: phases, trust, handshakes that fail, and slots whose names must still match the certificate.
#include "live/madecertificate.h"
#include "live/qnamtransport.h"
#include "live/tlsserverside.h"
#include "support/wirerecorder.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryFile>
#include <QTest>
#include <QTimer>

#include <sys/socket.h>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;
using Kind = WireFact::Kind;

namespace {

constexpr int patience = 30'000;

// Made once for all tests, with its certificate in a file.
class Authority
{
public:
    Authority()
        : m_made(MadeAuthority::make().value())
    {
        if (!m_file.open() || m_file.write(m_made->pem()) < 0 || !m_file.flush())
            qFatal("no file for the authority");
    }
    QString fileName() const { return m_file.fileName(); }
    TlsContext context(MadeCertificate kind = MadeCertificate::Proper) const { return m_made->contextFor(kind, u"127.0.0.1"_s).value(); }

private:
    std::unique_ptr<MadeAuthority> m_made;
    QTemporaryFile m_file;
};

const Authority &authority()
{
    static const Authority made;
    return made;
}

// Speaks TLS and answers every request as it is told to.
class TlsPeer : public QTcpServer
{
public:
    explicit TlsPeer(MadeCertificate certificate = MadeCertificate::Proper)
        : m_context(authority().context(certificate))
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no TLS peer");
    }

    WireRequest request(const QString &host = u"localhost"_s) const
    {
        WireRequest request;
        request.url = QUrl(u"https://%1:%2/x"_s.arg(host).arg(serverPort()));
        request.body = "{}";
        return request;
    }

    enum class Handshake { Proper, Held, Closed, Reset, Garbage };
    Handshake handshake = Handshake::Proper;
    QByteArray answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    enum class Then { Keep, Close, Reset };
    Then then = Then::Keep;
    int connections = 0;
    int requests = 0;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        ++connections;
        auto *socket = new QTcpSocket(this);
        socket->setSocketDescriptor(descriptor);
        switch (handshake) {
        case Handshake::Held:
            return;
        case Handshake::Closed:
            connect(socket, &QTcpSocket::readyRead, socket, [socket] { socket->readAll(); socket->disconnectFromHost(); });
            return;
        case Handshake::Reset:
            connect(socket, &QTcpSocket::readyRead, socket, [socket] { reset(*socket); });
            return;
        case Handshake::Garbage:
            connect(socket, &QTcpSocket::readyRead, socket, [socket] { socket->readAll(); socket->write("this is no TLS at all\r\n"); });
            return;
        case Handshake::Proper:
            break;
        }
        const auto tls = std::make_shared<TlsServerSide>(m_context);
        connect(socket, &QTcpSocket::readyRead, socket, [this, socket, tls] {
            const std::optional<QByteArray> plain = tls->decrypted(socket->readAll());
            socket->write(tls->takeForWire());
            if (!plain || !plain->endsWith("{}"))
                return;
            ++requests;
            tls->write(answer);
            if (then == Then::Close)
                tls->writeCloseNotify();
            socket->write(tls->takeForWire());
            socket->flush();
            if (then == Then::Close)
                socket->disconnectFromHost();
            else if (then == Then::Reset)
                QTimer::singleShot(50, socket, [socket] { reset(*socket); }); // what was written goes first
        });
    }

private:
    static void reset(QTcpSocket &socket)
    {
        const linger hard{1, 0};
        setsockopt(int(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        socket.abort();
    }

    const TlsContext m_context;
};

struct Client {
    explicit Client(const QString &caFile = authority().fileName())
        : transport(clock, optionsOf(caFile))
    {
    }

    static QnamOptions optionsOf(const QString &caFile)
    {
        QnamOptions options;
        options.caFile = caFile;
        return options;
    }

    std::unique_ptr<WireRecorder> send(const WireRequest &request)
    {
        auto recorder = std::make_unique<WireRecorder>();
        WireOptions options;
        options.ipv4Only = true; // the peer listens on 127.0.0.1 only
        recorder->exchange = transport.begin(request, 1, options, *recorder);
        return recorder;
    }

    RealClock clock;
    QnamTransport transport;
};

} // namespace

class TestQnamTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void phases();
    void parallelSlots_data();
    void parallelSlots();
    void trust();
    void wrongName();
    void badCertificates_data();
    void badCertificates();
    void handshakes_data();
    void handshakes();
    void heldHandshakeAndAbort();
    void cutAnswers();
    void stale();
    void unreadableCaFile();
};

void TestQnamTls::phases()
{
    TlsPeer peer;
    Client client;
    const auto first = client.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(first->hasEnded(), patience);
    QCOMPARE(first->end(), WireEnd::Complete);
    QVERIFY2(first->story().endsWith(u"connect connected tls send begun progress sent headers bytes end"_s), qPrintable(first->story()));
    QCOMPARE(first->body(), "ok"_qba);
    QVERIFY(!first->orderBroken);
    const auto again = client.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(again->hasEnded(), patience);
    QCOMPARE(again->story(), u"send begun-reused progress sent headers bytes end"_s);
    QCOMPARE(peer.connections, 1);
}

void TestQnamTls::parallelSlots_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("name") << u"localhost"_s;       // letters in other cases
    QTest::newRow("address") << u"127.0.0.1"_s;    // blanks behind it
}

void TestQnamTls::parallelSlots()
{
    QFETCH(QString, host);
    TlsPeer peer;
    Client client;
    std::vector<std::unique_ptr<WireRecorder>> recorders;
    for (int i = 0; i < 40; ++i)
        recorders.push_back(client.send(peer.request(host)));
    for (const auto &recorder : recorders) {
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QVERIFY2(recorder->end() == WireEnd::Complete, qPrintable(recorder->story() + recorder->facts.back().text));
        QVERIFY(recorder->findPhase(Phase::Tls));
    }
    QCOMPARE(peer.connections, 40); // not six at a time
    QCOMPARE(peer.requests, 40);
}

void TestQnamTls::trust()
{
    TlsPeer peer;
    Client client{QString()}; // the system's authorities, of whom none signed it
    const auto recorder = client.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::TlsFailed);
    QVERIFY2(recorder->facts.back().text.contains(u"certificate"_s), qPrintable(recorder->facts.back().text));
    QCOMPARE(peer.requests, 0);
}

void TestQnamTls::wrongName()
{
    TlsPeer peer;
    Client client;
    const auto recorder = client.send(peer.request(u"127.0.0.2"_s)); // the whole block is this machine
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    // Where the peer does not listen there it is refused; a peer on every address shows the name that does not match.
    QVERIFY(recorder->end() == WireEnd::Refused);
    TlsPeer everywhere;
    everywhere.close();
    QVERIFY(everywhere.listen(QHostAddress(u"127.0.0.2"_s)));
    const auto mismatch = client.send(everywhere.request(u"127.0.0.2"_s));
    QTRY_VERIFY_WITH_TIMEOUT(mismatch->hasEnded(), patience);
    QCOMPARE(mismatch->end(), WireEnd::TlsFailed);
    QCOMPARE(everywhere.requests, 0);
}

void TestQnamTls::badCertificates_data()
{
    QTest::addColumn<int>("certificate");
    QTest::addColumn<QString>("word");
    QTest::newRow("expired") << int(MadeCertificate::Expired) << u"expired"_s;
    QTest::newRow("of another host") << int(MadeCertificate::WrongHost) << u"host name"_s;
    QTest::newRow("self-signed") << int(MadeCertificate::SelfSigned) << u"self-signed"_s;
}

void TestQnamTls::badCertificates()
{
    QFETCH(int, certificate);
    QFETCH(QString, word);
    TlsPeer peer{MadeCertificate(certificate)};
    Client client;
    const auto recorder = client.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::TlsFailed);
    QVERIFY2(recorder->facts.back().text.contains(word), qPrintable(recorder->facts.back().text));
    QCOMPARE(peer.requests, 0);
}

void TestQnamTls::handshakes_data()
{
    QTest::addColumn<int>("handshake");
    QTest::addColumn<int>("end");
    QTest::newRow("FIN") << int(TlsPeer::Handshake::Closed) << int(WireEnd::ClosedInTls);
    QTest::newRow("RST") << int(TlsPeer::Handshake::Reset) << int(WireEnd::ClosedInTls);
    QTest::newRow("garbage") << int(TlsPeer::Handshake::Garbage) << int(WireEnd::TlsFailed);
}

void TestQnamTls::handshakes()
{
    QFETCH(int, handshake);
    QFETCH(int, end);
    TlsPeer peer;
    peer.handshake = TlsPeer::Handshake(handshake);
    Client client;
    const auto recorder = client.send(peer.request(u"127.0.0.1"_s));
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(int(recorder->end()), end);
    QCOMPARE(recorder->story(), u"connect connected tls end"_s);
    QTest::qWait(80);
    QCOMPARE(peer.connections, 1);
}

void TestQnamTls::heldHandshakeAndAbort()
{
    TlsPeer peer;
    peer.handshake = TlsPeer::Handshake::Held;
    Client client;
    const auto recorder = client.send(peer.request(u"127.0.0.1"_s));
    QTRY_COMPARE_WITH_TIMEOUT(recorder->story(), u"connect connected tls"_s, patience);
    QTest::qWait(150);
    QCOMPARE(recorder->story(), u"connect connected tls"_s); // told while it lasts, not afterwards
    recorder->exchange->abort();
    QTest::qWait(50);
    QCOMPARE(recorder->story(), u"connect connected tls"_s);
}

void TestQnamTls::cutAnswers()
{
    struct Row {
        QByteArray answer;
        TlsPeer::Then then;
        WireEnd end;
    };
    for (const Row &row : {Row{{}, TlsPeer::Then::Close, WireEnd::ClosedBeforeStatus},
                           Row{{}, TlsPeer::Then::Reset, WireEnd::ResetBeforeHeaders},
                           Row{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", TlsPeer::Then::Close, WireEnd::CutBody},
                           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", TlsPeer::Then::Close, WireEnd::CutBody},
                           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", TlsPeer::Then::Reset, WireEnd::ResetInBody},
                           Row{"HTTP/1.1 200 OK\r\n\r\nabc", TlsPeer::Then::Close, WireEnd::Complete}}) {
        TlsPeer peer;
        peer.answer = row.answer;
        peer.then = row.then;
        Client client;
        const auto recorder = client.send(peer.request(u"127.0.0.1"_s));
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QVERIFY2(recorder->end() == row.end, qPrintable(QString::fromLatin1(row.answer) + wordOf(recorder->end())));
        if (!row.answer.isEmpty())
            QCOMPARE(recorder->body(), "abc"_qba);
        QTest::qWait(40);
        QCOMPARE(peer.requests, 1);
    }
}

void TestQnamTls::stale()
{
    TlsPeer peer;
    Client client;
    const auto first = client.send(peer.request(u"127.0.0.1"_s));
    QTRY_VERIFY_WITH_TIMEOUT(first->hasEnded(), patience);
    peer.answer.clear();
    peer.then = TlsPeer::Then::Close;
    const auto second = client.send(peer.request(u"127.0.0.1"_s));
    QTRY_VERIFY_WITH_TIMEOUT(second->hasEnded(), patience);
    QCOMPARE(second->end(), WireEnd::StaleConnection);
    QTest::qWait(40);
    QCOMPARE(peer.requests, 2);
}

void TestQnamTls::unreadableCaFile()
{
    TlsPeer peer;
    Client client(u"/nonexistent/authority.pem"_s);
    const auto recorder = client.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::TlsFailed);
    QVERIFY(recorder->facts.back().text.contains(u"/nonexistent/authority.pem"_s));
    QCOMPARE(peer.connections, 0);
}

QTEST_GUILESS_MAIN(TestQnamTls)
#include "tst_qnamtls.moc"
