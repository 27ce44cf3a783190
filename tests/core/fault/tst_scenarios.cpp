// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/scenarioreader.h"
#include "fault/scriptplayer.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

Expected<Scenario> read(const QByteArray &json)
{
    return readScenario(json, u"f.json"_s);
}

// A file with these steps, in one script.
QByteArray withSteps(const QByteArray &steps)
{
    return R"({"format": 1, "name": "n", "title": "t", "requests": [{"steps": [)" + steps + "]}]}";
}

// Line ends and a byte order mark made visible; Qt drops the latter.
QString shown(QByteArray bytes)
{
    bytes.replace("\xEF\xBB\xBF", "EF BB BF ");
    return QString::fromUtf8(bytes).replace(u"\r\n"_s, u"|"_s).replace(u'\n', u'/');
}

// Plays to the end, or `most` actions, as "wait:kind bytes" lines that read like the script.
QStringList played(const FaultScript &script, ServedDialect dialect = ServedDialect::Sse, int most = 100)
{
    ScriptPlayer player(script, dialect);
    const QDateTime start(QDate(2025, 10, 21), QTime(7, 28), Qt::UTC);
    QStringList lines;
    while (lines.size() < most) {
        const auto action = player.next(start);
        if (!action)
            return lines;
        static const char *const kinds[] = {"head", "body", "raw", "end", "close", "reset", "hang"};
        QString line = QString::number(toSeconds(action->wait)) + u' ' + QLatin1StringView(kinds[int(action->kind)]);
        if (!action->bytes.isEmpty())
            line += u' ' + shown(action->bytes);
        lines << line;
    }
    lines << u"…"_s;
    return lines;
}

QStringList playedSteps(const QByteArray &steps, ServedDialect dialect = ServedDialect::Sse, int most = 100)
{
    const auto scenario = read(withSteps(steps));
    if (!scenario)
        return {scenario.error().line()};
    return played(scenario->requests[0], dialect, most);
}

} // namespace

class ScenariosTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("line"); // the beginning of the problem's line
        const auto steps = [](const char *name, const QByteArray &list, const QString &line) {
            QTest::newRow(name) << withSteps(list) << line;
        };
        QTest::newRow("empty file") << QByteArray() << u"f.json:1: not JSON: "_s;
        QTest::newRow("not JSON, third line") << QByteArray("{\n\"format\": 1,\n\"name\" 3}") << u"f.json:3: not JSON: "_s;
        QTest::newRow("binary") << QByteArray("\0\1\2\xff", 4) << u"f.json:1: not JSON: "_s;
        QTest::newRow("a list") << QByteArray("[]") << u"f.json: a scenario is a JSON object"_s;
        QTest::newRow("too large") << QByteArray(5 * 1024 * 1024, ' ') << u"f.json: the file is too large"_s;
        QTest::newRow("no format") << QByteArray(R"({"name": "n"})") << u"f.json: format: missing; give a whole number"_s;
        QTest::newRow("newer format") << QByteArray(R"({"format": 2, "x": 1})")
                                      << u"f.json: format: format 2 is newer than this program; this one reads format 1"_s;
        QTest::newRow("bad name") << QByteArray(R"({"format": 1, "name": "A b", "title": "t", "requests": [{"steps": [{"do": "hang"}]}]})")
                                  << u"f.json: name: not a scenario name"_s;
        QTest::newRow("no requests") << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": []})")
                                     << u"f.json: requests: the list is empty"_s;
        QTest::newRow("requests is an object") << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": {}})")
                                               << u"f.json: requests: a list is expected, found an object"_s;
        QTest::newRow("unknown name at the top")
            << QByteArray(R"({"format": 1, "name": "n", "titel": "t", "title": "t", "requests": [{"steps": [{"do": "hang"}]}]})")
            << u"f.json: titel: unknown name; did you mean title?"_s;
        QTest::newRow("script is a number") << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": [3]})")
                                            << u"f.json: requests[0]: an object is expected, found the number 3"_s;
        QTest::newRow("times 0") << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": [{"times": 0, "steps": [{"do": "hang"}]}]})")
                                 << u"f.json: requests[0].times: the number 0 is not allowed; give a whole number from 1"_s;
        QTest::newRow("unknown connection") << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": [{"connection": "blackhole"}]})")
                                            << u"f.json: requests[0].connection: the text \"blackhole\" is not known; did you mean black_hole?"_s;
        QTest::newRow("steps on a refused connection")
            << QByteArray(R"({"format": 1, "name": "n", "title": "t", "requests": [{"connection": "refuse", "steps": [{"do": "hang"}]}]})")
            << u"f.json: requests[0].steps: steps are only played on an accepted connection"_s;
        steps("no steps", "", u"f.json: requests[0].steps: the list is empty"_s);
        steps("step is a text", R"("hang")", u"f.json: requests[0].steps[0]: an object is expected, found the text \"hang\""_s);
        steps("no do", "{}", u"f.json: requests[0].steps[0].do: missing; give one of wait, head"_s);
        steps("unknown step", R"({"do": "hangs"})", u"f.json: requests[0].steps[0].do: the text \"hangs\" is not known; did you mean hang?"_s);
        steps("unknown name in a step", R"({"do": "head"}, {"do": "ping", "count": 1, "evry_s": 2})",
              u"f.json: requests[0].steps[1].evry_s: unknown name; did you mean every_s?"_s);
        steps("negative duration", R"({"do": "wait", "for_s": -1})",
              u"f.json: requests[0].steps[0].for_s: the number -1 is not allowed; give seconds from 0 to 604800"_s);
        steps("huge duration", R"({"do": "hang", "after_s": 1e300})", u"f.json: requests[0].steps[0].after_s: the number 1e+300"_s);
        steps("duration as text", R"({"do": "wait", "for_s": "1"})", u"f.json: requests[0].steps[0].for_s: the text \"1\" is not allowed"_s);
        steps("count 0", R"({"do": "head"}, {"do": "ping", "count": 0})", u"f.json: requests[0].steps[1].count: the number 0"_s);
        steps("count 1.5", R"({"do": "head"}, {"do": "ping", "count": 1.5})", u"f.json: requests[0].steps[1].count: the number 1.5"_s);
        steps("count always", R"({"do": "head"}, {"do": "ping", "count": "always"})",
              u"f.json: requests[0].steps[1].count: the text \"always\" is not allowed; give a whole number from 1 to 1000000, or \"forever\""_s);
        steps("status", R"({"do": "reply", "status": 42})", u"f.json: requests[0].steps[0].status: the number 42 is not allowed; give a whole number from 100 to 999"_s);
        steps("line end in a header", R"({"do": "reply", "headers": {"a": "b\r\nc"}})",
              u"f.json: requests[0].steps[0].headers.a.value: "_s);
        steps("header name", R"({"do": "reply", "headers": {"a b": "c"}})", u"f.json: requests[0].steps[0].headers.a b: not a header name"_s);
        steps("header date", R"({"do": "reply", "headers": {"Retry-After": {"date_in": 3}}})",
              u"f.json: requests[0].steps[0].headers.Retry-After.date_in_s: missing"_s);
        steps("length as header", R"({"do": "reply", "headers": {"Content-Length": "3"}})",
              u"f.json: requests[0].steps[0].headers.Content-Length: this header follows from the framing"_s);
        steps("framing", R"({"do": "head", "framing": "chunky"})", u"f.json: requests[0].steps[0].framing: the text \"chunky\" is not known"_s);
        steps("base64", R"({"do": "raw", "base64": "a*b"})", u"f.json: requests[0].steps[0].base64: not base64"_s);
        steps("text and base64", R"({"do": "raw", "text": "a", "base64": "YQ=="})", u"f.json: requests[0].steps[0].base64: given together with text"_s);
        steps("body without a head", R"({"do": "events", "count": 1, "text": "x"})", u"f.json: requests[0].steps[0]: a body without a head"_s);
        steps("two heads", R"({"do": "head"}, {"do": "head"})", u"f.json: requests[0].steps[1]: a second head inside a body"_s);
        steps("after the end", R"({"do": "reply"}, {"do": "body", "text": "x"})", u"f.json: requests[0].steps[1]: more body after the body's end"_s);
        steps("two replies", R"({"do": "reply"}, {"do": "reply"})", u"f.json: requests[0].steps[1]: a head after a complete reply"_s);
        steps("never reached", R"({"do": "hang"}, {"do": "close"})", u"f.json: requests[0].steps[1]: this step is never reached"_s);
        steps("after an endless one", R"({"do": "head"}, {"do": "ping", "count": "forever", "every_s": 1}, {"do": "close"})",
              u"f.json: requests[0].steps[2]: this step is never reached"_s);
        steps("endless without wait", R"({"do": "head"}, {"do": "ping", "count": "forever"})",
              u"f.json: requests[0].steps[1]: an endless step needs a wait"_s);
        steps("endless waits", R"({"do": "repeat", "count": "forever", "steps": [{"do": "wait", "for_s": 1}]})",
              u"f.json: requests[0].steps[0]: an endless repeat needs something sent"_s);
        steps("endless without pause", R"({"do": "head"}, {"do": "repeat", "count": "forever", "steps": [{"do": "body", "text": "x"}]})",
              u"f.json: requests[0].steps[1]: an endless repeat needs something sent and a wait"_s);
        steps("head in a repeat", R"({"do": "repeat", "count": 2, "steps": [{"do": "head"}]})",
              u"f.json: requests[0].steps[0].steps[0]: a second head inside a body"_s);
        steps("too many actions", R"({"do": "head"}, {"do": "repeat", "count": 1000000, "steps": [{"do": "ping", "count": 1000000}]})",
              u"f.json: requests[0].steps[1]: the script has too many actions"_s);
        QByteArray deep = R"({"do": "ping", "count": 1})";
        for (int i = 0; i < 5; ++i)
            deep = R"({"do": "repeat", "count": 1, "steps": [)" + deep + "]}";
        steps("nested too deep", R"({"do": "head"}, )" + deep,
              u"f.json: requests[0].steps[1].steps[0].steps[0].steps[0].steps[0].steps: repeats are nested too deep"_s);
        QByteArray abyss = R"({"do": "ping", "count": 1})";
        for (int i = 0; i < 400; ++i)
            abyss = R"({"do": "repeat", "count": 1, "steps": [)" + abyss + "]}";
        QTest::newRow("abyss") << withSteps(abyss) << u"f.json"_s;
    }

    void refused()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, line);
        const auto scenario = read(json);
        QVERIFY(!scenario);
        const QString text = scenario.error().line();
        QVERIFY2(text.startsWith(line), qPrintable(text));
        QVERIFY(!text.contains(u'\n'));
        QCOMPARE(scenario.error().kind, ProblemKind::Usage);
    }

    // Cut anywhere and with any byte changed, a file gives a scenario or a problem, never anything else.
    void damagedFilesAreRefusedOrRead()
    {
        QFile file(QStringLiteral(RESOURCES_DIR "/scenarios/429-retry-after-date.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray json = file.readAll();
        int refusals = 0;
        for (qsizetype i = 0; i < json.size(); ++i) {
            refusals += read(json.left(i)) ? 0 : 1;
            for (const char c : {'\0', '"', '9', '{', '\xff'}) {
                QByteArray changed = json;
                changed[i] = c;
                if (const auto scenario = read(changed)) {
                    for (const FaultScript &script : scenario->requests)
                        QVERIFY(!played(script).isEmpty());
                } else {
                    ++refusals;
                }
            }
        }
        QVERIFY(refusals > json.size());
    }

    void requestsComeInOrderAndTheLastRepeats()
    {
        const auto scenario = read(R"({"format": 1, "name": "n", "title": "t", "about": "a", "requests": [
            {"times": 2, "connection": "refuse"}, {"connection": "black_hole"}, {"steps": [{"do": "reset"}]}]})");
        QVERIFY2(scenario.has_value(), scenario ? "" : qPrintable(scenario.error().line()));
        QCOMPARE(scenario->about, u"a"_s);
        const ConnectionFault expected[] = {ConnectionFault::Refuse, ConnectionFault::Refuse, ConnectionFault::BlackHole,
                                            ConnectionFault::Accept, ConnectionFault::Accept};
        for (int n = 1; n <= 5; ++n)
            QCOMPARE(scriptFor(*scenario, n).connection, expected[n - 1]);
        QCOMPARE(scriptFor(*scenario, std::numeric_limits<qint64>::max()).connection, ConnectionFault::Accept);
    }

    void playsAStream()
    {
        QCOMPARE(playedSteps(R"({"do": "head", "after_s": 0.5}, {"do": "wait", "for_s": 1}, {"do": "ping", "count": 1},
                                {"do": "events", "count": 3, "every_s": 2, "text": ["a", "b"]}, {"do": "end_marker", "after_s": 3})"),
                 QStringList({u"0.5 head HTTP/1.1 200 OK|Content-Type: text/event-stream; charset=utf-8|Transfer-Encoding: chunked||"_s,
                              u"1 body : ping//"_s, u"2 body data: a//"_s, u"2 body data: b//"_s, u"2 body data: a//"_s,
                              u"3 body data: [DONE]//"_s, u"0 end"_s}));
    }

    void playsAReply()
    {
        QCOMPARE(playedSteps(R"({"do": "reply", "status": 503, "headers": {"X-B": "1", "X-A": ["2", "3"]}, "body": "busy"})"),
                 QStringList({u"0 head HTTP/1.1 503 Service Unavailable|X-A: 2|X-A: 3|X-B: 1|Content-Type: text/plain; charset=utf-8|Content-Length: 4||"_s,
                              u"0 body busy"_s, u"0 end"_s}));
        QCOMPARE(playedSteps(R"({"do": "reply", "status": 599, "reason": "Odd", "body": "{}"})")[0],
                 u"0 head HTTP/1.1 599 Odd|Content-Type: application/json|Content-Length: 2||"_s);
        // No body, no body bytes; 204 has no framing at all.
        QCOMPARE(playedSteps(R"({"do": "reply", "status": 204})"), QStringList({u"0 head HTTP/1.1 204 No Content||"_s, u"0 end"_s}));
    }

    void endsAsTheFramingSays()
    {
        const QByteArray body = R"(, {"do": "body", "text": "abc"})";
        QCOMPARE(playedSteps(R"({"do": "head"})" + body).back(), u"0 end"_s);
        QCOMPARE(playedSteps(R"({"do": "head", "framing": {"length": 3}})" + body).back(), u"0 end"_s);
        QCOMPARE(playedSteps(R"({"do": "head", "framing": {"length": 4}})" + body).back(), u"0 close"_s);
        QCOMPARE(playedSteps(R"({"do": "head", "framing": {"length": 2}})" + body).back(), u"0 close"_s);
        QCOMPARE(playedSteps(R"({"do": "head", "framing": "until_close"})" + body).back(), u"0 close"_s);
        QCOMPARE(playedSteps(R"({"do": "raw", "text": "SSH-2.0"})"), QStringList({u"0 raw SSH-2.0"_s, u"0 close"_s}));
        QCOMPARE(playedSteps(R"({"do": "head"}, {"do": "end_body"}, {"do": "close", "after_s": 2})").mid(1),
                 QStringList({u"0 end"_s, u"2 close"_s}));
        QCOMPARE(playedSteps(R"({"do": "wait", "for_s": 3})"), QStringList({u"3 close"_s}));
        QCOMPARE(playedSteps(R"({"do": "hang", "after_s": 1})"), QStringList({u"1 hang"_s}));
    }

    void informationalHeadsComeFirst()
    {
        const QStringList lines = playedSteps(R"({"do": "head", "status": 103, "headers": {"Link": "x"}}, {"do": "reply", "body": "a"})");
        QCOMPARE(lines[0], u"0 head HTTP/1.1 103 Early Hints|Link: x||"_s);
        QVERIFY(lines[1].startsWith(u"0 head HTTP/1.1 200 OK|"_s));
        QCOMPARE(lines.back(), u"0 end"_s);
    }

    void dripsTheHeadByteByByte()
    {
        const auto scenario = read(withSteps(R"({"do": "head_drip", "every_s": 0.25, "headers": {"X": "y"}}, {"do": "end_marker"})"));
        QVERIFY(scenario);
        ScriptPlayer player(scenario->requests[0], ServedDialect::Sse);
        QByteArray bytes;
        for (;;) {
            const auto action = player.next({});
            QVERIFY(action);
            QCOMPARE(action->kind, WireAction::Kind::Head);
            QCOMPARE(action->wait, Duration(250ms));
            QCOMPARE(action->bytes.size(), 1);
            bytes += action->bytes;
            QCOMPARE(action->headComplete, bytes.endsWith("\r\n\r\n"));
            if (action->headComplete) {
                QCOMPARE(action->status, 200);
                QCOMPARE(action->headers.size(), size_t(3));
                QCOMPARE(action->headers[0].second, QByteArray("y"));
                break;
            }
        }
        QVERIFY(bytes.startsWith("HTTP/1.1 200 OK\r\nX: y\r\n"));
    }

    // Defined below the class: moc does not read raw strings and stumbles over their braces.
    void stylesAndExpectationsRefused_data();
    void stylesAndExpectationsRefused() { refused(); }
    void blocksAreStyledAndBodiesAreNot();
    void readsWhatIsExpected();

    void repeatsAndDrips()
    {
        QCOMPARE(playedSteps(R"({"do": "head", "framing": "until_close"}, {"do": "repeat", "count": 2, "steps": [
                                {"do": "repeat", "count": 2, "steps": [{"do": "drip", "every_s": 1, "text": "ab"}]}, {"do": "body", "text": "-", "after_s": 4}]})")
                     .mid(1),
                 QStringList({u"1 body a"_s, u"1 body b"_s, u"1 body a"_s, u"1 body b"_s, u"4 body -"_s, u"1 body a"_s, u"1 body b"_s,
                              u"1 body a"_s, u"1 body b"_s, u"4 body -"_s, u"0 close"_s}));
        QCOMPARE(playedSteps(R"({"do": "head"}, {"do": "repeat", "count": "forever", "steps": [{"do": "body", "text": "x", "after_s": 1}]})",
                             ServedDialect::Sse, 50'000)
                     .size(),
                 50'001);
        QCOMPARE(playedSteps(R"({"do": "head"}, {"do": "raw", "base64": "enp6eg=="}, {"do": "reset"})").mid(1),
                 QStringList({u"0 raw zzzz"_s, u"0 reset"_s}));
    }

    void endlessWaitsSaturate()
    {
        QCOMPARE(playedSteps(R"({"do": "repeat", "count": 1000000, "steps": [{"do": "wait", "for_s": 604800}]}, {"do": "close"})"),
                 QStringList({QString::number(toSeconds(Duration::max())) + u" close"_s}));
    }

    void datesFollowTheGivenTime()
    {
        Head head;
        head.headers = {{"Retry-After", {}, Duration(8s)}};
        const QDateTime at(QDate(2025, 10, 21), QTime(7, 28), Qt::UTC);
        QCOMPARE(headersFor(head, ServedDialect::Sse, at)[0].second, QByteArray("Tue, 21 Oct 2025 07:28:08 GMT"));
        QCOMPARE(headersFor(head, ServedDialect::Sse, at.addMSecs(1))[0].second, QByteArray("Tue, 21 Oct 2025 07:28:09 GMT"));
        QCOMPARE(headersFor(head, ServedDialect::Sse, {})[0].second, QByteArray("Thu, 01 Jan 1970 00:00:08 GMT"));
        // The wait before the head counts.
        QVERIFY(playedSteps(R"({"do": "reply", "after_s": 60, "status": 429, "headers": {"Retry-After": {"date_in_s": 8}}})")[0].contains(
            u"Retry-After: Tue, 21 Oct 2025 07:29:08 GMT|"_s));
    }

    void framesChunks()
    {
        QCOMPARE(framed(Framing::Chunked, QByteArray(26, 'x')), "1a\r\n" + QByteArray(26, 'x') + "\r\n");
        QCOMPARE(framed(Framing::Chunked, {}), QByteArray());
        QCOMPARE(framed(Framing::Length, "ab"), QByteArray("ab"));
        QCOMPARE(bodyEnd(Framing::Chunked), QByteArray("0\r\n\r\n"));
        QCOMPARE(bodyEnd(Framing::UntilClose), QByteArray());
    }

    void everyBuiltInIsReadAndEnds()
    {
        const QStringList files = QDir(QStringLiteral(RESOURCES_DIR "/scenarios")).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 70);
        QCOMPARE(qsizetype(builtInScenarios().size()), files.size());
        for (qsizetype i = 0; i < files.size(); ++i) {
            const Scenario &scenario = builtInScenarios()[size_t(i)];
            QCOMPARE(scenario.name + u".json"_s, files[i]);
            QVERIFY2(scenario.about.size() > 40, qPrintable(scenario.name));
            for (const FaultScript &script : scenario.requests) {
                for (const ServedDialect dialect : servedDialects()) {
                    const QStringList lines = played(script, dialect, 500);
                    QVERIFY2(!lines.isEmpty(), qPrintable(scenario.name));
                    // Equal in every run.
                    QCOMPARE(played(script, dialect, 500), lines);
                }
            }
        }
    }

    void theNamedScenariosAreThere()
    {
        for (const QString &name :
             {u"ok-stream"_s, u"connect-refused"_s, u"connect-blackhole"_s, u"accept-then-close"_s, u"reset-before-headers"_s,
              u"header-drip"_s, u"503-at-once"_s, u"429-retry-after-ms"_s, u"429-retry-after"_s, u"429-retry-after-date"_s,
              u"429-quota"_s, u"401-unauthorized"_s, u"400-context-overflow"_s, u"empty-error-body"_s, u"error-event-in-stream"_s,
              u"reset-mid-stream"_s, u"fin-mid-stream"_s, u"cut-chunked"_s, u"missing-end-marker"_s, u"idle-stall"_s,
              u"ping-flood"_s, u"data-drip"_s}) {
            const auto scenario = findScenario(name);
            QVERIFY2(scenario.has_value(), qPrintable(name));
            QCOMPARE(scenario->name, name);
        }
    }

    void findsByNameOrFile()
    {
        const auto near = findScenario(u"idle-stal"_s);
        QVERIFY(!near);
        QCOMPARE(near.error().kind, ProblemKind::Usage);
        QVERIFY2(near.error().line().endsWith(u"did you mean idle-stall?"_s), qPrintable(near.error().line()));
        const auto far = findScenario(u"qqqqqqqqqqqqqqqqqqqqqqqqq"_s);
        QVERIFY(far.error().advice.contains(u"503-at-once"_s));
        QVERIFY(!findScenario({}));

        const auto file = findScenario(QStringLiteral(RESOURCES_DIR "/scenarios/ok-stream.json"));
        QVERIFY(file);
        const auto missing = findScenario(u"no/such.json"_s);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ProblemKind::Unavailable);
        QVERIFY(missing.error().line().startsWith(u"no/such.json: cannot be read: "_s));
        QVERIFY(!findScenario(u"/dev/zero"_s));
        QTemporaryDir folder;
        QVERIFY(!findScenario(folder.path() + u"/"_s));
    }
};

