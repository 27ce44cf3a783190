// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/liverun.h"

#include "live/qnamtransport.h"
#include "live/realclock.h"
#include "live/tlsoptions.h"
#include "sim/seededrandom.h"

#include <QDateTime>
#include <QTimer>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::seconds wakeUpPoll{1};

class NullSink final : public EventSink
{
public:
    void write(const Event &) override { }
};

} // namespace

// Lives in the worker thread, made and destroyed there. The clock alone is looked at from outside, for the time.
class LiveRun::Worker : public QObject
{
public:
    Worker(LiveRun &run, std::vector<TaskPlan> plans)
        : m_run(run)
        , m_spec(run.m_spec)
        , m_plans(std::move(plans))
        , m_counter(m_spec.sink ? m_spec.sink : &m_nullSink)
    {
    }

    void begin()
    {
        m_clock = std::make_unique<RealClock>(m_spec.scale);
        m_clockSeen.store(m_clock.get(), std::memory_order_release);
        m_log = std::make_unique<EventLog>(*m_clock, m_counter);
        m_random = std::make_unique<SeededRandom>(m_spec.seed);
        QnamOptions options;
        options.caFile = m_spec.caFile;
        m_transport = std::make_unique<QnamTransport>(*m_clock, options);
        m_ports = std::make_unique<HttpPorts>(*m_transport, [] { return QDateTime::currentDateTimeUtc(); });
        m_harness = std::make_unique<Harness>(*m_clock, *m_log, *m_random, *m_ports, std::move(m_plans), m_spec.concurrency);
        m_harness->onFinished = [this] {
            // Out of the drain first: what ends here is what is running.
            QMetaObject::invokeMethod(this, [this] { finish(); }, Qt::QueuedConnection);
        };
        m_wakeUps = std::make_unique<QTimer>();
        QObject::connect(m_wakeUps.get(), &QTimer::timeout, this, [this] { lookForSleep(); });
        m_wakeUps->start(wakeUpPoll);
        m_harness->start();
    }

    // The monotonic clock stood still: nothing of it was waited for, and no timer is due. Connections may have died unseen.
    void lookForSleep()
    {
        const std::optional<Duration> slept = m_spec.takeSuspend ? m_spec.takeSuspend() : m_clock->takeSuspend();
        if (!slept || !m_transport)
            return;
        m_clock->advanceTo(m_clock->nominalNow());
        ClockJumped jump;
        jump.at = m_clock->now();
        jump.by = *slept;
        m_log->write(jump);
        m_transport->wokeUp(*slept);
    }

    void stop(const QString &why)
    {
        if (!m_harness)
            return;
        m_clock->advanceTo(m_clock->nominalNow());
        m_harness->stop(why);
    }

    void changePolicy(Setting setting, const SettingValue &value, const QString &origin)
    {
        if (!m_harness)
            return;
        m_clock->advanceTo(m_clock->nominalNow());
        m_harness->changePolicy(setting, value, origin);
    }

    void finish()
    {
        std::vector<TaskEnding> endings;
        for (qsizetype i = 0; i < m_harness->taskCount(); ++i)
            endings.push_back(*m_harness->ending(i));
        const RunCounts counts = m_counter.counts();
        tearDown();
        LiveRun &run = m_run;
        QMetaObject::invokeMethod(
            &run, [&run, endings = std::move(endings), counts] { run.onWorkerFinished(endings, counts); }, Qt::QueuedConnection);
    }

    // In the worker thread, from inside out: frames before what they point to.
    void tearDown()
    {
        m_wakeUps.reset();
        m_harness.reset();
        m_ports.reset();
        m_transport.reset();
    }

