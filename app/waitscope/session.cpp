// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/session.h"

#include "app/runs/callinput.h"
#include "fault/scenarioreader.h"
#include "policy/profile.h"
#include "trace/callquery.h"
#include "trace/tracereader.h"
#include "ui/panels/formpieces.h"
#include "ui/style/format.h"

#include <QCoro/QCoroThread>
#include <QCoro/QCoroTimer>

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>
#include <QThreadPool>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr qint64 sliceBytes = 256 << 10;

CallInput inputFrom(const RunRequest &request)
{
    CallInput input;
    input.url = request.url;
    input.api = fromWord<Api>(request.api).value_or(Api::OpenaiChat);
    input.model = request.model;
    input.prompt = request.prompt;
    input.keyVariable = request.keyVariable;
    return input;
}

const std::pair<QLatin1StringView, JitterMode> jitterModes[] = {
    {"none"_L1, JitterMode::None}, {"min"_L1, JitterMode::Min},       {"mid"_L1, JitterMode::Mid},
    {"max"_L1, JitterMode::Max},   {"random"_L1, JitterMode::Random},
};

} // namespace

Session::Session(QObject *parent)
    : QObject(parent)
{
}

Session::~Session()
{
    clear();
    // Recordings are complete when this is gone.
    for (const Leaving &leaving : m_leaving)
        leaving.thread->wait();
}

void Session::keepUntilFinished(Leaving leaving)
{
    const QThread *thread = leaving.thread.get();
    m_leaving.push_back(std::move(leaving));
    const auto gone = [this, thread] {
        const auto at = std::ranges::find_if(m_leaving, [thread](const Leaving &one) { return one.thread.get() == thread; });
        if (at == m_leaving.end())
            return;
        at->thread->wait(); // its last instructions
        takeApart(std::move(at->store));
        m_leaving.erase(at);
    };
    connect(thread, &QThread::finished, this, gone, Qt::QueuedConnection);
    // It may have finished before anybody listened.
    if (thread->isFinished())
        QMetaObject::invokeMethod(this, gone, Qt::QueuedConnection);
}

// A large one takes a while, which is nobody's concern any more.
void Session::takeApart(std::unique_ptr<TraceStore> store)
{
    QThreadPool::globalInstance()->start([old = std::shared_ptr<TraceStore>(std::move(store))]() mutable { old.reset(); });
}

void Session::clear()
{
    ++m_generation;
    if (m_feed)
        m_feed->close();
    // Nobody waits for a closed feed, so a simulation sees that it was stopped. Thousands of tasks take a while to end.
    if (m_simulation) {
        *m_stopSimulation = true;
        if (m_feed)
            m_feed->disconnect(this);
        keepUntilFinished({std::move(m_store), std::move(m_feed), std::move(m_recording), std::move(m_redactor), std::move(m_tee),
                           std::move(m_redacting), std::move(m_simulation)});
    }
    m_run = nullptr;
    m_live.reset();
    m_demo.reset();
    if (m_recording)
        (void)m_recording->close();
    m_redacting.reset();
    m_tee.reset();
    m_recording.reset();
    m_redactor.reset();
    m_policies.clear();
    m_opening = false;
    m_state = RunState();
}

void Session::replaceStore(TraceHeader header, bool simulated)
{
    const QString title = header.title;
    auto store = std::make_unique<TraceStore>();
    store->setHeader(std::move(header));
    auto feed = std::make_unique<LiveFeed>(*store);
    connect(feed.get(), &LiveFeed::storeChanged, this, &Session::storeChanged);
    connect(feed.get(), &LiveFeed::eventsLost, this, [this](quint64 count) {
        Q_EMIT problem(tr("%1 events came faster than the window could take them; a recording has them all").arg(count));
    });
    // The views let go of the old store before it goes.
    Q_EMIT storeReplaced(store.get(), simulated, title);
    m_feed = std::move(feed);
    takeApart(std::exchange(m_store, std::move(store)));
}

