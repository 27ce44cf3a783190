// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tracewriting.h"
#include "trace/tracestore.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

QString name(LaneRow row)
{
    switch (row) {
    case LaneRow::Task:
        return u"task"_s;
    case LaneRow::Round:
        return u"round"_s;
    case LaneRow::Exec:
        return u"exec"_s;
    case LaneRow::ExecAttempt:
        return u"attempt"_s;
    case LaneRow::SessionRun:
        return u"run"_s;
    case LaneRow::Request:
        return u"request"_s;
    case LaneRow::Phase:
        return u"phase"_s;
    case LaneRow::Orphan:
        return u"orphan"_s;
    }
    return {};
}

// One line a lane, indented by its depth: sort and spans.
QString picture(const TraceStore &store)
{
    QString text;
    for (LaneId id : store.laneOrder()) {
        const LaneInfo info = store.laneInfo(id);
        text += QString(info.depth, u' ') + name(info.row) + u':';
        const Lane &lane = store.lane(id);
        for (quint32 i = 0; i < lane.size(); ++i)
            text += u' ' + QString::number(store.spanAtIndex(lane.spanIndex(i)).value);
        text += u'\n';
    }
    return text;
}

} // namespace

class LanesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneTaskStandsAsItsLayersDo()
    {
        TraceStore store;
        TraceWriting w(store);
        const SpanId task = w.begin(0, SpanKind::Task, Layer::Task);       // 1
        const SpanId work = w.begin(0, SpanKind::Work, Layer::Task, task); // 2
        w.end(1, work);
        const SpanId round = w.begin(1, SpanKind::Round, Layer::Task, task);        // 3
        const SpanId exec = w.begin(1, SpanKind::Exec, Layer::Exec, round);         // 4
        const SpanId first = w.begin(1, SpanKind::ExecAttempt, Layer::Exec, exec);  // 5
        const SpanId run = w.begin(1, SpanKind::SessionRun, Layer::Session, first); // 6
        const SpanId request = w.begin(1, SpanKind::Request, Layer::Stream, run);   // 7
        const SpanId connect = w.phase(1, Phase::Connect, request);                 // 8
        w.end(2, connect, Outcome::Error);
        w.end(2, request, Outcome::Error);
        const SpanId sleep = w.begin(2, SpanKind::Backoff, Layer::Stream, run, request); // 9
        w.end(3, sleep);
        const SpanId again = w.begin(3, SpanKind::Request, Layer::Stream, run, sleep); // 10
        w.end(4, again, Outcome::Error);
        w.end(4, run, Outcome::Error);
        const SpanId nap = w.begin(4, SpanKind::Backoff, Layer::Session, first, run); // 11
        w.end(5, nap);
        w.end(5, first, Outcome::Error);
        const SpanId rest = w.begin(5, SpanKind::Backoff, Layer::Exec, exec, first); // 12
        w.end(6, rest);
        w.begin(6, SpanKind::ExecAttempt, Layer::Exec, exec, rest); // 13
        QCOMPARE(picture(store),
                 u"task: 1\n"
                 " round: 2 3\n"
                 "  exec: 4\n"
                 "   attempt: 5 12 13\n"
                 "    run: 6 11\n"
                 "     request: 7 9 10\n"
                 "      phase: 8\n"_s);
        const LaneInfo lane = store.laneInfo(store.span(request)->lane);
        QCOMPARE(lane.layer, Layer::Stream);
        QCOMPARE(lane.depth, 5);
        QCOMPARE(lane.task, task);
        QCOMPARE(lane.parent, store.span(run)->lane);
    }

    void concurrentCallsDoNotMix()
    {
        TraceStore store;
        TraceWriting w(store);
        const SpanId task = w.begin(0, SpanKind::Task, Layer::Task, {}, {}, u"t"_s); // 1
        const SpanId a = w.begin(0, SpanKind::Exec, Layer::Exec, task);              // 2
        const SpanId b = w.begin(0, SpanKind::Exec, Layer::Exec, task);              // 3
        const SpanId a1 = w.begin(0, SpanKind::ExecAttempt, Layer::Exec, a);         // 4
        const SpanId b1 = w.begin(0, SpanKind::ExecAttempt, Layer::Exec, b);         // 5
        w.end(1, b1);
        w.end(1, b);
        w.end(2, a1, Outcome::Error);
        w.begin(2, SpanKind::ExecAttempt, Layer::Exec, a); // 6
        w.begin(2, SpanKind::Exec, Layer::Exec, task);     // 7: the second row is free
        const QString expected = u"task: 1\n exec: 2\n  attempt: 4 6\n exec: 3 7\n  attempt: 5\n"_s;
        QCOMPARE(picture(store), expected);
        QCOMPARE(store.laneInfo(store.span(b)->lane).sibling, 1);
        QCOMPARE(store.laneInfo(store.span(task)->lane).label, u"t"_s);
    }

    void hedgedAttemptsKeepTheirRows()
    {
        TraceStore store;
        TraceWriting w(store);
        const SpanId run = w.begin(0, SpanKind::SessionRun, Layer::Session); // 1
        const SpanId a = w.begin(0, SpanKind::Request, Layer::Stream, run);  // 2
        const SpanId b = w.begin(1, SpanKind::Request, Layer::Stream, run);  // 3
        w.end(2, a, Outcome::Error);
        w.end(2, b, Outcome::Error);
        const SpanId sleepB = w.begin(2, SpanKind::Backoff, Layer::Stream, run, b); // 4: follows its cause
        const SpanId sleepA = w.begin(2, SpanKind::Backoff, Layer::Stream, run, a); // 5
        w.end(3, sleepB);
        w.begin(3, SpanKind::Request, Layer::Stream, run, sleepB); // 6
        w.end(4, sleepA);
        w.begin(4, SpanKind::Request, Layer::Stream, run, sleepA); // 7
        QCOMPARE(picture(store), u"run: 1\n request: 2 5 7\n request: 3 4 6\n"_s);
    }

    void endsMayTouchBegins()
    {
        TraceStore store;
        TraceWriting w(store);
        const SpanId run = w.begin(0, SpanKind::SessionRun, Layer::Session);
        SpanId last = w.begin(0, SpanKind::Request, Layer::Stream, run);
        for (int i = 0; i < 5; ++i) { // empty ones at one moment, too
            w.end(i / 2, last);
            last = w.begin(i / 2, SpanKind::Request, Layer::Stream, run);
        }
        QCOMPARE(picture(store), u"run: 1\n request: 2 3 4 5 6 7\n"_s);
    }

    void orphansStandApartButWithTheirTask()
    {
        TraceStore store;
        TraceWriting w(store);
        const SpanId one = w.begin(0, SpanKind::Task, Layer::Task);       // 1
        const SpanId two = w.begin(0, SpanKind::Task, Layer::Task);       // 2
        const SpanId exec = w.begin(0, SpanKind::Exec, Layer::Exec, one); // 3
        w.begin(0, SpanKind::Exec, Layer::Exec, two);                     // 4
        w.end(1, exec, Outcome::Abandoned);
        const SpanId orphan = w.begin(1, SpanKind::Orphan, Layer::Exec, {}, exec); // 5: adopted by nobody
        w.begin(1, SpanKind::Request, Layer::Stream, orphan);                      // 6
        w.begin(2, SpanKind::Orphan, Layer::Exec, {}, exec);                       // 7
        w.begin(3, SpanKind::Exec, Layer::Exec, one);                              // 8
        QCOMPARE(picture(store), u"task: 1\n exec: 3 8\n orphan: 5\n  request: 6\n orphan: 7\ntask: 2\n exec: 4\n"_s);
        QCOMPARE(store.laneInfo(store.span(orphan)->lane).task, one);
    }

    void manyTasksShareRows()
    {
        StoreLimits limits;
        limits.tasksWithOwnRows = 2;
        TraceStore store(limits);
        TraceWriting w(store);
        for (int i = 0; i < 3; ++i) { // 1 2, 3 4, 5 6
            const SpanId task = w.begin(i * 10, SpanKind::Task, Layer::Task);
            const SpanId exec = w.begin(i * 10, SpanKind::Exec, Layer::Exec, task);
            w.end(i * 10 + 5, exec);
            w.end(i * 10 + 5, task);
        }
        const SpanId seven = w.begin(30, SpanKind::Task, Layer::Task);
        w.begin(30, SpanKind::Task, Layer::Task);        // 8
        w.begin(30, SpanKind::Task, Layer::Task);        // 9: no row is free
        w.begin(31, SpanKind::Exec, Layer::Exec, seven); // 10
        QCOMPARE(picture(store), u"task: 1 5 7\n exec: 2 6 10\ntask: 3 8\n exec: 4\ntask: 9\n"_s);
    }

    void rowsNeverMove()
    {
        TraceStore store;
        TraceWriting w(store);
        std::vector<LaneId> order;
        const SpanId task = w.begin(0, SpanKind::Task, Layer::Task);
        for (int i = 0; i < 30; ++i) {
            const SpanId exec = w.begin(i, SpanKind::Exec, Layer::Exec, task);
            w.begin(i, SpanKind::ExecAttempt, Layer::Exec, exec);
            if (i % 3 == 0)
                w.begin(i, SpanKind::Round, Layer::Task, task);
            const std::span<const LaneId> now = store.laneOrder();
            // What was there stands in the same order; new ones are put in between.
            size_t known = 0;
            for (LaneId id : now)
                known += known < order.size() && order[known] == id;
            QCOMPARE(known, order.size());
            order.assign(now.begin(), now.end());
        }
    }
};

QTEST_GUILESS_MAIN(LanesTest)
#include "tst_lanes.moc"
