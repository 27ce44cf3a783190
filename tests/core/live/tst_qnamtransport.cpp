// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 300
// The transport against the fault server: what facts come, in which order and when, how each fault ends, and that one
// exchange is one request on the wire whatever happens. Times are real; bounds are wide where a busy machine may be late.
#include "fault/scenarioreader.h"
#include "live/faultport.h"
#include "live/faultserver.h"
#include "live/libchooks.h"
#include "live/monotonic.h"
#include "live/qnamtransport.h"
#include "support/wirerecorder.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Kind = WireFact::Kind;

Q_DECLARE_METATYPE(Waitscope::WireEnd)

namespace {

constexpr int patience = 30'000;
constexpr int silence = 80; // ms; how long nothing must come for "nothing comes any more"

Scenario scenario(const QString &name, const QByteArray &requests)
{
    const QByteArray json = R"({"format": 1, "name": ")" + name.toUtf8() + R"(", "title": "t", "requests": [)" + requests + "]}";
    const Expected<Scenario> read = readScenario(json, name);
    if (!read)
        qFatal("%s", qPrintable(read.error().line()));
    return *read;
}

Scenario steps(const QString &name, const QByteArray &list)
{
    return scenario(name, R"({"steps": [)" + list + "]}");
}

// A server for some scenarios and a transport to talk to it.
struct Bench {
    explicit Bench(std::vector<Scenario> scenarios)
        : server(optionsOf(std::move(scenarios)))
    {
        if (const Expected<void> started = server.start(); !started)
            qFatal("%s", qPrintable(started.error().line()));
    }

    static FaultServerOptions optionsOf(std::vector<Scenario> scenarios)
    {
        FaultServerOptions options;
        options.scenarios = std::move(scenarios);
        return options;
    }

    WireRequest request(const QString &name, QByteArray body = "{}") const
    {
        WireRequest request;
        request.url = QUrl(server.urlFor(name).toString() + u"/stream"_s);
        request.headers = {{"Content-Type", "application/json"}};
        request.body = std::move(body);
        return request;
    }

    std::unique_ptr<WireRecorder> send(WireRequest request, const WireOptions &options = {})
    {
        auto recorder = std::make_unique<WireRecorder>();
        recorder->exchange = transport.begin(request, 1, options, *recorder);
        if (!recorder->facts.empty())
            qFatal("a fact from inside begin()");
        return recorder;
    }
    std::unique_ptr<WireRecorder> send(const QString &name) { return send(request(name)); }

    FaultServer server;
    RealClock clock;
    QnamTransport transport{clock};
};

const QByteArray okStream = R"({"do": "head"}, {"do": "events", "count": 3, "every_s": 0.02, "text": "word "}, {"do": "end_marker"})";

// A peer whose every byte is ours, in the test's own thread.
class RawPeer : public QTcpServer
{
public:
    RawPeer()
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port");
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = nextPendingConnection())
                connections.push_back(socket);
        });
    }

    WireRequest request(QByteArray body = "{}") const
    {
        WireRequest request;
        request.url = QUrl(u"http://127.0.0.1:%1/x"_s.arg(serverPort()));
        request.body = std::move(body);
        return request;
    }

    // Waits for connection `index` to have brought a request that contains `part`.
    bool hasGot(int index, QByteArrayView part)
    {
        if (connections.size() <= index)
            return false;
        heard[index] += connections[index]->readAll();
        return heard[index].contains(part);
    }

    QList<QTcpSocket *> connections;
    QHash<int, QByteArray> heard;
};

} // namespace

class TestQnamTransport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(interpositionWorks()); }
    void okStreamStory();
    void phaseTimes();
    void requestOnTheWire();
    void keepAliveIsUsed();
    void optionsKeepConnectionsApart();
    void staleConnection();
    void aLateCloseIsNotStale();
    void lookupsAreTold();
    void faults_data();
    void faults();
    void refusedPort();
    void blackHoleAndAbort();
    void unreadableUrls();
    void statuses_data();
    void statuses();
    void longErrorBodyIsCut();
    void abortInEachPhase();
    void abortBeforeTheEventLoop();
    void transportGoesFirst();
    void destroyedInsideAFact();
    void backpressure();
    void uploadStall();
    void bodylessRequests();
    void headersThatComeSlowly();
    void parallelResetsHurtNobodyElse();
    void overhead();
};