EventSink &Session::sinkFor(const TraceHeader &header, std::vector<KnownSecret> secrets)
{
    std::vector<EventSink *> sinks{m_feed.get()};
    if (!m_recordingFolder.isEmpty()) {
        m_recording = std::make_shared<Recording>();
        const QString path = Waitscope::recordingPath(m_recordingFolder, QDateTime::currentDateTimeUtc());
        const QPointer<Session> self(this);
        RecorderOptions options;
        options.path = unfinishedPath(path);
        options.sizeLimit = m_recordingLimit;
        const Expected<void> opened = m_recording->open(std::move(options), header, secrets, [self](const Problem &fault) {
            const QString line = fault.line();
            if (self)
                QMetaObject::invokeMethod(self.data(), [self, line] { Q_EMIT self->problem(line); }, Qt::QueuedConnection);
        });
        if (opened) {
            m_recording->finishAs(path);
            sinks.push_back(&m_recording->sink());
            m_state.recordingPath = unfinishedPath(path);
        } else {
            m_recording.reset();
            Q_EMIT problem(opened.error().line());
        }
    }
    m_tee = std::make_unique<TeeSink>(sinks);
    RedactionRules rules;
    rules.secrets = std::move(secrets);
    m_redactor = std::make_unique<Redactor>(std::move(rules));
    m_redacting = std::make_unique<RedactingSink>(*m_redactor, *m_tee);
    return *m_redacting;
}

void Session::launched(LiveRun *run, int tasks, double scale)
{
    m_run = run;
    m_state.running = true;
    m_state.tasks = tasks;
    m_state.scale = scale;
    connect(run, &LiveRun::finished, this, &Session::ended);
    m_feed->setNow([run] { return run->nominalNow(); });
    Q_EMIT stateChanged();
}

void Session::ended()
{
    // What still waits comes in frame by frame, not all of it in one.
    if (!m_feed->isEmpty()) {
        connect(m_feed.get(), &LiveFeed::emptied, this, &Session::ended, Qt::SingleShotConnection);
        return;
    }
    m_feed->setNow({});
    auto flow = closeRecording();
}

// The disk may be slow; the window is not.
QCoro::Task<> Session::closeRecording()
{
    const QPointer<Session> self(this);
    const quint64 generation = m_generation;
    if (m_recording) {
        const auto closed = std::make_shared<Expected<void>>();
        const std::shared_ptr<Recording> recording = std::exchange(m_recording, nullptr);
        const QString name = recording->finalPath();
        const std::shared_ptr<QThread> thread(QThread::create([recording, closed] { *closed = recording->close(); }));
        thread->start();
        Leaving leaving;
        leaving.recording = recording;
        leaving.thread = thread;
        keepUntilFinished(std::move(leaving));
        co_await qCoro(thread.get()).waitForFinished();
        if (!self)
            co_return;
        if (!*closed)
            Q_EMIT problem(closed->error().line());
        if (m_generation != generation)
            co_return;
        if (QFile::exists(name))
            m_state.recordingPath = name;
    }
    m_state.running = m_state.stopping = false;
    Q_EMIT storeChanged();
    Q_EMIT stateChanged();
}

void Session::run(const RunRequest &request)
{
    if (request.keyName.isEmpty()) {
        runWith(request, {});
        return;
    }
    if (!m_secrets) {
        Q_EMIT problem(u"keychain: there is none here; name an environment variable"_s);
        return;
    }
    const quint64 generation = m_generation;
    m_secrets->ask(SecretRequest(SecretRequest::Kind::Read, request.keyName), [this, request, generation](const SecretAnswer &answer) {
        if (m_generation != generation)
            return; // something else was started meanwhile
        if (!answer)
            Q_EMIT problem(answer.error().line());
        else if (!*answer)
            Q_EMIT problem(u"keychain: it holds no key named %1; store it in the form first"_s.arg(request.keyName));
        else
            runWith(request, **answer);
    });
}