    [[nodiscard]] Instant nominalNow() const noexcept
    {
        const RealClock *clock = m_clockSeen.load(std::memory_order_acquire);
        return clock ? clock->nominalNow() : Instant{};
    }

private:
    LiveRun &m_run;
    const LiveSpec &m_spec;
    std::vector<TaskPlan> m_plans;
    NullSink m_nullSink;
    CountingSink m_counter;
    std::unique_ptr<RealClock> m_clock;
    std::atomic<const RealClock *> m_clockSeen = nullptr;
    std::unique_ptr<EventLog> m_log;
    std::unique_ptr<SeededRandom> m_random;
    std::unique_ptr<QnamTransport> m_transport;
    std::unique_ptr<HttpPorts> m_ports;
    std::unique_ptr<Harness> m_harness;
    std::unique_ptr<QTimer> m_wakeUps; // fires soon after the machine has woken up: it stood still with everything else
};

LiveRun::LiveRun(LiveSpec spec, QObject *parent)
    : QObject(parent)
    , m_spec(std::move(spec))
{
    m_thread.setObjectName(u"waitscope-engine"_s);
}

LiveRun::~LiveRun()
{
    if (!m_worker)
        return;
    Worker *worker = m_worker.release();
    QMetaObject::invokeMethod(worker, [worker] { worker->tearDown(); delete worker; }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

Expected<void> LiveRun::start()
{
    // Said at once, even where no call needs it: a wrong path is a mistake in any case.
    if (const Expected<QSslConfiguration> tls = tlsConfiguration(m_spec.caFile); !tls && !m_spec.caFile.isEmpty())
        return tl::unexpected(tls.error());
    std::vector<TaskPlan> plans;
    for (const LiveTask &task : m_spec.tasks) {
        Expected<WireRequest> request = buildRequest(task.call);
        if (!request)
            return tl::unexpected(request.error());
        auto call = std::make_shared<HttpCall>();
        call->request = std::move(*request);
        call->api = task.call.api;
        call->keepContent = m_spec.keepContent;
        const int port = call->request.url.port(call->request.url.scheme() == u"https"_s ? 443 : 80);
        call->peer = u"%1:%2"_s.arg(call->request.url.host()).arg(port);
        TaskPlan plan;
        plan.name = task.name;
        plan.call = std::move(call);
        plan.policy = task.policy;
        plan.streamLabel = wordOf(task.call.api);
        plans.push_back(std::move(plan));
    }
    m_worker = std::make_unique<Worker>(*this, std::move(plans));
    m_worker->moveToThread(&m_thread);
    m_thread.start();
    m_running = true;
    Worker *worker = m_worker.get();
    QMetaObject::invokeMethod(worker, [worker] { worker->begin(); }, Qt::QueuedConnection);
    return {};
}

void LiveRun::stop(const QString &why)
{
    if (Worker *worker = m_worker.get())
        QMetaObject::invokeMethod(worker, [worker, why] { worker->stop(why); }, Qt::QueuedConnection);
}

void LiveRun::changePolicy(Setting setting, const SettingValue &value, const QString &origin)
{
    if (Worker *worker = m_worker.get())
        QMetaObject::invokeMethod(
            worker, [worker, setting, value, origin] { worker->changePolicy(setting, value, origin); }, Qt::QueuedConnection);
}

Instant LiveRun::nominalNow() const noexcept
{
    return m_worker ? m_worker->nominalNow() : Instant{};
}

void LiveRun::onWorkerFinished(std::vector<TaskEnding> endings, const RunCounts &counts)
{
    m_endings = std::move(endings);
    m_counts = counts;
    m_running = false;
    Q_EMIT finished();
}

std::optional<qint64> mostRequests(const Policy &policy)
{
    qint64 product = std::max(1, policy.count(Setting::HarnessRounds));
    std::vector<Layer> layers{Layer::Exec};
    if (policy.flag(Setting::SessionEnabled))
        layers.push_back(Layer::Session);
    if (policy.streamKind() != StreamKind::None)
        layers.push_back(Layer::Stream);
    for (Layer layer : layers) {
        const std::optional<int> most = policy.retryPolicy(layer).maxAttempts;
        if (!most)
            return std::nullopt;
        product *= std::max(1, *most);
    }
    return product;
}

} // namespace Waitscope