void TestQnamTransport::okStreamStory()
{
    Bench bench({steps(u"ok"_s, okStream)});
    const auto recorder = bench.send(u"ok"_s);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->story(), u"connect connected send begun progress sent headers bytes end"_s);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(recorder->status(), 200);
    QVERIFY(recorder->body().endsWith("data: [DONE]\n\n"));
    QCOMPARE(recorder->facts.back().receivedBytes, recorder->body().size());
    QVERIFY(!recorder->facts.back().expectedBytes);
    QVERIFY(recorder->header("content-type").startsWith("text/event-stream"));
    QVERIFY(recorder->find(Kind::Connected)->value > 0);
    QCOMPARE(recorder->find(Kind::SendBegan)->total, 2);
    QVERIFY(!recorder->orderBroken);
    QCOMPARE(bench.server.counts(u"ok"_s).requests, 1);
    QTest::qWait(silence);
    QVERIFY(!recorder->orderBroken);
}

void TestQnamTransport::phaseTimes()
{
    Bench bench({steps(u"slow"_s, R"({"do": "head", "after_s": 0.2}, {"do": "body", "text": "a", "after_s": 0.1},
                                    {"do": "body", "text": "b", "after_s": 0.1})")});
    const auto recorder = bench.send(u"slow"_s);
    while (!recorder->hasEnded()) // QTest's own waiting sleeps ten milliseconds at a time, and the stamps with it
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const auto at = [&](Kind kind) { return recorder->find(kind)->at; };
    const Duration connecting = at(Kind::Connected) - recorder->findPhase(Phase::Connect)->at;
    QVERIFY(connecting >= 0ns && connecting < 1s);
    const Duration waiting = at(Kind::Headers) - at(Kind::Sent);
    QVERIFY2(waiting >= 150ms && waiting < 5s, qPrintable(QString::number(toSeconds(waiting))));
    std::vector<Instant> bytes;
    for (const WireFact &fact : recorder->facts) {
        if (fact.kind == Kind::Bytes)
            bytes.push_back(fact.at);
    }
    QCOMPARE(int(bytes.size()), 2);
    QVERIFY(bytes[1] - bytes[0] >= 60ms && bytes[1] - bytes[0] < 5s);
    qInfo("connect %.3f ms, first byte of 200 ms after %.3f ms, pieces of 100 ms %.3f ms apart", toSeconds(connecting) * 1e3,
          toSeconds(waiting) * 1e3, toSeconds(bytes[1] - bytes[0]) * 1e3);
}

void TestQnamTransport::requestOnTheWire()
{
    RawPeer peer;
    Bench bench({});
    WireRequest request = peer.request(R"({"stream":true})");
    request.headers = {{"content-type", "application/json"}, {"X-Odd", "a\r\nInjected: yes"}, {"Content-Length", "99999"}};
    request.url.setUserInfo(u"me:secret"_s);
    const auto recorder = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, R"({"stream":true})"), patience);
    const QByteArray heard = peer.heard[0];
    QVERIFY2(heard.startsWith("POST /x HTTP/1.1\r\n"), heard);
    for (const char *line : {"\r\nUser-Agent: Waitscope/" WAITSCOPE_VERSION "\r\n", "\r\nAccept: text/event-stream, */*\r\n",
                             "\r\nAccept-Encoding: identity\r\n", "\r\nAccept-Language: *\r\n", "\r\nContent-Length: 15\r\n",
                             "\r\nAuthorization: Basic bWU6c2VjcmV0\r\n", "\r\nX-Odd: a  Injected: yes\r\n"})
        QVERIFY2(heard.contains(line), line);
    QCOMPARE(heard.toLower().count("content-type"), 1);
    QCOMPARE(heard.toLower().count("content-length"), 1);
    QVERIFY(!heard.contains("Cookie"));
    peer.connections[0]->write("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok");
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(*recorder->facts.back().expectedBytes, 2);
    QCOMPARE(int(std::ranges::count_if(recorder->find(Kind::Headers)->headers,
                                       [](const WireHeader &h) { return h.name == "Set-Cookie"; })),
             2);
    // Neither cookies nor a cached answer come back the second time.
    const auto again = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "\r\n\r\n{}"), patience);
    QVERIFY(!peer.heard[0].contains("Cookie:"));
}

void TestQnamTransport::keepAliveIsUsed()
{
    Bench bench({steps(u"ok"_s, okStream)});
    quint16 firstPort = 0;
    for (int i = 0; i < 4; ++i) {
        const auto recorder = bench.send(u"ok"_s);
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QCOMPARE(recorder->end(), WireEnd::Complete);
        if (i == 0)
            firstPort = quint16(recorder->find(Kind::Connected)->value);
        else
            QCOMPARE(recorder->story(), u"send begun-reused progress sent headers bytes end"_s);
    }
    QVERIFY(firstPort != 0);
    QCOMPARE(bench.server.counts().connections, 1);
    // Two at once are two connections; afterwards both are there to be used.
    for (int round = 0; round < 2; ++round) {
        const auto a = bench.send(u"ok"_s);
        const auto b = bench.send(u"ok"_s);
        QTRY_VERIFY_WITH_TIMEOUT(a->hasEnded() && b->hasEnded(), patience);
    }
    QCOMPARE(bench.server.counts().connections, 2);
    QCOMPARE(bench.server.counts(u"ok"_s).requests, 8);
}

