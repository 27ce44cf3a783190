// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tracewriting.h"
#include "trace/callquery.h"
#include "trace/idmap.h"
#include "trace/tracestore.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// A task with one exec, one attempt, one session run and one request that is open from 1 s on.
struct OpenCall {
    OpenCall()
        : write(store)
    {
        task = write.begin(0, SpanKind::Task, Layer::Task, {}, {}, u"sample 1"_s);
        exec = write.begin(0, SpanKind::Exec, Layer::Exec, task);
        attempt = write.begin(0, SpanKind::ExecAttempt, Layer::Exec, exec);
        run = write.begin(0, SpanKind::SessionRun, Layer::Session, attempt);
        request = write.begin(1, SpanKind::Request, Layer::Stream, run);
    }
    TraceStore store;
    TraceWriting write;
    SpanId task, exec, attempt, run, request;
};

template<class Enum> Enum anyOf(QRandomGenerator &random)
{
    return allOf<Enum>()[random.bounded(static_cast<quint32>(allOf<Enum>().size()))];
}

// What every lane promises, whatever came in.
void checkLanes(const TraceStore &store)
{
    quint32 spans = 0;
    for (LaneId id : store.laneOrder()) {
        const Lane &lane = store.lane(id);
        for (quint32 i = 0; i < lane.size(); ++i) {
            QVERIFY(lane.begin(i) <= lane.end(i));
            if (i > 0)
                QVERIFY(lane.end(i - 1) <= lane.begin(i));
            const SpanId span = store.spanAtIndex(lane.spanIndex(i));
            QCOMPARE(store.span(span)->lane, id);
            QCOMPARE(store.span(span)->begin, lane.begin(i));
        }
        spans += lane.size();
    }
    QCOMPARE(spans, store.spanCount());
}

} // namespace

class StoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatASpanSaid()
    {
        TraceStore store;
        SpanBegan b{at(1), SpanId{1}, {}, {}, SpanKind::Exec, Layer::Exec, Phase::None, Role::Failover, 2, 6, u"m"_s};
        store.write(b);
        std::optional<SpanInfo> span = store.span(SpanId{1});
        QVERIFY(span && span->isOpen() && store.isOpen(SpanId{1}));
        QCOMPARE(span->length(at(4)), fromSeconds(3));
        QCOMPARE(span->length(at(0)), Duration::zero());
        SpanEnded e;
        e.at = at(5);
        e.id = SpanId{1};
        e.outcome = Outcome::Timeout;
        e.reason = ErrorReason::Timeout;
        e.retryable = e.exhausted = true;
        e.status = 503;
        e.type = u"ConnectTimeout"_s;
        e.text = u"text"_s;
        e.rule = u"type: ConnectTimeout"_s;
        e.hintSeconds = 1.5;
        store.write(e);
        span = store.span(SpanId{1});
        QCOMPARE(span->kind, SpanKind::Exec);
        QCOMPARE(span->role, Role::Failover);
        QCOMPARE(span->attempt, 2);
        QCOMPARE(span->maxAttempts, 6);
        QCOMPARE(span->label, u"m"_s);
        QCOMPARE(span->end, at(5));
        QCOMPARE(span->outcome, Outcome::Timeout);
        QCOMPARE(span->reason, ErrorReason::Timeout);
        QVERIFY(span->retryable && span->exhausted && !span->isOpen());
        QCOMPARE(span->status, 503);
        QCOMPARE(span->type, u"ConnectTimeout"_s);
        QCOMPARE(span->text, u"text"_s);
        QCOMPARE(span->rule, u"type: ConnectTimeout"_s);
        QCOMPARE(span->hintSeconds, 1.5);
        QVERIFY(!store.span(SpanId{2}));
        QVERIFY(!store.kindOf(SpanId{}));
        QCOMPARE(store.firstTime(), at(1));
        QCOMPARE(store.lastTime(), at(5));
        QCOMPARE(store.revision(), 2u);
        QCOMPARE(store.problemCount(), 0u);
    }

    void knowsTheFamily()
    {
        OpenCall c;
        const SpanId second = c.write.begin(1, SpanKind::Request, Layer::Stream, c.run, c.request);
        const SpanId third = c.write.begin(2, SpanKind::Request, Layer::Stream, c.run, c.request);
        QCOMPARE(c.store.childrenOf(c.run), (std::vector<SpanId>{c.request, second, third}));
        QCOMPARE(c.store.parentOf(third), c.run);
        QCOMPARE(c.store.causeOf(third), c.request);
        QCOMPARE(c.store.effectsOf(c.request), (std::vector<SpanId>{second, third}));
        const SpanId fourth = c.write.begin(3, SpanKind::Request, Layer::Stream, c.run, c.request);
        QCOMPARE(c.store.effectsOf(c.request), (std::vector<SpanId>{second, third, fourth}));
        QCOMPARE(c.store.roots(), std::vector<SpanId>{c.task});
        QCOMPARE(c.store.callOf(third), c.exec);
        QCOMPARE(c.store.callOf(c.task), SpanId{});
        QCOMPARE(c.store.openSpans().size(), 8u);
        QCOMPARE(c.store.openSpans().front(), c.task);
        c.write.end(4, third);
        QCOMPARE(c.store.openSpans().size(), 7u);
    }

    void timersGoThroughTheirStates()
    {
        OpenCall c;
        const TimerId total = c.write.arm(1, c.request, TimerKind::Total, 100);
        const TimerId idle = c.write.arm(1, c.request, TimerKind::Idle, 10);
        const TimerId read = c.write.arm(1, c.request, TimerKind::Read, 20);
        const TimerId stall = c.write.arm(1, c.request, TimerKind::DataStall, 30);
        c.write.arm(2, c.request, TimerKind::Total, 50, Resets::Nothing, total);
        c.store.write(TimerFired{at(12), idle, at(11), fromSeconds(3), std::nullopt});
        c.store.write(TimerDisarmed{at(13), read});
        std::vector<ShownTimer> timers = c.store.timersOf(c.request);
        QCOMPARE(timers.size(), 5u);
        QCOMPARE(timers[0].state, TimerState::Replaced);
        QCOMPARE(timers[0].ended, at(2));
        QCOMPARE(timers[1].state, TimerState::Fired);
        QCOMPARE(timers[1].effectiveDue, at(11));
        QCOMPARE(timers[1].sinceLastByte, std::optional(fromSeconds(3)));
        QVERIFY(!timers[1].sinceLastData);
        QCOMPARE(timers[2].state, TimerState::Disarmed);
        QCOMPARE(timers[4].id, total);
        QCOMPARE(timers[4].state, TimerState::Armed);
        QCOMPARE(timers[4].value, fromSeconds(50));
        QCOMPARE(c.store.armedTimers().size(), 2u);
        c.write.end(20, c.request, Outcome::Error);
        QCOMPARE(c.store.armedTimers().size(), 0u);
        timers = c.store.timersOf(c.request);
        QCOMPARE(timers[3].id, stall);
        QCOMPARE(timers[3].state, TimerState::Dropped);
        QCOMPARE(timers[3].ended, at(20));
        // The engine may say it a moment after the span's end.
        c.store.write(TimerDisarmed{at(20), stall});
        QCOMPARE(c.store.timersOf(c.request)[3].state, TimerState::Disarmed);
        QCOMPARE(c.store.problemCount(), 0u);
    }

    void trafficMovesWhatItResets_data()
    {
        QTest::addColumn<Resets>("resets");
        QTest::addColumn<MarkKind>("mark");
        QTest::addColumn<bool>("moves");
        const QList<std::pair<MarkKind, QList<Resets>>> table{
            {MarkKind::Progress, {Resets::Progress}},
            {MarkKind::Headers, {Resets::AnyByte}},
            {MarkKind::Line, {Resets::AnyByte, Resets::AnyLine}},
            {MarkKind::Ping, {Resets::AnyByte, Resets::AnyLine}},
            {MarkKind::StreamError, {Resets::AnyByte, Resets::AnyLine}},
            {MarkKind::Data, {Resets::AnyByte, Resets::AnyLine, Resets::DataEvent}},
            {MarkKind::EndMarker, {Resets::AnyByte, Resets::AnyLine, Resets::DataEvent}},
            {MarkKind::Note, {}},
            {MarkKind::Committed, {}},
            {MarkKind::Connected, {}},
        };
        for (const auto &[mark, reset] : table) {
            for (Resets resets : allOf<Resets>())
                QTest::addRow("%s by %s", wordOf(resets).data(), wordOf(mark).data())
                    << resets << mark << reset.contains(resets);
        }
    }
    void trafficMovesWhatItResets()
    {
        QFETCH(Resets, resets);
        QFETCH(MarkKind, mark);
        QFETCH(bool, moves);
        OpenCall c;
        c.write.mark(2, c.request, mark); // before arming: of no matter
        c.write.arm(3, c.request, TimerKind::Read, 10, resets);
        QCOMPARE(c.store.armedTimers().front().effectiveDue, at(13));
        QVERIFY(!c.store.armedTimers().front().lastReset);
        const SpanId phase = c.write.phase(4, Phase::Receive, c.request);
        c.write.mark(5, phase, mark); // marks may stand on a phase
        c.write.mark(6, c.run, mark); // not this request's
        const ShownTimer timer = c.store.armedTimers().front();
        QCOMPARE(timer.due, at(13));
        QCOMPARE(timer.effectiveDue, moves ? at(15) : at(13));
        QCOMPARE(timer.lastReset, moves ? std::optional(at(5)) : std::nullopt);
    }

    void aClampIsNeverPassed()
    {
        OpenCall c;
        TimerArmed e;
        e.at = at(1);
        e.id = TimerId{1};
        e.owner = c.request;
        e.kind = TimerKind::Idle;
        e.resets = Resets::AnyLine;
        e.value = fromSeconds(60);
        e.due = at(30);
        e.clamped = true;
        c.store.write(e);
        c.write.mark(20, c.request, MarkKind::Line);
        QCOMPARE(c.store.armedTimers().front().effectiveDue, at(30));
        QVERIFY(c.store.armedTimers().front().clamped);
    }

    void armedTimersOfACallInFiringOrder()
    {
        OpenCall c;
        const SpanId other = c.write.begin(1, SpanKind::Exec, Layer::Exec, c.task);
        const TimerId watchdog = c.write.arm(1, c.task, TimerKind::Watchdog, 300);
        const TimerId idle = c.write.arm(1, c.request, TimerKind::Idle, 20, Resets::AnyLine);
        const TimerId deadline = c.write.arm(1, c.exec, TimerKind::Deadline, 60);
        const TimerId read = c.write.arm(1, c.request, TimerKind::Read, 20);
        c.write.arm(1, other, TimerKind::Deadline, 5);
        const auto ids = [&](SpanId span) {
            std::vector<TimerId> found;
            for (const ShownTimer &timer : armedTimersOf(c.store, span))
                found.push_back(timer.id);
            return found;
        };
        QCOMPARE(ids(c.exec), (std::vector{idle, read, deadline, watchdog}));
        QCOMPARE(ids(c.request), (std::vector{idle, read, deadline, watchdog}));
        c.write.mark(10, c.request, MarkKind::Ping);
        QCOMPARE(ids(c.exec), (std::vector{read, idle, deadline, watchdog}));
        c.write.mark(50, c.request, MarkKind::Ping);
        QCOMPARE(ids(c.run), (std::vector{read, deadline, idle, watchdog}));
        QCOMPARE(ids(c.task).size(), 5u);
        QVERIFY(ids(SpanId{99}).empty());
        QVERIFY(ids(SpanId{}).empty());
    }

    void trafficIsSummedUpwards()
    {
        OpenCall c;
        c.write.mark(1, c.request, MarkKind::SendBegan);
        c.write.mark(1.5, c.request, MarkKind::Progress, 900);
        c.write.mark(2, c.request, MarkKind::Headers, 200);
        c.write.mark(3, c.request, MarkKind::Line, 12, u"event: x"_s);
        c.write.mark(4, c.request, MarkKind::Data, 40, u"data: {}"_s);
        c.write.mark(4, c.request, MarkKind::Committed);
        c.write.mark(5, c.request, MarkKind::Ping, 6, u": ping"_s);
        c.write.mark(5, c.request, MarkKind::Usage, 17);
        c.write.end(6, c.request, Outcome::Error);
        const SpanId second = c.write.begin(7, SpanKind::Request, Layer::Stream, c.run);
        const SpanId phase = c.write.phase(7, Phase::Wait, second);
        c.write.mark(8, second, MarkKind::SendBegan);
        c.write.mark(9, second, MarkKind::Headers, 503);

        const Traffic first = c.store.traffic(c.request);
        QCOMPARE(first.lines, 3);
        QCOMPARE(first.dataEvents, 1);
        QCOMPARE(first.pings, 1);
        QCOMPARE(first.bytes, 58);
        QCOMPARE(first.sentBytes, 900);
        QCOMPARE(first.outputTokens, 17);
        QCOMPARE(first.sent, 1);
        QCOMPARE(first.status, 200);
        QCOMPARE(first.firstByte, at(2));
        QCOMPARE(first.lastByte, at(5));
        QCOMPARE(first.lastLine, at(5));
        QCOMPARE(first.lastData, at(4));
        QCOMPARE(first.lastProgress, at(1.5));
        QCOMPARE(first.committed, at(4));
        QCOMPARE(first.endMarker, never);
        for (SpanId above : {c.run, c.attempt, c.exec, c.task}) {
            const Traffic sum = c.store.traffic(above);
            QCOMPARE(sum.lines, 3);
            QCOMPARE(sum.sent, 2);
            QCOMPARE(sum.status, 503);
            QCOMPARE(sum.firstByte, at(2));
            QCOMPARE(sum.lastByte, at(9));
            QCOMPARE(sum.lastData, at(4));
        }
        QCOMPARE(c.store.traffic(phase).status, 503);
        QCOMPARE(c.store.traffic(phase).lines, 0);
        QCOMPARE(c.store.traffic(SpanId{77}).lines, 0);
        // Lines, data, pings and progress are counted, the rest is kept mark by mark.
        std::vector<MarkKind> kinds;
        for (const ShownMark &mark : c.store.marksOf(c.request))
            kinds.push_back(mark.kind);
        QCOMPARE(kinds, (std::vector{MarkKind::SendBegan, MarkKind::Headers, MarkKind::Committed, MarkKind::Usage}));
    }

    void keepsABoundedTailOfLines()
    {
        StoreLimits limits;
        limits.linesPerCall = 4;
        limits.lineCharsPerCall = 100;
        limits.endedCallsWithLines = 2;
        TraceStore store(limits);
        TraceWriting write(store);
        std::vector<SpanId> execs;
        for (int call = 0; call < 4; ++call) {
            const SpanId exec = write.begin(call, SpanKind::Exec, Layer::Exec);
            const SpanId request = write.begin(call, SpanKind::Request, Layer::Stream, exec);
            for (int i = 0; i < 6; ++i)
                write.mark(call, request, i % 2 ? MarkKind::Data : MarkKind::Line, i, u"line %1"_s.arg(i));
            write.mark(call, request, MarkKind::Progress, 7);
            QCOMPARE(store.rawLines(request).size(), 4u);
            QCOMPARE(store.rawLines(exec).front().text, u"line 2"_s);
            QCOMPARE(store.rawLines(exec).front().kind, MarkKind::Line);
            QCOMPARE(store.rawLines(exec).back().kind, MarkKind::Data);
            QCOMPARE(store.linesLeftOut(exec), 2);
            write.end(call, request);
            write.end(call, exec);
            execs.push_back(exec);
        }
        QCOMPARE(store.rawLines(execs[0]).size(), 0u);
        QCOMPARE(store.linesLeftOut(execs[0]), 6);
        QCOMPARE(store.rawLines(execs[1]).size(), 0u);
        QCOMPARE(store.rawLines(execs[2]).size(), 4u);
        QCOMPARE(store.rawLines(execs[3]).size(), 4u);
        // One line longer than all that is kept stays whole: it is the latest.
        const SpanId exec = write.begin(9, SpanKind::Exec, Layer::Exec);
        write.mark(9, exec, MarkKind::Line, 1, u"a"_s);
        write.mark(9, exec, MarkKind::Line, 500, QString(500, u'x'));
        QCOMPARE(store.rawLines(exec).size(), 1u);
        QCOMPARE(store.rawLines(exec).front().text.size(), 500);
    }

    void keepsTheRest()
    {
        OpenCall c;
        c.store.write(DrawMade{at(1), c.exec, Layer::Exec, 1, 0.25});
        c.store.write(DrawMade{at(2), c.run, Layer::Session, 1, 0.5});
        c.store.write(DrawMade{at(3), c.exec, Layer::Exec, 2, 0.75});
        c.store.write(PolicyChanged{at(4), 2, u"exec.max_attempts"_s, u"6"_s, u"3"_s, u"window"_s});
        c.store.write(CommandGiven{at(5), u"stop"_s, u"1"_s});
        c.store.write(ClockJumped{at(6), fromSeconds(-2)});
        c.store.write(CounterSampled{at(7), c.exec, u"memory"_s, 1.5});
        c.store.write(CounterSampled{at(8), {}, u"memory"_s, 2.5});
        QCOMPARE(c.store.draws().size(), 3u);
        QCOMPARE(c.store.drawsOf(c.exec).size(), 2u);
        QCOMPARE(c.store.drawsOf(c.exec)[1].u, 0.75);
        QCOMPARE(c.store.draws()[1].span, c.run);
        QCOMPARE(c.store.policyChanges().front().to, u"3"_s);
        QCOMPARE(c.store.commands().front().name, u"stop"_s);
        QCOMPARE(c.store.clockJumps().front().by, fromSeconds(-2));
        QCOMPARE(c.store.counters().size(), 2u);
        QCOMPARE(c.store.counters()[0].span, c.exec);
        QCOMPARE(c.store.counters()[1].span, SpanId{});
        QCOMPARE(c.store.counters()[1].name, u"memory"_s);
        TraceHeader header;
        header.title = u"t"_s;
        c.store.setHeader(header);
        QCOMPARE(c.store.header().title, u"t"_s);
    }

    void aLaneSaysFromWhenOnItChanged()
    {
        TraceStore store;
        TraceWriting write(store);
        const SpanId exec = write.begin(0, SpanKind::Exec, Layer::Exec);
        const SpanId first = write.begin(1, SpanKind::ExecAttempt, Layer::Exec, exec);
        const LaneId lane = store.span(first)->lane;
        QCOMPARE(store.changedFrom(lane, {}), at(1));
        LaneStamp drawn = store.stamp(lane);
        QCOMPARE(store.changedFrom(lane, drawn), never);
        write.mark(2, first, MarkKind::Note);
        QCOMPARE(store.changedFrom(lane, drawn), never);
        write.end(3, first);
        QCOMPARE(store.changedFrom(lane, drawn), at(1)); // it was open: its whole bar may look different
        drawn = store.stamp(lane);
        const SpanId second = write.begin(4, SpanKind::ExecAttempt, Layer::Exec, exec);
        write.end(5, second);
        write.begin(6, SpanKind::ExecAttempt, Layer::Exec, exec);
        QCOMPARE(store.changedFrom(lane, drawn), at(4));
        QCOMPARE(store.changedFrom(lane, LaneStamp{50, 50}), at(1));
        QCOMPARE(store.changedFrom(LaneId{99}, {}), never);
    }

    void whatCannotBeIsNoted_data()
    {
        QTest::addColumn<QList<int>>("steps"); // into the list of events below
        QTest::addColumn<QString>("says");
        QTest::newRow("span without number") << QList{0} << u"without a number"_s;
        QTest::newRow("begun twice") << QList{1, 1} << u"begins a second time"_s;
        QTest::newRow("unknown parent") << QList{2} << u"parent 9"_s;
        QTest::newRow("unknown cause") << QList{3} << u"cause 9"_s;
        QTest::newRow("its own parent") << QList{4} << u"parent 1"_s;
        QTest::newRow("end without begin") << QList{5} << u"never began"_s;
        QTest::newRow("ended twice") << QList{1, 5, 5} << u"a second time"_s;
        QTest::newRow("mark on nothing") << QList{6} << u"never began"_s;
        QTest::newRow("timer of nothing") << QList{7} << u"never began"_s;
        QTest::newRow("firing of nothing") << QList{8} << u"not armed"_s;
        QTest::newRow("disarming of nothing") << QList{9} << u"not armed"_s;
        QTest::newRow("disarmed twice") << QList{1, 7, 9, 9} << u"not armed"_s;
        QTest::newRow("timer after the end") << QList{1, 5, 7} << u"after its span"_s;
        QTest::newRow("draw for nothing") << QList{10} << u"never began"_s;
        QTest::newRow("counter of nothing") << QList{11} << u"never began"_s;
        QTest::newRow("time backwards") << QList{1, 12} << u"earlier"_s;
        QTest::newRow("time out of range") << QList{13} << u"out of range"_s;
        QTest::newRow("time far below") << QList{14} << u"out of range"_s;
        QTest::newRow("timer without number") << QList{1, 15} << u"timer 0"_s;
    }
    void whatCannotBeIsNoted()
    {
        QFETCH(QList<int>, steps);
        QFETCH(QString, says);
        const auto began = [](SpanId id, SpanId parent, SpanId cause, Instant t) {
            return SpanBegan{t, id, parent, cause, SpanKind::Exec, Layer::Exec, Phase::None, Role::First, 0, 0, {}};
        };
        SpanEnded ended;
        ended.at = at(5);
        ended.id = SpanId{1};
        TimerArmed armed;
        armed.at = at(5);
        armed.id = TimerId{1};
        armed.owner = SpanId{1};
        TimerArmed numberless = armed;
        numberless.id = {};
        const std::vector<Event> events{began({}, {}, {}, at(5)),
                                        began(SpanId{1}, {}, {}, at(5)),
                                        began(SpanId{1}, SpanId{9}, {}, at(5)),
                                        began(SpanId{1}, {}, SpanId{9}, at(5)),
                                        began(SpanId{1}, SpanId{1}, {}, at(5)),
                                        ended,
                                        Marked{at(5), SpanId{9}, MarkKind::Line, 1, {}},
                                        armed,
                                        TimerFired{at(5), TimerId{1}, at(5), {}, {}},
                                        TimerDisarmed{at(5), TimerId{1}},
                                        DrawMade{at(5), SpanId{9}, Layer::Exec, 1, 0.5},
                                        CounterSampled{at(5), SpanId{9}, u"c"_s, 1},
                                        began(SpanId{2}, {}, {}, at(4)),
                                        began(SpanId{2}, {}, {}, never),
                                        began(SpanId{2}, {}, {}, Instant::min()),
                                        numberless};
        TraceStore store;
        for (int step : steps)
            store.write(events[static_cast<size_t>(step)]);
        QCOMPARE(store.problemCount(), 1u);
        QVERIFY2(store.problems().front().text.contains(says), qPrintable(store.problems().front().text));
        QCOMPARE(store.problems().front().event, quint64(steps.size()));
        checkLanes(store);
    }

    void anEndBeforeItsBeginIsMovedThere()
    {
        TraceStore store;
        TraceWriting write(store);
        const SpanId span = write.begin(5, SpanKind::Exec, Layer::Exec);
        write.end(3, span);
        QCOMPARE(store.span(span)->end, at(5));
        QCOMPARE(store.problemCount(), 2u); // time ran backwards, too
    }

    void survivesEventsAtRandom()
    {
        // No order, no sense, ids that repeat, times that jump: nothing breaks, and what lanes promise holds.
        for (quint32 seed = 1; seed <= 20; ++seed) {
            QRandomGenerator random(seed);
            StoreLimits limits;
            limits.problems = 50;
            limits.tasksWithOwnRows = 4;
            TraceStore store(limits);
            const auto id = [&] { return random.bounded(50) == 0 ? random.generate64() : quint64(random.bounded(200)); };
            const auto time = [&] {
                return random.bounded(100) == 0 ? Instant{Duration{static_cast<qint64>(random.generate64())}}
                                                : at(random.bounded(100) / 10.0);
            };
            for (int i = 0; i < 3000; ++i) {
                switch (random.bounded(9)) {
                case 0:
                case 1:
                    store.write(SpanBegan{time(), SpanId{id()}, SpanId{id()}, SpanId{id()}, anyOf<SpanKind>(random),
                                          anyOf<Layer>(random), Phase::None, Role::First, random.bounded(5), 0,
                                          QString::number(random.bounded(5))});
                    break;
                case 2: {
                    SpanEnded e;
                    e.at = time();
                    e.id = SpanId{id()};
                    e.outcome = anyOf<Outcome>(random);
                    store.write(e);
                    break;
                }
                case 3:
                    store.write(Marked{time(), SpanId{id()}, anyOf<MarkKind>(random), random.bounded(100), u"x"_s});
                    break;
                case 4: {
                    TimerArmed e;
                    e.at = time();
                    e.id = TimerId{id()};
                    e.owner = SpanId{id()};
                    e.resets = Resets::AnyByte;
                    e.value = Duration::max();
                    e.due = time();
                    store.write(e);
                    break;
                }
                case 5:
                    store.write(TimerFired{time(), TimerId{id()}, time(), Duration::min(), Duration::max()});
                    break;
                case 6:
                    store.write(TimerDisarmed{time(), TimerId{id()}});
                    break;
                case 7:
                    store.write(DrawMade{time(), SpanId{id()}, Layer::Exec, 1, 0.5});
                    break;
                default:
                    store.write(CounterSampled{time(), SpanId{id()}, u"n"_s, 1});
                }
            }
            checkLanes(store);
            QVERIFY(store.problemCount() > 50);
            QCOMPARE(store.problems().size(), 50u);
            for (quint32 i = 0; i < store.spanCount(); ++i) {
                const SpanId span = store.spanAtIndex(i);
                for (const ShownTimer &timer : store.timersOf(span))
                    QCOMPARE(timer.owner, span);
                (void)store.marksOf(span);
                (void)store.traffic(span);
                (void)totalsOf(store, span, at(5));
                (void)armedTimersOf(store, span);
            }
        }
    }

    void nestsOnlySoDeep()
    {
        TraceStore store;
        TraceWriting write(store);
        SpanId parent;
        for (int i = 0; i < 1000; ++i)
            parent = write.begin(i, SpanKind::SessionRun, Layer::Session, parent);
        QVERIFY(store.problemCount() > 10);
        QVERIFY(store.problems().front().text.contains(u"nested deeper"_s));
        int depth = 0;
        for (SpanId up = parent; up; up = store.parentOf(up))
            ++depth;
        QVERIFY(depth <= 65);
        (void)store.traffic(store.roots().front());
    }

    void oneCallIsSmall()
    {
        // The call of a store for each call: six exec attempts with four session runs of three requests.
        TraceStore store;
        TraceWriting write(store);
        double t = 0;
        const SpanId exec = write.begin(t, SpanKind::Exec, Layer::Exec);
        for (int a = 0; a < 6; ++a) {
            const SpanId attempt = write.begin(t, SpanKind::ExecAttempt, Layer::Exec, exec);
            const SpanId run = write.begin(t, SpanKind::SessionRun, Layer::Session, attempt);
            for (int r = 0; r < 3; ++r) {
                const SpanId request = write.begin(t, SpanKind::Request, Layer::Stream, run);
                const SpanId phase = write.phase(t, Phase::Connect, request);
                const TimerId timer = write.arm(t, request, TimerKind::Connect, 30);
                t += 30;
                store.write(TimerFired{at(t), timer, at(t), {}, {}});
                write.end(t, phase, Outcome::Timeout);
                write.end(t, request, Outcome::Timeout);
            }
            write.end(t, run, Outcome::Error);
            write.end(t, attempt, Outcome::Error);
        }
        write.end(t, exec, Outcome::Error);
        QVERIFY2(store.memory() < 64 << 10, qPrintable(QString::number(store.memory())));
    }

    void idsMayHaveGaps()
    {
        IdMap map;
        QVERIFY(!map.add(0));
        const QList<quint64> ids{1, 2, 3, 7, 4, 1000, ~quint64{0}, 1u << 30, 5000, 8};
        for (quint64 id : ids)
            QVERIFY(map.add(id));
        for (qsizetype i = 0; i < ids.size(); ++i) {
            QCOMPARE(map.find(ids[i]), std::optional(static_cast<quint32>(i)));
            QCOMPARE(map.idAt(static_cast<quint32>(i)), ids[i]);
            QVERIFY(!map.add(ids[i]));
        }
        for (quint64 id : {quint64{0}, quint64{5}, quint64{6}, quint64{9}, quint64{999}, ~quint64{1}})
            QVERIFY(!map.find(id));
        QVERIFY(map.memory() < 100000);
    }

    void chunksAreContinuous()
    {
        Chunked<quint32> numbers;
        for (quint32 i = 0; i < 20000; ++i) {
            numbers.append(i);
            QCOMPARE(numbers.last(), i);
        }
        for (quint32 i = 0; i < 20000; i += numbers.runFrom(i)) {
            const quint32 run = numbers.runFrom(i);
            QVERIFY(run > 0);
            const quint32 *first = &numbers[i];
            for (quint32 k = 0; k < run; ++k)
                QCOMPARE(first[k], i + k);
        }
    }
};

QTEST_GUILESS_MAIN(StoreTest)
#include "tst_store.moc"
