// SPDX-License-Identifier: GPL-3.0-or-later
// What the trace layer costs: appending, memory, loading beside the JSON reader of Qt, queries, recording, redacting.
#include "trace/recorder.h"
#include "trace/redaction.h"
#include "trace/spanquery.h"
#include "trace/tracereader.h"
#include "trace/tracewriter.h"

#include <benchmark/benchmark.h>

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <cmath>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// A benchmark's run: 64 slots, each a row of tasks with an exec, attempts, session runs, requests with phases and timers,
// sleeps.
std::vector<Event> retryTrace(quint32 spans)
{
    struct Slot {
        qint64 now = 0;
    };
    QRandomGenerator random(1);
    std::vector<Event> events;
    quint64 span = 0;
    quint64 timer = 0;
    const auto length = [&](double median) {
        const double u = random.generateDouble() + 1e-12;
        return static_cast<qint64>(median
                                   * std::exp(std::sqrt(-2 * std::log(u)) * std::cos(6.2831853 * random.generateDouble())));
    };
    const auto begin = [&](qint64 t, SpanKind kind, Layer layer, SpanId parent, int attempt, int max, QString label = {},
                           Phase phase = Phase::None, SpanId cause = {}) {
        SpanBegan e{Instant{Duration{t}}, SpanId{++span}, parent, cause,           kind, layer, phase,
                    Role::First,          attempt,        max,    std::move(label)};
        events.emplace_back(e);
        return e.id;
    };
    const auto end = [&](qint64 t, SpanId id, bool ok, int status = 0) {
        SpanEnded e;
        e.at = Instant{Duration{t}};
        e.id = id;
        e.status = status;
        if (!ok) {
            e.outcome = Outcome::Timeout;
            e.reason = ErrorReason::Transport;
            e.retryable = true;
            e.type = u"ReadTimeout"_s;
            e.rule = u"type: ReadTimeout"_s;
        }
        events.emplace_back(std::move(e));
    };
    std::vector<Slot> slots(64);
    while (span < spans) {
        Slot &slot = *std::ranges::min_element(slots, {}, &Slot::now);
        qint64 t = slot.now;
        const SpanId task = begin(t, SpanKind::Task, Layer::Task, {}, 0, 0, u"sample %1"_s.arg(span));
        const SpanId exec = begin(t, SpanKind::Exec, Layer::Exec, task, 0, 6);
        bool ok = false;
        for (int a = 1; a <= 6 && !ok; ++a) {
            const SpanId attempt = begin(t, SpanKind::ExecAttempt, Layer::Exec, exec, a, 6);
            const SpanId run = begin(t, SpanKind::SessionRun, Layer::Session, attempt, 1, 4);
            for (int r = 1; r <= 3 && !ok; ++r) {
                ok = random.bounded(10) < 7;
                const SpanId request = begin(t, SpanKind::Request, Layer::Stream, run, r, 3, u"127.0.0.1:8080"_s);
                for (Phase phase : {Phase::Connect, Phase::Wait, Phase::Receive}) {
                    const SpanId p = begin(t, SpanKind::Phase, Layer::Http, request, 0, 0, {}, phase);
                    events.emplace_back(TimerArmed{Instant{Duration{t}}, TimerId{++timer}, request, TimerKind::Connect,
                                                   Resets::Nothing, Kills::Request, Instant{Duration{t + 30'000'000'000}},
                                                   Duration{30'000'000'000}, false, "http.connect_timeout_s"_L1,
                                                   "OPENPROGRAM_HTTPX_CONNECT_TIMEOUT_S"_L1});
                    t += length(2e8);
                    events.emplace_back(TimerDisarmed{Instant{Duration{t}}, TimerId{timer}});
                    end(t, p, true);
                }
                events.emplace_back(Marked{Instant{Duration{t}}, request, MarkKind::Headers, ok ? 200 : 503, {}});
                end(t, request, ok, ok ? 200 : 503);
                if (!ok && r < 3) {
                    const SpanId sleep = begin(t, SpanKind::Backoff, Layer::Stream, run, r, 3, {}, Phase::None, request);
                    t += length(1e9);
                    end(t, sleep, true);
                }
            }
            end(t, run, ok);
            end(t, attempt, ok);
        }
        end(t, exec, ok);
        end(t, task, ok);
        slot.now = t + length(1e7);
    }
    std::ranges::stable_sort(events, {}, timeOf);
    // An engine numbers things as they come.
    QHash<quint64, quint64> spanNumbers{{0, 0}};
    QHash<quint64, quint64> timerNumbers;
    for (Event &event : events) {
        if (auto *b = std::get_if<SpanBegan>(&event)) {
            spanNumbers.insert(b->id.value, quint64(spanNumbers.size()));
            b->id.value = spanNumbers[b->id.value];
            b->parent.value = spanNumbers[b->parent.value];
            b->cause.value = spanNumbers[b->cause.value];
        } else if (auto *e = std::get_if<SpanEnded>(&event)) {
            e->id.value = spanNumbers[e->id.value];
        } else if (auto *m = std::get_if<Marked>(&event)) {
            m->span.value = spanNumbers[m->span.value];
        } else if (auto *a = std::get_if<TimerArmed>(&event)) {
            timerNumbers.insert(a->id.value, quint64(timerNumbers.size()) + 1);
            a->id.value = timerNumbers[a->id.value];
            a->owner.value = spanNumbers[a->owner.value];
        } else if (auto *x = std::get_if<TimerDisarmed>(&event)) {
            x->id.value = timerNumbers[x->id.value];
        }
    }
    return events;
}

const std::vector<Event> &traceOf(quint32 spans)
{
    static std::map<quint32, std::vector<Event>> traces;
    const auto it = traces.find(spans);
    return it != traces.end() ? it->second : traces.emplace(spans, retryTrace(spans)).first->second;
}

const TraceStore &storeOf(quint32 spans)
{
    static std::map<quint32, std::unique_ptr<TraceStore>> stores;
    std::unique_ptr<TraceStore> &store = stores[spans];
    if (!store) {
        store = std::make_unique<TraceStore>();
        for (const Event &event : traceOf(spans))
            store->write(event);
    }
    return *store;
}

QString fileOf(quint32 spans)
{
    static QTemporaryDir dir;
    const QString path = dir.filePath(QString::number(spans));
    if (!QFile::exists(path)) {
        auto file = TraceFile::create(path, {});
        for (const Event &event : traceOf(spans))
            (*file)->write(event);
        if (!(*file)->commit())
            qFatal("no room for the benchmark's file");
    }
    return path;
}

void append(benchmark::State &state)
{
    const std::vector<Event> &events = traceOf(static_cast<quint32>(state.range(0)));
    qsizetype memory = 0;
    quint32 spans = 0;
    for (auto _ : state) {
        TraceStore store;
        for (const Event &event : events)
            store.write(event);
        memory = store.memory();
        spans = store.spanCount();
        benchmark::DoNotOptimize(store.revision());
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * events.size()));
    state.counters["bytes/span"] = static_cast<double>(memory) / spans;
    state.counters["events/span"] = static_cast<double>(events.size()) / spans;
}

void format(benchmark::State &state)
{
    const std::vector<Event> &events = traceOf(100'000);
    QByteArray out;
    for (auto _ : state) {
        out.resize(0);
        for (const Event &event : events)
            appendEventLine(out, event);
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * events.size()));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * static_cast<size_t>(out.size())));
}

