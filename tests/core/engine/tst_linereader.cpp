// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/linereader.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// "a|b|" for the lines "a" and "b"; a cut line shows its true length.
QByteArray shown(const std::vector<Line> &lines)
{
    QByteArray text;
    for (const Line &line : lines) {
        text += line.bytes;
        if (line.cut)
            text += "...(" + QByteArray::number(line.size) + ")";
        text += '|';
    }
    return text;
}

std::vector<Line> linesOf(LineReader reader, const QByteArrayList &chunks)
{
    std::vector<Line> lines;
    for (const QByteArray &chunk : chunks)
        reader.feed(chunk, lines);
    reader.finish(lines);
    return lines;
}

} // namespace

class TestLineReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsOfLines_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("LF") << "a\nb\n"_ba << "a|b|"_ba;
        QTest::newRow("CR") << "a\rb\r"_ba << "a|b|"_ba;
        QTest::newRow("CRLF") << "a\r\nb\r\n"_ba << "a|b|"_ba;
        QTest::newRow("mixed") << "a\rb\nc\r\nd"_ba << "a|b|c|d|"_ba;
        QTest::newRow("LF CR is two ends") << "a\n\rb\n"_ba << "a||b|"_ba;
        QTest::newRow("CR CR LF is two ends") << "a\r\r\nb\n"_ba << "a||b|"_ba;
        QTest::newRow("CR LF LF is two ends") << "a\r\n\nb\n"_ba << "a||b|"_ba;
        QTest::newRow("empty lines") << "\n\r\n\r\n"_ba << "|||"_ba;
        QTest::newRow("nothing") << ""_ba << ""_ba;
        QTest::newRow("unterminated") << "a\nbc"_ba << "a|bc|"_ba;
        QTest::newRow("mark") << "\xEF\xBB\xBF" "a\n"_ba << "a|"_ba;
        QTest::newRow("mark alone") << "\xEF\xBB\xBF"_ba << ""_ba;
        QTest::newRow("mark before an end") << "\xEF\xBB\xBF\r\na"_ba << "|a|"_ba;
        QTest::newRow("second mark stays") << "\xEF\xBB\xBF\xEF\xBB\xBF" "a\n"_ba << "\xEF\xBB\xBF" "a|"_ba;
        QTest::newRow("mark in a later line stays") << "a\n\xEF\xBB\xBF" "b\n"_ba << "a|\xEF\xBB\xBF" "b|"_ba;
        QTest::newRow("half a mark") << "\xEF\xBB" "a\n"_ba << "\xEF\xBB" "a|"_ba;
        QTest::newRow("half a mark and no more") << "\xEF\xBB"_ba << "\xEF\xBB|"_ba;
        QTest::newRow("half a mark before an end") << "\xEF\n"_ba << "\xEF|"_ba;
        QTest::newRow("other bytes") << QByteArray("a\0b\x85\xC2\x85\xE2\x80\xA8\v\f\n", 12) << QByteArray("a\0b\x85\xC2\x85\xE2\x80\xA8\v\f|", 12);
    }

    // Whole, cut at every byte, and byte by byte: always the same lines.
    void endsOfLines()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, expected);
        QCOMPARE(shown(linesOf(LineReader(), {bytes})), expected);
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut)
            QCOMPARE(shown(linesOf(LineReader(), {bytes.left(cut), QByteArray(), bytes.mid(cut)})), expected);
        QByteArrayList single;
        for (const char byte : bytes)
            single << QByteArray(1, byte);
        QCOMPARE(shown(linesOf(LineReader(), single)), expected);
    }

    void lineIsOutAtOnce()
    {
        LineReader reader;
        std::vector<Line> lines;
        reader.feed("data: 1\r", lines);
        QCOMPARE(shown(lines), "data: 1|"_ba); // a CR needs no look at the next byte
        reader.feed("\ndata: 2", lines);
        QCOMPARE(shown(lines), "data: 1|"_ba);
        reader.feed("\n", lines);
        QCOMPARE(shown(lines), "data: 1|data: 2|"_ba);
    }

    void markCanBeKept()
    {
        QCOMPARE(shown(linesOf(LineReader(LineReader::defaultLongest, LineReader::Bom::Keep), {"\xEF\xBB\xBF" "a\n"})),
                 "\xEF\xBB\xBF" "a|"_ba);
    }

    void longLineIsCut()
    {
        const QByteArray bytes = "12345\n123456\r\n1234567890\n1\n";
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            QCOMPARE(shown(linesOf(LineReader(5), {bytes.left(cut), bytes.mid(cut)})),
                     "12345|12345...(6)|12345...(10)|1|"_ba);
        }
        const std::vector<Line> unfinished = linesOf(LineReader(3), {"abcdef"});
        QCOMPARE(shown(unfinished), "abc...(6)|"_ba);
    }

    void endlessLineHoldsOneMebibyte()
    {
        LineReader reader;
        std::vector<Line> lines;
        const QByteArray chunk(64 * 1024, 'x');
        for (int i = 0; i < 10'000; ++i) // 640 MB: held, they would not fit
            reader.feed(chunk, lines);
        QVERIFY(lines.empty());
        reader.finish(lines);
        QCOMPARE(lines.size(), size_t(1));
        QCOMPARE(lines[0].bytes.size(), LineReader::defaultLongest);
        QCOMPARE(lines[0].size, qint64(655'360'000));
        QVERIFY(lines[0].cut);
    }

    void finishStartsANewStream()
    {
        LineReader reader;
        std::vector<Line> lines;
        reader.feed("a\r", lines);
        reader.finish(lines);
        reader.feed("\nb\n", lines);
        QCOMPARE(shown(lines), "a||b|"_ba);
        reader.finish(lines);
        reader.feed("\xEF\xBB\xBF" "c", lines);
        reader.finish(lines);
        QCOMPARE(shown(lines), "a||b|c|"_ba);
    }

    // A search for the end that never comes must not run over the rest of the chunk once per line: that would take minutes.
    void manyLinesInOneChunk_data()
    {
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("LF") << "\n"_ba;
        QTest::newRow("CR") << "\r"_ba;
        QTest::newRow("CRLF") << "\r\n"_ba;
    }

    void manyLinesInOneChunk()
    {
        QFETCH(const QByteArray, end);
        constexpr qsizetype count = 1'000'000;
        std::vector<Line> lines;
        LineReader reader;
        reader.feed(("ab" + end).repeated(count), lines);
        QCOMPARE(lines.size(), size_t(count));
        QCOMPARE(lines.back().bytes, "ab"_ba);
    }
};

QTEST_GUILESS_MAIN(TestLineReader)
#include "tst_linereader.moc"