void TestQnamTransport::optionsKeepConnectionsApart()
{
    Bench bench({steps(u"ok"_s, okStream)});
    WireOptions other;
    other.keepaliveIdleS = 5;
    for (const WireOptions &options : {WireOptions(), other, WireOptions(), other}) {
        const auto recorder = bench.send(bench.request(u"ok"_s), options);
        QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
        QCOMPARE(recorder->end(), WireEnd::Complete);
    }
    QCOMPARE(bench.server.counts().connections, 2);
}

void TestQnamTransport::staleConnection()
{
    RawPeer peer;
    Bench bench({});
    const auto first = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "{}"), patience);
    peer.connections[0]->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    QTRY_VERIFY_WITH_TIMEOUT(first->hasEnded(), patience);
    // The peer takes the next request's bytes off the wire and drops the connection unread: what a server does whose idle
    // time ran out while the request was on its way.
    connect(peer.connections[0], &QTcpSocket::readyRead, peer.connections[0], [&] { peer.connections[0]->abort(); });
    const auto second = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(second->hasEnded(), patience);
    QCOMPARE(second->end(), WireEnd::StaleConnection);
    QCOMPARE(second->count(Kind::ResendRefused), 1);
    QVERIFY(second->find(Kind::SendBegan)->reused);
    QTest::qWait(silence);
    QCOMPARE(int(peer.connections.size()), 1); // no hidden second try

    // The next one finds nothing to use again and connects.
    const auto third = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(1, "{}"), patience);
    peer.connections[1]->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    QTRY_VERIFY_WITH_TIMEOUT(third->hasEnded(), patience);
    QCOMPARE(third->end(), WireEnd::Complete);

    // A connection closed in good time is simply replaced.
    peer.connections[1]->disconnectFromHost();
    QTest::qWait(silence);
    const auto fourth = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(2, "{}"), patience);
    QCOMPARE(fourth->story(), u"connect connected send begun progress sent"_s);
}

// The server had the request for longer than a dead connection would have needed: it may have worked on it.
void TestQnamTransport::aLateCloseIsNotStale()
{
    RawPeer peer;
    Bench bench({});
    const auto first = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "{}"), patience);
    peer.connections[0]->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    QTRY_VERIFY_WITH_TIMEOUT(first->hasEnded(), patience);
    const auto second = bench.send(peer.request());
    peer.heard[0].clear();
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "{}"), patience);
    QTest::qWait(1200); // real time is what is judged here
    peer.connections[0]->disconnectFromHost();
    QTRY_VERIFY_WITH_TIMEOUT(second->hasEnded(), patience);
    QCOMPARE(second->end(), WireEnd::ClosedBeforeStatus);
}

void TestQnamTransport::lookupsAreTold()
{
    Bench bench({steps(u"ok"_s, okStream)});
    WireRequest request = bench.request(u"ok"_s);
    request.url.setHost(u"localhost"_s);
    WireOptions options;
    options.ipv4Only = true; // the server listens on 127.0.0.1 only
    const auto recorder = bench.send(request, options);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(recorder->story(), u"dns connect connected send begun progress sent headers bytes end"_s);
    // The library remembers names for a minute; what is not looked up is no phase.
    const auto busy = bench.send(request, options);
    const auto again = bench.send(request, options);
    QTRY_VERIFY_WITH_TIMEOUT(again->hasEnded() && busy->hasEnded(), patience);
    QCOMPARE(again->story(), u"connect connected send begun progress sent headers bytes end"_s);

    // Names that cannot be: nobody is asked.
    request.url.setHost((QString(60, u'x') + u'.').repeated(5) + u"invalid"_s);
    QVERIFY(request.url.isValid());
    const auto missing = bench.send(request, options);
    QTRY_VERIFY_WITH_TIMEOUT(missing->hasEnded(), patience);
    QVERIFY2(missing->end() == WireEnd::NameNotFound || missing->end() == WireEnd::DnsFailed,
             wordOf(missing->end()).data());
    QVERIFY(!missing->find(Kind::SendBegan));
}

