// SPDX-License-Identifier: GPL-3.0-or-later
// Where a response stands, from its raw bytes in every possible cutting.
#include "live/responsewatch.h"

#include <QTest>

using namespace Waitscope;
using Stage = ResponseWatch::Stage;

Q_DECLARE_METATYPE(Waitscope::ResponseWatch::Stage)

namespace {

void feed(ResponseWatch &watch, QByteArrayView bytes)
{
    watch.feed(std::span(bytes.data(), static_cast<size_t>(bytes.size())));
}

} // namespace

class TestResponseWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsWhereverItIsCut_data();
    void endsWhereverItIsCut();
    void everyPrefixIsIncomplete();
    void severalResponses();
    void endOfTheConnection();
    void tellsTheOffendingLine();
    void survivesAnything();
};

void TestResponseWatch::endsWhereverItIsCut_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<quint32>("completed");
    const auto row = [](const char *name, const QByteArray &bytes, Stage stage, quint32 completed) {
        QTest::newRow(name) << bytes << stage << completed;
    };
    row("nothing", "", Stage::Between, 0);
    row("blank lines only", "\r\n \r\n", Stage::Between, 0);
    row("within the status line", "HTTP/1.1 20", Stage::StatusLine, 0);
    row("within the headers", "HTTP/1.1 200 OK\r\nContent-Le", Stage::Headers, 0);
    row("before the blank line", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", Stage::Headers, 0);
    row("length, none of it", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", Stage::Body, 0);
    row("length, short", "HTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\na", Stage::Body, 0);
    row("length, all", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", Stage::Between, 1);
    row("length of nothing", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", Stage::Between, 1);
    row("no content", "HTTP/1.1 204 No Content\r\n\r\n", Stage::Between, 1);
    row("not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n", Stage::Between, 1);
    row("bare line feeds", "HTTP/1.0 200 OK\nContent-Length: 2\n\nab", Stage::Between, 1);
    row("no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", Stage::Between, 1);
    row("chunked, none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Stage::Body, 0);
    row("chunked, within a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1", Stage::Body, 0);
    row("chunked, within data", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", Stage::Body, 0);
    row("chunked, without the last", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", Stage::Body, 0);
    row("chunked, all", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", Stage::Between, 1);
    row("chunked, extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA;x=\"y\"\r\n0123456789\r\n00\r\n\r\n", Stage::Between, 1);
    row("chunked beats length", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", Stage::Body, 0);
    row("a chunk that looks like an end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n\r\n0\r\n\r\n\r\n", Stage::Body, 0);
    row("until close", "HTTP/1.1 200 OK\r\n\r\nabc\r\n\r\n", Stage::Body, 0);
    row("interim only", "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n", Stage::Between, 0);
    row("interim, then final", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", Stage::Between, 1);
    row("ssh", "SSH-2.0-OpenSSH\r\n", Stage::NotHttp, 0);
    row("bad version", "HTTP/9.x 200 OK\r\n\r\n", Stage::NotHttp, 0);
    row("no status", "HTTP/1.1 hello\r\n\r\n", Stage::NotHttp, 0);
    row("short line", "HT\r\n", Stage::NotHttp, 0);
    row("tls alert", QByteArray("\x15\x03\x01\x00\x02\x02\x46", 7), Stage::NotHttp, 0);
    row("bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\nmore", Stage::BadChunk, 0);
    row("negative chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nmore", Stage::BadChunk, 0);
    row("huge chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", Stage::BadChunk, 0);
    row("chunk without its end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", Stage::BadChunk, 0);
    row("negative length", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab", Stage::Body, 0);
}

void TestResponseWatch::endsWhereverItIsCut()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Stage, stage);
    QFETCH(quint32, completed);
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
        ResponseWatch watch;
        feed(watch, QByteArrayView(bytes).first(cut));
        feed(watch, QByteArrayView(bytes).sliced(cut));
        QCOMPARE(watch.stage(), stage);
        QCOMPARE(watch.completed(), completed);
    }
    ResponseWatch watch;
    for (const char c : bytes)
        feed(watch, QByteArrayView(&c, 1));
    QCOMPARE(watch.stage(), stage);
    QCOMPARE(watch.completed(), completed);
}

void TestResponseWatch::everyPrefixIsIncomplete()
{
    const QByteArray whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n3\r\nfgh\r\n0\r\n";
    for (qsizetype size = 0; size < whole.size(); ++size) {
        ResponseWatch watch;
        feed(watch, QByteArrayView(whole).first(size));
        QCOMPARE(watch.completed(), 0U);
    }
    ResponseWatch watch;
    feed(watch, whole); // the blank line behind carries nothing
    QCOMPARE(watch.completed(), 1U);
}

void TestResponseWatch::severalResponses()
{
    ResponseWatch watch;
    for (quint32 i = 1; i <= 5; ++i) {
        feed(watch, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n");
        QCOMPARE(watch.completed(), 2 * i - 1);
        QCOMPARE(watch.stage(), Stage::Between);
        feed(watch, "HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nabc");
        QCOMPARE(watch.completed(), 2 * i);
    }
}

void TestResponseWatch::endOfTheConnection()
{
    ResponseWatch untilClose;
    feed(untilClose, "HTTP/1.0 200 OK\r\n\r\nabc");
    untilClose.feedEnd();
    QCOMPARE(untilClose.completed(), 1U);
    ResponseWatch chunked;
    feed(chunked, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    chunked.feedEnd();
    QCOMPARE(chunked.completed(), 0U);
    QCOMPARE(chunked.stage(), Stage::Body);
    ResponseWatch nothing;
    nothing.feedEnd();
    QCOMPARE(nothing.completed(), 0U);
    QCOMPARE(nothing.stage(), Stage::Between);
}

void TestResponseWatch::tellsTheOffendingLine()
{
    ResponseWatch watch;
    feed(watch, "SSH-2.0-OpenSSH_9.2\r\nmore");
    QVERIFY(watch.offending().startsWith("SSH-2.0-"));
    ResponseWatch chunk;
    feed(chunk, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\nmore");
    QCOMPARE(chunk.offending(), QByteArray("zzzz"));
}

void TestResponseWatch::survivesAnything()
{
    // Every byte value in every state, and lines without an end.
    quint32 seed = 12345;
    const auto next = [&seed] { return seed = seed * 1664525 + 1013904223; };
    for (int round = 0; round < 2000; ++round) {
        ResponseWatch watch;
        QByteArray bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n";
        for (int i = 0; i < 4; ++i)
            bytes[qsizetype(next() >> 8) % bytes.size()] = char(next() >> 24);
        feed(watch, bytes);
        watch.feedEnd();
    }
    ResponseWatch endless;
    feed(endless, "HTTP/1.1 200 OK\r\nX: ");
    for (int i = 0; i < 1000; ++i)
        feed(endless, QByteArray(1000, 'x'));
    QCOMPARE(endless.stage(), Stage::Headers);
    feed(endless, "\r\nContent-Length: 1\r\n\r\na");
    QCOMPARE(endless.completed(), 1U);
}

QTEST_GUILESS_MAIN(TestResponseWatch)
#include "tst_responsewatch.moc"
