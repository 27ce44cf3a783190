// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tracewriting.h"
#include "trace/callquery.h"
#include "trace/spanquery.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

enum class Shape { Even, Lognormal, Burst, Gaps, Instants };

// One lane of spans that do not overlap, a known mix of good, failed and slept.
class RandomLane
{
public:
    RandomLane(Shape shape, int count, quint32 seed)
        : m_random(seed)
    {
        SpanBegan run;
        run.id = SpanId{1};
        run.kind = SpanKind::SessionRun;
        run.layer = Layer::Session;
        store.write(run);
        qint64 t = m_random.bounded(1000);
        for (int i = 0; i < count; ++i) {
            SpanBegan b;
            b.at = Instant{Duration{t}};
            b.id = SpanId{quint64(i) + 2};
            b.parent = run.id;
            b.kind = m_random.bounded(4) == 0 ? SpanKind::Backoff : SpanKind::Request;
            b.layer = Layer::Stream;
            store.write(b);
            t += length(shape, i, count);
            SpanEnded e;
            e.at = Instant{Duration{t}};
            e.id = b.id;
            e.outcome = outcome();
            store.write(e);
            if (m_random.bounded(3) != 0)
                t += length(shape, i, count);
        }
        now = Instant{Duration{t}};
        lane = store.span(SpanId{2})->lane;
    }

    void leaveOneOpen(qint64 after)
    {
        SpanBegan b;
        b.at = now;
        b.id = SpanId{1'000'000};
        b.parent = SpanId{1};
        b.kind = SpanKind::Request;
        b.layer = Layer::Stream;
        store.write(b);
        now += Duration{after};
    }

    TraceStore store;
    LaneId lane;
    Instant now;

private:
    qint64 length(Shape shape, int i, int count)
    {
        switch (shape) {
        case Shape::Even:
            return 1000 + m_random.bounded(1000);
        case Shape::Lognormal: {
            const double u = m_random.generateDouble() + 1e-9;
            const double v = m_random.generateDouble();
            return static_cast<qint64>(50'000 * std::exp(1.5 * std::sqrt(-2 * std::log(u)) * std::cos(6.2831853 * v)));
        }
        case Shape::Burst: // most spans in a hundredth of the time
            return i > count / 5 && i < count / 5 * 4 ? 10 + m_random.bounded(20) : 100'000 + m_random.bounded(100'000);
        case Shape::Gaps:
            return i % 1000 == 500 ? 50'000'000'000 : 1000 + m_random.bounded(100'000);
        case Shape::Instants:
            return m_random.bounded(2) ? 0 : 1000;
        }
        return 1;
    }
    Outcome outcome()
    {
        const quint32 n = m_random.bounded(1000U);
        return n == 0 ? Outcome::Error : n < 3 ? Outcome::Timeout : n < 6 ? Outcome::Partial : Outcome::Ok;
    }

    QRandomGenerator m_random;
};

struct NaiveColumn {
    double good = 0, backoff = 0, bad = 0;
    int worst = 0;
    bool occupied = false;
};

struct Naive {
    std::vector<NaiveColumn> columns;
    std::vector<SpanId> atLeastTwoPixels;
    std::vector<SpanId> atLeastOnePixel;
    quint32 spans = 0;
};

