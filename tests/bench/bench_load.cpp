// SPDX-License-Identifier: GPL-3.0-or-later
// Many streams at once: what an event costs through Waitscope (transport, engine, trace store), with the recorder besides, and
// through a bare QNetworkAccessManager of the same build that reads lines and nothing else. Also how late 10,000 timers fire
// under that load, beside bare ones.
//
//   bench_load [rounds] [streams] [seconds]     the server and each reader are processes of their own, in turns
//
// The fault server is `waitscope-cli serve-faults` beside this program's build.
#include "app/runs/liverun.h"
#include "app/runs/recording.h"
#include "app/runs/teesink.h"
#include "load.h"
#include "live/realclock.h"
#include "live/slotnames.h"
#include "policy/profile.h"
#include "trace/tracestore.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <random>

using namespace Waitscope;
using namespace WaitscopeBench;
using namespace Qt::StringLiterals;

namespace {

constexpr int eventsASecond = 20;

void raiseDescriptorLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// --- the readers, each in a process of its own

int readBare(const QUrl &url, int streams, int events)
{
    QNetworkAccessManager manager;
    Stretch stretch(streams, events);
    int open = streams;
    for (int i = 0; i < streams; ++i) {
        QNetworkRequest request(url);
        request.setPeerVerifyName(slotName(url, quint64(i)));
        request.setRawHeader("Accept-Encoding", "identity");
        request.setRawHeader("Content-Type", "application/json");
        request.setRawHeader("X-Waitscope-Exec", QByteArray::number(i));
        QNetworkReply *reply = manager.post(request, QByteArray(R"({"messages":[]})"));
        auto rest = std::make_shared<QByteArray>();
        auto begun = std::make_shared<bool>(false);
        QObject::connect(reply, &QNetworkReply::readyRead, reply, [reply, rest, begun, &stretch] {
            *rest += reply->readAll();
            qsizetype from = 0;
            for (qsizetype end = rest->indexOf('\n'); end >= 0; end = rest->indexOf('\n', from)) {
                const QByteArrayView line = QByteArrayView(*rest).sliced(from, end - from);
                if (line.startsWith("data: {") && line.contains("\"content\":\"w\"")) {
                    if (!std::exchange(*begun, true))
                        stretch.streamBegan();
                    stretch.event();
                }
                from = end + 1;
            }
            rest->remove(0, from);
        });
        QObject::connect(reply, &QNetworkReply::finished, reply, [&open] {
            if (--open == 0)
                QCoreApplication::exit(0);
        });
    }
    QCoreApplication::exec();
    stretch.print();
    return 0;
}

// In the engine's thread, as the window's store is fed; it hears of every event there is.
class CountingSink final : public EventSink
{
public:
    CountingSink(Stretch &stretch, EventSink &next)
        : m_stretch(stretch)
        , m_next(next)
    {
    }
    void write(const Event &event) override
    {
        m_next.write(event);
        if (const auto *mark = std::get_if<Marked>(&event)) {
            if (mark->kind == MarkKind::Committed)
                m_stretch.streamBegan();
            if (mark->kind == MarkKind::Data)
                m_stretch.event();
        }
    }

private:
    Stretch &m_stretch;
    EventSink &m_next;
};

int readThroughEngine(const QUrl &url, int streams, int events, const QString &recordTo)
{
    Stretch stretch(streams, events);
    const auto policy = std::make_shared<const Policy>(findProfile(u"hardened"_s).value().policy.withAssignment(
        u"http.pool_size=%1"_s.arg(streams), u"bench"_s).value());
    TraceStore store;
    Recording recording;
    std::vector<EventSink *> sinks{&store};
    if (!recordTo.isEmpty()) {
        RecorderOptions options;
        options.path = recordTo;
        if (!recording.open(std::move(options), headerFor(*policy, 0, u"load"_s), {}))
            return 3;
        sinks.push_back(&recording.sink());
    }
    TeeSink tee(sinks);
    CountingSink counting(stretch, tee);
    LiveSpec spec;
    for (int i = 0; i < streams; ++i) {
        LiveTask task;
        task.name = QString::number(i);
        task.call.url = url;
        task.call.api = Api::OpenaiChat;
        task.call.headers = {{"X-Waitscope-Exec", QByteArray::number(i)}};
        task.policy = policy;
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = streams;
    spec.sink = &counting;
    LiveRun run(std::move(spec));
    QObject::connect(&run, &LiveRun::finished, &run, [] { QCoreApplication::exit(0); });
    if (!run.start())
        return 3;
    QCoreApplication::exec();
    stretch.print();
    const auto good = std::ranges::count(run.endings(), Score::Ok, &TaskEnding::score);
    return good == streams ? 0 : 1;
}

// Sleeps of the engine beside bare timers of the same lengths, all in the engine's thread while it reads the streams.
class LatenessSink final : public EventSink
{
public:
    LatenessSink(int timers, EventSink &next)
        : m_timers(timers)
        , m_next(next)
    {
    }
    void write(const Event &event) override
    {
        if (m_timers > 0)
            startBare(); // here the engine's thread is the current one
        if (const auto *fired = std::get_if<TimerFired>(&event))
            engine.push_back(toSeconds(fired->at - fired->due) * 1000);
        m_next.write(event);
    }
    std::vector<double> engine; // ms
    std::vector<double> bare;

private:
    void startBare()
    {
        std::mt19937 draw(4711);
        for (; m_timers > 0; --m_timers) {
            auto *timer = new QTimer;
            timer->setTimerType(Qt::PreciseTimer);
            timer->setSingleShot(true);
            const int ms = 1000 + int(draw() % 7000);
            const auto due = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
            QObject::connect(timer, &QTimer::timeout, timer, [this, timer, due] {
                const std::chrono::duration<double, std::milli> late = std::chrono::steady_clock::now() - due;
                bare.push_back(late.count());
                timer->deleteLater();
            });
            timer->start(ms);
        }
    }

    int m_timers;
    EventSink &m_next;
};

void printLateness(const char *what, std::vector<double> late)
{
    std::ranges::sort(late);
    if (!late.empty()) {
        std::printf("  %-22s %zu firings, late by p50 %.2f, p99 %.2f, max %.2f ms\n", what, late.size(), late[late.size() / 2],
                    late[late.size() * 99 / 100], late.back());
    }
}

int lateness(const QUrl &url, int streams)
{
    constexpr int firings = 10'000;
    constexpr int triesEach = 51;
    const Policy hardened = findProfile(u"hardened"_s).value().policy;
    const auto with = [&hardened](const QStringList &changes) {
        Policy policy = hardened;
        for (const QString &change : changes)
            policy = policy.withAssignment(change, u"bench"_s).value();
        return std::make_shared<const Policy>(policy);
    };
    const PolicyPtr reading = with({u"http.pool_size=%1"_s.arg(streams * 2)});
    const PolicyPtr sleeping = with({u"http.pool_size=%1"_s.arg(streams * 2), u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s,
                                     u"stream.max_attempts=%1"_s.arg(triesEach), u"stream.backoff_base_s=0.1"_s, u"stream.backoff_factor=1"_s});
    TraceStore store;
    LatenessSink sink(firings, store);
    LiveSpec spec;
    for (int i = 0; i < streams + firings / (triesEach - 1); ++i) {
        LiveTask task;
        task.name = QString::number(i);
        task.call.url = url;
        if (i >= streams)
            task.call.url.setPath(url.path().replace(u"/load/"_s, u"/503-at-once/"_s));
        task.call.api = Api::OpenaiChat;
        task.call.headers = {{"X-Waitscope-Exec", QByteArray::number(i)}};
        task.policy = i < streams ? reading : sleeping;
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = int(spec.tasks.size());
    spec.sink = &sink;
    LiveRun run(std::move(spec));
    QObject::connect(&run, &LiveRun::finished, &run, [] { QCoreApplication::exit(0); });
    if (!run.start())
        return 3;
    QCoreApplication::exec();
    printLateness("bare PreciseTimer", sink.bare);
    printLateness("sleeps of the engine", sink.engine);
    return 0;
}

// --- the measuring process

class Server
{
public:
    explicit Server(int seconds)
    {
        const QString path = m_folder.filePath(u"load.json"_s);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return;
        const QJsonObject events{{u"do"_s, u"events"_s}, {u"count"_s, seconds * eventsASecond}, {u"every_s"_s, 1.0 / eventsASecond}, {u"text"_s, u"w"_s}};
        const QJsonArray steps{QJsonObject{{u"do"_s, u"head"_s}}, events, QJsonObject{{u"do"_s, u"end_marker"_s}}};
        file.write(QJsonDocument(QJsonObject{{u"format"_s, 1}, {u"name"_s, u"load"_s}, {u"title"_s, u"Load"_s},
                                             {u"requests"_s, QJsonArray{QJsonObject{{u"steps"_s, steps}}}}}).toJson());
        file.close();
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(WAITSCOPE_CLI), {u"serve-faults"_s, u"--json"_s, u"--scenario"_s, path, u"--scenario"_s, u"503-at-once"_s});
        if (m_process.waitForReadyRead(30'000))
            url = QUrl(QJsonDocument::fromJson(m_process.readLine()).object()[u"scenarios"_s][0][u"url"_s].toString() + u"/v1/chat/completions"_s);
    }
    ~Server()
    {
        m_process.terminate();
        m_process.waitForFinished(10'000);
    }
    QUrl url;

private:
    QTemporaryDir m_folder;
    QProcess m_process;
};

struct Measured {
    qint64 events = 0;
    qint64 expected = 0;
    double microseconds = 0;
    double kibAStream = 0;
    bool ok = false;
};

Measured measured(const QStringList &arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), arguments);
    process.waitForFinished(600'000);
    const QByteArrayList words = process.readAllStandardOutput().trimmed().split(' ');
    Measured m;
    m.ok = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 && words.size() == 4;
    if (m.ok) {
        m.events = words[0].toLongLong();
        m.expected = words[1].toLongLong();
        m.microseconds = words[2].toDouble();
        m.kibAStream = words[3].toDouble();
    }
    return m;
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

int compare(int rounds, int streams, int seconds)
{
    const Server server(seconds);
    if (server.url.isEmpty()) {
        std::fputs("bench_load: waitscope-cli serve-faults did not start\n", stderr);
        return 3;
    }
    QTemporaryDir folder;
    const QString common = server.url.toString();
    std::printf("%d streams x %d events/s for %d s\n", streams, eventsASecond, seconds);
    std::vector<double> offRatio;
    std::vector<double> onRatio;
    for (int round = 0; round < rounds; ++round) {
        const QStringList counts{common, QString::number(streams), QString::number(seconds * eventsASecond)};
        const Measured bare = measured(QStringList{u"--bare"_s} + counts);
        const Measured off = measured(QStringList{u"--engine"_s} + counts);
        const Measured on = measured(QStringList{u"--recorded"_s} + counts + QStringList{folder.filePath(QString::number(round))});
        for (const auto &[name, m] : {std::pair("bare QNAM", bare), std::pair("recorder off", off), std::pair("recorder on", on)}) {
            std::printf("  %-13s %s %lld of %lld events, %.1f us CPU an event, %.1f KiB a stream\n", name, m.ok ? "ok    " : "FAILED", static_cast<long long>(m.events),
                        static_cast<long long>(m.expected), m.microseconds, m.kibAStream);
        }
        offRatio.push_back(off.microseconds / bare.microseconds);
        onRatio.push_back(on.microseconds / bare.microseconds);
        std::printf("  ratio off %.2f, on %.2f\n", offRatio.back(), onRatio.back());
        std::fflush(stdout);
    }
    QProcess timers;
    timers.setProcessChannelMode(QProcess::ForwardedChannels);
    timers.start(QCoreApplication::applicationFilePath(), {u"--timers"_s, common, QString::number(streams), u"0"_s});
    timers.waitForFinished(600'000);
    std::printf("median ratio: recorder off %.2f, on %.2f\n", median(offRatio), median(onRatio));
    return 0;
}

} // namespace

int main(int argc, char *argv[])
{
    raiseDescriptorLimit();
    QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments().mid(1);
    const QString mode = words.value(0);
    const QUrl url(words.value(1));
    const int streams = words.value(2).toInt();
    const int events = words.value(3).toInt();
    if (mode == "--bare"_L1)
        return readBare(url, streams, events);
    if (mode == "--engine"_L1)
        return readThroughEngine(url, streams, events, {});
    if (mode == "--recorded"_L1)
        return readThroughEngine(url, streams, events, words.value(4));
    if (mode == "--timers"_L1)
        return lateness(url, streams);
    const auto number = [&words](int at, int fallback) { return words.size() > at ? words[at].toInt() : fallback; };
    return compare(number(0, 3), number(1, 1000), number(2, 10));
}