void TestQnamTransport::faults_data()
{
    QTest::addColumn<QByteArray>("requests");
    QTest::addColumn<QList<WireEnd>>("ends"); // what may be told; two where the kernel's own race decides
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("wire");
    using Ends = QList<WireEnd>;
    const auto row = [](const char *name, const QByteArray &script, const Ends &ends, int status, const QByteArray &body, int wire = 1) {
        QTest::newRow(name) << script << ends << status << body << wire;
    };
    const auto list = [](const QByteArray &actions) { return QByteArray(R"({"steps": [)" + actions + "]}"); };
    const QByteArray chunked = R"({"do": "head"}, {"do": "body", "text": "partial"}, {"do": "wait", "for_s": 0.05}, )";
    const QByteArray length = R"({"do": "head", "framing": {"length": 50}}, {"do": "body", "text": "partial"}, {"do": "wait", "for_s": 0.05}, )";
    const QByteArray endless = R"({"do": "head", "framing": "until_close"}, {"do": "body", "text": "partial"}, {"do": "wait", "for_s": 0.05}, )";
    const QByteArray inHead = R"({"do": "raw", "text": "HTTP/1.1 200 OK\r\nConten"}, {"do": "wait", "for_s": 0.05}, )";
    const QByteArray fin = R"({"do": "close"})";
    const QByteArray rst = R"({"do": "reset"})";
    row("FIN before headers", list(fin), {WireEnd::ClosedBeforeStatus}, 0, {});
    row("RST before headers", list(rst), {WireEnd::ResetBeforeHeaders}, 0, {});
    // Nothing was read, so the kernel answers the request with a reset behind the FIN.
    row("accepted, then FIN", R"({"connection": "close"})", {WireEnd::ClosedBeforeStatus, WireEnd::ResetBeforeHeaders}, 0, {}, 0);
    row("accepted, then RST", R"({"connection": "reset"})", {WireEnd::ResetBeforeHeaders, WireEnd::ClosedBeforeStatus}, 0, {}, 0);
    row("FIN in the status line", list(R"({"do": "raw", "text": "HTTP/1."}, )" + fin), {WireEnd::ClosedInHeaders}, 0, {});
    row("FIN in the headers", list(inHead + fin), {WireEnd::ClosedInHeaders}, 0, {});
    row("RST in the headers", list(inHead + rst), {WireEnd::ResetBeforeHeaders}, 0, {});
    row("bad status line", list(R"({"do": "raw", "text": "SSH-2.0-OpenSSH_9.2\r\n"}, )" + fin), {WireEnd::BadStatusLine}, 0, {});
    row("bad version", list(R"({"do": "raw", "text": "HTTP/9.x 200 OK\r\n\r\n"}, )" + fin), {WireEnd::BadStatusLine}, 0, {});
    row("chunked, FIN", list(chunked + fin), {WireEnd::CutBody}, 200, "partial");
    row("chunked, RST", list(chunked + rst), {WireEnd::ResetInBody}, 200, "partial");
    row("length, FIN", list(length + fin), {WireEnd::CutBody}, 200, "partial");
    row("length, RST", list(length + rst), {WireEnd::ResetInBody}, 200, "partial");
    row("no length, FIN", list(endless + fin), {WireEnd::Complete}, 200, "partial");
    row("no length, RST", list(endless + rst), {WireEnd::ResetInBody}, 200, "partial");
    row("bad chunk size", list(R"({"do": "head"}, {"do": "body", "text": "partial"}, {"do": "raw", "text": "zzzz\r\n"}, )" + fin),
        {WireEnd::BadChunk}, 200, "partial");
    row("more than the length", list(R"({"do": "head", "framing": {"length": 4}}, {"do": "body", "text": "partial"})"),
        {WireEnd::Complete}, 200, "part");
    row("an interim answer", list(R"({"do": "head", "status": 103}, {"do": "head"}, {"do": "body", "text": "late"})"),
        {WireEnd::Interim103}, 0, {});
    row("100 is no answer", list(R"({"do": "head", "status": 100}, {"do": "head"}, {"do": "body", "text": "late"})"),
        {WireEnd::Complete}, 200, "late");
    row("compressed all the same", list(R"({"do": "reply", "headers": {"Content-Encoding": "gzip"}, "body": "xxxx"})"),
        {WireEnd::Undecodable}, 200, {});
    row("no content", list(R"({"do": "reply", "status": 204})"), {WireEnd::Complete}, 204, {});
    row("empty", list(R"({"do": "reply", "body": ""})"), {WireEnd::Complete}, 200, {});
}