// Looks at every span of the lane.
Naive scanAll(const TraceStore &store, LaneId id, const TimeWindow &w)
{
    Naive naive;
    naive.columns.resize(static_cast<size_t>(w.width));
    const Lane &lane = store.lane(id);
    const double perPixel = static_cast<double>((w.to - w.from).count()) / w.width;
    for (quint32 i = 0; i < lane.size(); ++i) {
        const Instant begin = lane.begin(i);
        const Instant end = lane.end(i) == never ? std::max(begin, w.now) : lane.end(i);
        if (begin >= w.to || end < w.from || (end == w.from && begin < end))
            continue;
        ++naive.spans;
        const double pixels = static_cast<double>((end - begin).count()) / perPixel;
        if (pixels >= 1)
            naive.atLeastOnePixel.push_back(store.spanAtIndex(lane.spanIndex(i)));
        if (pixels >= 2)
            naive.atLeastTwoPixels.push_back(store.spanAtIndex(lane.spanIndex(i)));
        const double left = std::max(0.0, static_cast<double>((begin - w.from).count()) / perPixel);
        const double right = std::min<double>(w.width, static_cast<double>((end - w.from).count()) / perPixel);
        const int first = std::min(w.width - 1, static_cast<int>(left));
        const int last = std::clamp(static_cast<int>(std::ceil(right)) - 1, first, w.width - 1);
        for (int c = first; c <= last; ++c) {
            NaiveColumn &column = naive.columns[static_cast<size_t>(c)];
            column.occupied = true;
            column.worst = std::max(column.worst, lane.severity(i));
            const double share = std::max(0.0, std::min(right, c + 1.0) - std::max(left, double(c)));
            (lane.spanClass(i) == SpanClass::Good          ? column.good
                 : lane.spanClass(i) == SpanClass::Backoff ? column.backoff
                                                           : column.bad)
                += share;
        }
    }
    return naive;
}

// Where buckets straddle the window's edges, what is a pixel outside of it may show.
std::vector<NaiveColumn> withMargin(const TraceStore &store, LaneId id, TimeWindow w)
{
    const Duration pixel = (w.to - w.from) / w.width + Duration{1};
    std::vector<NaiveColumn> columns = scanAll(store, id, w).columns;
    const auto outside = [&](Instant from) { return scanAll(store, id, {from, from + pixel, 1, w.now}).columns.front(); };
    columns.insert(columns.begin(), outside(w.from - pixel));
    columns.push_back(outside(w.to));
    return columns;
}

template<class Columns, class Test> bool anyNear(const Columns &columns, int c, Test test)
{
    for (int n = std::max(0, c - 1); n <= std::min(static_cast<int>(columns.size()) - 1, c + 1); ++n) {
        if (test(columns[static_cast<size_t>(n)]))
            return true;
    }
    return false;
}

QString compare(const VisibleSpans &got, const Naive &want, const std::vector<NaiveColumn> &around, const TimeWindow &w)
{
    const auto fail = [&](const char *what, int c) {
        return u"%1 at column %2 of %3, path %4"_s.arg(QLatin1StringView(what)).arg(c).arg(w.width).arg(int(got.path));
    };
    double gotSum = 0;
    double wantSum = 0;
    for (int c = 0; c < w.width; ++c) {
        const FoldedColumn &g = got.columns[static_cast<size_t>(c)];
        const NaiveColumn &n = want.columns[static_cast<size_t>(c)];
        if (n.occupied && !anyNear(got.columns, c, [](const FoldedColumn &x) { return x.occupied; }))
            return fail("a span is lost", c);
        if (g.occupied && !anyNear(around, c + 1, [](const NaiveColumn &x) { return x.occupied; }))
            return fail("a span is made up", c);
        if (n.worst > 0 && !anyNear(got.columns, c, [](const FoldedColumn &x) { return x.worst > 0; }))
            return fail("a failure is lost", c);
        if (g.worst > 0 && !anyNear(around, c + 1, [&](const NaiveColumn &x) { return x.worst >= g.worst; }))
            return fail("a failure is made up or made worse", c);
        if (got.path == FoldPath::Scan) {
            if (g.occupied != n.occupied || g.worst != n.worst)
                return fail("the scan is not exact", c);
            if (std::abs(g.good / 65535.0 - n.good) > 0.01 || std::abs(g.backoff / 65535.0 - n.backoff) > 0.01
                || std::abs(g.bad / 65535.0 - n.bad) > 0.01)
                return fail("shares differ", c);
        }
        gotSum += (g.good + g.backoff + g.bad) / 65535.0;
        wantSum += n.good + n.backoff + n.bad;
    }
    // Buckets straddle pixels, and a burst's shares are estimates: the whole must agree, pixel by pixel it need not.
    if (std::abs(gotSum - wantSum) > 3 + (got.path == FoldPath::Burst ? 0.25 : 0.05) * wantSum)
        return u"busy %1 pixels instead of %2, path %3"_s.arg(gotSum).arg(wantSum).arg(int(got.path));
    std::vector<SpanId> wide;
    for (const WideSpan &span : got.wide) {
        if (!wide.empty() && span.begin < got.wide[wide.size() - 1].end)
            return u"wide spans are out of order"_s;
        wide.push_back(span.id);
    }
    const auto inWide = [&](SpanId id) { return std::find(wide.begin(), wide.end(), id) != wide.end(); };
    for (SpanId id : want.atLeastTwoPixels) {
        if (!inWide(id))
            return u"span %1 should be wide, path %2"_s.arg(id.value).arg(int(got.path));
    }
    for (SpanId id : wide) {
        if (std::find(want.atLeastOnePixel.begin(), want.atLeastOnePixel.end(), id) == want.atLeastOnePixel.end())
            return u"span %1 is under a pixel but called wide, path %2"_s.arg(id.value).arg(int(got.path));
    }
    if (got.path == FoldPath::Scan && wide != want.atLeastOnePixel)
        return u"the scan's wide spans differ"_s;
    const quint32 width = static_cast<quint32>(w.width);
    if (got.path == FoldPath::Buckets ? got.visited > 2 * width + 2 : got.visited > std::max(8 * width, 1024U))
        return u"looked at %1 for %2 pixels, path %3"_s.arg(got.visited).arg(w.width).arg(int(got.path));
    return {};
}

