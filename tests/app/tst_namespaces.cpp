// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 300
// ctest-labels: live
// What loopback cannot play: names, dead addresses beside good ones, packets that stop coming. In a network namespace of its own,
// with its own resolver and hosts file; skipped with the reason where the rights for one are missing.
#include "fault/scenarioreader.h"
#include "support/livecalls.h"
#include "support/writtenends.h"

#include <QNetworkDatagram>
#include <QProcess>
#include <QTemporaryDir>
#include <QUdpSocket>

#include <mutex>
#include <unistd.h>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *inside = "WAITSCOPE_TEST_NAMESPACE"; // "yes", or why not

QStringList unshareArguments()
{
    QStringList arguments{u"--net"_s, u"--mount"_s, u"--propagation"_s, u"private"_s};
    if (::geteuid() != 0)
        arguments << u"--user"_s << u"--map-root-user"_s;
    return arguments;
}

// Empty when it went well, else what it said.
QString problemWith(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted(5000))
        return program + u": "_s + process.errorString();
    if (!process.waitForFinished(30'000))
        return program + u": does not end"_s;
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return {};
    return u"%1 %2: %3"_s.arg(program, arguments.join(u' '), QString::fromLocal8Bit(process.readAllStandardError()).trimmed());
}

bool writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

// Answers "no such name", "server failure", or nothing, by the name that is asked for.
class Resolver : public QObject
{
public:
    Resolver()
    {
        m_socket.bind(QHostAddress(u"127.0.0.1"_s), 53);
        connect(&m_socket, &QUdpSocket::readyRead, this, [this] {
            while (m_socket.hasPendingDatagrams()) {
                const QNetworkDatagram asked = m_socket.receiveDatagram();
                QByteArray answer = asked.data();
                if (answer.size() < 12 || answer.contains("resolver-hangs"))
                    continue;
                constexpr char serverFailure = 2;
                constexpr char noSuchName = 3;
                answer[2] = char(0x81); // an answer, with recursion asked for
                answer[3] = char(0x80 | (answer.contains("broken") ? serverFailure : noSuchName));
                m_socket.writeDatagram(answer, asked.senderAddress(), quint16(asked.senderPort()));
            }
        });
    }
    bool isListening() const { return m_socket.state() == QAbstractSocket::BoundState; }

private:
    QUdpSocket m_socket;
};

// Marks and ends of requests as they come; asked by the test's thread too.
class Seen : public EventSink
{
public:
    void write(const Event &event) override
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto *began = std::get_if<SpanBegan>(&event); began && began->kind == SpanKind::Request)
            std::tie(m_began, m_request) = std::tuple(began->at, began->id);
        else if (const auto *mark = std::get_if<Marked>(&event))
            m_marks.push_back(*mark);
        else if (const auto *ended = std::get_if<SpanEnded>(&event))
            m_ended.push_back(*ended);
    }
    std::vector<Marked> marks(MarkKind kind) const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<Marked> list;
        std::ranges::copy_if(m_marks, std::back_inserter(list), [kind](const Marked &mark) { return mark.kind == kind; });
        return list;
    }
    SpanEnded requestEnd() const
    {
        const std::scoped_lock lock(m_mutex);
        const auto it = std::ranges::find(m_ended, m_request, &SpanEnded::id);
        return it == m_ended.end() ? SpanEnded() : *it;
    }
    double secondsTo(Instant at) const { return toSeconds(at - m_began); }

private:
    mutable std::mutex m_mutex;
    Instant m_began; // of the last request
    SpanId m_request;
    std::vector<Marked> m_marks;
    std::vector<SpanEnded> m_ended;
};

