// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/eventfields.h"
#include "support/tracewriting.h"
#include "trace/jsontext.h"
#include "trace/redaction.h"
#include "trace/staticwords.h"
#include "trace/tracewriter.h"

#include <QTest>
#include <QUrl>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

const auto secret = u"S3cr3t/Wörter +\"x\"_äöü-77"_s;
const auto plainSecret = u"corp-key-8842-XYZZY"_s; // no pattern would find it

QString jsonEscaped(const QString &text, bool ascii, bool capitals = false)
{
    QByteArray json;
    appendJsonString(json, text);
    QString escaped = QString::fromUtf8(json.mid(1, json.size() - 2));
    if (!ascii)
        return escaped;
    QString plain;
    for (const QChar c : std::as_const(escaped)) {
        const QString digits = u"%1"_s.arg(c.unicode(), 4, 16, QLatin1Char('0'));
        plain += c.unicode() < 128 ? QString(c) : u"\\u"_s + (capitals ? digits.toUpper() : digits);
    }
    return plain;
}

// Every way in which a value may come back in a server's text.
QList<std::pair<QByteArray, QString>> formsOf(const QString &value)
{
    const QByteArray utf8 = value.toUtf8();
    const auto base64 = [](const QByteArray &bytes, auto options) { return QString::fromLatin1(bytes.toBase64(options)); };
    QString percentAll;
    for (const char byte : utf8)
        percentAll += u"%%1"_s.arg(static_cast<uchar>(byte), 2, 16, QLatin1Char('0'));
    const QString percent = QString::fromLatin1(QUrl::toPercentEncoding(value));
    QString slashes = value;
    slashes.replace(u'/', u"\\/"_s).replace(u'"', u"\\\""_s);
    QString plus = percent;
    plus.replace(u"%20"_s, u"+"_s);
    QList<std::pair<QByteArray, QString>> forms{
        {"plain", value},
        {"JSON", jsonEscaped(value, false)},
        {"JSON, ASCII", jsonEscaped(value, true)},
        {"JSON, capital digits", jsonEscaped(value, true, true)},
        {"JSON within JSON", jsonEscaped(jsonEscaped(value, true), true)},
        {"JSON, escaped slashes", slashes},
        {"percent", percent},
        {"percent, all of it", percentAll},
        {"percent, twice", QString::fromLatin1(QUrl::toPercentEncoding(percent))},
        {"form", plus},
        {"base64", base64(utf8, QByteArray::Base64Encoding)},
        {"base64 for URLs", base64(utf8, QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)},
    };
    for (const QByteArray &before : {QByteArray("u:"), QByteArray("user:"), QByteArray("me@x:")}) {
        forms.append({"basic " + before, base64(before + utf8, QByteArray::Base64Encoding)});
        forms.append({"middle " + before, base64(before + utf8 + ":and more", QByteArray::Base64Encoding)});
        forms.append({"URL middle " + before, base64(before + utf8 + "?\?>>", QByteArray::Base64UrlEncoding)});
    }
    return forms;
}

RedactionRules only(const QString &value, bool patterns = false)
{
    RedactionRules rules;
    rules.secrets = {{u"environment key"_s, value}};
    rules.patterns = patterns;
    return rules;
}

class Keeping : public EventSink
{
public:
    void write(const Event &event) override { events.push_back(event); }
    std::vector<Event> events;
};

} // namespace

class RedactionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knownSecretsInEveryForm_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("form");
        for (const QString &value : {secret, plainSecret, u"corp-lower-case_9"_s, u"back\\slash%41+sign"_s,
                                     u"line\nend\tkey"_s, u"pass wörd 😀!"_s}) {
            for (const auto &[name, form] : formsOf(value))
                QTest::addRow("%s: %s", qPrintable(jsonEscaped(value, true).left(12)), name.constData()) << value << form;
        }
    }
    void knownSecretsInEveryForm()
    {
        QFETCH(QString, value);
        QFETCH(QString, form);
        const Redactor redactor(only(value));
        for (const auto &[before, after] :
             {std::pair(u""_s, u""_s), std::pair(u"got '"_s, u"' there"_s), std::pair(u"{\"k\":\""_s, u"\"}"_s),
              std::pair(u"a%20b\\n="_s, u"&c \\\" "_s), std::pair(u"Ünï: "_s, u" 等"_s)}) {
            const QString clean = redactor.redacted(before + form + after);
            QCOMPARE(clean, before + u"[redacted]"_s + after);
        }
        // Twice in one text, and once in bytes that are no UTF-8.
        QCOMPARE(redactor.redacted(form + u" and "_s + form), u"[redacted] and [redacted]"_s);
        QCOMPARE(redactor.redactedBytes(QByteArray("\xff ") + form.toUtf8() + " \xfe"), QByteArray("\xff [redacted] \xfe"));
    }

    void everyTextOfEveryEvent()
    {
        // The compiler finds the fields: one that is added without redaction makes this fail.
        RedactionRules rules = only(plainSecret, true);
        rules.secrets.push_back({u"second"_s, secret});
        const Redactor redactor(std::move(rules));
        int texts = 0;
        for (const QString &planted :
             {plainSecret, secret, u"sk-abcdefgh12345678"_s, QString::fromLatin1(plainSecret.toUtf8().toBase64())}) {
            forEachKind([&]<class E>(E) {
                E event{};
                forEachField(event, [&](auto &field) {
                    using Field = std::remove_reference_t<decltype(field)>;
                    if constexpr (std::is_same_v<Field, QString>) {
                        field = u"before "_s + planted + u" after"_s;
                        ++texts;
                    } else if constexpr (std::is_same_v<Field, QLatin1StringView>) {
                        field = *staticWord(("before " + planted.toLatin1() + " after"));
                        ++texts;
                    } else {
                        static_assert(
                            !std::is_convertible_v<Field, QStringView> && !std::is_convertible_v<Field, QByteArrayView>,
                            "a text of a type that redaction does not know");
                    }
                });
                Keeping sink;
                RedactingSink redacting(redactor, sink);
                redacting.write(event);
                QCOMPARE(sink.events.size(), 1u);
                forEachField(std::get<E>(sink.events[0]), [&](auto &field) {
                    using Field = std::remove_reference_t<decltype(field)>;
                    if constexpr (std::is_same_v<Field, QString>)
                        QCOMPARE(field, u"before [redacted] after"_s);
                    else if constexpr (std::is_same_v<Field, QLatin1StringView>)
                        QCOMPARE(field, "before [redacted] after"_L1);
                });
                QByteArray line;
                appendEventLine(line, sink.events[0]);
                QVERIFY(!QString::fromUtf8(line).contains(planted));
            });
        }
        QCOMPARE(texts, 4 * 14);
    }

    void nothingElseChanges()
    {
        // Numbers, ids and words go through as they are, and so does an ordinary text.
        const Redactor redactor(only(plainSecret, true));
        for (Event event : {Event(SpanEnded{at(1), SpanId{3}, Outcome::Timeout, ErrorReason::Timeout, true, true, 503,
                                            u"ReadTimeout"_s, u""_s, u"type: ReadTimeout"_s, 2.5}),
                            Event(TimerFired{at(1), TimerId{2}, at(1), fromSeconds(1), {}}),
                            Event(Marked{at(1), SpanId{1}, MarkKind::Line, 5, u"data: {\"delta\":\"hello\"}"_s})}) {
            QByteArray before;
            appendEventLine(before, event);
            redactor.redact(event);
            QByteArray after;
            appendEventLine(after, event);
            QCOMPARE(after, before);
        }
        TimerArmed armed;
        armed.setting = "http.connect_timeout_s"_L1;
        Event event(armed);
        redactor.redact(event);
        QCOMPARE(std::get<TimerArmed>(event).setting.data(), armed.setting.data());
    }

    void headersToo()
    {
        const Redactor redactor(only(plainSecret, true));
        TraceHeader header;
        header.title = u"run with "_s + plainSecret;
        header.programVersion = plainSecret;
        header.policy = {{plainSecret, plainSecret, plainSecret},
                         {u"http.proxy_url"_s, u"http://me:pw1@proxy:3128"_s, u"environment"_s}};
        header.redactions = {plainSecret, u"environment key"_s};
        redactor.redact(header);
        QByteArray line;
        appendHeaderLine(line, header);
        QVERIFY2(!line.contains(plainSecret.toUtf8()), line.constData());
        QVERIFY(!line.contains("pw1"));
        QVERIFY(line.contains("http://[redacted]@proxy:3128"));
        for (const QString &on : redactor.redactions())
            QCOMPARE(header.redactions.count(on), 1);
        QVERIFY(header.redactions.contains(u"environment key"_s));
        QVERIFY(Redactor(RedactionRules{{}, false, 0}).redactions().isEmpty());
        // Not even a name may tell it.
        QVERIFY(
            !Redactor(RedactionRules{{{plainSecret, plainSecret}}, false, 0}).redactions().join(u' ').contains(plainSecret));
    }

    void patterns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("clean");
        const auto row
            = [](const char *name, const QString &text, const QString &clean) { QTest::newRow(name) << text << clean; };
        row("bearer header", u"Authorization: Bearer abc.DEF-123"_s, u"Authorization: [redacted]"_s);
        row("basic header", u"> authorization: Basic dXNlcjpwYXNz\r\n> accept: */*"_s,
            u"> authorization: [redacted]\r\n> accept: */*"_s);
        row("proxy", u"Proxy-Authorization: Digest username=\"u\", response=\"r\""_s,
            u"Proxy-Authorization: [redacted]\"u\", response=\"r\""_s);
        row("JSON", u"{\"authorization\": \"Bearer x y z\", \"a\": 1}"_s,
            u"{\"authorization\": \"[redacted]\", \"a\": 1}"_s);
        row("JSON in JSON", u"{\\\"x-api-key\\\":\\\"k1\\\",\\\"a\\\":1}"_s,
            u"{\\\"x-api-key\\\":\\\"[redacted]\\\",\\\"a\\\":1}"_s);
        row("Python dict", u"{'x-api-key': 'k 1', 'a': 2}"_s, u"{'x-api-key': '[redacted]', 'a': 2}"_s);
        row("Python bytes", u"(b'Authorization', b'Bearer t'), (b'a', b'b')"_s,
            u"(b'Authorization', b'[redacted]'), (b'a', b'b')"_s);
        row("api-key", u"api-key: 1234, other: 5"_s, u"api-key: [redacted], other: 5"_s);
        row("google", u"x-goog-api-key=abc;q=1"_s, u"x-goog-api-key=[redacted];q=1"_s);
        row("variable", u"OPENAI_API_KEY=abc OTHER=def"_s, u"OPENAI_API_KEY=[redacted] OTHER=def"_s);
        row("cookie", u"Set-Cookie: sid=1; Path=/\nServer: x"_s, u"Set-Cookie: [redacted]\nServer: x"_s);
        row("cookies", u"cookie: a=1; b=2"_s, u"cookie: [redacted]"_s);
        row("bearer alone", u"sent bearer abcdef123456 to it"_s, u"sent bearer [redacted] to it"_s);
        row("bearer in URL form", u"auth=Bearer%20abcdef123456"_s, u"auth=Bearer%20[redacted]"_s);
        row("basic alone", u"Basic dXNlcjpwYXNz."_s, u"Basic [redacted]"_s);
        row("OpenAI", u"Incorrect API key provided: sk-proj-abcDEF123_45. See"_s,
            u"Incorrect API key provided: [redacted]. See"_s);
        row("Anthropic", u"key sk-ant-api03-AAAA-bbbb"_s, u"key [redacted]"_s);
        row("Google", u"AIzaSyA1234567890abcdefghij"_s, u"[redacted]"_s);
        row("GitHub", u"ghp_0123456789abcdefABCD,"_s, u"[redacted],"_s);
        row("web token", u"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1 ok"_s, u"[redacted] ok"_s);
        row("after %3D", u"x%3Dsk-abcdefgh1234"_s, u"x%3D[redacted]"_s);
        row("after an escape", u"a\\nsk-abcdefgh1234"_s, u"a\\n[redacted]"_s);
        row("query", u"GET /v1/models?key=abc123&alt=sse HTTP"_s, u"GET /v1/models?key=[redacted]&alt=sse HTTP"_s);
        row("query later", u"https://h/p?a=1&access_token=t.o-k#f"_s, u"https://h/p?a=1&access_token=[redacted]#f"_s);
        row("query in HTML", u"/p?a=1&amp;api_key=tok&amp;b=2"_s, u"/p?a=1&amp;api_key=[redacted]&amp;b=2"_s);
        row("URL", u"proxy http://user:pa:ss@host:80/x failed"_s, u"proxy http://[redacted]@host:80/x failed"_s);
        row("URL, at in password", u"http://u:p@ss@h"_s, u"http://[redacted]@h"_s);
        row("URL, user only", u"https://token123@h/"_s, u"https://[redacted]@h/"_s);
        row("password", u"password=hunter2 user=x"_s, u"password=[redacted] user=x"_s);
        row("client secret", u"\"client_secret\":\"s\""_s, u"\"client_secret\":\"[redacted]\""_s);
        row("lone surrogate", QString(QChar(0xd800)) + u" api_key=k "_s + QChar(0xdc00),
            QString(QChar(0xd800)) + u" api_key=[redacted] "_s + QChar(0xdc00));
        row("NUL", u"a"_s + QChar(0) + u"api_key=k"_s, u"a"_s + QChar(0) + u"api_key=[redacted]"_s);
        row("done already", u"Authorization: [redacted] api_key=[redacted] ?key=[redacted] http://[redacted]@h"_s,
            u"Authorization: [redacted] api_key=[redacted] ?key=[redacted] http://[redacted]@h"_s);
        for (const char *harmless : {"",
                                     "invalid_api_key",
                                     "{\"code\":\"invalid_api_key\",\"param\":null}",
                                     "x-api-key header is required",
                                     "Bearer authentication required",
                                     "basic authentication",
                                     "basic question",
                                     "task-something-longer",
                                     "sk-learn",
                                     "max_tokens: 100",
                                     "monkey=1",
                                     "http://host:8080/a@b",
                                     "connection refused: 127.0.0.1:9",
                                     "text: rate limit",
                                     "cookies are off",
                                     "risk-averse-strategies",
                                     "mailto:a@b.c",
                                     "a ? b : c",
                                     "https://api.example.com/v1/responses",
                                     "keyboard=1&monkeys=2",
                                     "status: 401 unauthorized"})
            row(*harmless ? harmless : "empty", QString::fromLatin1(harmless), QString::fromLatin1(harmless));
    }
    void patterns()
    {
        QFETCH(QString, text);
        QFETCH(QString, clean);
        const Redactor redactor;
        QCOMPARE(redactor.redacted(text), clean);
        QCOMPARE(redactor.redacted(clean), clean); // once is enough
        QCOMPARE(Redactor(RedactionRules{{}, false, 0}).redacted(text), text);
    }

    void overlapsLeaveNothing()
    {
        // A pattern that ends in the middle of a known value, and two values that share an end.
        Redactor redactor(only(u"abcdef,ghijkl"_s, true));
        QCOMPARE(redactor.redacted(u"api_key=abcdef,ghijkl."_s), u"api_key=[redacted]."_s);
        RedactionRules two = only(u"alpha-beta-gamma"_s);
        two.secrets.push_back({u"two"_s, u"gamma-delta-epsilon"_s});
        const Redactor both(std::move(two));
        QCOMPARE(both.redacted(u"x alpha-beta-gamma-delta-epsilon y"_s), u"x [redacted] y"_s);
        const Redactor self(only(u"abaaba"_s));
        QCOMPARE(self.redacted(u"abaabaaba"_s), u"[redacted]"_s);
    }

    void whatIsLeftOfJsonIsJson()
    {
        const Redactor redactor(only(plainSecret, true));
        for (const QString &text :
             {u"\n"_s + plainSecret, u"é"_s + QString::fromLatin1(plainSecret.toUtf8().toBase64()), u"api_key=\nvalue\t"_s,
              u"\"api_key\": \"a\\\"b\""_s, u"\\"_s + plainSecret + u"\\"_s, u"Cookie: a\"b"_s, u"?key=\u0001"_s}) {
            for (bool ascii : {false, true}) {
                const QString json = redactor.redacted(jsonEscaped(text, ascii));
                QVERIFY2(fromJsonString(json.toStdString()), qPrintable(json));
                QVERIFY2(json.contains(u"[redacted]"_s) != json.contains(u"key=\\u0001"_s), qPrintable(json));
            }
        }
    }

    void oddValues()
    {
        QCOMPARE(Redactor(only({})).redacted(u"text"_s), u"text"_s);
        QVERIFY(Redactor(only({})).redactions().filter(u"environment"_s).isEmpty());
        // Read from a file with its end of line.
        QCOMPARE(Redactor(only(u"  corp-key-1234\n"_s)).redacted(u"k corp-key-1234."_s), u"k [redacted]."_s);
        // So short that it stands in other words: only on its own.
        const Redactor tiny(only(u"ab1"_s));
        QCOMPARE(tiny.redacted(u"cab1e ab1 xab1"_s), u"cab1e [redacted] xab1"_s);
        const Redactor blank(only(u" "_s));
        QCOMPARE(blank.redacted(u"ab"_s), u"ab"_s);
    }

    void textsAreBounded()
    {
        const Redactor redactor(only(plainSecret));
        const QString body = QString(5000, u'x') + plainSecret;
        const QString cut = redactor.bounded(body);
        QVERIFY(cut.toUtf8().size() <= 4096);
        QVERIFY(cut.size() > 4000);
        QVERIFY(cut.endsWith(u" bytes left out]"_s));
        QCOMPARE(redactor.bounded(QString(4096, u'x')).size(), 4096);
        QCOMPARE(redactor.redacted(body).size(), 5010);
        // Not within a character, and counted in bytes.
        const QString wide = redactor.bounded(u"😀"_s.repeated(2000));
        QVERIFY(wide.toUtf8().size() <= 4096);
        QVERIFY(!wide.contains(QChar(0xfffd)) && !wide.toUtf8().contains("\xef\xbf\xbd"));
        QVERIFY(redactor.bounded(u"等"_s.repeated(1365)).size() == 1365);
        QVERIFY(redactor.bounded(u"等"_s.repeated(1366)).endsWith(u"left out]"_s));
        // What stands across the cut is redacted first.
        const QString across = redactor.bounded(QString(4040, u'x') + plainSecret + QString(4040, u'y'));
        QVERIFY(!across.contains(u"corp"_s));
        RedactionRules unlimited;
        unlimited.textLimit = 0;
        QCOMPARE(Redactor(std::move(unlimited)).bounded(QString(9000, u'x')).size(), 9000);
    }

    void timeGrowsWithTheText_data()
    {
        QTest::addColumn<QString>("piece");
        for (const char *piece : {"a",
                                  "?key=",
                                  "&key=a",
                                  "://",
                                  "://a@",
                                  "api_key=",
                                  "api_key: ",
                                  "\"authorization\",",
                                  "bearer ",
                                  "Bearer aaaaaaaa ",
                                  "eyJ",
                                  "sk-",
                                  "\\",
                                  "%",
                                  "%25",
                                  "c",
                                  "co",
                                  "Y29y",
                                  " ",
                                  "\\u0063",
                                  "authorization:",
                                  "cookie"})
            QTest::newRow(piece) << QString::fromLatin1(piece);
    }
    void timeGrowsWithTheText()
    {
        // Nothing that repeats may make it slow. What is quadratic takes minutes and runs into the time limit.
        QFETCH(QString, piece);
        const Redactor redactor(only(plainSecret, true));
        const QString text = piece.repeated((1 << 18) / piece.size());
        QVERIFY(redactor.redacted(text).size() <= text.size() * 3);
    }
};

QTEST_GUILESS_MAIN(RedactionTest)
#include "tst_redaction.moc"
