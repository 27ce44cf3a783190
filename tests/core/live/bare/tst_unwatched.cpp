// SPDX-License-Identifier: GPL-3.0-or-later
// The transport in a program without the interposed libc calls: it says so, and tells the phases it can tell apart.
#include "fault/scenarioreader.h"
#include "live/faultserver.h"
#include "live/libchooks.h"
#include "live/networkwatch.h"
#include "live/qnamtransport.h"
#include "support/wirerecorder.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;
using Kind = WireFact::Kind;

namespace {

constexpr int patience = 30'000;

Scenario steps(const QString &name, const QByteArray &list)
{
    const QByteArray json = R"({"format": 1, "name": ")" + name.toUtf8() + R"(", "title": "t", "requests": [{"steps": [)" + list + "]}]}";
    const Expected<Scenario> read = readScenario(json, name);
    if (!read)
        qFatal("%s", qPrintable(read.error().line()));
    return *read;
}

} // namespace

class TestUnwatched : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSelfCheckFails() { QVERIFY(!interpositionWorks()); }
    void http();
    void https();
    void ends_data();
    void ends();
    void cutBodies_data();
    void cutBodies();
};

void TestUnwatched::http()
{
    FaultServerOptions options;
    options.scenarios = {steps(u"ok"_s, R"({"do": "head"}, {"do": "events", "count": 2, "every_s": 0.01, "text": "x"}, {"do": "end_marker"})")};
    FaultServer server(std::move(options));
    QVERIFY(server.start());
    RealClock clock;
    QnamTransport transport(clock);
    for (int i = 0; i < 2; ++i) {
        WireRequest request;
        request.url = server.urlFor(u"ok"_s);
        request.body = "{}";
        WireRecorder recorder;
        recorder.exchange = transport.begin(request, 1, {}, recorder);
        QVERIFY(recorder.facts.empty());
        QTRY_VERIFY_WITH_TIMEOUT(recorder.hasEnded(), patience);
        QCOMPARE(recorder.end(), WireEnd::Complete);
        QCOMPARE(recorder.story(), i == 0 ? u"connect send begun progress sent headers bytes end"_s
                                          : u"send begun-reused progress sent headers bytes end"_s);
        QVERIFY(!recorder.orderBroken);
    }
}

void TestUnwatched::https()
{
    QTcpServer silent; // takes the connection and says nothing: a handshake that hangs
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    RealClock clock;
    QnamTransport transport(clock);
    WireRequest request;
    request.url = QUrl(u"https://127.0.0.1:%1/"_s.arg(silent.serverPort()));
    request.body = "{}";
    WireRecorder recorder;
    recorder.exchange = transport.begin(request, 1, {}, recorder);
    QTRY_VERIFY_WITH_TIMEOUT(silent.hasPendingConnections(), patience);
    QTest::qWait(50);
    QCOMPARE(recorder.story(), QString(wordOf(Phase::ConnectTls)));
    // Before the event loop has run at all, nothing is told either.
    WireRecorder aborted;
    aborted.exchange = transport.begin(request, 1, {}, aborted);
    aborted.exchange->abort();
    QTest::qWait(20);
    QVERIFY(aborted.facts.empty());
    silent.nextPendingConnection()->abort();
    QTRY_VERIFY_WITH_TIMEOUT(recorder.hasEnded(), patience);
    QCOMPARE(recorder.end(), WireEnd::ClosedInTls);
}

void TestUnwatched::ends_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QList<int>>("ends");
    QTest::addColumn<int>("wire");
    const auto row = [](const char *name, const QByteArray &list, std::initializer_list<WireEnd> ends) {
        QList<int> numbers;
        for (const WireEnd end : ends)
            numbers.push_back(int(end));
        QTest::newRow(name) << list << numbers << 1;
    };
    // A reset looks like a close, and an answer that was begun like none.
    row("RST before headers", R"({"do": "reset"})", {WireEnd::ClosedBeforeStatus});
    row("FIN in the headers", R"({"do": "raw", "text": "HTTP/1.1 200 OK\r\nX"}, {"do": "close"})", {WireEnd::ClosedBeforeStatus});
    row("bad status line", R"({"do": "raw", "text": "SSH-2.0-x\r\n"}, {"do": "close"})", {WireEnd::ClosedBeforeStatus});
    row("length short", R"({"do": "head", "framing": {"length": 50}}, {"do": "body", "text": "abc"}, {"do": "wait", "for_s": 0.05}, {"do": "close"})",
        {WireEnd::CutBody});
    // Here the library's own race decides: some cut bodies it calls complete. The end marker is asked for above for that.
    row("chunked, FIN", R"({"do": "head"}, {"do": "body", "text": "abc"}, {"do": "wait", "for_s": 0.05}, {"do": "close"})",
        {WireEnd::CutBody, WireEnd::Complete});
}