LiveSpec oneCall(const QUrl &url, const QStringList &changes)
{
    LiveSpec spec;
    LiveTask task;
    task.name = u"call"_s;
    task.call.url = url;
    task.call.api = Api::Sse;
    task.policy = policyOf(u"hardened"_s, QStringList{u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=1"_s} + changes);
    spec.tasks = {task};
    return spec;
}

} // namespace

class TestNamespaces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void namesThatAreNotFound_data();
    void namesThatAreNotFound();
    void aBrokenResolver();
    void deadIpv6BesideGoodIpv4();
    void ipv4OnlyAsksForNoOther();
    void everyAddressHasItsResult();
    void noRoute();
    void keepaliveFindsDeadConnections();

private:
    FaultServerOptions optionsFor(const QString &scenario) const
    {
        FaultServerOptions options;
        options.host = u"10.0.0.10"_s;
        options.beyondLoopback = true;
        options.scenarios = {findScenario(scenario).value()};
        return options;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Resolver> m_resolver;
};

void TestNamespaces::initTestCase()
{
    if (const QByteArray why = qgetenv(inside); why != "yes")
        QSKIP(why.constData());
    const QString rules = m_folder.filePath(u"rules"_s);
    const QString hosts = m_folder.filePath(u"hosts"_s);
    const QString resolver = m_folder.filePath(u"resolver"_s);
    QVERIFY(writeFile(rules, "table inet t { chain c { type filter hook input priority 0;\n"
                             "ip6 daddr 2001:db8::10 drop\n ip daddr 10.0.0.66 drop\n}\n}\n"));
    QVERIFY(writeFile(hosts, "127.0.0.1 localhost\n10.0.0.10 dual.test\n2001:db8::10 dual.test\n10.0.0.66 dead.test\n2001:db8::11 dead.test\n"));
    QVERIFY(writeFile(resolver, "nameserver 127.0.0.1\noptions timeout:10 attempts:1\n"));
    for (const QString &command : {u"ip link set lo up"_s, u"ip addr add 10.0.0.10/32 dev lo"_s, u"ip addr add 10.0.0.66/32 dev lo"_s,
                                   u"ip -6 addr add 2001:db8::10/128 dev lo nodad"_s, u"ip -6 addr add 2001:db8::11/128 dev lo nodad"_s,
                                   u"nft -f "_s + rules, u"mount --bind %1 /etc/hosts"_s.arg(hosts), u"mount --bind %1 /etc/resolv.conf"_s.arg(resolver)}) {
        QStringList words = command.split(u' ');
        const QString problem = problemWith(words.takeFirst(), words);
        if (!problem.isEmpty())
            QSKIP(qPrintable(problem));
    }
    m_resolver = std::make_unique<Resolver>();
    QVERIFY(m_resolver->isListening());
}

void TestNamespaces::namesThatAreNotFound_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QString>("profile");
    for (const char *scenario : {"name-not-found", "resolver-hangs"}) {
        for (const char *profile : {"hardened", "openprogram-2026-08", "openai-sdk"})
            QTest::addRow("%s, %s", scenario, profile) << QString::fromLatin1(scenario) << QString::fromLatin1(profile);
    }
}

void TestNamespaces::namesThatAreNotFound()
{
    QFETCH(QString, scenario);
    QFETCH(QString, profile);
    const Scenario fault = findScenario(scenario).value();
    constexpr int calls = 5;
    QStringList changes = oneTry(simulated(fault, policyOf(profile, {})));
    // Before the resolver gives up by itself.
    changes << u"http.connect_timeout_s=0.7"_s;
    const PolicyPtr policy = policyOf(profile, changes);
    const SeenEnd wanted = simulated(fault, policy);
    const ExpectedEnd written = policy->rules() == RuleSet::Strict ? fault.expect.strict.value() : fault.expect.openprogram.value();
    const ServedScenario served(fault, 1);
    LiveSpec spec = served.spec(policy, calls);
    FirstRequests firsts;
    spec.sink = &firsts;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    const QString problem = problemOf(firsts.ends(), wanted, written, calls);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QCOMPARE(run.counts().connects, 0);
}

void TestNamespaces::aBrokenResolver()
{
    FirstRequests firsts;
    LiveSpec spec = oneCall(QUrl(u"http://broken.invalid/x"_s), {});
    spec.sink = &firsts;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    const SeenEnd end = firsts.ends().at(0);
    QCOMPARE(lineOf(end.what), u"error in dns, timer none, reason transport, retryable yes, type ConnectError"_s);
}

// The library tries the second family a moment after the first, and takes whichever answers.
void TestNamespaces::deadIpv6BesideGoodIpv4()
{
    FaultServer server(optionsFor(u"ok-stream"_s));
    QVERIFY(server.start());
    QUrl url = server.urlFor(u"ok-stream"_s);
    url.setHost(u"dual.test"_s);
    Seen seen;
    LiveSpec spec = oneCall(url, {});
    spec.sink = &seen;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    QCOMPARE(run.endings().front().score, Score::Ok);
    QCOMPARE(run.counts().requests, 1);
    const std::vector<Marked> connected = seen.marks(MarkKind::Connected);
    QCOMPARE(connected.size(), size_t(1));
    QVERIFY2(connected.front().text.startsWith(u"10.0.0.10:"_s), qPrintable(connected.front().text));
    const double after = seen.secondsTo(connected.front().at);
    qInfo("connected after %.0f ms", after * 1000);
    QVERIFY(after < 1.0); // it takes 0.3 s, unless the machine is very busy
    bool triedBoth = false;
    for (const Marked &trying : seen.marks(MarkKind::Trying))
        triedBoth = triedBoth || trying.text.startsWith(u"[2001:db8::10]:"_s);
    QVERIFY(triedBoth);
}