void Session::runWith(const RunRequest &request, const QByteArray &keptKey)
{
    const Expected<Policy> policy = policyOf(request.profile, request.overrides);
    if (!policy) {
        Q_EMIT problem(policy.error().line());
        return;
    }
    CallInput input = inputFrom(request);
    input.key = keptKey;
    const Expected<CallSpec> call = callFrom(input);
    if (!call) {
        Q_EMIT problem(call.error().line());
        return;
    }
    clear();
    TraceHeader header = headerFor(*policy, 0, call->url.host());
    header.clock = ClockKind::Real;
    header.startUtc = QDateTime::currentDateTimeUtc();
    replaceStore(header, false);
    LiveSpec spec;
    const auto shared = std::make_shared<const Policy>(*policy);
    for (int i = 1; i <= request.count; ++i) {
        LiveTask task;
        task.name = request.count > 1 ? tr("call %1").arg(i) : tr("call");
        task.call = *call;
        tellFaultServer(task.call, i);
        task.policy = shared;
        m_policies.emplace_back(task.name, shared);
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = request.concurrency;
    spec.sink = &sinkFor(header, secretsOf(*call));
    m_live = std::make_unique<LiveRun>(std::move(spec));
    if (const Expected<void> started = m_live->start(); !started) {
        Q_EMIT problem(started.error().line());
        return;
    }
    launched(m_live.get(), request.count, 1);
}

void Session::demo(const QString &name)
{
    const Expected<Demo> wanted = demoNamed(name);
    if (!wanted) {
        Q_EMIT problem(wanted.error().line());
        return;
    }
    clear();
    TraceHeader header = headerFor(Policy(), 0, wanted->title);
    header.clock = ClockKind::Scaled;
    header.scale = wanted->scale;
    header.startUtc = QDateTime::currentDateTimeUtc();
    replaceStore(header, false);
    Expected<std::unique_ptr<DemoRun>> made = DemoRun::create(*wanted, 0, sinkFor(header, {}));
    if (!made) {
        Q_EMIT problem(made.error().line());
        return;
    }
    m_demo = std::move(*made);
    for (const DemoTask &task : wanted->tasks) {
        const Expected<Policy> policy = policyOf(task.profile, task.overrides);
        if (policy)
            m_policies.emplace_back(task.name, std::make_shared<const Policy>(*policy));
    }
    if (const Expected<void> started = m_demo->run().start(); !started) {
        Q_EMIT problem(started.error().line());
        return;
    }
    launched(&m_demo->run(), static_cast<int>(wanted->tasks.size()), wanted->scale);
}

void Session::simulate(const SimulateRequest &request)
{
    const Expected<Policy> policy = policyOf(request.profile, request.overrides);
    const Expected<Scenario> scenario = findScenario(request.scenario);
    if (!policy || !scenario) {
        Q_EMIT problem((policy ? scenario.error() : policy.error()).line());
        return;
    }
    clear();
    TraceHeader header = headerFor(*policy, 0, scenario->title);
    header.clock = ClockKind::Virtual;
    replaceStore(header, true);
    SimulationSpec spec;
    spec.scenarios = {*scenario};
    const auto shared = std::make_shared<const Policy>(*policy);
    for (int i = 1; i <= request.tasks; ++i) {
        SimulatedTask task;
        task.name = request.tasks > 1 ? tr("task %1").arg(i) : scenario->name;
        task.policy = shared;
        m_policies.emplace_back(task.name, shared);
        spec.tasks.push_back(std::move(task));
    }
    spec.concurrency = request.concurrency;
    for (const auto &[word, mode] : jitterModes) {
        if (request.jitter == word)
            spec.jitter = mode;
    }
    spec.sink = &sinkFor(header, {});
    m_state.running = true;
    m_state.tasks = request.tasks;
    Q_EMIT stateChanged();
    auto flow = simulateElsewhere(std::move(spec));
}

// A simulation can take a while for many tasks: it runs in a thread of its own and writes through the feed.
QCoro::Task<> Session::simulateElsewhere(SimulationSpec spec)
{
    const QPointer<Session> self(this);
    const quint64 generation = m_generation;
    const auto shared = std::make_shared<SimulationSpec>(std::move(spec));
    const auto stop = std::make_shared<std::atomic<bool>>(false);
    shared->stop = stop.get();
    m_stopSimulation = stop;
    const auto result = std::make_shared<SimulationResult>();
    const std::shared_ptr<QThread> thread(QThread::create([shared, stop, result] { *result = runSimulation(*shared); }));
    m_simulation = thread;
    thread->start();
    co_await qCoro(thread.get()).waitForFinished();
    if (!self || self->m_generation != generation)
        co_return;
    self->m_simulation = nullptr;
    self->ended();
    const auto hang = std::ranges::find(result->tasks, Finish::Hangs, &TaskEnding::finish);
    if (hang != result->tasks.end()) {
        Q_EMIT self->problem(tr("hangs for ever: after %1 nothing is armed that could end it")
                                 .arg(shownDuration(hang->ended - hang->began)));
    } else if (result->wasCut && !*stop) {
        Q_EMIT self->problem(
            tr("still running after %1, where the simulation was stopped").arg(shownDuration(result->ended - Instant{})));
    }
}

void Session::open(const QString &path)
{
    auto flow = openInSlices(path);
}

QCoro::Task<> Session::openInSlices(QString path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT problem(tr("%1: cannot be read: %2").arg(path, file.errorString()));
        co_return;
    }
    const QPointer<Session> self(this);
    clear();
    const quint64 generation = m_generation;
    TraceHeader header;
    header.title = QFileInfo(path).fileName();
    replaceStore(header, false);
    m_opening = true;
    StoreFiller filler(*m_store);
    TraceParser parser(path, filler);
    while (!file.atEnd()) {
        const QByteArray slice = file.read(sliceBytes);
        if (slice.isEmpty() || !parser.feed(slice))
            break;
        Q_EMIT storeChanged();
        co_await QCoro::sleepFor(0ms);
        if (!self || self->m_generation != generation)
            co_return;
    }
    parser.finish();
    if (parser.refusal())
        Q_EMIT problem(parser.refusal()->line());
    else if (parser.report().problemCount > 0 && !parser.report().problems.empty())
        Q_EMIT problem(parser.report().problems.front().line());
    m_opening = false;
    Q_EMIT storeChanged();
    Q_EMIT stateChanged();
}

