// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/eventfields.h"
#include "support/tracewriting.h"
#include "trace/jsontext.h"
#include "trace/recorder.h"
#include "trace/staticwords.h"
#include "trace/tracereader.h"
#include "trace/tracestore.h"
#include "trace/tracewriter.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// Writes what it is given again, as a program does that saves a recording.
class Copying : public TraceReceiver
{
public:
    void onHeader(const TraceHeader &header, QByteArrayView raw) override
    {
        ++headers;
        raw.isEmpty() ? appendHeaderLine(text, header) : keep(raw);
    }
    void onEvent(const Event &event, QByteArrayView raw) override
    {
        events.push_back(event);
        raw.isEmpty() ? appendEventLine(text, event) : keep(raw);
    }
    void onUnknown(QByteArrayView raw) override { keep(raw); }
    void keep(QByteArrayView raw) { text.append(raw.data(), raw.size()).append('\n'); }

    QByteArray text;
    std::vector<Event> events;
    int headers = 0;
};

struct Read {
    explicit Read(const QByteArray &text, qsizetype piece = 1 << 20)
        : parser(u"file"_s, copy)
    {
        for (qsizetype i = 0; i < text.size(); i += piece)
            parser.feed(QByteArrayView(text).sliced(i, std::min(piece, text.size() - i)));
        parser.finish();
    }
    Copying copy;
    TraceParser parser;
};

QByteArray headerLine()
{
    TraceHeader header;
    header.title = u"t"_s;
    QByteArray line;
    appendHeaderLine(line, header);
    return line;
}

QByteArray lineOf(const Event &event)
{
    QByteArray line;
    appendEventLine(line, event);
    return line;
}

// One of everything a text can hold.
QString nastyText(QRandomGenerator &random)
{
    static const QStringList parts{u"a"_s,
                                   u"\""_s,
                                   u"\\"_s,
                                   u"\n"_s,
                                   u"\r\t\b\f"_s,
                                   u"/"_s,
                                   QString(QChar(0)),
                                   u"\x1f\x7f"_s,
                                   u"é"_s,
                                   u"等待"_s,
                                   u"\U0001F600"_s,
                                   QString(QChar(0xd800)),
                                   QString(QChar(0xdfff)),
                                   u"\u2028"_s,
                                   u"\uffff"_s,
                                   u"{\"e\":1}"_s,
                                   u" "_s,
                                   u"\\u0041"_s};
    QString text;
    for (quint32 n = random.bounded(6U); n > 0; --n)
        text += parts[random.bounded(parts.size())];
    return text;
}

// Fills any field with something of its type.
struct FillAtRandom {
    QRandomGenerator &random;

    void operator()(Instant &t) const
    {
        t = Instant{Duration{static_cast<qint64>(random.generate64()) >> (3 + random.bounded(60))}};
    }
    void operator()(Duration &d) const { d = Duration{static_cast<qint64>(random.generate64()) >> random.bounded(63)}; }
    void operator()(std::optional<Duration> &d) const
    {
        d.reset();
        if (random.bounded(2))
            (*this)(d.emplace());
    }
    template<class Tag> void operator()(Id<Tag> &id) const
    {
        id.value = 1 + (random.generate64() >> (1 + random.bounded(62)));
    }
    void operator()(int &n) const { n = static_cast<int>(random.generate()) >> random.bounded(31); }
    void operator()(qint64 &n) const { n = static_cast<qint64>(random.generate64()) >> random.bounded(63); }
    void operator()(bool &b) const { b = random.bounded(2); }
    void operator()(double &d) const
    {
        d = std::array{
            0.0, -0.0, 0.1, 1e300, 5e-324, -1.5, 1.0 / 3, double(1LL << 53), random.generateDouble()}[random.bounded(9U)];
    }
    void operator()(QString &text) const { text = nastyText(random); }
    void operator()(QLatin1StringView &word) const
    {
        word = std::array{QLatin1StringView(), "http.connect_timeout_s"_L1, "a\"\\\n\xe9"_L1,
                          "OPENPROGRAM_X"_L1}[random.bounded(4U)];
    }
    void operator()(Enumeration auto &value) const
    {
        const auto all = allOf<std::remove_reference_t<decltype(value)>>();
        value = all[random.bounded(static_cast<quint32>(all.size()))];
    }
};

// Gives a field another value than it has.
struct Change {
    void operator()(Instant &t) const { t = t == at(1) ? at(2) : at(1); }
    void operator()(Duration &d) const { d += Duration{1}; }
    void operator()(std::optional<Duration> &d) const { d = d ? std::nullopt : std::optional(Duration{0}); }
    template<class Tag> void operator()(Id<Tag> &id) const { ++id.value; }
    void operator()(int &n) const { ++n; }
    void operator()(qint64 &n) const { ++n; }
    void operator()(bool &b) const { b = !b; }
    void operator()(double &d) const { d = d == 0.25 ? 0.75 : 0.25; }
    void operator()(QString &text) const { text += u'x'; }
    void operator()(QLatin1StringView &word) const { word = word.isEmpty() ? "changed"_L1 : QLatin1StringView(); }
    void operator()(Enumeration auto &value) const
    {
        const auto all = allOf<std::remove_reference_t<decltype(value)>>();
        value = value == all[0] ? all[1] : all[0];
    }
};