void load(benchmark::State &state)
{
    const QString path = fileOf(static_cast<quint32>(state.range(0)));
    quint64 events = 0;
    for (auto _ : state) {
        TraceStore store;
        StoreFiller filler(store);
        const auto report = readTrace(path, filler);
        events = report->events;
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * events));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * static_cast<quint64>(QFile(path).size())));
}

// The plain way to read such a file with Qt, and without a store behind it.
void loadWithQt(benchmark::State &state)
{
    const QString path = fileOf(static_cast<quint32>(state.range(0)));
    quint64 events = 0;
    for (auto _ : state) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("the benchmark's file is gone");
        events = 0;
        qint64 sum = 0;
        while (!file.atEnd()) {
            const QJsonObject line = QJsonDocument::fromJson(file.readLine()).object();
            sum += line.value("t"_L1).toInteger() + line.value("e"_L1).toString().size();
            ++events;
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * events));
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * static_cast<quint64>(QFile(path).size())));
}

void firstPiece(benchmark::State &state)
{
    const QString path = fileOf(1'000'000);
    for (auto _ : state) {
        TraceStore store;
        StoreFiller filler(store);
        benchmark::DoNotOptimize(readTrace(path, filler, [](const ReadProgress &) { return false; }));
    }
}

// One frame's questions: 88 lanes at 1920 pixels; the argument is the zoom.
void query(benchmark::State &state)
{
    const TraceStore &store = storeOf(static_cast<quint32>(state.range(0)));
    const Duration all = store.lastTime() - store.firstTime();
    const Duration width{all.count() / state.range(1)};
    const Instant from = store.firstTime() + (all - width) / 2;
    const TimeWindow window{from, from + width, 1920, store.lastTime()};
    VisibleSpans visible;
    quint64 visited = 0;
    const auto lanes = store.laneOrder().first(std::min<size_t>(88, store.laneOrder().size()));
    for (auto _ : state) {
        visited = 0;
        for (LaneId lane : lanes) {
            findVisible(store, lane, window, visible);
            visited += visible.visited;
        }
    }
    state.counters["visited"] = static_cast<double>(visited);
    state.counters["lanes"] = static_cast<double>(lanes.size());
}

