// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 1800
// ctest-labels: live soak
// Tens of thousands of short calls with faults drawn at random, in one run: memory and open descriptors stay where they are.
// WAITSCOPE_SHORT_TESTS=1 makes fewer calls.
#include "fault/scenarioreader.h"
#include "support/livecalls.h"

#include <QDir>

#include <atomic>
#include <malloc.h>
#include <random>

using namespace Waitscope;
using namespace WaitscopeTest;
using namespace Qt::StringLiterals;

class TestSoak : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void memoryAndDescriptorsStayFlat();
};

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool memoryTells = false; // the sanitizer keeps what was freed
#else
constexpr bool memoryTells = true;
#endif

constexpr double scale = 100;

struct Sample {
    double residentKiB = 0;
    double descriptors = 0;
};

Sample sampled()
{
    ::malloc_trim(0); // what is free is not in use
    QFile statm(u"/proc/self/statm"_s);
    if (!statm.open(QIODevice::ReadOnly))
        return {};
    const double pages = statm.readAll().split(' ').value(1).toDouble();
    const auto open = QDir(u"/proc/self/fd"_s).entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot).size();
    return {pages * 4, double(open)};
}

class EndedTasks : public EventSink
{
public:
    void write(const Event &event) override
    {
        if (const auto *began = std::get_if<SpanBegan>(&event); began && began->kind == SpanKind::Task)
            m_tasks.insert(began->id.value);
        else if (const auto *ended = std::get_if<SpanEnded>(&event); ended && m_tasks.remove(ended->id.value))
            ++count;
    }
    std::atomic<int> count = 0;

private:
    QSet<quint64> m_tasks;
};

// Faults on connections that are accepted, which end or are cut by a short deadline.
std::vector<Scenario> shortFaults()
{
    std::vector<Scenario> chosen;
    for (const Scenario &scenario : builtInScenarios()) {
        // What floods is a test of its own, and TLS handshakes cost more than everything else together.
        static const QStringList heavy{u"endless-body"_s, u"endless-error-body"_s, u"endless-headers"_s, u"ping-flood"_s, u"huge-line"_s};
        if (countsTell(scenario) && scenario.tls == TlsFault::Plain && !heavy.contains(scenario.name))
            chosen.push_back(scenario);
    }
    return chosen;
}

double sizeOf(const Failure &failure)
{
    constexpr double block = 32; // what an allocation costs besides
    double bytes = sizeof(Failure) + block;
    for (const QString *text : {&failure.type, &failure.text, &failure.errorText, &failure.provider, &failure.lastErrorType, &failure.message})
        bytes += text->capacity() > 0 ? 2 * double(text->capacity()) + block : 0;
    return bytes + (failure.cause ? sizeOf(*failure.cause) : 0);
}

double sizeOf(const CallResult &result)
{
    return 64 + (result.isFailure() ? sizeOf(result.failure()) : sizeof(Reply));
}

// Growth from the middle to the end, as a line through the samples has it.
double growth(const std::vector<Sample> &samples, double Sample::*what)
{
    const std::vector<Sample> half(samples.begin() + samples.size() / 2, samples.end());
    const double n = double(half.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < half.size(); ++i) {
        x += double(i);
        y += half[i].*what;
        xx += double(i) * double(i);
        xy += double(i) * half[i].*what;
    }
    return (n * xy - x * y) / (n * xx - x * x) * (n - 1);
}

} // namespace

void TestSoak::memoryAndDescriptorsStayFlat()
{
    const int calls = qEnvironmentVariableIsSet("WAITSCOPE_SHORT_TESTS") ? 2'000 : 50'000;
    FaultServerOptions options;
    options.scale = scale;
    options.scenarios = shortFaults();
    FaultServer server(options);
    QVERIFY(server.start());
    const PolicyPtr policy = policyOf(u"hardened"_s, {u"exec.timeout_s=5"_s, u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"harness.abort_on_auth=false"_s});
    LiveSpec spec;
    std::mt19937 draw(4711);
    for (int i = 0; i < calls; ++i) {
        LiveTask task;
        const Scenario &fault = options.scenarios[draw() % options.scenarios.size()];
        task.name = fault.name;
        task.call.url = server.urlFor(fault.name);
        task.call.api = draw() % 2 == 0 ? Api::OpenaiChat : Api::AnthropicMessages;
        task.call.headers = {{"X-Waitscope-Exec", QByteArray::number(i % 1000)}};
        task.policy = policy;
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = 64;
    spec.scale = scale;
    EndedTasks ended;
    spec.sink = &ended;
    const double openAtFirst = sampled().descriptors;
    auto live = std::make_unique<LiveRun>(std::move(spec));
    LiveRun &run = *live;
    QSignalSpy finished(&run, &LiveRun::finished);
    QVERIFY(run.start());
    constexpr int samplesWanted = 60;
    std::vector<Sample> samples;
    QElapsedTimer timer;
    timer.start();
    while (finished.count() == 0) {
        QTest::qWait(20);
        if (ended.count >= calls * (double(samples.size()) + 1) / (samplesWanted + 1) && samples.size() < samplesWanted)
            samples.push_back(sampled());
        QVERIFY2(timer.elapsed() < 1'700'000, "a call hangs");
    }
    QCOMPARE(int(run.endings().size()), calls);
    QCOMPARE(ended.count.load(), calls);
    QVERIFY(samples.size() > samplesWanted / 2);
    // The calls' results are what a run is for: they stay.
    double resultsKiB = 0;
    for (const TaskEnding &ending : run.endings())
        resultsKiB += sizeOf(ending.result) / 1024;
    const double grownKiB = growth(samples, &Sample::residentKiB) - resultsKiB / 2;
    const auto third = static_cast<std::ptrdiff_t>(samples.size() / 3);
    const auto mostOpen = [](auto from, auto to) {
        return std::max_element(from, to, [](const Sample &a, const Sample &b) { return a.descriptors < b.descriptors; })->descriptors;
    };
    const double openBefore = mostOpen(samples.begin() + third, samples.begin() + 2 * third);
    const double openAfter = mostOpen(samples.begin() + 2 * third, samples.end());
    qInfo("%d calls, %lld requests in %.0f s; at the end %.1f MiB, of these results %.1f MiB; grown over the second half, half the results apart: %.1f MiB; "
          "descriptors at most %.0f in the second third and %.0f in the last", calls,
          run.counts().requests, double(timer.elapsed()) / 1000, samples.back().residentKiB / 1024, resultsKiB / 1024, grownKiB / 1024, openBefore,
          openAfter);
    // Idle connections go after five seconds: only a longer run comes to a level. They come and go by the hundred; a leak
    // would grow by half from one third to the next.
    if (timer.elapsed() > 18'000) {
        QVERIFY(openAfter < openBefore * 1.35 + 128);
        if (memoryTells)
            QVERIFY(grownKiB < 8192);
    }
    // A script that waits notices only later that nobody reads it: the server is ended, too.
    live.reset();
    server.stop();
    QTRY_VERIFY_WITH_TIMEOUT(sampled().descriptors < openAtFirst + 8, 20'000);
}

QTEST_GUILESS_MAIN(TestSoak)
#include "tst_soak.moc"