void TestQnamTransport::faults()
{
    QFETCH(QByteArray, requests);
    QFETCH(QList<WireEnd>, ends);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, wire);
    Bench bench({scenario(u"fault"_s, requests)});
    const auto recorder = bench.send(u"fault"_s);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QVERIFY2(ends.contains(recorder->end()), qPrintable(recorder->story() + u": "_s + wordOf(recorder->end())));
    QCOMPARE(recorder->status(), status);
    QCOMPARE(recorder->body(), body);
    if (recorder->end() != WireEnd::Undecodable)
        QCOMPARE(recorder->facts.back().receivedBytes, body.size());
    QTest::qWait(silence); // a hidden second request would have come by now
    QCOMPARE(bench.server.counts(u"fault"_s).requests, wire);
    QVERIFY(recorder->count(Kind::SendBegan) <= 1);
    QVERIFY(wire == 0 || recorder->find(Kind::SendBegan));
    QVERIFY(!recorder->orderBroken);
    if (recorder->end() == WireEnd::BadStatusLine || recorder->end() == WireEnd::BadChunk)
        QVERIFY(!recorder->facts.back().text.isEmpty());
}

void TestQnamTransport::refusedPort()
{
    const auto port = FaultPort::open(FaultPort::Kind::Refusing, QHostAddress(QHostAddress::LocalHost));
    QVERIFY(port);
    Bench bench({});
    WireRequest request;
    request.url = QUrl(u"http://127.0.0.1:%1/"_s.arg(port->port()));
    request.body = "{}";
    const auto recorder = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Refused);
    QCOMPARE(recorder->story(), u"connect end"_s);
    request.url = QUrl(u"https://127.0.0.1:%1/"_s.arg(port->port()));
    const auto tls = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(tls->hasEnded(), patience);
    QCOMPARE(tls->end(), WireEnd::Refused);
}

void TestQnamTransport::blackHoleAndAbort()
{
    const auto hole = FaultPort::open(FaultPort::Kind::BlackHole, QHostAddress(QHostAddress::LocalHost));
    QVERIFY(hole);
    Bench bench({});
    WireRequest request;
    request.url = QUrl(u"http://127.0.0.1:%1/"_s.arg(hole->port()));
    request.body = "{}";
    const auto recorder = bench.send(request);
    QTRY_COMPARE_WITH_TIMEOUT(recorder->story(), u"connect"_s, patience);
    QTest::qWait(300);
    QCOMPARE(recorder->story(), u"connect"_s);
    recorder->exchange->abort();
    QTest::qWait(silence);
    QCOMPARE(recorder->story(), u"connect"_s);
}

void TestQnamTransport::unreadableUrls()
{
    Bench bench({});
    for (const char *text : {"", "http://", "http:///path", "file:///etc/passwd", "data:,x", "ftp://127.0.0.1/", "http://127.0.0.1:0/",
                             "gopher:x", "//127.0.0.1/", "http://[::1"}) {
        WireRequest request;
        request.url = QUrl(QString::fromLatin1(text));
        request.body = "{}";
        const auto recorder = bench.send(request);
        QTRY_VERIFY2_WITH_TIMEOUT(recorder->hasEnded(), text, patience);
        QCOMPARE(recorder->end(), WireEnd::Failed);
        const auto stopped = bench.send(request);
        stopped->exchange->abort();
        stopped->exchange->resumeReading();
        QTest::qWait(1);
        QVERIFY(stopped->facts.empty());
        { // gone before its only fact
            WireRecorder gone;
            static_cast<void>(bench.transport.begin(request, 1, {}, gone));
        }
        QTest::qWait(1);
    }
    WireRequest request;
    request.url = QUrl(u"http://192.0.2.1/"_s);
    WireOptions options;
    options.proxyUrl = u"gopher://me:secret@proxy"_s;
    const auto recorder = bench.send(request, options);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::ProxyFailed);
    QVERIFY(!recorder->facts.back().text.contains(u"secret"_s));
}

void TestQnamTransport::statuses_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 425,
                             429, 451, 499, 500, 501, 502, 503, 504, 520, 524, 529, 599})
        QTest::newRow(QByteArray::number(status).constData()) << status;
}

void TestQnamTransport::statuses()
{
    QFETCH(int, status);
    const QByteArray text = status == 304 ? QByteArray() : QByteArray("why not");
    Bench bench({steps(u"no"_s, R"({"do": "reply", "status": )" + QByteArray::number(status) + R"(, "body": ")" + text
                                + R"(", "headers": {"Location": "/elsewhere", "WWW-Authenticate": "Basic realm=x",
                                   "Proxy-Authenticate": "Basic realm=x", "Retry-After": "7"}})")});
    WireRequest request = bench.request(u"no"_s);
    request.url.setUserInfo(u"me:secret"_s); // credentials the library could try a second time with
    const auto recorder = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(recorder->status(), status);
    QCOMPARE(recorder->header("Retry-After"), "7"_qba);
    // The library drops the body of an answer after which it wanted to send again.
    if (status != 307 && status != 308)
        QCOMPARE(recorder->body(), text);
    QCOMPARE(recorder->count(Kind::Headers), 1);
    QTest::qWait(20);
    QCOMPARE(bench.server.counts().requests, 1);
    QVERIFY(!recorder->orderBroken);
}