void ScenariosTest::stylesAndExpectationsRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("line");
    const auto whole = [](const char *name, const QByteArray &more, const QString &line) {
        QTest::newRow(name) << R"({"format": 1, "name": "n", "title": "t", )" + more + R"(})" << line;
    };
    const QByteArray hang = R"("requests": [{"steps": [{"do": "hang"}]}])";
    whole("late refusal", R"("requests": [{"connection": "refuse", "connect_after_s": 1}])",
          u"f.json: requests[0].connect_after_s: a connect that is refused or never answered is not answered late"_s);
    whole("line end", R"("requests": [{"stream": {"line_end": "crfl"}, "steps": [{"do": "hang"}]}])",
          u"f.json: requests[0].stream.line_end: the text \"crfl\" is not known; did you mean crlf?"_s);
    whole("style is a text", R"("requests": [{"stream": "crlf", "steps": [{"do": "hang"}]}])",
          u"f.json: requests[0].stream: an object is expected, found the text \"crlf\""_s);
    whole("mark as a number", R"("requests": [{"stream": {"byte_order_mark": 1}, "steps": [{"do": "hang"}]}])",
          u"f.json: requests[0].stream.byte_order_mark: the number 1 is not allowed; give true or false"_s);
    whole("pieces of nothing", R"("requests": [{"stream": {"piece_bytes": 0}, "steps": [{"do": "hang"}]}])",
          u"f.json: requests[0].stream.piece_bytes: the number 0"_s);
    whole("too many pieces", R"("requests": [{"stream": {"piece_bytes": 1}, "steps": [{"do": "head"},
          {"do": "events", "count": 10000, "text": "x"}]}])",
          u"f.json: requests[0].steps[1]: the script has too many actions"_s);
    whole("expectation is a list", R"("expect": [], )" + hang, u"f.json: expect: an object is expected, found a list"_s);
    whole("unknown rule set", R"("expect": {"strickt": {}}, )" + hang, u"f.json: expect.strickt: unknown name; did you mean strict?"_s);
    whole("nothing expected", R"("expect": {"strict": {}}, )" + hang, u"f.json: expect.strict.outcome: missing; give one of ok, truncated"_s);
    whole("unknown phase", R"("expect": {"strict": {"outcome": "ok", "phase": "recieve", "call": "ok"}}, )" + hang,
          u"f.json: expect.strict.phase: the text \"recieve\" is not known; did you mean receive?"_s);
    whole("unknown phase in a list", R"("expect": {"strict": {"outcome": "ok", "phase": ["wait", 3], "call": "ok"}}, )" + hang,
          u"f.json: expect.strict.phase: the number 3 is not known; give names of phases"_s);
    whole("unknown timer", R"("expect": {"openprogram": {"outcome": "error", "phase": "wait", "timer": "idel", "call": "ok"}}, )" + hang,
          u"f.json: expect.openprogram.timer: the text \"idel\" is not known; did you mean idle?"_s);
}