void Session::stop()
{
    if (!m_state.running || (!m_run && !m_simulation))
        return;
    m_state.stopping = true;
    if (m_run)
        m_run->stop(tr("stopped by hand"));
    if (m_simulation)
        *m_stopSimulation = true;
    Q_EMIT stateChanged();
}

std::function<Instant()> Session::nowFunction() const
{
    if (!m_run || !m_state.running)
        return {};
    const LiveRun *run = m_run;
    return [run] { return run->nominalNow(); };
}

PolicyPtr Session::policyOfTask(const QString &taskName) const
{
    for (const auto &[name, policy] : m_policies) {
        if (name == taskName)
            return policy;
    }
    return nullptr;
}

QStringList Session::summary(Instant now) const
{
    QStringList lines;
    if (!m_store)
        return lines;
    lines << u"%1%2"_s.arg(m_store->header().title,
                           m_state.scale == 1 ? QString()
                                              : tr(", accelerated ×%1: nominal times are approximate").arg(m_state.scale));
    for (SpanId root : m_store->roots()) {
        const std::optional<SpanInfo> task = m_store->span(root);
        if (!task || task->kind != SpanKind::Task)
            continue;
        const Totals totals = totalsOf(*m_store, root, now);
        int firings = 0;
        for (const ShownTimer &timer : m_store->timersOf(root))
            firings += timer.kind == TimerKind::Watchdog && timer.state == TimerState::Fired;
        lines << tr("%1: %2%3 after %4 s, %5 requests, %6 exec attempts, %7 session runs, %8 s asleep, %9 watchdog firings")
                     .arg(task->label, task->isOpen() ? tr("running") : QString(wordOf(task->outcome)),
                          task->reason == ErrorReason::None ? QString() : u" (%1)"_s.arg(wordOf(task->reason)))
                     .arg(toSeconds(task->length(now)), 0, 'f', 1)
                     .arg(totals.requests)
                     .arg(totals.execAttempts)
                     .arg(totals.sessionRuns)
                     .arg(toSeconds(totals.backoffTotal()), 0, 'f', 1)
                     .arg(firings);
    }
    return lines;
}

FormChoices Session::choices()
{
    FormChoices choices;
    for (Api api : allOf<Api>())
        choices.apis << QString(wordOf(api));
    for (const Profile &profile : builtInProfiles())
        choices.profiles << profile.name;
    for (const auto &[word, mode] : jitterModes)
        choices.jitters << QString(word);
    for (const Scenario &scenario : builtInScenarios())
        choices.scenarios.push_back({scenario.name, scenario.title, scenario.about});
    choices.check = [](const RunRequest &request) -> std::optional<Problem> {
        const Expected<CallSpec> call = callFrom(inputFrom(request));
        if (call)
            return std::nullopt;
        return call.error();
    };
    choices.mostRequests = [](const Policy &policy) { return mostRequests(policy); };
    return choices;
}

} // namespace Waitscope