void TestUnwatched::ends()
{
    QFETCH(QByteArray, list);
    QFETCH(QList<int>, ends);
    QFETCH(int, wire);
    FaultServerOptions options;
    options.scenarios = {steps(u"fault"_s, list)};
    FaultServer server(std::move(options));
    QVERIFY(server.start());
    RealClock clock;
    QnamTransport transport(clock);
    WireRequest request;
    request.url = server.urlFor(u"fault"_s);
    request.body = "{}";
    WireRecorder recorder;
    recorder.exchange = transport.begin(request, 1, {}, recorder);
    QTRY_VERIFY_WITH_TIMEOUT(recorder.hasEnded(), patience);
    QVERIFY2(ends.contains(int(recorder.end())), wordOf(recorder.end()).data());
    QTest::qWait(50);
    QCOMPARE(server.counts(u"fault"_s).requests, wire);
}

void TestUnwatched::cutBodies_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<bool>("told"); // whether a cut can be told without the hooks every time
    QTest::newRow("length") << QByteArray(R"({"do": "head", "framing": {"length": 500}}, {"do": "body", "text": "abc"}, {"do": "close"})") << true;
    QTest::newRow("chunked") << QByteArray(R"({"do": "head"}, {"do": "body", "text": "abc"}, {"do": "close"})") << false;
    QTest::newRow("chunked, a moment later") << QByteArray(R"({"do": "head"}, {"do": "body", "text": "abc"}, {"do": "close", "after_s": 0.003})") << false;
    QTest::newRow("chunked, events") << QByteArray(R"({"do": "head"}, {"do": "body", "text": "abc"}, {"do": "body", "text": "abc", "after_s": 0.002}, {"do": "body", "text": "abc", "after_s": 0.002}, {"do": "close"})") << false;
}

// What the hooks are worth: how many of a thousand cut bodies the library calls complete.
void TestUnwatched::cutBodies()
{
    QFETCH(QByteArray, list);
    QFETCH(bool, told);
    FaultServerOptions options;
    options.scenarios = {steps(u"cut"_s, list)};
    FaultServer server(std::move(options));
    QVERIFY(server.start());
    RealClock clock;
    QnamTransport transport(clock);
    constexpr int count = 500;
    int complete = 0;
    for (int sent = 0; sent < count;) {
        std::vector<std::unique_ptr<WireRecorder>> batch;
        for (int i = 0; i < 20; ++i, ++sent) {
            WireRequest request;
            request.url = server.urlFor(u"cut"_s);
            request.body = "{}";
            batch.push_back(std::make_unique<WireRecorder>());
            batch.back()->exchange = transport.begin(request, 1, {}, *batch.back());
        }
        for (const auto &recorder : batch) {
            while (!recorder->hasEnded())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            complete += recorder->end() == WireEnd::Complete;
            // What was called complete keeps its connection for the next one, which may find it dead.
            const QList<WireEnd> possible = {WireEnd::Complete, WireEnd::CutBody, WireEnd::StaleConnection};
            QVERIFY2(possible.contains(recorder->end()), qPrintable(recorder->story() + u": "_s + wordOf(recorder->end()) + u" "_s + recorder->facts.back().text));
        }
    }
    qInfo("%d of %d cut bodies were called complete", complete, count);
    QVERIFY(!told || complete == 0);
    QVERIFY(complete < count / 2);
}

QTEST_GUILESS_MAIN(TestUnwatched)
#include "tst_unwatched.moc"