void ScenariosTest::blocksAreStyledAndBodiesAreNot()
{
    const auto lines = [](const QByteArray &style, const QByteArray &steps, ServedDialect dialect) {
        const auto scenario = read(R"({"format": 1, "name": "n", "title": "t", "requests": [{"stream": {)" + style
                                   + R"(}, "steps": [{"do": "head"}, )" + steps + "]}]}");
        return scenario ? played(scenario->requests[0], dialect).mid(1) : QStringList{scenario.error().line()};
    };
    const QByteArray two = R"({"do": "ping", "count": 1}, {"do": "body", "text": "a\nb"}, {"do": "end_marker"})";
    QCOMPARE(lines(R"("line_end": "crlf", "byte_order_mark": true)", two, ServedDialect::Sse),
             QStringList({u"0 body EF BB BF : ping||"_s, u"0 body a/b"_s, u"0 body data: [DONE]||"_s, u"0 end"_s}));
    QCOMPARE(lines(R"("line_end": "cr")", two, ServedDialect::Sse)[0], u"0 body : ping\r\r"_s);
    // The wait stands before every piece but the first, and before nothing else.
    QCOMPARE(lines(R"("piece_bytes": 5, "piece_every_s": 0.5)", R"({"do": "events", "count": 2, "every_s": 3, "text": "ab"})",
                   ServedDialect::Sse),
             QStringList({u"3 body data:"_s, u"0.5 body  ab//"_s, u"3 body data:"_s, u"0.5 body  ab//"_s, u"0 end"_s}));
    QCOMPARE(lines(R"("multi_line_data": true)", R"({"do": "error_event", "type": "t", "text": "data: {"})", ServedDialect::AnthropicMessages)[0],
             u"0 body event: error/data: {/data: \"type\":\"error\",\"error\":{\"type\":\"t\",\"message\":\"data: {\"}}//"_s);
    QVERIFY(lines(R"("multi_line_data": true)", R"({"do": "events", "count": 1, "text": "x"})", ServedDialect::Ollama)[0].startsWith(
        u"0 body {\"model\""_s));
}

void ScenariosTest::readsWhatIsExpected()
{
    const auto scenario = read(R"({"format": 1, "name": "n", "title": "t", "requests": [{"connect_after_s": 2, "steps": [{"do": "hang"}]}],
        "expect": {"openprogram": {"outcome": "error", "phase": ["wait", "send"], "timer": "read", "reason": "transport", "retryable": true,
                                   "type": "ReadTimeout", "call": "partial", "note": "why"}}})");
    QVERIFY2(scenario.has_value(), scenario ? "" : qPrintable(scenario.error().line()));
    QVERIFY(!scenario->expect.strict);
    const ExpectedEnd end = scenario->expect.openprogram.value();
    QCOMPARE(end.outcome, Outcome::Error);
    QCOMPARE(end.phases, std::vector({Phase::Wait, Phase::Send}));
    QCOMPARE(end.timer, std::optional(TimerKind::Read));
    QCOMPARE(end.reason, ErrorReason::Transport);
    QVERIFY(end.retryable);
    QCOMPARE(end.type, u"ReadTimeout"_s);
    QCOMPARE(end.call, CallEnd::Partial);
    QCOMPARE(end.note, u"why"_s);
    QCOMPARE(scenario->requests[0].connectAfter, Duration(2s));
    QVERIFY(hasConnectionFaults(*scenario));
}

QTEST_GUILESS_MAIN(ScenariosTest)
#include "tst_scenarios.moc"
