// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/requestbuilder.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

CallSpec specFor(const QString &url, Api api = Api::OpenaiChat)
{
    CallSpec spec;
    spec.url = QUrl(url);
    spec.api = api;
    spec.model = u"m"_s;
    spec.prompt = u"Say \"hi\"\n你"_s;
    return spec;
}

// "name: value" lines, in order.
QByteArray headersOf(const WireRequest &request)
{
    QByteArray text;
    for (const WireHeader &header : request.headers)
        text += header.name + ": " + header.value + '\n';
    return text;
}

QString problemOf(const CallSpec &spec)
{
    const Expected<WireRequest> request = buildRequest(spec);
    return request ? u"none"_s : request.error().line();
}

} // namespace

class TestRequestBuilder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endpoints_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("used");
        QTest::newRow("chat host") << Api::OpenaiChat << u"https://h.example"_s << u"https://h.example/v1/chat/completions"_s;
        QTest::newRow("responses root") << Api::OpenaiResponses << u"https://h.example/"_s << u"https://h.example/v1/responses"_s;
        QTest::newRow("messages v1") << Api::AnthropicMessages << u"https://h.example/v1"_s << u"https://h.example/v1/messages"_s;
        QTest::newRow("v1 with a slash") << Api::OpenaiChat << u"http://h.example:8080/v1/"_s
                                         << u"http://h.example:8080/v1/chat/completions"_s;
        QTest::newRow("a path of its own") << Api::OpenaiChat << u"http://h.example/api/v1/x/"_s << u"http://h.example/api/v1/x/"_s;
        QTest::newRow("a longer name") << Api::OpenaiChat << u"http://h.example/v1beta"_s << u"http://h.example/v1beta"_s;
        QTest::newRow("sse as it is") << Api::Sse << u"http://h.example/v1"_s << u"http://h.example/v1"_s;
        QTest::newRow("gemini") << Api::Gemini << u"https://h.example"_s
                                << u"https://h.example/v1beta/models/m:streamGenerateContent?alt=sse"_s;
        QTest::newRow("gemini base") << Api::Gemini << u"https://h.example/v1beta/"_s
                                     << u"https://h.example/v1beta/models/m:streamGenerateContent?alt=sse"_s;
        QTest::newRow("gemini as it is")
            << Api::Gemini << u"https://h.example/proxy/x:streamGenerateContent?alt=json&k=v"_s
            << u"https://h.example/proxy/x:streamGenerateContent?alt=json&k=v"_s;
        QTest::newRow("ollama") << Api::Ollama << u"http://h.example:11434"_s << u"http://h.example:11434/api/chat"_s;
        QTest::newRow("ollama base") << Api::Ollama << u"http://h.example/api/"_s << u"http://h.example/api/chat"_s;
        QTest::newRow("ollama generate") << Api::Ollama << u"http://h.example/api/generate"_s << u"http://h.example/api/generate"_s;
        QTest::newRow("sse host") << Api::Sse << u"http://h.example"_s << u"http://h.example/"_s;
        QTest::newRow("query stays") << Api::OpenaiChat << u"http://h.example/?a=b%20c"_s
                                     << u"http://h.example/v1/chat/completions?a=b%20c"_s;
        QTest::newRow("fragment goes") << Api::OpenaiChat << u"http://h.example/x#y"_s << u"http://h.example/x"_s;
        QTest::newRow("escapes stay") << Api::OpenaiChat << u"http://h.example/a%2Fb"_s << u"http://h.example/a%2Fb"_s;
        QTest::newRow("address") << Api::Sse << u"http://[::1]:8080/x"_s << u"http://[::1]:8080/x"_s;
        QTest::newRow("capital scheme") << Api::Sse << u"HTTP://h.example/x"_s << u"http://h.example/x"_s;
    }

    void endpoints()
    {
        QFETCH(const Api, api);
        QFETCH(const QString, given);
        QFETCH(const QString, used);
        const Expected<WireRequest> request = buildRequest(specFor(given, api));
        QVERIFY2(request, request ? "" : qPrintable(request.error().line()));
        QCOMPARE(request->url.toString(QUrl::FullyEncoded), used);
        QCOMPARE(request->method, "POST"_ba);
    }

    void bodies_data()
    {
        QTest::addColumn<Api>("api");
        QTest::addColumn<QByteArray>("expected");
        const QByteArray prompt = "\"Say \\\"hi\\\"\\n你\"";
        const QByteArray messages = "\"messages\":[{\"content\":" + prompt + ",\"role\":\"user\"}]";
        const QByteArray rest = ",\"stream\":true}";
        QTest::newRow("responses") << Api::OpenaiResponses << "{\"input\":" + prompt + ",\"model\":\"m\"" + rest;
        QTest::newRow("chat") << Api::OpenaiChat << "{" + messages + ",\"model\":\"m\"" + rest;
        QTest::newRow("messages") << Api::AnthropicMessages << "{\"max_tokens\":4096," + messages + ",\"model\":\"m\"" + rest;
        QTest::newRow("sse") << Api::Sse << "{\"model\":\"m\",\"prompt\":" + prompt + rest;
        QTest::newRow("ollama") << Api::Ollama << "{" + messages + ",\"model\":\"m\"" + rest;
        QTest::newRow("gemini") << Api::Gemini << "{\"contents\":[{\"parts\":[{\"text\":" + prompt + "}],\"role\":\"user\"}]}";
    }

    void bodies()
    {
        QFETCH(const Api, api);
        QFETCH(const QByteArray, expected);
        CallSpec spec = specFor(u"http://h.example/"_s, api);
        QCOMPARE(buildRequest(spec)->body, expected);
        spec.body = "any bytes\0"_ba;
        QCOMPARE(buildRequest(spec)->body, *spec.body);
        spec.body = QByteArray(); // an empty body was asked for
        QCOMPARE(buildRequest(spec)->body, QByteArray());
    }

    void modelMayBeLeftToTheServer()
    {
        CallSpec spec = specFor(u"http://h.example/"_s);
        spec.model.clear();
        QVERIFY(!QJsonDocument::fromJson(buildRequest(spec)->body).object().contains("model"_L1));
    }

    void modelStandsInGeminisUrl()
    {
        CallSpec spec = specFor(u"https://h.example"_s, Api::Gemini);
        spec.model = u"a/b c?d"_s;
        QCOMPARE(buildRequest(spec)->url.toString(QUrl::FullyEncoded),
                 u"https://h.example/v1beta/models/a%2Fb%20c%3Fd:streamGenerateContent?alt=sse"_s);
        spec.model.clear();
        const Expected<WireRequest> none = buildRequest(spec);
        QVERIFY(!none);
        QCOMPARE(none.error().where, u"--model"_s);
        spec.key = "k";
        spec.model = u"m"_s;
        QVERIFY(headersOf(*buildRequest(spec)).contains("x-goog-api-key: k\n"));
        QVERIFY(!headersOf(*buildRequest(spec)).contains("Bearer"));
        QVERIFY(headersOf(*buildRequest(specFor(u"http://h.example"_s, Api::Ollama))).contains("Accept: application/x-ndjson\n"));
    }

    void headers()
    {
        CallSpec spec = specFor(u"http://h.example/"_s);
        const QByteArray common = "Content-Type: application/json\nAccept: text/event-stream\nAccept-Encoding: identity\n"
                                  "User-Agent: waitscope/" WAITSCOPE_VERSION "\n";
        QCOMPARE(headersOf(*buildRequest(spec)), common);
        spec.key = " sk-1\n"; // as files hold it
        QCOMPARE(headersOf(*buildRequest(spec)), common + "Authorization: Bearer sk-1\n");
        spec.api = Api::AnthropicMessages;
        QCOMPARE(headersOf(*buildRequest(spec)), common + "anthropic-version: 2023-06-01\nx-api-key: sk-1\n");
        spec.key.clear();
        QCOMPARE(headersOf(*buildRequest(spec)), common + "anthropic-version: 2023-06-01\n");
    }

    void givenHeadersReplaceOurs()
    {
        CallSpec spec = specFor(u"http://h.example/"_s);
        spec.key = "sk-1";
        spec.headers = {{"AUTHORIZATION", "Basic x"}, {"accept", ""}, {"X-A", "1"}, {"X-A", "2"}, {"user-agent", "me\t2"}};
        QCOMPARE(headersOf(*buildRequest(spec)),
                 "Content-Type: application/json\nAccept-Encoding: identity\nAUTHORIZATION: Basic x\naccept: \nX-A: 1\nX-A: 2\n"
                 "user-agent: me\t2\n"_ba);
    }

    void urlsRefused_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("problem");
        QTest::newRow("nothing") << QString() << u"no URL was given"_s;
        QTest::newRow("no scheme") << u"h.example/x"_s << u"no scheme"_s;
        QTest::newRow("no host") << u"http:///x"_s << u"no host"_s;
        QTest::newRow("only a scheme") << u"http:"_s << u"no host"_s;
        QTest::newRow("host without a scheme") << u"localhost:8080/x"_s << u"the scheme is localhost, not http or https"_s;
        QTest::newRow("other scheme") << u"ftp://h.example/"_s << u"the scheme is ftp, not http or https"_s;
        QTest::newRow("file") << u"file:///etc/passwd"_s << u"the scheme is file, not http or https"_s;
        QTest::newRow("port in words") << u"http://h.example:http/"_s << u"not a URL: "_s;
        QTest::newRow("port too large") << u"http://h.example:65536/"_s << u"not a URL: "_s;
        QTest::newRow("negative port") << u"http://h.example:-1/"_s << u"not a URL: "_s;
        QTest::newRow("port zero") << u"http://h.example:0/"_s << u"no connection can be made to port 0"_s;
        QTest::newRow("broken address") << u"http://[::1/"_s << u"not a URL: "_s;
        QTest::newRow("blank in the host") << u"http://h example/"_s << u"not a URL: "_s;
        QTest::newRow("user") << u"http://secretuser@h.example/"_s << u"it holds a user name or a password"_s;
        QTest::newRow("password") << u"http://:secret@h.example/"_s << u"it holds a user name or a password"_s;
        QTest::newRow("password and a bad port") << u"http://me:secret@h.example:x/"_s << u"not a URL: "_s;
    }

    void urlsRefused()
    {
        QFETCH(const QString, url);
        QFETCH(const QString, problem);
        const Expected<WireRequest> request = buildRequest(specFor(url));
        QVERIFY(!request);
        QCOMPARE(request.error().kind, ProblemKind::Usage);
        QCOMPARE(request.error().where, u"--url"_s);
        QVERIFY2(request.error().what.startsWith(problem), qPrintable(request.error().line()));
        QVERIFY2(!request.error().line().contains(u"secret"_s), qPrintable(request.error().line()));
    }

    void headersRefused_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("problem");
        const QString badName = u"--header: a header's name may hold letters, digits and marks, no blank, colon or line break"_s;
        const auto badValue = u"--header: the value of %1 holds a line break or another control character"_s;
        QTest::newRow("no name") << ""_ba << "secret"_ba << u"--header: a header without a name"_s;
        QTest::newRow("blank in the name") << "X A"_ba << "secret"_ba << badName;
        QTest::newRow("colon in the name") << "X:A"_ba << "secret"_ba << badName;
        QTest::newRow("line break in the name") << "X\r\nY"_ba << "secret"_ba << badName;
        QTest::newRow("other letters in the name") << "Ü"_ba << "secret"_ba << badName;
        QTest::newRow("CR in the value") << "X-A"_ba << "a\rsecret"_ba << badValue.arg(u"X-A"_s);
        QTest::newRow("LF in the value") << "X-A"_ba << "a\nX-B: secret"_ba << badValue.arg(u"X-A"_s);
        QTest::newRow("NUL in the value") << "X-A"_ba << QByteArray("a\0secret", 8) << badValue.arg(u"X-A"_s);
        QTest::newRow("length") << "content-LENGTH"_ba << "5"_ba
                                << u"--header: content-LENGTH follows from the body and cannot be set"_s;
        QTest::newRow("framing") << "Transfer-Encoding"_ba << "chunked"_ba
                                 << u"--header: Transfer-Encoding follows from the body and cannot be set"_s;
    }

    void headersRefused()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, value);
        QFETCH(const QString, problem);
        CallSpec spec = specFor(u"http://h.example/"_s);
        spec.headers = {{"X-Good", "1"}, {name, value}};
        QCOMPARE(problemOf(spec), problem);
    }

    void keyRefused()
    {
        CallSpec spec = specFor(u"http://h.example/"_s);
        spec.key = "sk\r\nX-B: 1";
        QCOMPARE(problemOf(spec), u"--key-env: the key holds a line break or another control character"_s);
    }
};

QTEST_GUILESS_MAIN(TestRequestBuilder)
#include "tst_requestbuilder.moc"