// One lane of spans side by side, as of a slot that ran for hours.
const TraceStore &oneLane(quint32 spans)
{
    static std::map<quint32, std::unique_ptr<TraceStore>> stores;
    std::unique_ptr<TraceStore> &store = stores[spans];
    if (!store) {
        store = std::make_unique<TraceStore>();
        QRandomGenerator random(2);
        qint64 t = 0;
        store->write(SpanBegan{
            Instant{}, SpanId{1}, {}, {}, SpanKind::SessionRun, Layer::Session, Phase::None, Role::First, 0, 0, {}});
        for (quint32 i = 0; i < spans; ++i) {
            store->write(SpanBegan{Instant{Duration{t}},
                                   SpanId{i + 2},
                                   SpanId{1},
                                   {},
                                   SpanKind::Request,
                                   Layer::Stream,
                                   Phase::None,
                                   Role::First,
                                   0,
                                   0,
                                   {}});
            t += 1000 + random.bounded(1'000'000);
            SpanEnded e;
            e.at = Instant{Duration{t}};
            e.id = SpanId{i + 2};
            e.outcome = random.bounded(100) == 0 ? Outcome::Error : Outcome::Ok;
            store->write(e);
        }
    }
    return *store;
}

void queryOneLane(benchmark::State &state)
{
    const TraceStore &store = oneLane(static_cast<quint32>(state.range(0)));
    const Duration width{(store.lastTime() - store.firstTime()).count() / state.range(1)};
    const TimeWindow window{Instant{} + width / 3, Instant{} + width / 3 + width, 1920, store.lastTime()};
    VisibleSpans visible;
    for (auto _ : state)
        findVisible(store, LaneId{2}, window, visible);
    state.counters["visited"] = static_cast<double>(visible.visited);
}

void hit(benchmark::State &state)
{
    const TraceStore &store = oneLane(1'000'000);
    QRandomGenerator random(4);
    const qint64 all = store.lastTime().time_since_epoch().count();
    for (auto _ : state) {
        const Instant t{Duration{static_cast<qint64>(random.generateDouble() * static_cast<double>(all))}};
        benchmark::DoNotOptimize(nearestSpan(store, LaneId{2}, t, store.lastTime()));
    }
}

void record(benchmark::State &state)
{
    const std::vector<Event> &events = traceOf(100'000);
    QTemporaryDir dir;
    for (auto _ : state) {
        RecorderOptions options;
        options.path = dir.filePath(u"r"_s);
        auto recorder = Recorder::open(options, {}, {});
        for (const Event &event : events)
            (*recorder)->write(event);
        if (!(*recorder)->close())
            qFatal("no room for the benchmark's recording");
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * events.size()));
}

void redact(benchmark::State &state)
{
    RedactionRules rules;
    rules.secrets = {{u"key"_s, u"sk-proj-0123456789abcdefghijklmnopqrstuvwxyz"_s}};
    const Redactor redactor(rules);
    const Event line = Marked{
        Instant{}, SpanId{1}, MarkKind::Data, 200,
        u"data: {\"type\":\"response.output_text.delta\",\"item_id\":\"msg_1\",\"output_index\":0,\"delta\":\"hello, "
        "what a \\n day\"}"_s};
    const Event end = SpanEnded{Instant{},
                                SpanId{1},
                                Outcome::Error,
                                ErrorReason::Provider,
                                true,
                                false,
                                503,
                                u"HTTPStatusError"_s,
                                u"Server error '503 Service Unavailable' for url 'http://127.0.0.1:8080/v1/responses'"_s,
                                u"status 503"_s,
                                0};
    const Event &which = state.range(0) ? line : end;
    for (auto _ : state) {
        Event event = which;
        redactor.redact(event);
        benchmark::DoNotOptimize(event);
    }
}

BENCHMARK(append)->Arg(1000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(format)->Unit(benchmark::kMillisecond);
BENCHMARK(load)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(loadWithQt)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(firstPiece)->Unit(benchmark::kMillisecond);
BENCHMARK(query)->ArgsProduct({{100'000, 1'000'000}, {1, 3, 10, 100, 10000}})->Unit(benchmark::kMicrosecond);
BENCHMARK(queryOneLane)->ArgsProduct({{1'000'000}, {1, 3, 10, 50, 100, 1000}})->Unit(benchmark::kMicrosecond);
BENCHMARK(hit);
BENCHMARK(record)->Unit(benchmark::kMillisecond);
BENCHMARK(redact)->Arg(0)->Arg(1);

} // namespace

BENCHMARK_MAIN();
