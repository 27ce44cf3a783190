// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 300
// waitscope-cli as a person or a script calls it: outputs, one clear line for every mistake, the documented exit codes.
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSemaphore>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest>

#include <cmath>

using namespace Qt::StringLiterals;

class TestCli : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void mistakesGiveOneLine_data();
    void mistakesGiveOneLine();
    void simulateJson();
    void simulateManyJson();
    void everyDialectTellsOfItsReply();
    void outputThatCannotBeWrittenIsNoSuccess();
    void whatNeverEndsIsNoSuccess();
    void recordingIsByteEqualForEqualSeeds();
    void runAgainstServeFaults();
    void interruptedRunEndsWith130();
    void conformancePassesEveryTable();
    void secretsStayOut();
    void secretsSaidBackStayOut_data();
    void secretsSaidBackStayOut();
    void tlsAndProxyScenariosAreServed();
    void runsDoNotShareTheirScripts();
    void servedAddressesSpeakTheCallersDialect();
    void firstTokenCountsFromTheCall();
    void whatNeverBeganIsNotFast();
    void partialAnswersSayWhatBrokeThem();
    void recordingsAreNotOverwritten();
    void classifySaysWhatTheEngineDoes();
    void noDisplayIsSaid();
    void noGuiLibrary();
    void picturesOfNothingAreNoSuccess();
    void windowRefusesBadArguments();
};