void TestQnamTransport::longErrorBodyIsCut()
{
    Bench bench({steps(u"long"_s, R"({"do": "head", "status": 500}, {"do": "repeat", "count": "forever", "steps": [{"do": "body", "text": ")"
                                  + QByteArray(4000, 'e') + R"(", "after_s": 0.0001}]})")});
    const auto recorder = bench.send(u"long"_s);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::Complete);
    QCOMPARE(recorder->received, 65536);
    QCOMPARE(recorder->facts.back().receivedBytes, 65536);
    QTRY_COMPARE_WITH_TIMEOUT(bench.server.counts().open, 0, patience);
}

void TestQnamTransport::abortInEachPhase()
{
    Bench bench({steps(u"ok"_s, okStream), steps(u"hang"_s, R"({"do": "head"}, {"do": "events", "count": 1, "every_s": 0, "text": "x"}, {"do": "hang"})"),
                 steps(u"silent"_s, R"({"do": "hang"})")});
    const QString full = u"connect connected send begun progress sent headers bytes end"_s;
    const QStringList words = full.split(u' ');
    for (const QString &name : {u"ok"_s, u"hang"_s, u"silent"_s}) {
        for (int stop = 0; stop < words.size(); ++stop) {
            const QString until = words.mid(0, stop).join(u' ');
            auto recorder = bench.send(name);
            const auto reached = [&] { return recorder->story().startsWith(until); };
            if (name == "silent"_L1 && stop > 6)
                continue;
            if (name == "hang"_L1 && stop > 8)
                continue;
            QTRY_VERIFY2_WITH_TIMEOUT(reached(), qPrintable(name + u' ' + until + u" / "_s + recorder->story()), patience);
            recorder->exchange->abort();
            const size_t facts = recorder->facts.size();
            QTest::qWait(15);
            QCOMPARE(recorder->facts.size(), facts);
            recorder->exchange->abort(); // twice is once
            recorder->exchange->resumeReading();
            recorder->exchange.reset();
            QTest::qWait(5);
            QCOMPARE(recorder->facts.size(), facts);
        }
    }
    // The peer learns of it at once.
    RawPeer peer;
    const auto waiting = bench.send(peer.request());
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "{}"), patience);
    waiting->exchange->abort();
    QTRY_COMPARE_WITH_TIMEOUT(peer.connections[0]->state(), QAbstractSocket::UnconnectedState, patience);
}

// The library starts a request from the event loop, and would do so even after an abort.
void TestQnamTransport::abortBeforeTheEventLoop()
{
    Bench bench({steps(u"ok"_s, okStream)});
    const auto warm = bench.send(u"ok"_s);
    QTRY_VERIFY_WITH_TIMEOUT(warm->hasEnded(), patience);
    for (int i = 0; i < 50; ++i) {
        const auto recorder = bench.send(u"ok"_s);
        recorder->exchange->abort();
        QTest::qWait(2);
        QVERIFY(recorder->facts.empty());
    }
    QTest::qWait(silence);
    QCOMPARE(bench.server.counts(u"ok"_s).requests, 1);
}

void TestQnamTransport::transportGoesFirst()
{
    const auto hole = FaultPort::open(FaultPort::Kind::BlackHole, QHostAddress(QHostAddress::LocalHost));
    QVERIFY(hole);
    FaultServer server(Bench::optionsOf({steps(u"hang"_s, R"({"do": "head"}, {"do": "hang"})")}));
    QVERIFY(server.start());
    RealClock clock;
    auto transport = std::make_unique<QnamTransport>(clock);
    WireRequest request;
    request.body = "{}";
    request.url = server.urlFor(u"hang"_s);
    WireRecorder a;
    a.exchange = transport->begin(request, 1, {}, a);
    QTRY_VERIFY_WITH_TIMEOUT(a.find(Kind::Headers), patience);
    WireRecorder b;
    b.exchange = transport->begin(request, 1, {}, b);
    WireRecorder c;
    request.url = QUrl(u"http://127.0.0.1:%1/"_s.arg(hole->port()));
    c.exchange = transport->begin(request, 1, {}, c);
    transport.reset();
    const size_t facts = a.facts.size();
    QTest::qWait(silence);
    QCOMPARE(a.facts.size(), facts);
    QVERIFY(b.facts.empty() && c.facts.empty());
    for (WireRecorder *recorder : {&a, &b, &c}) {
        recorder->exchange->resumeReading();
        recorder->exchange->abort();
    }
}