constexpr auto exampleLines =
    R"({"format":"waitscope-trace","version":"1.0","clock":"scaled","scale":10,"start":"2026-01-31T12:00:00.250Z","title":"a \"title\"","seed":18446744073709551615,"program":"0.1.0","policy":[["exec.max_attempts","6","default"],["rules","strict","profile hardened"]],"redactions":["environment key"]}
{"t":0,"e":"begin","id":1,"kind":"task","layer":"task","label":"sample 1"}
{"t":0,"e":"begin","id":2,"parent":1,"kind":"exec","layer":"exec"}
{"t":5,"e":"begin","id":3,"parent":2,"cause":1,"kind":"phase","layer":"http","phase":"connect","role":"failover","attempt":2,"max":6,"label":"等待 \ud800"}
{"t":5,"e":"armed","id":1,"owner":3,"kind":"connect","kills":"request","due":30000000005,"value":30000000000,"clamped":true,"setting":"http.connect_timeout_s","variable":"OPENPROGRAM_HTTPX_CONNECT_TIMEOUT_S"}
{"t":6,"e":"armed","id":2,"owner":3,"kind":"idle","resets":"any_line","value":9223372036854775807}
{"t":7,"e":"mark","span":3,"kind":"line","value":12,"text":"data: \u0000"}
{"t":8,"e":"fired","id":1,"due":7,"since_byte":0,"since_data":3}
{"t":8,"e":"disarmed","id":2}
{"t":9,"e":"end","id":3,"outcome":"error","reason":"rate_limit","retryable":true,"exhausted":true,"status":429,"type":"T","text":"x","rule":"status","hint_s":1.5}
{"t":9,"e":"draw","span":2,"layer":"exec","attempt":1,"u":0.1}
{"t":10,"e":"policy_changed","version":2,"setting":"exec.max_attempts","from":"6","to":"3","origin":"window"}
{"t":11,"e":"command","name":"stop","argument":"2"}
{"t":12,"e":"clock_jumped","by":-5}
{"t":13,"e":"counter","span":2,"name":"memory","value":1e+22}
{"e":"stopped","why":"disk full"}
)";

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// JSON with ' for ", since moc does not understand raw strings.
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

Event someEvent(int number)
{
    return Marked{at(number), SpanId{1}, MarkKind::Note, number, u"event %1"_s.arg(number)};
}

// Run in a process of its own, to be killed.
int writeUntilKilled(const QString &path)
{
    RecorderOptions options;
    options.path = path;
    options.syncEvery = std::chrono::milliseconds(5);
    auto recorder = Recorder::open(options, {}, {});
    for (int i = 0; recorder && i < 100'000'000; ++i)
        (*recorder)->write(someEvent(i));
    return 1;
}

} // namespace

class RecordingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_dir.isValid());
        // A file beyond its limit is an error of write(), not the end of the process.
        std::signal(SIGXFSZ, SIG_IGN);
    }

    void exampleComesBackByteForByte()
    {
        const QByteArray text(exampleLines);
        Read read(text);
        QVERIFY2(!read.parser.refusal(), read.parser.refusal() ? qPrintable(read.parser.refusal()->line()) : "");
        QCOMPARE(read.copy.text, text);
        QCOMPARE(read.copy.events.size(), 14u);
        const ReadReport &report = read.parser.report();
        QCOMPARE(report.lines, 16u);
        QCOMPARE(report.events, 14u);
        QVERIFY(report.stopped && !report.torn);
        QCOMPARE(report.problemCount, 1u); // the recording says that it stopped
        QVERIFY(report.problems.front().line().contains(u"disk full"_s));
        // Every kind there is stands in the example.
        QSet<size_t> kinds;
        for (const Event &event : read.copy.events)
            kinds.insert(event.index());
        QCOMPARE(kinds.size(), qsizetype(std::variant_size_v<Event>));
    }

    void everyFieldComesBack()
    {
        QRandomGenerator random(11);
        forEachKind([&]<class E>(E) {
            for (int i = 0; i < 400; ++i) {
                E event{};
                forEachField(event, FillAtRandom{random});
                const QByteArray line = lineOf(event);
                QCOMPARE(line.count('\n'), 1);
                Read read(headerLine() + line);
                QVERIFY2(read.parser.report().problemCount == 0,
                         read.parser.report().problems.empty()
                             ? ""
                             : qPrintable(read.parser.report().problems[0].line() + QString::fromUtf8(line)));
                QCOMPARE(read.copy.text, headerLine() + line);
                QCOMPARE(read.copy.events.size(), 1u);
                // What is left out of the line would be equal in both by chance: each field must show.
                for (size_t f = 0; f < fieldCount<E>(); ++f) {
                    E other = event;
                    size_t n = 0;
                    forEachField(other, [&](auto &field) {
                        if (n++ == f)
                            Change{}(field);
                    });
                    QVERIFY2(lineOf(other) != line, qPrintable(u"field %1 of %2"_s.arg(f).arg(QString::fromUtf8(line))));
                }
            }
        });
    }

    void numbersThatJsonLacks()
    {
        CounterSampled e{at(1), {}, u"c"_s, std::numeric_limits<double>::quiet_NaN()};
        QVERIFY(lineOf(e).contains("\"value\":null"));
        Read read(headerLine() + lineOf(e));
        QVERIFY(std::isnan(std::get<CounterSampled>(read.copy.events.at(0)).value));
        e.value = std::numeric_limits<double>::infinity();
        QVERIFY(lineOf(e).contains("\"value\":null"));
    }

    void textsAreExact()
    {
        QRandomGenerator random(5);
        for (int i = 0; i < 2000; ++i) {
            const QString text = nastyText(random);
            QByteArray json;
            appendJsonString(json, text);
            QVERIFY(json.startsWith('"') && json.endsWith('"'));
            for (const char c : std::as_const(json))
                QVERIFY(static_cast<uchar>(c) >= 0x20);
            QCOMPARE(fromJsonString({json.data() + 1, size_t(json.size() - 2)}), std::optional(text));
        }
        QCOMPARE(fromJsonString("a\\/b\\u00e9\\ud83d\\ude00\\b\\f"), std::optional(u"a/b\u00e9\U0001F600\b\f"_s));
        for (const char *broken : {"\\", "\\x", "\\u12", "\\u12g4", "\\u+123", "a\\"})
            QVERIFY(!fromJsonString(broken));
    }

    void everyPlaceInAText()
    {
        // Plain text is looked at eight bytes at a time: what is special must be found at each of them.
        for (qsizetype place = 0; place < 30; ++place) {
            const QString plain(place, u'a');
            for (const QString &special : {u"\""_s, u"\\"_s, u"é"_s, u"\n"_s, QString(QChar(0xd800))}) {
                const QByteArray text = headerLine() + lineOf(CommandGiven{at(1), plain + special + u"b"_s, special});
                Read read(text);
                QCOMPARE(read.copy.text, text);
                QCOMPARE(read.parser.report().problemCount, 0u);
            }
            for (const char *broken : {"\x01", "\x1f", "\xff", "\"", "\\q", "\\x"}) {
                Read read(headerLine() + json("{'t':1,'e':'command','name':'") + plain.toLatin1() + broken + json("b'}")
                          + '\n');
                QCOMPARE(read.parser.report().problemCount, 1u);
                QCOMPARE(read.copy.events.size(), 0u);
            }
        }
    }

    void tornAtEveryByte()
    {
        const QByteArray text = headerLine() + lineOf(someEvent(1))
            + lineOf(Marked{at(2), SpanId{1}, MarkKind::Line, 3, u"等\n"_s}) + lineOf(someEvent(3));
        for (qsizetype cut = 0; cut <= text.size(); ++cut) {
            const QByteArray part = text.left(cut);
            const auto lines = part.count('\n');
            Read read(part);
            if (lines == 0) {
                QVERIFY(read.parser.refusal());
                continue;
            }
            QVERIFY(!read.parser.refusal());
            const bool torn = !part.endsWith('\n');
            QCOMPARE(read.parser.report().events, quint64(lines - 1));
            QCOMPARE(read.parser.report().torn, torn);
            QCOMPARE(read.parser.report().problemCount, quint64(torn));
            QCOMPARE(read.copy.text, part.left(part.lastIndexOf('\n') + 1));
            if (torn)
                QVERIFY(read.parser.report().problems[0].line().startsWith(u"file:%1: "_s.arg(lines + 1)));
        }
    }

    void piecesMakeNoDifference()
    {
        const QByteArray text(exampleLines);
        for (qsizetype piece : {1, 2, 7, 64, 1000}) {
            Read read(text, piece);
            QCOMPARE(read.copy.text, text);
        }
        // A growing file is followed: what is not complete yet waits.
        Copying copy;
        TraceParser parser(u"f"_s, copy);
        const QByteArray line = lineOf(someEvent(1));
        parser.feed(headerLine() + line.left(10));
        QCOMPARE(copy.events.size(), 0u);
        parser.feed(line.mid(10));
        QCOMPARE(copy.events.size(), 1u);
        QCOMPARE(parser.report().problemCount, 0u);
    }

    void brokenLines_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, QByteArray line, const QString &says) { QTest::newRow(name) << line << says; };
        row("no JSON", "hello", u"JSON"_s);
        row("cut", json("{'t':1,'e':'disarmed','id':"), u"JSON"_s);
        row("open object", json("{'t':1,'e':'disarmed','id':1"), u"JSON"_s);
        row("open string", "{\"t\":1,\"e\":\"disar", u"JSON"_s);
        row("array", "[1,2]", u"object"_s);
        row("number", "17", u"object"_s);
        row("two objects", json("{'t':1,'e':'disarmed','id':1}{'t':1}"), u"behind"_s);
        row("text behind", json("{'t':1,'e':'disarmed','id':1} x"), u"JSON"_s);
        row("comma missing", json("{'t':1 'e':'disarmed','id':1}"), u"JSON"_s);
        row("comma too many", json("{'t':1,'e':'disarmed','id':1,}"), u"JSON"_s);
        row("no kind", json("{'t':1,'id':1}"), u"\"e\" is missing"_s);
        row("kind no text", json("{'t':1,'e':5}"), u"\"e\" is not a text"_s);
        row("no time", json("{'e':'disarmed','id':1}"), u"\"t\" is missing"_s);
        row("time text", json("{'t':'1','e':'disarmed','id':1}"), u"\"t\" is not"_s);
        row("time fraction", json("{'t':1.5,'e':'disarmed','id':1}"), u"\"t\" is not"_s);
        row("time too late", json("{'t':9223372036854775807,'e':'disarmed','id':1}"), u"out of range"_s);
        row("time too early", json("{'t':-9223372036854775808,'e':'disarmed','id':1}"), u"out of range"_s);
        row("time huge", json("{'t':18446744073709551615,'e':'disarmed','id':1}"), u"\"t\" is not"_s);
        row("time beyond", json("{'t':184467440737095516150,'e':'disarmed','id':1}"), u"number"_s);
        row("number beyond", json("{'t':1,'e':'draw','layer':'exec','u':1e999}"), u"number"_s);
        row("id missing", json("{'t':1,'e':'disarmed'}"), u"\"id\" is missing"_s);
        row("id zero", json("{'t':1,'e':'disarmed','id':0}"), u"is 0"_s);
        row("id negative", json("{'t':1,'e':'disarmed','id':-1}"), u"\"id\" is not"_s);
        row("attempt too large", json("{'t':1,'e':'begin','id':1,'kind':'exec','layer':'exec','attempt':99999999999}"),
            u"\"attempt\""_s);
        row("flag", json("{'t':1,'e':'end','id':1,'outcome':'ok','retryable':1}"), u"\"retryable\""_s);
        row("outcome missing", json("{'t':1,'e':'end','id':1}"), u"\"outcome\" is missing"_s);
        row("label is a list", json("{'t':1,'e':'begin','id':1,'kind':'exec','layer':'exec','label':['x']}"), u"list"_s);
        row("twice", json("{'t':1,'t':2,'e':'disarmed','id':1}"), u"twice"_s);
        row("bad escape", json("{'t':1,'e':'command','name':'\\q'}"), u"escape"_s);
        row("bad escape in unknown", json("{'t':1,'e':'command','name':'x','more':'\\q'}"), u"JSON"_s);
        row("broken unknown", json("{'t':1,'e':'disarmed','id':1,'more':[1,2}"), u"JSON"_s);
        row("broken unknown kind", json("{'t':1,'e':'new','more':{'a':tru}}"), u"JSON"_s);
        row("control", QByteArray("{\"t\":1,\"e\":\"command\",\"name\":\"a\x01\"}"), u"JSON"_s);
        row("NUL in text", QByteArray("{\"t\":1,\"e\":\"command\",\"name\":\"a\0b\"}", 35), u"JSON"_s);
        row("NUL between", QByteArray("{\"t\":1,\0\"e\":\"disarmed\",\"id\":1}", 31), u"JSON"_s);
        row("NULs alone", QByteArray(40, '\0'), u"JSON"_s);
        row("not UTF-8", QByteArray("{\"t\":1,\"e\":\"command\",\"name\":\"a\xff\xfe\"}"), u"UTF-8"_s);
        row("cut UTF-8", QByteArray("{\"t\":1,\"e\":\"command\",\"name\":\"a\xe7\xad\"}"), u"UTF-8"_s);
        row("surrogate in UTF-8", QByteArray("{\"t\":1,\"e\":\"command\",\"name\":\"\xed\xa0\x80\"}"), u"UTF-8"_s);
        row("deep", json("{'t':1,'e':'disarmed','id':1,'more':") + QByteArray(100000, '[') + QByteArray(100000, ']') + '}',
            u"deep"_s);
        row("deep and open", json("{'t':1,'e':'disarmed','id':1,'more':") + QByteArray(100000, '{'), u"JSON"_s);
        row("setting is no name", json("{'t':1,'e':'armed','id':1,'owner':1,'kind':'idle','value':1,'setting':'等'}"),
            u"\"setting\""_s);
        row("endless setting",
            json("{'t':1,'e':'armed','id':1,'owner':1,'kind':'idle','value':1,'setting':")
                + ('"' + QByteArray(200, 'x') + "\"}"),
            u"\"setting\""_s);
        row("10 MB", json("{'t':1,'e':'command','name':") + ('"' + QByteArray(10 << 20, 'x') + "\"}"),
            u"longer than 8 MiB"_s);
    }
    void brokenLines()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, says);
        const QByteArray before = headerLine() + lineOf(someEvent(1));
        const QByteArray after = lineOf(someEvent(2));
        for (qsizetype piece : {qsizetype{1} << 20, qsizetype{4096}}) {
            Read read(before + line + '\n' + after, piece);
            QVERIFY(!read.parser.refusal());
            QCOMPARE(read.copy.events.size(), 2u);
            QCOMPARE(read.copy.text, before + after);
            QCOMPARE(read.parser.report().problemCount, 1u);
            const QString problem = read.parser.report().problems[0].line();
            QVERIFY2(problem.startsWith(u"file:3: "_s) && problem.contains(says), qPrintable(problem));
            QVERIFY(problem.size() < 300);
        }
        // The same as the first line: refused as a whole, in a sentence.
        Read first(line + '\n' + after);
        QVERIFY(first.parser.refusal());
        QVERIFY2(first.parser.refusal()->line().contains(u"not a Waitscope recording"_s),
                 qPrintable(first.parser.refusal()->line()));
    }

    void whatIsNotKnownIsKept_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("problems");
        QTest::newRow("kind") << json("{'t':1,'e':'thunder','loud':true,'deep':{'a':[1,2.5e3,null,'\\ud800']}}") << 0 << 0;
        QTest::newRow("field") << json("{'t':1,'e':'disarmed','id':1,'more':{'a':[{}]}}") << 1 << 0;
        QTest::newRow("field in front") << json("{'more':'é','t':1,'e':'disarmed','id':1}") << 1 << 0;
        QTest::newRow("another kind's field") << json("{'t':1,'e':'disarmed','id':1,'label':'x'}") << 1 << 0;
        QTest::newRow("word") << json("{'t':1,'e':'begin','id':1,'kind':'phase','layer':'http','phase':'quic'}") << 0 << 1;
        QTest::newRow("escaped key") << json("{'t':1,'e':'disarmed','id':1,'\\u0074':5}") << 1 << 0;
    }
    void whatIsNotKnownIsKept()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, events);
        QFETCH(int, problems);
        const QByteArray text = headerLine() + line + '\n' + lineOf(someEvent(2));
        Read read(text);
        QCOMPARE(read.copy.text, text);
        QCOMPARE(int(read.copy.events.size()), events + 1);
        QCOMPARE(int(read.parser.report().problemCount), problems);
        QCOMPARE(int(read.parser.report().unknown), 1 - events);
        // A newer minor version may have more words: no problem there.
        QByteArray newer = text;
        newer.replace("\"version\":\"1.0\"", "\"version\":\"1.7\"");
        Read other(newer);
        QCOMPARE(other.copy.text, newer);
        QCOMPARE(other.parser.report().problemCount, 0u);
    }

    void headersFromElsewhere_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QString>("refusal"); // empty: it is read
        QTest::newRow("smallest") << json("{'format':'waitscope-trace','version':'1.0'}") << QString();
        QTest::newRow("blanks and order") << json(" { 'version' : '1.3' , 'format' : 'waitscope-trace' } ") << QString();
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{\"format\":\"waitscope-trace\",\"version\":\"1.0\"}")
                                         << QString();
        QTest::newRow("carriage return") << QByteArray("{\"format\":\"waitscope-trace\",\"version\":\"1.0\"}\r")
                                         << QString();
        QTest::newRow("blank lines before")
            << QByteArray("\n\n{\"format\":\"waitscope-trace\",\"version\":\"1.0\"}") << QString();
        QTest::newRow("unknown fields") << json(
            "{'format':'waitscope-trace','version':'1.0','x':[{}],'policy':[['a','b','c','d']]}")
                                        << QString();
        QTest::newRow("newer major") << json("{'format':'waitscope-trace','version':'2.0'}") << u"newer Waitscope"_s;
        QTest::newRow("newer major, other shape")
            << json("{'format':'waitscope-trace','version':'3.1','policy':{'a':1},'e':[]}") << u"newer Waitscope"_s;
        QTest::newRow("version 0") << json("{'format':'waitscope-trace','version':'0.9'}") << u"\"version\""_s;
        QTest::newRow("version missing") << json("{'format':'waitscope-trace'}") << u"\"version\" is missing"_s;
        QTest::newRow("version number") << json("{'format':'waitscope-trace','version':1}") << u"\"version\""_s;
        QTest::newRow("version odd") << json("{'format':'waitscope-trace','version':'one'}") << u"\"version\""_s;
        QTest::newRow("another format") << json("{'format':'har','version':'1.0'}") << u"not a Waitscope recording"_s;
        QTest::newRow("an event") << json("{'t':1,'e':'disarmed','id':1}") << u"not a Waitscope recording"_s;
        QTest::newRow("unknown object") << json("{'traceEvents':[]}") << u"not a Waitscope recording"_s;
        QTest::newRow("clock") << json("{'format':'waitscope-trace','version':'1.0','clock':'sundial'}") << u"\"clock\""_s;
        QTest::newRow("scale 0") << json("{'format':'waitscope-trace','version':'1.0','scale':0}") << u"\"scale\""_s;
        QTest::newRow("scale null") << json("{'format':'waitscope-trace','version':'1.0','scale':null}") << u"\"scale\""_s;
        QTest::newRow("start") << json("{'format':'waitscope-trace','version':'1.0','start':'yesterday'}") << u"\"start\""_s;
        QTest::newRow("seed negative") << json("{'format':'waitscope-trace','version':'1.0','seed':-1}") << u"\"seed\""_s;
        QTest::newRow("policy") << json("{'format':'waitscope-trace','version':'1.0','policy':[['a']]}") << u"policy"_s;
    }
    void headersFromElsewhere()
    {
        QFETCH(QByteArray, header);
        QFETCH(QString, refusal);
        Read read(header + '\n' + lineOf(someEvent(1)));
        if (refusal.isEmpty()) {
            QVERIFY2(!read.parser.refusal(), read.parser.refusal() ? qPrintable(read.parser.refusal()->line()) : "");
            QCOMPARE(read.copy.headers, 1);
            QCOMPARE(read.copy.events.size(), 1u);
            QCOMPARE(read.parser.report().problemCount, 0u);
        } else {
            QVERIFY(read.parser.refusal());
            QVERIFY2(read.parser.refusal()->line().contains(refusal), qPrintable(read.parser.refusal()->line()));
            QCOMPARE(read.copy.headers, 0);
            QCOMPARE(read.copy.events.size(), 0u);
        }
    }

    void aSecondHeaderEndsTheReading()
    {
        Read read(headerLine() + lineOf(someEvent(1)) + headerLine() + lineOf(someEvent(2)) + "torn");
        QCOMPARE(read.copy.headers, 1);
        QCOMPARE(read.copy.events.size(), 1u);
        QCOMPARE(read.parser.report().problemCount, 1u);
        QVERIFY(read.parser.report().problems[0].line().contains(u"second recording"_s));
    }

    void onlyTheFirstProblemsAreKept()
    {
        Read read(headerLine() + QByteArray("x\n").repeated(500));
        QCOMPARE(read.parser.report().problemCount, 500u);
        QCOMPARE(read.parser.report().problems.size(), 100u);
    }

    void readsFilesPieceByPiece()
    {
        const QString path = m_dir.filePath(u"large.waitscope.jsonl"_s);
        {
            auto file = TraceFile::create(path, {});
            QVERIFY(file);
            for (int i = 0; i < 100'000; ++i)
                (*file)->write(someEvent(i));
            QVERIFY(!QFile::exists(path)); // the name appears with the complete file
            QVERIFY((*file)->commit());
        }
        TraceStore store;
        StoreFiller filler(store);
        std::vector<ReadProgress> pieces;
        auto report = readTrace(path, filler, [&](const ReadProgress &progress) {
            pieces.push_back(progress);
            return true;
        });
        QVERIFY(report);
        QCOMPARE(report->events, 100'000u);
        QVERIFY(pieces.size() >= 3);
        QVERIFY(pieces[0].bytes <= 256 << 10);
        QVERIFY(pieces[0].events > 100);
        QCOMPARE(pieces.back().bytes, pieces.back().total);
        QCOMPARE(store.revision(), 100'000u);
        // And stops when it is told to.
        TraceStore half;
        StoreFiller halfFiller(half);
        report = readTrace(path, halfFiller, [](const ReadProgress &) { return false; });
        QVERIFY(report && report->cancelled && !report->torn);
        QVERIFY(report->events < 10'000);
    }

    void filesThatCannotBeHad()
    {
        Copying copy;
        const auto missing = readTrace(m_dir.filePath(u"none"_s), copy);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ProblemKind::Unavailable);
        QVERIFY(missing.error().line().contains(u"none"_s));
        QVERIFY(!readTrace(m_dir.path(), copy));
        QFile empty(m_dir.filePath(u"empty"_s));
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.close();
        const auto nothing = readTrace(empty.fileName(), copy);
        QVERIFY(!nothing);
        QCOMPARE(nothing.error().kind, ProblemKind::Usage);
        QVERIFY(nothing.error().line().contains(u"empty"_s));
        const auto unwritable = TraceFile::create(m_dir.filePath(u"no/such/folder/x"_s), {});
        QVERIFY(!unwritable);
        QCOMPARE(unwritable.error().kind, ProblemKind::Unavailable);
    }

    void savingKeepsWhatIsNotKnown()
    {
        const QByteArray text = "{\"format\":\"waitscope-trace\",\"version\":\"1.4\",\"mood\":\"good\"}\n"
                                "{\"t\":1,\"e\":\"new\"}\n{\"t\":1,\"e\":\"disarmed\",\"id\":1,\"x\":0}\n";
        struct Saving : TraceReceiver {
            QString path;
            std::unique_ptr<TraceFile> file;
            void onHeader(const TraceHeader &header, QByteArrayView raw) override
            {
                file = std::move(*TraceFile::create(path, header, raw));
            }
            void onEvent(const Event &event, QByteArrayView raw) override
            {
                raw.isEmpty() ? file->write(event) : file->writeRaw(raw);
            }
            void onUnknown(QByteArrayView raw) override { file->writeRaw(raw); }
        } saving;
        saving.path = m_dir.filePath(u"saved"_s);
        TraceParser parser(u"f"_s, saving);
        parser.feed(text);
        parser.finish();
        QVERIFY(saving.file->commit());
        QCOMPARE(contentOf(saving.path), text);
    }

    void recordsWhileItHappens()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"live"_s);
        TraceHeader header;
        header.title = u"live"_s;
        auto recorder = Recorder::open(options, header, [](const Problem &problem) { QFAIL(qPrintable(problem.line())); });
        QVERIFY(recorder);
        QByteArray expected;
        appendHeaderLine(expected, header);
        QCOMPARE(contentOf(options.path), expected);
        for (int i = 0; i < 5000; ++i) {
            const Event event = someEvent(i);
            (*recorder)->write(event);
            appendEventLine(expected, event);
        }
        QVERIFY((*recorder)->flush());
        QCOMPARE(contentOf(options.path), expected);
        QCOMPARE((*recorder)->eventsWritten(), 5000u);
        QCOMPARE((*recorder)->eventsNotWritten(), 0u);
        // Without flush() a line is there as soon as the writer has had its turn. Real time, but only as an upper bound.
        (*recorder)->write(someEvent(1));
        appendEventLine(expected, someEvent(1));
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(options.path), expected, 20000);
        QVERIFY((*recorder)->close());
        QVERIFY((*recorder)->close());
        struct stat status = {};
        QCOMPARE(::stat(QFile::encodeName(options.path).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0777, 0600u);
    }

    void cannotBegin()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"not/there"_s);
        const auto missing = Recorder::open(options, {}, {});
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ProblemKind::Unavailable);
        QVERIFY(missing.error().line().contains(u"not/there"_s));
        options.path = u"/dev/full"_s;
        const auto full = Recorder::open(options, {}, {});
        QVERIFY(!full);
        QVERIFY2(full.error().line().contains(u"room"_s), qPrintable(full.error().line()));
        QVERIFY(!full.error().line().contains(u"goes on"_s)); // nothing has begun
    }

    void whatIsThereIsNotLost()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"twice"_s);
        auto first = Recorder::open(options, {}, {});
        QVERIFY(first);
        (*first)->write(someEvent(1));
        for (const bool overwrite : {false, true}) {
            options.overwrite = overwrite;
            const auto second = Recorder::open(options, {}, {});
            QVERIFY(!second);
            QVERIFY2(second.error().line().contains(u"another run"_s), qPrintable(second.error().line()));
        }
        QVERIFY((*first)->close());
        first->reset();
        const QByteArray before = contentOf(options.path);
        QVERIFY(before.count('\n') == 2);
        options.overwrite = false;
        const auto again = Recorder::open(options, {}, {});
        QVERIFY(!again);
        QVERIFY2(again.error().line().contains(u"exists already"_s), qPrintable(again.error().line()));
        QCOMPARE(contentOf(options.path), before);
        options.overwrite = true;
        const auto anew = Recorder::open(options, {}, {});
        QVERIFY(anew);
        QVERIFY((*anew)->flush());
        QCOMPARE(contentOf(options.path).count('\n'), 1);
    }

    void endsAtItsSizeLimit()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"limited"_s);
        options.sizeLimit = 4000;
        int told = 0;
        auto recorder = Recorder::open(options, {}, [&](const Problem &) { ++told; });
        for (int i = 0; i < 1000; ++i)
            (*recorder)->write(someEvent(i));
        QVERIFY(!(*recorder)->close());
        QCOMPARE(told, 1);
        const QByteArray text = contentOf(options.path);
        QVERIFY(text.size() <= 4000 && text.size() > 3000);
        Read read(text);
        QVERIFY(read.parser.report().stopped && !read.parser.report().torn);
        QCOMPARE(read.parser.report().events, (*recorder)->eventsWritten());
        QCOMPARE((*recorder)->eventsWritten() + (*recorder)->eventsNotWritten(), 1000u);
        for (size_t i = 0; i < read.copy.events.size(); ++i)
            QCOMPARE(std::get<Marked>(read.copy.events[i]).value, qint64(i));
    }

    void aFullDiskEndsTheRecordingNotTheRun()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"full"_s);
        QStringList told;
        auto recorder = Recorder::open(options, {}, [&](const Problem &problem) { told += problem.line(); });
        QVERIFY(recorder);
        rlimit before = {};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = 2000; // in the middle of a line
        ::setrlimit(RLIMIT_FSIZE, &small);
        for (int i = 0; i < 1000; ++i)
            (*recorder)->write(someEvent(i));
        const Expected<void> closed = (*recorder)->close();
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!closed);
        QCOMPARE(told.size(), 1);
        QVERIFY2(told[0].contains(u"cannot be recorded"_s) && told[0].contains(u"the run goes on"_s), qPrintable(told[0]));
        Read read(contentOf(options.path));
        QVERIFY(!read.parser.report().torn);
        QVERIFY(read.parser.report().events > 10);
        QCOMPARE(read.parser.report().events, (*recorder)->eventsWritten());
        QCOMPARE((*recorder)->eventsWritten() + (*recorder)->eventsNotWritten(), 1000u);
    }

    void aDeletedFileIsNoticed()
    {
        RecorderOptions options;
        options.path = m_dir.filePath(u"gone"_s);
        options.syncEvery = std::chrono::milliseconds(20);
        std::atomic<int> told = 0;
        auto recorder = Recorder::open(options, {}, [&](const Problem &) { ++told; });
        (*recorder)->write(someEvent(1));
        QVERIFY((*recorder)->flush());
        QVERIFY(QFile::remove(options.path));
        QTRY_COMPARE_WITH_TIMEOUT(told.load(), 1, 20000); // the recorder looks about every 20 ms
        (*recorder)->write(someEvent(2));
        const Expected<void> closed = (*recorder)->close();
        QVERIFY(!closed);
        QVERIFY(closed.error().line().contains(u"deleted"_s));
    }

    void aDiskThatStandsStillEndsTheRecording()
    {
        // A pipe nobody reads: 64 KiB fit, then every write waits.
        const QString path = m_dir.filePath(u"pipe"_s);
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
        const int reader = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK);
        QVERIFY(reader >= 0);
        RecorderOptions options;
        options.path = path;
        options.queueLimit = 10000;
        options.patience = std::chrono::milliseconds(100);
        QStringList told;
        auto recorder = Recorder::open(options, {}, [&](const Problem &problem) { told += problem.line(); });
        QVERIFY(recorder);
        for (int i = 0; i < 3000; ++i)
            (*recorder)->write(someEvent(i));
        QCOMPARE(told.size(), 1);
        QVERIFY2(told[0].contains(u"stood still"_s), qPrintable(told[0]));
        QVERIFY((*recorder)->eventsNotWritten() > 0);
        // What was taken before is written once the disk moves again: no event in between is missing.
        QByteArray text;
        char buffer[4096];
        std::thread closing([&] { QVERIFY(!(*recorder)->close()); });
        for (;;) {
            const ssize_t n = ::read(reader, buffer, sizeof buffer);
            if (n > 0)
                text.append(buffer, n);
            else if ((*recorder)->eventsWritten() + (*recorder)->eventsNotWritten() == 3000)
                break;
        }
        closing.join();
        for (ssize_t n = 0; (n = ::read(reader, buffer, sizeof buffer)) > 0;)
            text.append(buffer, n);
        ::close(reader);
        Read read(text);
        QCOMPARE(read.parser.report().events, (*recorder)->eventsWritten());
        for (size_t i = 0; i < read.copy.events.size(); ++i)
            QCOMPARE(std::get<Marked>(read.copy.events[i]).value, qint64(i));
    }

    void aKillLeavesEveryCompleteLine()
    {
        for (int i = 0; i < 5; ++i) {
            const QString path = m_dir.filePath(u"killed %1"_s.arg(i));
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {u"--write-until-killed"_s, path});
            QVERIFY(child.waitForStarted(30000));
            // Until there is something to lose. Real time, but only as an upper bound.
            QTRY_VERIFY_WITH_TIMEOUT(QFile(path).size() > 100'000 * (i + 1), 60000);
            child.kill(); // SIGKILL, of the process just started
            QVERIFY(child.waitForFinished(30000));
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            Read read(contentOf(path));
            QVERIFY(!read.parser.refusal());
            QVERIFY(read.copy.events.size() > 1000);
            QCOMPARE(read.parser.report().problemCount, quint64(read.parser.report().torn));
            for (size_t n = 0; n < read.copy.events.size(); ++n)
                QCOMPARE(std::get<Marked>(read.copy.events[n]).value, qint64(n));
        }
    }

    void staticWordsAreOneCopy()
    {
        const auto a = staticWord("http.idle_timeout_s");
        const auto b = staticWord("http.idle_timeout_s");
        QVERIFY(a && b && a->data() == b->data());
        QVERIFY(staticWord("")->isEmpty());
        QVERIFY(!staticWord(QByteArray(129, 'x')));
    }

private:
    QTemporaryDir m_dir;
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--write-until-killed") == 0)
        return writeUntilKilled(QString::fromLocal8Bit(argv[2]));
    RecordingTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_recording.moc"