void TestNamespaces::ipv4OnlyAsksForNoOther()
{
    FaultServer server(optionsFor(u"ok-stream"_s));
    QVERIFY(server.start());
    QUrl url = server.urlFor(u"ok-stream"_s);
    url.setHost(u"dual.test"_s);
    Seen seen;
    LiveSpec spec = oneCall(url, {u"http.ipv4_only=true"_s});
    spec.sink = &seen;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    QCOMPARE(run.endings().front().score, Score::Ok);
    for (const Marked &trying : seen.marks(MarkKind::Trying))
        QVERIFY2(trying.text.startsWith(u"10.0.0.10:"_s), qPrintable(trying.text));
}

void TestNamespaces::everyAddressHasItsResult()
{
    Seen seen;
    LiveSpec spec = oneCall(QUrl(u"http://dead.test:4711/x"_s), {u"http.connect_timeout_s=2"_s});
    spec.sink = &seen;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    QCOMPARE(run.endings().front().score, Score::Transport);
    QSet<QString> tried;
    for (const Marked &trying : seen.marks(MarkKind::Trying))
        tried.insert(trying.text);
    QCOMPARE(tried, QSet<QString>({u"[2001:db8::11]:4711"_s, u"10.0.0.66:4711"_s}));
    const std::vector<Marked> failed = seen.marks(MarkKind::AddressFailed);
    QVERIFY(!failed.empty());
    QCOMPARE(failed.front().text, u"[2001:db8::11]:4711: Connection refused"_s); // the other one never answers
    QCOMPARE(seen.requestEnd().type, u"ConnectTimeout"_s);
}

void TestNamespaces::noRoute()
{
    FirstRequests firsts;
    LiveSpec spec = oneCall(QUrl(u"http://203.0.113.1:9/x"_s), {});
    spec.sink = &firsts;
    LiveRun run(std::move(spec));
    QVERIFY2(runToEnd(run, std::chrono::seconds(60)), "a call hangs");
    QCOMPARE(lineOf(firsts.ends().at(0).what), u"error in connect, timer none, reason transport, retryable yes, type ConnectError"_s);
    QVERIFY2(run.endings().front().result.failure().text.contains(u"nreachable"_s), qPrintable(run.endings().front().result.failure().text));
}

// A cable that is pulled: no FIN, no RST. Without keepalive the idle limit of half an hour would be the next to notice.
void TestNamespaces::keepaliveFindsDeadConnections()
{
    FaultServer server(optionsFor(u"idle-stall"_s));
    QVERIFY(server.start());
    Seen seen;
    LiveSpec spec = oneCall(server.urlFor(u"idle-stall"_s), {u"http.keepalive_idle_s=1"_s, u"http.keepalive_interval_s=1"_s, u"http.keepalive_count=2"_s});
    spec.sink = &seen;
    LiveRun run(std::move(spec));
    QSignalSpy finished(&run, &LiveRun::finished);
    QVERIFY(run.start());
    QVERIFY(QTest::qWaitFor([&seen] { return !seen.marks(MarkKind::Data).empty(); }, 30'000));
    const QString rule = m_folder.filePath(u"cut"_s);
    QVERIFY(writeFile(rule, "add rule inet t c ip daddr 10.0.0.10 drop\nadd rule inet t c ip saddr 10.0.0.10 drop\n"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(problemWith(u"nft"_s, {u"-f"_s, rule}), QString());
    QVERIFY2(finished.count() > 0 || finished.wait(60'000), "the dead connection was not noticed");
    qInfo("noticed after %.1f s", double(timer.elapsed()) / 1000);
    QVERIFY(timer.elapsed() >= 1000);
    const CallResult &result = run.endings().front().result;
    QVERIFY(result.isFailure() || (result.isReply() && result.reply().partial));
}

int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet(inside)) {
        QStringList arguments = unshareArguments();
        const QString problem = problemWith(u"unshare"_s, arguments + QStringList{u"true"_s});
        qputenv(inside, problem.isEmpty() ? QByteArray("yes") : (u"no network namespace can be made: "_s + problem).toUtf8());
        if (problem.isEmpty()) {
            QByteArrayList words{"unshare"};
            for (const QString &argument : arguments)
                words << argument.toLocal8Bit();
            for (int i = 0; i < argc; ++i)
                words << argv[i];
            std::vector<char *> pointers;
            for (QByteArray &word : words)
                pointers.push_back(word.data());
            pointers.push_back(nullptr);
            ::execvp("unshare", pointers.data());
            return 1;
        }
    }
    QCoreApplication application(argc, argv);
    TestNamespaces test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_namespaces.moc"