void TestQnamTransport::destroyedInsideAFact()
{
    // No listener should, but nothing breaks when one does.
    struct Rude final : WireListener {
        void onFact(WireFact &&fact) override
        {
            ++facts;
            if (fact.kind == at)
                exchange.reset();
        }
        Kind at = Kind::End;
        int facts = 0;
        std::unique_ptr<Exchange> exchange;
    };
    Bench bench({steps(u"ok"_s, okStream), steps(u"fin"_s, R"({"do": "close"})")});
    for (const QString &name : {u"ok"_s, u"fin"_s}) {
        for (const Kind at : {Kind::PhaseBegan, Kind::Connected, Kind::SendBegan, Kind::Progress, Kind::Sent, Kind::Headers, Kind::Bytes,
                              Kind::ResendRefused, Kind::End}) {
            Rude rude;
            rude.at = at;
            rude.exchange = bench.transport.begin(bench.request(name), 1, {}, rude);
            const bool comes = name == "ok"_L1 ? at != Kind::ResendRefused : at != Kind::Headers && at != Kind::Bytes;
            if (comes)
                QTRY_VERIFY_WITH_TIMEOUT(!rude.exchange, patience);
            const int facts = rude.facts;
            QTest::qWait(10);
            if (comes)
                QCOMPARE(rude.facts, facts);
        }
        // A kept connection would do without the first facts.
    }
}

void TestQnamTransport::backpressure()
{
    Bench bench({steps(u"flood"_s, R"({"do": "head"}, {"do": "repeat", "count": "forever", "steps": [{"do": "body", "text": ")"
                                   + QByteArray(64000, 'f') + R"(", "after_s": 0.0001}]})")});
    auto recorder = bench.send(u"flood"_s);
    recorder->consumes = false;
    recorder->keepsBytes = false;
    QTRY_VERIFY_WITH_TIMEOUT(recorder->received >= 256 * 1024, patience);
    QTest::qWait(300);
    QCOMPARE(recorder->received, 256 * 1024);
    recorder->exchange->resumeReading();
    QCOMPARE(recorder->received, 256 * 1024); // nothing from inside
    QTRY_COMPARE_WITH_TIMEOUT(recorder->received, 512 * 1024, patience);
    QTest::qWait(100);
    QCOMPARE(recorder->received, 512 * 1024);
    recorder->consumes = true;
    recorder->exchange->resumeReading();
    QTRY_VERIFY_WITH_TIMEOUT(recorder->received > 8 * 1024 * 1024, patience);
    recorder->exchange->abort();
    QTRY_COMPARE_WITH_TIMEOUT(bench.server.counts().open, 0, patience);

    // What came before the end is all delivered before it is told, however late it is consumed.
    RawPeer peer;
    auto late = bench.send(peer.request());
    late->consumes = false;
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasGot(0, "{}"), patience);
    peer.connections[0]->write("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n" + QByteArray(900000, 'x'));
    QTRY_COMPARE_WITH_TIMEOUT(late->received, 256 * 1024, patience);
    QTest::qWait(100);
    QVERIFY(!late->hasEnded());
    while (!late->hasEnded()) {
        const qint64 before = late->received;
        late->exchange->resumeReading();
        QTRY_VERIFY_WITH_TIMEOUT(late->received > before || late->hasEnded(), patience);
    }
    QCOMPARE(late->received, 900000);
    QCOMPARE(late->end(), WireEnd::Complete);
}

void TestQnamTransport::uploadStall()
{
    Bench bench({scenario(u"deaf"_s, R"({"connection": "never_read"})"), steps(u"ok"_s, okStream)});
    const QByteArray big(8 * 1024 * 1024, 'b');
    const auto stalled = bench.send(bench.request(u"deaf"_s, big));
    QTRY_VERIFY_WITH_TIMEOUT(stalled->find(Kind::Progress), patience);
    QTest::qWait(500);
    const qint64 sent = stalled->facts.back().value;
    QVERIFY(!stalled->find(Kind::Sent));
    QVERIFY2(sent < big.size(), qPrintable(QString::number(sent)));
    qInfo("a peer that reads nothing took %lld bytes", sent);
    stalled->exchange->abort();

    const auto fine = bench.send(bench.request(u"ok"_s, big));
    QTRY_VERIFY_WITH_TIMEOUT(fine->hasEnded(), patience);
    QCOMPARE(fine->end(), WireEnd::Complete);
    QVERIFY(fine->count(Kind::Progress) > 10);
    QCOMPARE(fine->find(Kind::Sent)->value, big.size());
    QCOMPARE(fine->find(Kind::Sent)->total, big.size());
}