// A call with two exec attempts, three requests and all sorts of sleeps, fully ended at 20 s but for the last request.
struct Call {
    Call()
        : w(store)
    {
        task = w.begin(0, SpanKind::Task, Layer::Task);
        exec = w.begin(0, SpanKind::Exec, Layer::Exec, task);
        first = w.begin(0, SpanKind::ExecAttempt, Layer::Exec, exec);
        run = w.begin(0, SpanKind::SessionRun, Layer::Session, first);
        one = w.begin(0, SpanKind::Request, Layer::Stream, run);
        connect = w.phase(0, Phase::Connect, one);
        w.end(4, connect, Outcome::Error);
        w.end(4, one, Outcome::Error);
        sleep = w.begin(4, SpanKind::Backoff, Layer::Stream, run, one);
        w.end(6, sleep);
        two = w.begin(6, SpanKind::Request, Layer::Stream, run, sleep);
        w.mark(6, two, MarkKind::SendBegan);
        w.end(7, two, Outcome::Error);
        w.end(7, run, Outcome::Error);
        w.end(7, first, Outcome::Error);
        rest = w.begin(7, SpanKind::Backoff, Layer::Exec, exec, first);
        w.end(10, rest);
        second = w.begin(10, SpanKind::ExecAttempt, Layer::Exec, exec, rest);
        const SpanId again = w.begin(10, SpanKind::SessionRun, Layer::Session, second);
        three = w.begin(10, SpanKind::Request, Layer::Stream, again);
        wait = w.phase(10, Phase::Wait, three);
    }
    TraceStore store;
    TraceWriting w;
    SpanId task, exec, first, second, run, one, two, three, connect, wait, sleep, rest;
};

} // namespace

class QueryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldedAgreesWithNaive_data()
    {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("count");
        for (const auto &[name, shape] :
             {std::pair("even", Shape::Even), std::pair("lognormal", Shape::Lognormal), std::pair("burst", Shape::Burst),
              std::pair("gaps", Shape::Gaps), std::pair("instants", Shape::Instants)}) {
            for (int count : {1, 100, 3000, 20000})
                QTest::addRow("%s %d", name, count) << int(shape) << count;
        }
    }
    void foldedAgreesWithNaive()
    {
        QFETCH(int, shape);
        QFETCH(int, count);
        RandomLane lane(static_cast<Shape>(shape), count, 7);
        QRandomGenerator random(static_cast<quint32>(count));
        const qint64 end = lane.now.time_since_epoch().count();
        VisibleSpans visible;
        int paths[3] = {};
        for (int i = 0; i < 60; ++i) {
            if (i == 40)
                lane.leaveOneOpen(end / 20 + 1);
            TimeWindow w;
            w.width = std::array{1, 7, 100, 640, 1920}[random.bounded(5U)];
            // From all of it down to a few spans, also hanging over both ends.
            const double zoom = i == 0 ? 1 : std::pow(10, random.bounded(5.0));
            const auto length = std::max<qint64>(10, static_cast<qint64>(static_cast<double>(end) * 1.1 / zoom));
            const auto from
                = static_cast<qint64>(random.bounded(1.1) * static_cast<double>(end) - static_cast<double>(end) * 0.05);
            w.from = Instant{Duration{i == 0 ? 0 : from}};
            w.to = w.from + Duration{length};
            if (static_cast<Shape>(shape) == Shape::Burst && count > 1000 && i % 2) {
                w.from = lane.store.lane(lane.lane).begin(static_cast<quint32>(count / 2));
                w.to = w.from + Duration{count * 2 + random.bounded(count * 3)};
                w.width = 100 + random.bounded(300);
            }
            w.now = lane.now;
            findVisible(lane.store, lane.lane, w, visible);
            ++paths[static_cast<int>(visible.path)];
            const QString difference
                = compare(visible, scanAll(lane.store, lane.lane, w), withMargin(lane.store, lane.lane, w), w);
            QVERIFY2(difference.isEmpty(),
                     qPrintable(u"%1; window %2 + %3, query %4"_s.arg(difference).arg(from).arg(length).arg(i)));
        }
        if (count == 20000)
            QVERIFY(paths[static_cast<int>(FoldPath::Buckets)] > 0);
        if (count == 20000 && static_cast<Shape>(shape) == Shape::Burst)
            QVERIFY(paths[static_cast<int>(FoldPath::Burst)] > 0);
    }

    void bucketsKeepUpWithALiveLane()
    {
        // The same lane asked while it grows and once at the end gives the same buckets.
        TraceStore live;
        TraceStore later;
        QRandomGenerator random(3);
        VisibleSpans a;
        VisibleSpans b;
        TraceWriting w(live);
        TraceWriting l(later);
        const SpanId run = w.begin(0, SpanKind::SessionRun, Layer::Session);
        l.begin(0, SpanKind::SessionRun, Layer::Session);
        double t = 0;
        for (int i = 0; i < 30000; ++i) {
            const double end = t + (i == 20000 ? 1000 : 0.0001 * random.bounded(100));
            const Outcome outcome = random.bounded(500) == 0 ? Outcome::Error : Outcome::Ok;
            const SpanId x = w.begin(t, SpanKind::Request, Layer::Stream, run);
            w.end(end, x, outcome);
            const SpanId y = l.begin(t, SpanKind::Request, Layer::Stream, run);
            l.end(end, y, outcome);
            t = end;
            if (i % 97 == 0)
                findVisible(live, LaneId{2}, {at(0), at(t + 1), 300, at(t)}, a);
        }
        for (const double from : {0.0, 50.0, 900.0}) {
            const TimeWindow window{at(from), at(t), 400, at(t)};
            findVisible(live, LaneId{2}, window, a);
            findVisible(later, LaneId{2}, window, b);
            QCOMPARE(a.path, FoldPath::Buckets);
            for (size_t c = 0; c < a.columns.size(); ++c) {
                QCOMPARE(a.columns[c].good, b.columns[c].good);
                QCOMPARE(a.columns[c].worst, b.columns[c].worst);
            }
        }
    }

    void bucketsSurviveTheEndsOfTime()
    {
        // Times left and right of zero and as far out as times go.
        TraceStore store;
        const qint64 far = qint64{1} << 61;
        quint64 id = 0;
        const auto span = [&](qint64 from, qint64 to) {
            SpanBegan b;
            b.at = Instant{Duration{from}};
            b.id = SpanId{++id};
            b.kind = SpanKind::Exec;
            b.layer = Layer::Exec;
            b.parent = SpanId{id > 1 ? 1u : 0u};
            store.write(b);
            SpanEnded e;
            e.at = Instant{Duration{to}};
            e.id = b.id;
            if (id > 1)
                store.write(e);
        };
        span(-far, far);
        span(-far, -far + 10);
        for (int i = -2000; i < 2000; ++i)
            span(i * 3, i * 3 + 2);
        span(far - 5, far);
        VisibleSpans visible;
        const LaneId lane = store.span(SpanId{2})->lane;
        QCOMPARE(store.lane(lane).size(), 4002u);
        findVisible(store, lane, {Instant{Duration{-far}}, Instant{Duration{far}}, 100, Instant{Duration{far}}}, visible);
        QVERIFY(visible.columns.front().occupied && visible.columns.back().occupied && visible.columns[50].occupied);
        QVERIFY(!visible.columns[20].occupied);
        findVisible(store, lane, {Instant{Duration{-300}}, Instant{Duration{300}}, 600, Instant{}}, visible);
        QCOMPARE(visible.wide.size(), 200u);
        QCOMPARE(visible.columns[299].occupied, false);
    }

    void emptyQuestionsGiveEmptyAnswers()
    {
        Call c;
        VisibleSpans visible;
        const LaneId lane = c.store.span(c.one)->lane;
        for (const TimeWindow &w : {TimeWindow{at(0), at(0), 100, at(1)}, TimeWindow{at(2), at(1), 100, at(1)},
                                    TimeWindow{at(0), at(1), 0, at(1)}, TimeWindow{at(0), at(1), -5, at(1)}}) {
            findVisible(c.store, lane, w, visible);
            QVERIFY(visible.wide.empty());
        }
        findVisible(c.store, LaneId{99}, {at(0), at(1), 10, at(1)}, visible);
        QVERIFY(visible.wide.empty() && visible.columns.size() == 10 && !visible.columns[0].occupied);
        QCOMPARE(visible.columns[0].weight(), 0.0);
        findVisible(c.store, lane, {at(8), at(9), 10, at(20)}, visible); // between two
        QVERIFY(visible.wide.empty() && !visible.columns[5].occupied);
    }

    void columnsSayWhatDominates()
    {
        FoldedColumn c;
        c.occupied = true;
        c.good = 100;
        c.backoff = 200;
        QCOMPARE(c.dominant(), SpanClass::Backoff);
        QCOMPARE(c.weight(), 0.25);
        c.bad = 200;
        QCOMPARE(c.dominant(), SpanClass::Bad);
        c.good = 65000;
        QCOMPARE(c.dominant(), SpanClass::Good);
        QVERIFY(c.weight() > 0.99);
        c = {};
        c.occupied = true;
        QCOMPARE(c.dominant(), SpanClass::Good);
        c.worst = static_cast<quint8>(severityOf(Outcome::Error));
        QCOMPARE(c.dominant(), SpanClass::Bad);
        for (Outcome outcome : allOf<Outcome>())
            QCOMPARE(outcomeOfSeverity(severityOf(outcome)), outcome);
    }

    void openSpansReachNow()
    {
        Call c;
        VisibleSpans visible;
        findVisible(c.store, c.store.span(c.three)->lane, {at(10), at(20), 10, at(15)}, visible);
        QCOMPARE(visible.wide.size(), 1u);
        QVERIFY(visible.wide[0].open);
        QCOMPARE(visible.wide[0].end, at(15));
        QVERIFY(visible.columns[4].occupied && !visible.columns[5].occupied);
    }

    void findsWhatIsUnderThePointer()
    {
        Call c;
        const LaneId lane
            = c.store.span(c.one)
                  ->lane; // one 0-4, sleep 4-6, two 6-7; three from 10 on stands elsewhere? no: same sort, other parent
        QCOMPARE(spanAt(c.store, lane, at(0), at(20)), c.one);
        QCOMPARE(spanAt(c.store, lane, at(4), at(20)), c.sleep);
        QCOMPARE(spanAt(c.store, lane, at(6.5), at(20)), c.two);
        QCOMPARE(nearestSpan(c.store, lane, at(-3), at(20)), c.one);
        QCOMPARE(nearestSpan(c.store, lane, at(5), at(20)), c.sleep);
        QCOMPARE(nearestSpan(c.store, LaneId{77}, at(5), at(20)), SpanId{});
        const LaneId attempts = c.store.span(c.first)->lane; // 0-7, rest 7-10, 10-
        QCOMPARE(spanAt(c.store, attempts, at(15), at(20)), c.second);
        QCOMPARE(spanAt(c.store, attempts, at(25), at(20)), SpanId{});
        QCOMPARE(nearestSpan(c.store, attempts, at(25), at(20)), c.second);
        const LaneId requests = c.store.span(c.three)->lane;
        QCOMPARE(requests, lane); // the second attempt's rows are the first one's, since they do not overlap
        QCOMPARE(spanAt(c.store, lane, at(8), at(20)), SpanId{});
        QCOMPARE(nearestSpan(c.store, lane, at(8), at(20)), c.two);
        QCOMPARE(nearestSpan(c.store, lane, at(9), at(20)), c.three);
    }

    void walksTheTree()
    {
        Call c;
        QCOMPARE(ancestorsOf(c.store, c.connect), (std::vector{c.one, c.run, c.first, c.exec, c.task}));
        QVERIFY(ancestorsOf(c.store, SpanId{99}).empty());
        QVERIFY(isWithin(c.store, c.connect, c.exec) && isWithin(c.store, c.exec, c.exec));
        QVERIFY(!isWithin(c.store, c.exec, c.connect));
        QCOMPARE(causeChain(c.store, c.two), (std::vector{c.one, c.sleep, c.two}));
        QCOMPARE(causeChain(c.store, c.one), std::vector{c.one});
        QVERIFY(causeChain(c.store, SpanId{99}).empty());
        QCOMPARE(previousInChain(c.store, c.two), c.sleep);
        QCOMPARE(previousInChain(c.store, c.one), SpanId{});
        QCOMPARE(nextInChain(c.store, c.one), c.sleep);
        QCOMPARE(nextInChain(c.store, c.two), SpanId{});
    }

    void stepsFromEdgeToEdge()
    {
        Call c;
        std::vector<double> forward;
        for (std::optional<Instant> t = nextEdge(c.store, at(-1)); t; t = nextEdge(c.store, *t))
            forward.push_back(toSeconds(*t));
        QCOMPARE(forward, (std::vector<double>{0, 4, 6, 7, 10}));
        std::vector<double> back;
        for (std::optional<Instant> t = previousEdge(c.store, never); t; t = previousEdge(c.store, *t))
            back.push_back(toSeconds(*t));
        QCOMPARE(back, (std::vector<double>{10, 7, 6, 4, 0}));
        const std::array lanes{c.store.span(c.exec)->lane};
        QVERIFY(!nextEdge(c.store, at(0), lanes));
        QCOMPARE(previousEdge(c.store, at(5), lanes), std::optional(at(0)));
    }

    void addsUpWhereTheTimeWent()
    {
        Call c;
        const Totals all = totalsOfAll(c.store, at(12));
        const Totals call = totalsOf(c.store, c.exec, at(12));
        QCOMPARE(all.tasks, 1);
        QCOMPARE(call.tasks, 0);
        for (const Totals &t : {all, call}) {
            QCOMPARE(t.execs, 1);
            QCOMPARE(t.execAttempts, 2);
            QCOMPARE(t.sessionRuns, 2);
            QCOMPARE(t.requests, 3);
            QCOMPARE(t.sent, 1);
            QCOMPARE(t.reconnects, 0);
            QCOMPARE(t.backoffs, 2);
            QCOMPARE(t.backoffTotal(), fromSeconds(5));
            QCOMPARE(t.backoff[size_t(Layer::Exec)], fromSeconds(3));
            QCOMPARE(t.backoff[size_t(Layer::Stream)], fromSeconds(2));
            QCOMPARE(t.attempts[size_t(Layer::Exec)], fromSeconds(9));
            QCOMPARE(t.attempts[size_t(Layer::Stream)], fromSeconds(7));
            QCOMPARE(t.phases[size_t(Phase::Connect)], fromSeconds(4));
            QCOMPARE(t.phases[size_t(Phase::Wait)], fromSeconds(2));
        }
        QCOMPARE(totalsOf(c.store, c.first, at(12)).requests, 2);
        QCOMPARE(totalsOf(c.store, SpanId{99}, at(12)).requests, 0);
    }
};

QTEST_GUILESS_MAIN(QueryTest)
#include "tst_query.moc"