namespace {

struct Ended {
    int code = -1;
    QString out;
    QString err;
};

Ended call(const QStringList &arguments, const QProcessEnvironment &environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(WAITSCOPE_CLI), arguments);
    Ended ended;
    // Wide: the sanitizers make everything several times slower, and the machine may be busy.
    if (!process.waitForFinished(120'000))
        return ended;
    ended.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    ended.out = QString::fromUtf8(process.readAllStandardOutput());
    ended.err = QString::fromUtf8(process.readAllStandardError());
    return ended;
}

QJsonObject json(const Ended &ended)
{
    return QJsonDocument::fromJson(ended.out.toUtf8()).object();
}

// `serve-faults` on a free port, with the address of each scenario.
class Server
{
public:
    explicit Server(const QStringList &scenarios, double scale = 100, const QStringList &more = {})
    {
        QStringList arguments{u"serve-faults"_s, u"--json"_s, u"--for"_s, u"120"_s, u"--scale"_s, QString::number(scale)};
        arguments << more;
        for (const QString &scenario : scenarios)
            arguments << u"--scenario"_s << scenario;
        m_process.start(QStringLiteral(WAITSCOPE_CLI), arguments);
        if (!m_process.waitForReadyRead(60'000))
            return;
        for (const QJsonValue &entry : QJsonDocument::fromJson(m_process.readLine()).object()[u"scenarios"_s].toArray()) {
            urls[entry[u"name"_s].toString()] = entry[u"url"_s].toString();
            proxies[entry[u"name"_s].toString()] = entry[u"proxy"_s].toString();
        }
    }
    ~Server()
    {
        m_process.terminate();
        if (!m_process.waitForFinished(30'000))
            m_process.kill();
    }
    QHash<QString, QString> urls;
    QHash<QString, QString> proxies;

private:
    QProcess m_process;
};

// Answers every request with its own head, in a thread of its own: the test's waits for the program.
class EchoServer final : public QThread
{
public:
    EchoServer(int status, bool asJson)
        : m_status(status)
        , m_asJson(asJson)
    {
        start();
        m_listens.acquire();
    }
    ~EchoServer() override
    {
        quit();
        wait();
    }
    [[nodiscard]] QString url() const { return u"http://127.0.0.1:%1/v1"_s.arg(m_port); }

protected:
    void run() override
    {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        m_port = server.serverPort();
        m_listens.release();
        QObject::connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket *socket = server.nextPendingConnection();
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, head = QByteArray()]() mutable {
                head += socket->readAll();
                const qsizetype end = head.indexOf("\r\n\r\n");
                if (end >= 0)
                    answer(*socket, std::exchange(head, {}).left(end));
            });
        });
        exec();
    }

private:
    void answer(QTcpSocket &socket, const QByteArray &head) const
    {
        const QString text = QString::fromUtf8(head).replace(u"\r\n"_s, u" | "_s) + u" \u001b[31m \u202e"_s;
        QByteArray body = text.toUtf8();
        if (m_asJson) {
            const QJsonObject error{{u"message"_s, text}, {u"type"_s, u"x"_s}};
            body = QJsonDocument(QJsonObject{{u"error"_s, error}}).toJson(QJsonDocument::Compact);
        }
        socket.write("HTTP/1.1 " + QByteArray::number(m_status) + " X\r\nContent-Type: " + (m_asJson ? "application/json" : "text/plain")
                     + "\r\nLocation: /elsewhere\r\nConnection: close\r\nContent-Length: " + QByteArray::number(body.size())
                     + "\r\n\r\n" + body);
        socket.disconnectFromHost();
    }

    const int m_status;
    const bool m_asJson;
    quint16 m_port = 0;
    QSemaphore m_listens;
};

} // namespace

void TestCli::mistakesGiveOneLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("names"); // must stand in the message
    QTest::addColumn<int>("code");
    const auto row = [](const char *name, QStringList arguments, const QString &names, int code = 2) {
        QTest::newRow(name) << arguments << names << code;
    };
    row("no host", {u"run"_s, u"--url"_s, u"http://"_s}, u"--url"_s);
    row("not http", {u"run"_s, u"--url"_s, u"ftp://127.0.0.1/"_s}, u"--url"_s);
    row("malformed", {u"run"_s, u"--url"_s, u"http://[::1"_s}, u"--url"_s);
    row("no url at all", {u"run"_s, u"--url"_s, u" "_s}, u"--url"_s);
    row("bad port", {u"run"_s, u"--url"_s, u"http://127.0.0.1:99999/"_s}, u"--url"_s);
    row("password in the url", {u"run"_s, u"--url"_s, u"http://u:secret@127.0.0.1/"_s}, u"--url"_s);
    row("key not set", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--key-env"_s, u"WAITSCOPE_NO_SUCH_KEY"_s},
        u"WAITSCOPE_NO_SUCH_KEY"_s);
    row("body missing", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--body"_s, u"/no/such/file"_s}, u"/no/such/file"_s, 3);
    row("unknown api", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--api"_s, u"smtp"_s}, u"--api"_s);
    row("bad header", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--header"_s, u"nonsense"_s}, u"--header"_s);
    row("header with a line break", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--header"_s, u"A: b\r\nC: d"_s}, u"--header"_s);
    row("unknown setting", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--set"_s, u"exec.time_s=3"_s}, u"exec.time"_s);
    row("out of range", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--set"_s, u"exec.max_attempts=-3"_s}, u"exec.max_attempts"_s);
    row("no number", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--set"_s, u"exec.timeout_s=soon"_s}, u"exec.timeout_s"_s);
    row("no assignment", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--set"_s, u"exec"_s}, u"exec"_s);
    row("unknown profile", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--profile"_s, u"hardend"_s}, u"hardend"_s);
    row("unknown scenario", {u"simulate"_s, u"--scenario"_s, u"ok-streem"_s}, u"ok-streem"_s);
    row("env file missing", {u"env"_s, u"--env-file"_s, u"/no/such/file"_s}, u"/no/such/file"_s, 3);
    row("table missing", {u"conformance"_s, u"/no/such/file"_s}, u"/no/such/file"_s, 3);
    row("recording into nowhere", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--record"_s, u"/no/such/dir/x.jsonl"_s},
        u"/no/such/dir"_s, 3);
    row("no command", {}, u"subcommand"_s);
    row("unknown command", {u"simlate"_s}, u"did you mean simulate?"_s);
    row("negative seed", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--seed"_s, u"-5"_s}, u"seed"_s);
    // Files without an end are refused, not read for ever.
    row("endless table", {u"conformance"_s, u"/dev/zero"_s}, u"too large for a decision table"_s);
    row("endless body", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--body"_s, u"/dev/zero"_s}, u"too large for a request body"_s);
    row("endless profile", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--profile"_s, u"/dev/zero"_s}, u"too large for a profile"_s);
    row("endless scenario", {u"simulate"_s, u"--scenario"_s, u"/dev/zero"_s}, u"too large for a scenario"_s);
    row("endless environment", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--env-file"_s, u"/dev/zero"_s},
        u"too large for an environment file"_s);
    row("endless certificates", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--ca-file"_s, u"/dev/zero"_s},
        u"too large for a file of certificates"_s);
    row("certificates that are not there", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--ca-file"_s, u"/no/such.pem"_s},
        u"/no/such.pem"_s, 3);
    for (const char *number : {"nan", "inf", "-1", "1e400", "0x", ""}) {
        QTest::addRow("scale %s", number) << QStringList{u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--scale"_s, QString::fromLatin1(number)}
                                          << u"--scale"_s << 2;
        QTest::addRow("limit %s", number) << QStringList{u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--limit"_s, QString::fromLatin1(number)}
                                          << u"--limit"_s << 2;
        QTest::addRow("for %s", number) << QStringList{u"serve-faults"_s, u"--for"_s, QString::fromLatin1(number)} << u"--for"_s << 2;
    }
    row("seed too large", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--seed"_s, u"18446744073709551616"_s}, u"2^64"_s);
    row("no recording's name", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--record"_s, u""_s}, u"--record"_s);
    row("no variable's name", {u"run"_s, u"--url"_s, u"http://127.0.0.1:1/"_s, u"--key-env"_s, u""_s}, u"--key-env"_s);
    row("nothing to overwrite", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--overwrite"_s}, u"--record"_s);
    row("env records nothing", {u"env"_s, u"--record"_s, u"x"_s}, u"--record"_s);
    row("others' reach", {u"serve-faults"_s, u"--host"_s, u"0.0.0.0"_s}, u"--beyond-loopback"_s);
    row("recording to a full disk", {u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--record"_s, u"/dev/full"_s}, u"make room"_s, 3);
    row("unknown option", {u"simulate"_s, u"--scenarios"_s, u"x"_s}, u"scenario"_s);
}

void TestCli::mistakesGiveOneLine()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, names);
    QFETCH(int, code);
    const Ended ended = call(arguments);
    QVERIFY2(ended.err.contains(names), qPrintable(ended.err));
    QCOMPARE(ended.code, code);
    QVERIFY(ended.out.isEmpty());
    QVERIFY(!ended.err.contains(u"secret"_s));
    if (ended.err.startsWith(u"waitscope-cli: "_s))
        QCOMPARE(ended.err.count(u'\n'), 1);
}

void TestCli::simulateJson()
{
    const Ended ended = call({u"simulate"_s, u"--scenario"_s, u"connect-blackhole"_s, u"--profile"_s, u"legacy"_s, u"--json"_s});
    QCOMPARE(ended.code, 1);
    const QJsonObject result = json(ended);
    for (const char *key : {"outcome", "reason", "retryable", "elapsed_s", "requests", "exec_attempts", "session_runs", "backoff_s",
                            "message"})
        QVERIFY2(result.contains(QLatin1StringView(key)), key);
    QCOMPARE(result[u"elapsed_s"_s].toDouble(), 604.5);
    QCOMPARE(result[u"requests"_s].toInt(), 18);
    QCOMPARE(result[u"backoff_s"_s].toDouble(), 64.5);
    QCOMPARE(ended.out.count(u'\n'), 1);
}

void TestCli::simulateManyJson()
{
    const Ended ended =
        call({u"simulate"_s, u"--scenario"_s, u"connect-blackhole"_s, u"--profile"_s, u"legacy"_s, u"--json"_s, u"--runs"_s, u"50"_s});
    const QJsonObject elapsed = json(ended)[u"elapsed_s"_s].toObject();
    QVERIFY(elapsed[u"min"_s].toDouble() > 588.375);
    QVERIFY(elapsed[u"max"_s].toDouble() < 620.625);
    QVERIFY(elapsed[u"min"_s].toDouble() < elapsed[u"p50"_s].toDouble());
    QVERIFY(elapsed[u"p50"_s].toDouble() < elapsed[u"max"_s].toDouble());
    QCOMPARE(json(ended)[u"success_rate"_s].toDouble(), 0.0);
}

void TestCli::everyDialectTellsOfItsReply()
{
    const std::pair<QLatin1StringView, QLatin1StringView> stops[] = {{"openai-chat"_L1, "stop"_L1},
                                                                     {"openai-responses"_L1, "completed"_L1},
                                                                     {"anthropic-messages"_L1, "end_turn"_L1},
                                                                     {"gemini"_L1, "STOP"_L1},
                                                                     {"ollama"_L1, "stop"_L1}};
    for (const auto &[api, stop] : stops) {
        const QJsonObject reply = json(call({u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--api"_s, QString(api), u"--json"_s}));
        QCOMPARE(reply["score"_L1], u"ok"_s);
        QCOMPARE(reply["finish_reason"_L1].toString(), QString(stop));
        // 0.2 s to the headers, then an event each 0.1 s.
        QVERIFY2(std::abs(reply["first_token_s"_L1].toDouble() - 0.3) < 1e-6, api.data());
        QCOMPARE(reply["input_tokens"_L1].toInt(), 12);
        QCOMPARE(reply["output_tokens"_L1].toInt(), 8);
    }
}

void TestCli::outputThatCannotBeWrittenIsNoSuccess()
{
    for (const QStringList &arguments : {QStringList{u"simulate"_s, u"--scenario"_s, u"ok-stream"_s}, QStringList{u"--help"_s},
                                         QStringList{u"run"_s, u"--help"_s}}) {
        QProcess process;
        process.setStandardOutputFile(u"/dev/full"_s);
        process.start(QStringLiteral(WAITSCOPE_CLI), arguments);
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("standard output: cannot be written to"));
    }
}

// It once said "ok after 0.000 s".
void TestCli::whatNeverEndsIsNoSuccess()
{
    const QStringList off{u"--set"_s, u"exec.timeout_s=off"_s, u"--set"_s, u"harness.watchdog=off"_s, u"--set"_s,
                          u"http.connect_timeout_s=off"_s, u"--set"_s, u"http.total_timeout_s=off"_s,
                          u"--set"_s, u"http.data_stall_timeout_s=off"_s};
    const Ended hang = call(QStringList{u"simulate"_s, u"--scenario"_s, u"connect-blackhole"_s, u"--json"_s} + off);
    QCOMPARE(hang.code, 1);
    QCOMPARE(json(hang)["outcome"_L1], u"open"_s);
    QCOMPARE(json(hang)["score"_L1], u"hangs"_s);
    QVERIFY(json(hang)["elapsed_s"_L1].isNull());
    const Ended said = call(QStringList{u"simulate"_s, u"--scenario"_s, u"connect-blackhole"_s} + off);
    QVERIFY2(said.out.startsWith(u"hangs for ever"_s), qPrintable(said.out));

    const Ended cut = call(QStringList{u"simulate"_s, u"--scenario"_s, u"data-drip"_s, u"--json"_s, u"--limit"_s, u"5000"_s} + off);
    QCOMPARE(cut.code, 1);
    QCOMPARE(json(cut)["score"_L1], u"cut_by_limit"_s);
    const Ended many = call(QStringList{u"simulate"_s, u"--scenario"_s, u"data-drip"_s, u"--json"_s, u"--limit"_s, u"5000"_s,
                                        u"--runs"_s, u"3"_s} + off);
    QCOMPARE(many.code, 1);
    QCOMPARE(json(many)["success_rate"_L1].toDouble(), 0.0);
    QVERIFY(json(many)["elapsed_s"_L1].toObject()["p50"_L1].isNull());
    QCOMPARE(json(many)["scores"_L1].toObject()["cut_by_limit"_L1].toInt(), 3);
}

void TestCli::recordingIsByteEqualForEqualSeeds()
{
    QTemporaryDir folder;
    QByteArray contents[3];
    const char *seeds[] = {"7", "7", "8"};
    for (int i = 0; i < 3; ++i) {
        const QString path = folder.filePath(QString::number(i));
        const Ended ended = call({u"simulate"_s, u"--scenario"_s, u"connect-blackhole"_s, u"--profile"_s, u"openprogram-2026-08"_s,
                                  u"--jitter"_s, u"random"_s, u"--seed"_s, QString::fromLatin1(seeds[i]), u"--record"_s, path});
        QCOMPARE(ended.code, 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        contents[i] = file.readAll();
    }
    QVERIFY(contents[0].size() > 50'000);
    QVERIFY(contents[0] == contents[1]);
    QVERIFY(contents[0] != contents[2]);
}

void TestCli::runAgainstServeFaults()
{
    const Server server({u"ok-stream"_s, u"503-at-once"_s, u"cut-chunked"_s});
    QCOMPARE(server.urls.size(), qsizetype(3));
    const Ended ok = call({u"run"_s, u"--url"_s, server.urls[u"ok-stream"_s] + u"/v1/chat/completions"_s, u"--json"_s});
    QCOMPARE(ok.code, 0);
    QCOMPARE(json(ok)[u"outcome"_s].toString(), u"ok"_s);
    QCOMPARE(json(ok)[u"requests"_s].toInt(), 1);
    const Ended busy = call({u"run"_s, u"--url"_s, server.urls[u"503-at-once"_s] + u"/v1/messages"_s, u"--api"_s,
                             u"anthropic-messages"_s, u"--scale"_s, u"100"_s, u"--json"_s});
    QCOMPARE(busy.code, 1);
    QCOMPARE(json(busy)[u"reason"_s].toString(), u"provider"_s);
    QCOMPARE(json(busy)[u"requests"_s].toInt(), 3);
    const Ended cut = call({u"run"_s, u"--url"_s, server.urls[u"cut-chunked"_s] + u"/v1/responses"_s, u"--api"_s,
                            u"openai-responses"_s, u"--scale"_s, u"100"_s, u"--json"_s});
    QCOMPARE(cut.code, 1);
    QVERIFY(json(cut)[u"outcome"_s].toString() != u"ok"_s);
}

void TestCli::interruptedRunEndsWith130()
{
    const Server server({u"idle-stall"_s});
    QProcess process;
    process.start(QStringLiteral(WAITSCOPE_CLI),
                  {u"run"_s, u"--url"_s, server.urls[u"idle-stall"_s] + u"/v1/chat/completions"_s, u"--json"_s});
    QVERIFY(process.waitForStarted());
    QVERIFY(!process.waitForFinished(3000)); // it hangs, as it should: real time, nothing else can show that
    process.terminate();
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitCode(), 130);
    const QJsonObject result = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(result[u"outcome"_s].toString(), u"interrupted"_s);
}

void TestCli::conformancePassesEveryTable()
{
    const QDir folder(QStringLiteral(TEST_DATA_DIR "/vectors"));
    QStringList arguments{u"conformance"_s, u"--json"_s};
    for (const QString &name : folder.entryList({u"*.json"_s}))
        arguments << folder.filePath(name);
    QCOMPARE(arguments.size(), 14);
    const Ended ended = call(arguments);
    QCOMPARE(ended.code, 0);
    QCOMPARE(json(ended)[u"failed"_s].toInt(), 0);
    QCOMPARE(json(ended)[u"passed"_s].toInt() + json(ended)[u"known_differences"_s].toInt(), 2129);
    QVERIFY(json(ended)[u"known_differences"_s].toInt() <= 20);
}

// A server that says back what it was sent, as a text or in JSON, in an error or in an answer: nothing of it may be printed.
void TestCli::secretsSaidBackStayOut_data()
{
    QTest::addColumn<QString>("api");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("asJson");
    for (const char *api : {"openai-chat", "openai-responses", "anthropic-messages", "gemini", "ollama"}) {
        for (const int status : {401, 500, 302}) {
            for (const bool asJson : {false, true})
                QTest::addRow("%s %d %s", api, status, asJson ? "json" : "text") << QString::fromLatin1(api) << status << asJson;
        }
    }
}

void TestCli::secretsSaidBackStayOut()
{
    QFETCH(QString, api);
    QFETCH(int, status);
    QFETCH(bool, asJson);
    EchoServer server(status, asJson);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"WAITSCOPE_TEST_KEY"_s, u"planted-key-4711-abcdef"_s);
    for (const bool json : {false, true}) {
        QStringList arguments{u"run"_s,      u"--url"_s,     server.url(),       u"--api"_s,    api,
                              u"--model"_s,  u"m"_s,         u"--key-env"_s,     u"WAITSCOPE_TEST_KEY"_s,
                              u"--header"_s, u"X-Custom: planted-header-0815"_s, u"--header"_s,
                              u"Authorization: Bearer planted-bearer-1234"_s,    u"--header"_s,
                              u"Cookie: sid=planted-cookie-5678; a=b"_s,         u"--set"_s,   u"exec.max_attempts=1"_s,
                              u"--set"_s,    u"session.max_attempts=1"_s,         u"--set"_s,   u"stream.max_attempts=1"_s};
        if (json)
            arguments << u"--json"_s;
        const Ended ended = call(arguments, environment);
        QCOMPARE(ended.code, 1);
        const QString all = ended.out + ended.err;
        QVERIFY2(all.contains(u"[redacted]"_s), qPrintable(all)); // else it was not said back at all
        QVERIFY2(!all.contains(u"planted"_s), qPrintable(all));
        QVERIFY2(!all.contains(QChar(0x1B)) && !all.contains(QChar(0x202E)), qPrintable(all));
    }
}

void TestCli::tlsAndProxyScenariosAreServed()
{
    QTemporaryDir folder;
    const QString ca = folder.filePath(u"ca.pem"_s);
    const Server server({u"tls-ok-stream"_s, u"tls-expired"_s, u"proxy-refuses"_s}, 1, {u"--ca-out"_s, ca});
    const auto run = [&](const QString &scenario, const QStringList &more) {
        return call(QStringList{u"run"_s, u"--url"_s, server.urls[scenario], u"--ca-file"_s, ca, u"--json"_s, u"--set"_s,
                                u"exec.max_attempts=1"_s, u"--set"_s, u"session.max_attempts=1"_s, u"--set"_s, u"stream.max_attempts=1"_s}
                    + more);
    };
    const Ended good = run(u"tls-ok-stream"_s, {});
    QVERIFY2(good.code == 0, qPrintable(good.out + good.err));
    const Ended expired = run(u"tls-expired"_s, {});
    QCOMPARE(expired.code, 1);
    QVERIFY2(expired.out.contains(u"expired"_s), qPrintable(expired.out));
    const Ended proxied = run(u"proxy-refuses"_s, {u"--proxy"_s, server.proxies[u"proxy-refuses"_s]});
    QCOMPARE(proxied.code, 1);
    QVERIFY2(proxied.out.contains(u"502 Bad Gateway"_s), qPrintable(proxied.out));
    // Without the file nobody is trusted.
    QCOMPARE(call({u"run"_s, u"--url"_s, server.urls[u"tls-ok-stream"_s], u"--set"_s, u"exec.max_attempts=1"_s}).code, 1);
}

// Each run of the program is told apart from the one before: the first script is the first for both.
void TestCli::runsDoNotShareTheirScripts()
{
    const Server server({u"503-then-ok"_s});
    for (int i = 0; i < 2; ++i) {
        const Ended ended = call({u"run"_s, u"--url"_s, server.urls[u"503-then-ok"_s], u"--count"_s, u"2"_s, u"--concurrency"_s, u"2"_s,
                                  u"--scale"_s, u"100"_s, u"--json"_s});
        QCOMPARE(ended.code, 0);
        const int alone = json(call({u"simulate"_s, u"--scenario"_s, u"503-then-ok"_s, u"--json"_s}))[u"requests"_s].toInt();
        QVERIFY(alone > 1);
        QCOMPARE(json(ended)[u"requests"_s].toInt(), 2 * alone);
    }
}

// An address without an API's path is answered in the words of the API that the request is made for.
void TestCli::servedAddressesSpeakTheCallersDialect()
{
    const Server server({u"ok-stream"_s});
    for (const auto &api : {u"openai-chat"_s, u"openai-responses"_s, u"anthropic-messages"_s, u"gemini"_s, u"ollama"_s, u"sse"_s}) {
        const Ended ended = call({u"run"_s, u"--url"_s, server.urls[u"ok-stream"_s], u"--api"_s, api, u"--model"_s, u"m"_s, u"--scale"_s,
                                  u"100"_s, u"--json"_s});
        QCOMPARE(ended.code, 0);
        QVERIFY2(json(ended)[u"data_events"_s].toInt() > 1, qPrintable(api + ended.out));
    }
    // And where the address insists on another one, the answer is not passed off as one of this API.
    const Ended other = call({u"run"_s, u"--url"_s, server.urls[u"ok-stream"_s] + u"?dialect=sse"_s, u"--scale"_s, u"100"_s});
    QVERIFY2(other.out.contains(u"no data event of this API"_s), qPrintable(other.out));
}

void TestCli::firstTokenCountsFromTheCall()
{
    const QJsonObject reply = json(call({u"simulate"_s, u"--scenario"_s, u"503-then-ok"_s, u"--json"_s}));
    const QJsonObject alone = json(call({u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--json"_s}));
    const double lost = reply[u"elapsed_s"_s].toDouble() - alone[u"elapsed_s"_s].toDouble();
    QVERIFY(lost > 0.5);
    QVERIFY(std::abs(reply[u"first_token_s"_s].toDouble() - alone[u"first_token_s"_s].toDouble() - lost) < 1e-6);
}

void TestCli::whatNeverBeganIsNotFast()
{
    const Server server({u"401-unauthorized"_s});
    const QJsonObject many = json(call({u"run"_s, u"--url"_s, server.urls[u"401-unauthorized"_s], u"--count"_s, u"20"_s, u"--json"_s}));
    QCOMPARE(many[u"runs"_s].toInt(), 20);
    QCOMPARE(many[u"not_begun"_s].toInt(), 19);
    QVERIFY(many[u"elapsed_s"_s].toObject()[u"min"_s].toDouble() > 0);
    QCOMPARE(many[u"elapsed_s"_s].toObject()[u"min"_s], many[u"elapsed_s"_s].toObject()[u"max"_s]);
}

void TestCli::partialAnswersSayWhatBrokeThem()
{
    const Ended ended = call({u"simulate"_s, u"--scenario"_s, u"idle-stall"_s, u"--profile"_s, u"openprogram-2026-08"_s});
    if (ended.out.startsWith(u"partial"_s))
        QVERIFY2(ended.out.contains(u"broke off: "_s), qPrintable(ended.out));
    else
        QFAIL(qPrintable(ended.out));
}

void TestCli::recordingsAreNotOverwritten()
{
    QTemporaryDir folder;
    const QStringList arguments{u"simulate"_s, u"--scenario"_s, u"ok-stream"_s, u"--record"_s, folder.filePath(u"r"_s)};
    QCOMPARE(call(arguments).code, 0);
    const Ended again = call(arguments);
    QCOMPARE(again.code, 3);
    QVERIFY2(again.err.contains(u"exists already"_s), qPrintable(again.err));
    QCOMPARE(call(arguments + QStringList{u"--overwrite"_s}).code, 0);
}

// The session layer as the engine asks it: with the verdict that comes with the message.
void TestCli::classifySaysWhatTheEngineDoes()
{
    const QJsonObject busy = json(call({u"classify"_s, u"--status"_s, u"503"_s, u"x"_s, u"--json"_s}));
    QVERIFY(busy[u"strict"_s][u"session_retries"_s].toBool());
    const QJsonObject refused = json(call({u"classify"_s, u"--status"_s, u"400"_s, u"x"_s, u"--json"_s}));
    QVERIFY(!refused[u"strict"_s][u"session_retries"_s].toBool());
}

void TestCli::noDisplayIsSaid()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto &name : {u"QT_QPA_PLATFORM"_s, u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s})
        environment.remove(name);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(WAITSCOPE_WINDOW), {});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 3);
    QVERIFY(process.readAllStandardError().contains("no display"));
}

void TestCli::secretsStayOut()
{
    const Server server({u"401-unauthorized"_s, u"ok-stream"_s});
    QTemporaryDir folder;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString key = u"planted-key-4711-abcdef"_s;
    environment.insert(u"WAITSCOPE_TEST_KEY"_s, key);
    for (const QString &scenario : {u"401-unauthorized"_s, u"ok-stream"_s}) {
        const QString path = folder.filePath(scenario);
        const Ended ended = call({u"run"_s, u"--url"_s, server.urls[scenario] + u"/v1/chat/completions"_s, u"--key-env"_s,
                                  u"WAITSCOPE_TEST_KEY"_s, u"--record"_s, path, u"--content"_s, u"--json"_s},
                                 environment);
        QVERIFY(!ended.out.contains(key) && !ended.err.contains(key));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        QVERIFY(content.size() > 500);
        QVERIFY(!content.contains(key.toUtf8()));
    }
}

void TestCli::noGuiLibrary()
{
    QProcess process;
    process.start(u"ldd"_s, {QStringLiteral(WAITSCOPE_CLI)});
    QVERIFY(process.waitForFinished());
    const QString libraries = QString::fromUtf8(process.readAllStandardOutput());
    QVERIFY(libraries.contains(u"libQt6Core"_s));
    for (const char *gui : {"libQt6Gui", "libQt6Widgets", "libQt6Charts", "libQt6Svg"})
        QVERIFY2(!libraries.contains(QLatin1StringView(gui)), gui);
}

void TestCli::picturesOfNothingAreNoSuccess()
{
    QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    process.setProcessEnvironment(environment);
    for (const QString &file : {u"/no/such.waitscope.jsonl"_s, u"/dev/null"_s}) {
        process.start(QStringLiteral(WAITSCOPE_WINDOW), {file, u"--screenshot"_s, folder.filePath(u"x.png"_s)});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains(file.toUtf8() + ": "));
    }
}

void TestCli::windowRefusesBadArguments()
{
    for (const QStringList &arguments : {QStringList{u"--size"_s, u"big"_s}, QStringList{u"--theme"_s, u"pink"_s},
                                         QStringList{u"--after"_s, u"5"_s}, QStringList{u"--nonsense"_s}}) {
        QProcess process;
        process.start(QStringLiteral(WAITSCOPE_WINDOW), arguments);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(!process.readAllStandardError().isEmpty());
    }
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