void TestQnamTransport::bodylessRequests()
{
    Bench bench({steps(u"ok"_s, okStream), steps(u"fin"_s, R"({"do": "close"})")});
    for (const char *method : {"GET", "HEAD", "DELETE", "POST"}) {
        WireRequest request = bench.request(u"ok"_s, {});
        request.method = method;
        const auto recorder = bench.send(request);
        QTRY_VERIFY2_WITH_TIMEOUT(recorder->hasEnded(), method, patience);
        QVERIFY2(recorder->end() == WireEnd::Complete, qPrintable(QString::fromLatin1(method) + u' ' + recorder->story() + u' ' + wordOf(recorder->end()) + recorder->facts.back().text));
        QCOMPARE(recorder->count(Kind::Sent), 1);
        QCOMPARE(recorder->status(), 200);
    }
    // Without a body the library cannot be kept from a second sending, but it ends there.
    WireRequest request = bench.request(u"fin"_s, {});
    request.method = "GET";
    const auto recorder = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->end(), WireEnd::StaleConnection); // the one kept from above
    QCOMPARE(recorder->count(Kind::SendBegan), 1);
    const auto fresh = bench.send(request);
    QTRY_VERIFY_WITH_TIMEOUT(fresh->hasEnded(), patience);
    QCOMPARE(fresh->end(), WireEnd::ClosedBeforeStatus);
    QTest::qWait(silence);
    QVERIFY(bench.server.counts(u"fin"_s).requests <= 6);
}

void TestQnamTransport::headersThatComeSlowly()
{
    Bench bench({steps(u"drip"_s, R"({"do": "head_drip", "every_s": 0.003}, {"do": "body", "text": "x"})")});
    const auto recorder = bench.send(u"drip"_s);
    QTRY_VERIFY_WITH_TIMEOUT(recorder->hasEnded(), patience);
    QCOMPARE(recorder->story(), u"connect connected send begun progress sent headers bytes end"_s);
    QVERIFY(recorder->find(Kind::Headers)->at - recorder->find(Kind::Sent)->at > 100ms);
}

void TestQnamTransport::parallelResetsHurtNobodyElse()
{
    Bench bench({steps(u"ok"_s, okStream), steps(u"reset"_s, R"({"do": "head"}, {"do": "events", "count": 1, "every_s": 0.005, "text": "x"}, {"do": "reset"})"),
                 steps(u"fin"_s, R"({"do": "close"})")});
    std::vector<std::unique_ptr<WireRecorder>> recorders;
    for (int i = 0; i < 120; ++i)
        recorders.push_back(bench.send(i % 3 == 0 ? u"ok"_s : i % 3 == 1 ? u"reset"_s : u"fin"_s));
    for (size_t i = 0; i < recorders.size(); ++i) {
        const WireRecorder &recorder = *recorders[i];
        QTRY_VERIFY_WITH_TIMEOUT(recorder.hasEnded(), patience);
        const WireEnd expected = i % 3 == 0 ? WireEnd::Complete : i % 3 == 1 ? WireEnd::ResetInBody : WireEnd::ClosedBeforeStatus;
        QVERIFY2(recorder.end() == expected, qPrintable(recorder.story() + u": "_s + wordOf(recorder.end())));
        QVERIFY(recorder.find(Kind::Connected));
        QVERIFY(!recorder.orderBroken);
    }
    QCOMPARE(bench.server.counts().requests, 120);
    // Each connection's news reached the exchange it belongs to: no local port was told twice.
    QSet<qint64> ports;
    for (const auto &recorder : recorders)
        ports.insert(recorder->find(Kind::Connected)->value);
    QCOMPARE(int(ports.size()), 120);
}

void TestQnamTransport::overhead()
{
    RawPeer peer;
    connect(&peer, &QTcpServer::newConnection, &peer, [&] {
        QTcpSocket *socket = peer.connections.back();
        connect(socket, &QTcpSocket::readyRead, socket, [socket] {
            if (socket->readAll().endsWith("{}"))
                socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        });
    });
    Bench bench({});
    for (const char *kind : {"new", "kept"}) {
        const qint64 began = monotonicNs();
        constexpr int count = 200;
        for (int i = 0; i < count; ++i) {
            WireOptions options;
            options.keepaliveIdleS = *kind == 'n' ? 100 + i : 30;
            const auto recorder = bench.send(peer.request(), options);
            while (!recorder->hasEnded())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            QCOMPARE(recorder->end(), WireEnd::Complete);
        }
        qInfo("%s connections: %.3f ms a request, peer in the same thread", kind, double(monotonicNs() - began) / 1e6 / count);
    }
}

QTEST_GUILESS_MAIN(TestQnamTransport)
#include "tst_qnamtransport.moc"
