// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict.h"
#include "support/tracewriting.h"

#include <QTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// A task with one exec in its second attempt, second session run, second request to 10.0.0.9.
class Call
{
public:
    explicit Call(double requestBegins = 100)
        : w(store)
    {
        task = w.begin(0, SpanKind::Task, Layer::Task, {}, {}, u"sample 7"_s);
        exec = w.begin(0, SpanKind::Exec, Layer::Exec, task, {}, u"sample 7"_s);
        attempt = counted(10, SpanKind::ExecAttempt, Layer::Exec, exec, 2, 6);
        run = counted(20, SpanKind::SessionRun, Layer::Session, attempt, 3, 4);
        request = counted(requestBegins, SpanKind::Request, Layer::Stream, run, 2, 3, u"10.0.0.9"_s);
    }

    SpanId counted(double seconds, SpanKind kind, Layer layer, SpanId parent, int n, int most, const QString &label = {},
                   SpanId cause = {}, Role role = Role::First)
    {
        SpanBegan e;
        e.at = at(seconds);
        e.id = SpanId{++m_extra};
        e.parent = parent;
        e.cause = cause;
        e.kind = kind;
        e.layer = layer;
        e.attempt = n;
        e.maxAttempts = most;
        e.label = label;
        e.role = role;
        store.write(e);
        return e.id;
    }

    TimerId arm(double seconds, SpanId owner, TimerKind kind, double value, Kills kills, QLatin1StringView setting,
                bool clamped = false, double due = 0)
    {
        TimerArmed e;
        e.at = at(seconds);
        e.id = TimerId{++m_timers};
        e.owner = owner;
        e.kind = kind;
        e.kills = kills;
        e.value = fromSeconds(value);
        e.due = at(due > 0 ? due : seconds + value);
        e.clamped = clamped;
        e.setting = setting;
        e.resets = kind == TimerKind::Idle ? Resets::AnyLine
            : kind == TimerKind::DataStall ? Resets::DataEvent
            : kind == TimerKind::Read      ? Resets::AnyByte
            : kind == TimerKind::Write     ? Resets::Progress
                                           : Resets::Nothing;
        store.write(e);
        return e.id;
    }
    void fire(double seconds, TimerId id) { store.write(TimerFired{at(seconds), id, at(seconds), {}, {}}); }
    void disarm(double seconds, TimerId id) { store.write(TimerDisarmed{at(seconds), id}); }

    SpanEnded ending(double seconds, SpanId id, Outcome outcome, ErrorReason reason = ErrorReason::None) const
    {
        SpanEnded e;
        e.at = at(seconds);
        e.id = id;
        e.outcome = outcome;
        e.reason = reason;
        return e;
    }
    // Everything ends alike, from the inside out.
    void endAll(double seconds, Outcome outcome, ErrorReason reason = ErrorReason::None, int status = 0, double hint = 0,
                const QString &type = {})
    {
        for (const SpanId id : {request, run, attempt, exec, task}) {
            SpanEnded e = ending(seconds, id, outcome, reason);
            e.status = status;
            e.hintSeconds = hint;
            e.type = type;
            store.write(e);
        }
    }
    void end(double seconds, SpanId id, Outcome outcome = Outcome::Error) { store.write(ending(seconds, id, outcome)); }

    [[nodiscard]] Verdict verdict(double now) const { return verdictOf(store, task, at(now)); }

    TraceStore store;
    TraceWriting w;
    SpanId task, exec, attempt, run, request;

private:
    quint64 m_extra = 1000; // TraceWriting numbers from 1
    quint64 m_timers = 1000;
};

QString ladderOf(const Verdict &verdict)
{
    QStringList lines;
    for (const LadderRung &rung : verdict.rungs) {
        QString line = QString(wordOf(rung.layer)) + u": "_s + rung.text + (rung.holds ? u" <"_s : QString());
        for (const ShownTimer &timer : rung.timers)
            line += u" ["_s + wordOf(timer.kind) + u']';
        lines << line;
    }
    return lines.join(u'\n');
}

QString timersOf(const Verdict &verdict)
{
    QStringList names;
    for (const ShownTimer &timer : verdict.timers)
        names << QString(wordOf(timer.kind));
    return names.join(u' ');
}

} // namespace

class tst_Verdict : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void connecting();
    void phases_data();
    void phases();
    void queue();
    void everyAddressIsShown();
    void queueSaysWhoHoldsTheSlots();
    void sending();
    void waitingForTheFirstByte();
    void receiving();
    void receivingPingsOnly();
    void receivingErrorBody();
    void receivingNothing();
    void clampedTimer();
    void noTimerAtAll();
    void sleepsOfEveryLayer();
    void hintedSleep();
    void reconnectIsNotCharged();
    void roundsAndWork();
    void betweenSteps();
    void timersInFiringOrder();
    void anySpanOfTheTaskAsks();
    void unknownSpan();
    void swallowedWatchdog();
    void undeliveredWatchdog();
    void lostWatchdogButDeadline();
    void orphan();
    void outcomes_data();
    void outcomes();
    void advice_data();
    void advice();
    void rateLimitCountsDown();
    void rateLimitByTheWallClock();
    void transportNamesTheTimer();
    void lastFiringCounts();
    void whatIsLeftRoundsUp();
    void watchdogEndedIt();
    void deadlineEndedIt();
    void abandoned();
};

void tst_Verdict::connecting()
{
    Call call;
    call.w.phase(100, Phase::Connect, call.request);
    call.arm(100, call.request, TimerKind::Connect, 30, Kills::Request, "http.connect_timeout_s"_L1);
    const Verdict v = call.verdict(112.49);
    QCOMPARE(v.sentence, u"Held by the stream layer: connecting to 10.0.0.9, 12.4 s of 30 s; nothing has been sent"_s);
    QCOMPARE(ladderOf(v),
             u"task: sample 7, running for 112.4 s\n"
             "exec: attempt 2 of 6\n"
             "session: run 3 of 4\n"
             "stream: request 2 of 3: connecting to 10.0.0.9, 12.4 s of 30 s; nothing has been sent < [connect]"_s);
    QVERIFY(!v.ended);
    QVERIFY(v.advice.isEmpty());
    QVERIFY(v.warning.isEmpty());
    QVERIFY(!v.sinceLastByte);
    QVERIFY(!v.sinceLastData);
    QCOMPARE(v.task, call.task);
}

void tst_Verdict::phases_data()
{
    QTest::addColumn<Phase>("phase");
    QTest::addColumn<QString>("clause");
    QTest::newRow("dns") << Phase::Dns << u"looking up 10.0.0.9, 2.0 s of 30 s; nothing has been sent"_s;
    QTest::newRow("tls") << Phase::Tls << u"in the TLS handshake with 10.0.0.9, 2.0 s of 30 s; nothing has been sent"_s;
    QTest::newRow("both") << Phase::ConnectTls
                          << u"connecting to 10.0.0.9 (TLS not told apart), 2.0 s of 30 s; nothing has been sent"_s;
}

void tst_Verdict::phases()
{
    QFETCH(Phase, phase);
    QFETCH(QString, clause);
    Call call;
    // The timer runs over all three phases: its own age counts, not the phase's.
    call.arm(100, call.request, TimerKind::Connect, 30, Kills::Request, "http.connect_timeout_s"_L1);
    call.w.phase(101, phase, call.request);
    QCOMPARE(call.verdict(102).sentence, u"Held by the stream layer: "_s + clause);
}

void tst_Verdict::queue()
{
    Call call;
    call.w.phase(100, Phase::Queue, call.request);
    call.arm(100, call.request, TimerKind::Pool, 30, Kills::Request, "http.pool_timeout_s"_L1);
    QCOMPARE(call.verdict(103.2).sentence,
             u"Held by the stream layer: in the pool's queue for a free connection, 3.2 s of 30 s; nothing has been sent"_s);
}

void tst_Verdict::everyAddressIsShown()
{
    Call call;
    call.arm(100, call.request, TimerKind::Connect, 30, Kills::Request, "http.connect_timeout_s"_L1);
    call.w.phase(100, Phase::Connect, call.request);
    const QString begin = u"Held by the stream layer: connecting to 10.0.0.9, 12.4 s of 30 s; "_s;
    call.w.mark(100, call.request, MarkKind::Trying, 0, u"[2001:db8::9]:443"_s);
    QCOMPARE(call.verdict(112.4).sentence, begin + u"nothing has been sent"_s); // one alone is the host itself
    call.w.mark(100.3, call.request, MarkKind::Trying, 0, u"10.0.0.9:443"_s);
    QCOMPARE(call.verdict(112.4).sentence, begin + u"[2001:db8::9]:443 no answer for 12.4 s, 10.0.0.9:443 no answer for 12.1 s"_s);
    call.w.mark(101, call.request, MarkKind::AddressFailed, 0, u"10.0.0.9:443: Connection refused"_s);
    QCOMPARE(call.verdict(112.4).sentence, begin + u"[2001:db8::9]:443 no answer for 12.4 s, 10.0.0.9:443: Connection refused"_s);
    call.w.mark(110, call.request, MarkKind::Trying, 0, u"10.0.0.9:443"_s);
    QCOMPARE(call.verdict(112.4).sentence, begin + u"[2001:db8::9]:443 no answer for 12.4 s, 10.0.0.9:443 no answer for 2.4 s"_s);
}

void tst_Verdict::queueSaysWhoHoldsTheSlots()
{
    Call call;
    call.w.phase(100, Phase::Queue, call.request);
    call.arm(100, call.request, TimerKind::Pool, 30, Kills::Request, "http.pool_timeout_s"_L1);
    const SpanId other = call.w.begin(1, SpanKind::Task, Layer::Task, {}, {}, u"sample 3"_s);
    const SpanId waited = call.counted(40, SpanKind::Request, Layer::Stream, other, 1, 3, u"10.0.0.9"_s);
    const SpanId queue = call.w.phase(40, Phase::Queue, waited);
    call.end(50, queue, Outcome::Ok);
    call.w.phase(50, Phase::Receive, waited);
    const QString begin = u"Held by the stream layer: in the pool's queue for a free connection, 3.2 s of 30 s; "_s;
    QCOMPARE(call.verdict(103.2).sentence, begin + u"the only one is taken by sample 3, for 53.2 s, receiving"_s);
    const SpanId another = call.w.begin(1, SpanKind::Task, Layer::Task, {}, {}, u"sample 4"_s);
    const SpanId later = call.counted(60, SpanKind::Request, Layer::Stream, another, 1, 3, u"10.0.0.9"_s);
    call.w.phase(60, Phase::Connect, later);
    QCOMPARE(call.verdict(103.2).sentence, begin + u"all 2 are taken, longest by sample 3, for 53.2 s, receiving"_s);
    call.end(104, waited);
    QCOMPARE(call.verdict(104).sentence.section(u"; "_s, 1), u"the only one is taken by sample 4, for 44.0 s, connecting"_s);
}

void tst_Verdict::sending()
{
    Call call;
    call.w.phase(101, Phase::Send, call.request);
    call.arm(101, call.request, TimerKind::Write, 30, Kills::Request, "http.write_timeout_s"_L1);
    call.w.mark(101, call.request, MarkKind::SendBegan, 65536);
    call.w.mark(105, call.request, MarkKind::Progress, 16384);
    QCOMPARE(call.verdict(107).sentence,
             u"Held by the stream layer: sending the request to 10.0.0.9, without progress for 2.0 s of 30 s; "
             "16.0 KiB of the request sent"_s);
}

void tst_Verdict::waitingForTheFirstByte()
{
    Call call;
    call.w.phase(101, Phase::Wait, call.request);
    call.arm(101, call.request, TimerKind::Read, 1860, Kills::Request, "http.read_timeout_s"_L1);
    QCOMPARE(
        call.verdict(141).sentence,
        u"Held by the stream layer: waiting for the first byte from 10.0.0.9, 40.0 s of 1860 s; the request has been sent"_s);
    call.arm(101, call.request, TimerKind::FirstByte, 60, Kills::Request, "http.first_byte_timeout_s"_L1);
    QVERIFY2(call.verdict(141).sentence.contains(u"40.0 s of 60 s"_s), qUtf8Printable(call.verdict(141).sentence));
}

void tst_Verdict::receiving()
{
    Call call;
    call.w.phase(101, Phase::Receive, call.request);
    call.w.mark(101, call.request, MarkKind::Headers, 200);
    call.w.mark(110, call.request, MarkKind::Data, 40);
    const Verdict v = call.verdict(110.5);
    QCOMPARE(v.sentence, u"Held by the stream layer: receiving: last byte 0.5 s ago, last data 0.5 s ago"_s);
    QCOMPARE(*v.sinceLastByte, fromSeconds(0.5));
    QCOMPARE(*v.sinceLastData, fromSeconds(0.5));
}

void tst_Verdict::receivingPingsOnly()
{
    Call call;
    call.w.phase(101, Phase::Receive, call.request);
    call.w.mark(101, call.request, MarkKind::Headers, 200);
    call.w.mark(105, call.request, MarkKind::Ping, 8);
    QCOMPARE(call.verdict(106).sentence,
             u"Held by the stream layer: receiving: last byte 1.0 s ago, no data yet (pings only)"_s);
    call.w.mark(110, call.request, MarkKind::Data, 40);
    call.w.mark(147, call.request, MarkKind::Ping, 8);
    const Verdict v = call.verdict(150);
    QCOMPARE(v.sentence, u"Held by the stream layer: receiving: last byte 3.0 s ago, last data 40.0 s ago (pings only)"_s);
    QCOMPARE(*v.sinceLastByte, fromSeconds(3));
    QCOMPARE(*v.sinceLastData, fromSeconds(40));
}

void tst_Verdict::receivingErrorBody()
{
    Call call;
    call.w.phase(101, Phase::Receive, call.request);
    call.w.mark(101, call.request, MarkKind::Headers, 503);
    call.arm(101, call.request, TimerKind::Read, 60, Kills::Request, "http.read_timeout_s"_L1);
    QCOMPARE(call.verdict(103).sentence,
             u"Held by the stream layer: reading the body of an HTTP 503 answer, 2.0 s of 60 s"_s);
}

void tst_Verdict::receivingNothing()
{
    Call call;
    call.w.phase(101, Phase::Receive, call.request);
    const Verdict v = call.verdict(103);
    QCOMPARE(v.sentence, u"Held by the stream layer: receiving: nothing has come since the headers, 2.0 s"_s);
}

void tst_Verdict::clampedTimer()
{
    Call call;
    call.w.phase(100, Phase::Connect, call.request);
    call.arm(100, call.request, TimerKind::Connect, 30, Kills::Request, "http.connect_timeout_s"_L1, true, 110);
    QVERIFY2(call.verdict(104).sentence.contains(u"4.0 s of 10 s (cut to the deadline)"_s),
             qUtf8Printable(call.verdict(104).sentence));
}

void tst_Verdict::noTimerAtAll()
{
    Call call;
    call.w.phase(100, Phase::Connect, call.request);
    QCOMPARE(call.verdict(104).sentence,
             u"Held by the stream layer: connecting to 10.0.0.9, 4.0 s, and no timer ends it; nothing has been sent"_s);
}

void tst_Verdict::sleepsOfEveryLayer()
{
    {
        Call call;
        call.end(130, call.request);
        const SpanId nap = call.counted(130, SpanKind::Backoff, Layer::Stream, call.run, 2, 0, {}, call.request);
        call.arm(130, nap, TimerKind::BackoffEnd, 2, Kills::Sleep, "stream.backoff_base_s"_L1);
        const Verdict v = call.verdict(130.8);
        QCOMPARE(v.sentence, u"Held by the stream layer: sleeping 2 s before request 3 of 3; 1.2 s left"_s);
        QCOMPARE(ladderOf(v).section(u'\n', -1),
                 u"stream: sleeping 2 s before request 3 of 3; 1.2 s left < [backoff_end]"_s);
        QCOMPARE(v.holder, nap);
    }
    {
        Call call;
        call.end(130, call.request);
        call.end(130, call.run);
        const SpanId nap = call.counted(130, SpanKind::Backoff, Layer::Session, call.attempt, 2, 0, {}, call.run);
        call.arm(130, nap, TimerKind::BackoffEnd, 4, Kills::Sleep, "session.backoff_base_s"_L1);
        QCOMPARE(call.verdict(132.8).sentence, u"Held by the session layer: sleeping 4 s before run 3 of 4; 1.2 s left"_s);
    }
    {
        Call call;
        call.end(130, call.request);
        call.end(130, call.run);
        call.end(130, call.attempt);
        const SpanId nap = call.counted(130, SpanKind::Backoff, Layer::Exec, call.exec, 2, 0, {}, call.attempt);
        call.arm(130, nap, TimerKind::BackoffEnd, 3, Kills::Sleep, "exec.backoff_base_s"_L1);
        QCOMPARE(ladderOf(call.verdict(131)),
                 u"task: sample 7, running for 131.0 s\n"
                 "exec: sleeping 3 s before attempt 3 of 6; 2.0 s left < [backoff_end]"_s);
    }
}

void tst_Verdict::hintedSleep()
{
    Call call;
    call.end(130, call.request);
    const SpanId nap = call.counted(130, SpanKind::Backoff, Layer::Stream, call.run, 2, 0, u"as the server asked"_s);
    call.arm(130, nap, TimerKind::BackoffEnd, 20, Kills::Sleep, "stream.backoff_base_s"_L1);
    QCOMPARE(call.verdict(135).sentence,
             u"Held by the stream layer: sleeping 20 s before request 3 (as the server asked); 15.0 s left"_s);
}

void tst_Verdict::reconnectIsNotCharged()
{
    Call call;
    call.end(130, call.request);
    call.counted(130, SpanKind::Request, Layer::Stream, call.run, 2, 3, u"10.0.0.9"_s, call.request, Role::Reconnect);
    QVERIFY(ladderOf(call.verdict(131))
                .contains(u"request 2 of 3 (reconnect, not charged): about to connect to 10.0.0.9, 1.0 s"_s));
}

void tst_Verdict::roundsAndWork()
{
    TraceStore store;
    TraceWriting w(store);
    const SpanId task = w.begin(0, SpanKind::Task, Layer::Task, {}, {}, u"sample 7"_s);
    SpanBegan round;
    round.at = at(1);
    round.id = SpanId{50};
    round.parent = task;
    round.kind = SpanKind::Round;
    round.attempt = 1;
    round.maxAttempts = 2;
    store.write(round);
    w.begin(2, SpanKind::Work, Layer::Task, round.id);
    const Verdict v = verdictOf(store, task, at(5));
    QCOMPARE(v.sentence, u"Held by the task layer: at its own work between calls for 3.0 s"_s);
    QCOMPARE(ladderOf(v),
             u"task: sample 7, running for 5.0 s; round 1 of 2; its own work between calls: "
             "at its own work between calls for 3.0 s <"_s);
}

void tst_Verdict::betweenSteps()
{
    Call call;
    call.end(130, call.request);
    QCOMPARE(call.verdict(130).sentence, u"Held by the session layer: between two steps for 110.0 s"_s);
}

void tst_Verdict::timersInFiringOrder()
{
    Call call;
    call.arm(0, call.task, TimerKind::Watchdog, 900, Kills::Task, "harness.task_timeout_s"_L1);
    call.arm(0, call.exec, TimerKind::Deadline, 600, Kills::Call, "exec.timeout_s"_L1);
    call.arm(100, call.request, TimerKind::Idle, 60, Kills::Request, "http.idle_timeout_s"_L1);
    call.arm(100, call.request, TimerKind::DataStall, 80, Kills::Request, "http.data_stall_timeout_s"_L1);
    QCOMPARE(timersOf(call.verdict(101)), u"idle data_stall deadline watchdog"_s);
    call.w.mark(150, call.request, MarkKind::Ping, 8); // resets idle, not data stall
    QCOMPARE(timersOf(call.verdict(151)), u"data_stall idle deadline watchdog"_s);
    QCOMPARE(ladderOf(call.verdict(151)).section(u'\n', 0, 1),
             u"task: sample 7, running for 151.0 s [watchdog]\nexec: attempt 2 of 6 [deadline]"_s);
}

void tst_Verdict::anySpanOfTheTaskAsks()
{
    Call call;
    const SpanId phase = call.w.phase(100, Phase::Connect, call.request);
    QCOMPARE(verdictOf(call.store, phase, at(101)).sentence, call.verdict(101).sentence);
    QCOMPARE(verdictOf(call.store, phase, at(101)).task, call.task);
}

void tst_Verdict::unknownSpan()
{
    TraceStore store;
    for (const SpanId id : {SpanId{}, SpanId{77}}) {
        const Verdict v = verdictOf(store, id, at(1));
        QCOMPARE(v.sentence, u"Nothing is known of this task yet"_s);
        QVERIFY(v.rungs.empty() && v.timers.empty() && !v.ended);
    }
}

void tst_Verdict::swallowedWatchdog()
{
    Call call;
    const TimerId dog = call.arm(0, call.task, TimerKind::Watchdog, 900, Kills::Request, "harness.task_timeout_s"_L1);
    QVERIFY(call.verdict(899).warning.isEmpty());
    call.fire(900, dog);
    call.w.mark(900, call.request, MarkKind::AlarmEntered);
    call.end(900, call.request);
    call.w.mark(900, call.run, MarkKind::AlarmSwallowed, 0, u"stream"_s);
    call.w.mark(900, call.task, MarkKind::Unprotected);
    QCOMPARE(call.verdict(901).warning,
             u"Unprotected: its watchdog fired at 900 s and was swallowed by the stream layer; "
             "nothing limits this task any more"_s);
}

void tst_Verdict::undeliveredWatchdog()
{
    Call call;
    const TimerId dog = call.arm(0, call.task, TimerKind::Watchdog, 900, Kills::Nothing, "harness.task_timeout_s"_L1);
    call.fire(900, dog);
    call.w.mark(900, call.task, MarkKind::AlarmUndelivered);
    call.w.mark(900, call.task, MarkKind::Unprotected);
    QCOMPARE(call.verdict(901).warning,
             u"Unprotected: its watchdog fired at 900 s and reached nobody: the call runs on a thread of its own; "
             "nothing limits this task any more"_s);
}

void tst_Verdict::lostWatchdogButDeadline()
{
    Call call;
    call.arm(0, call.exec, TimerKind::Deadline, 1200, Kills::Call, "exec.timeout_s"_L1);
    const TimerId dog = call.arm(0, call.task, TimerKind::Watchdog, 900, Kills::Nothing, "harness.task_timeout_s"_L1);
    call.fire(900, dog);
    call.w.mark(900, call.task, MarkKind::AlarmUndelivered);
    call.w.mark(900, call.task, MarkKind::Unprotected);
    const QString warning = call.verdict(1000).warning;
    QVERIFY2(warning.endsWith(u"what limits it now is exec.timeout_s, 200.0 s left"_s), qUtf8Printable(warning));
}

void tst_Verdict::orphan()
{
    Call call;
    const SpanId phase = call.w.phase(100, Phase::Connect, call.request);
    call.end(105, call.exec, Outcome::Abandoned);
    call.end(105, call.task, Outcome::Abandoned);
    const SpanId orphan = call.counted(105, SpanKind::Orphan, Layer::Exec, {}, 0, 0, {}, call.exec);
    const Verdict v = verdictOf(call.store, orphan, at(107));
    QCOMPARE(v.holder, phase);
    QVERIFY(v.sentence.startsWith(u"Held by the stream layer: connecting to 10.0.0.9"_s));
    QCOMPARE(v.warning, u"Abandoned: nobody waits for this call any more, but it still runs"_s);
    QVERIFY(ladderOf(v).startsWith(u"exec: abandoned, runs on for 2.0 s; attempt 2 of 6\n"_s));
}

void tst_Verdict::outcomes_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("ok") << Outcome::Ok << u"Done after 130 s; 1 request was sent"_s;
    QTest::newRow("partial") << Outcome::Partial << u"Ended with a part of the answer after 130 s; 1 request was sent"_s;
    QTest::newRow("truncated") << Outcome::Truncated
                               << u"The stream stopped without its end marker after 130 s; 1 request was sent"_s;
    QTest::newRow("error") << Outcome::Error
                           << u"Failed after 130 s: provider (HTTP 503, HTTPStatusError); 1 request was sent"_s;
    QTest::newRow("timeout") << Outcome::Timeout << u"Ran out of time after 130 s; 1 request was sent"_s;
    QTest::newRow("interrupted") << Outcome::Interrupted << u"Stopped after 130 s; 1 request was sent"_s;
    QTest::newRow("abandoned")
        << Outcome::Abandoned
        << u"Abandoned after 130 s: the caller went on, its last try may still run; 1 request was sent"_s;
}

void tst_Verdict::outcomes()
{
    QFETCH(Outcome, outcome);
    QFETCH(QString, sentence);
    Call call;
    call.w.mark(101, call.request, MarkKind::SendBegan, 10);
    const bool failed = outcome == Outcome::Error;
    call.endAll(130, outcome, failed ? ErrorReason::Provider : ErrorReason::None, failed ? 503 : 0, 0,
                failed ? u"HTTPStatusError"_s : QString());
    const Verdict v = call.verdict(200);
    QVERIFY(v.ended);
    QCOMPARE(v.sentence, sentence);
    QVERIFY(!v.advice.isEmpty());
    QVERIFY(!v.holder);
    QVERIFY(v.rungs.empty());
}

void tst_Verdict::advice_data()
{
    QTest::addColumn<ErrorReason>("reason");
    QTest::addColumn<QString>("begins");
    QTest::newRow("auth") << ErrorReason::Auth << u"Check the key"_s;
    QTest::newRow("authz") << ErrorReason::Authz << u"Check what the key may do"_s;
    QTest::newRow("context") << ErrorReason::Context << u"Compact the context"_s;
    QTest::newRow("policy") << ErrorReason::Policy << u"Blocked by policy"_s;
    QTest::newRow("invalid") << ErrorReason::Invalid << u"Correct the request"_s;
    QTest::newRow("provider") << ErrorReason::Provider << u"Try again"_s;
    QTest::newRow("transport") << ErrorReason::Transport << u"Try again"_s;
    QTest::newRow("rate limit") << ErrorReason::RateLimit << u"Wait a minute"_s;
    QTest::newRow("timeout") << ErrorReason::Timeout << u"Raise exec.timeout_s"_s;
    QTest::newRow("unknown") << ErrorReason::Unknown << u"Read the failure's text"_s;
}

void tst_Verdict::advice()
{
    QFETCH(ErrorReason, reason);
    QFETCH(QString, begins);
    Call call;
    call.endAll(130, Outcome::Error, reason);
    const QString advice = call.verdict(200).advice;
    QVERIFY2(advice.startsWith(begins), qUtf8Printable(advice));
}

void tst_Verdict::rateLimitCountsDown()
{
    Call call;
    call.endAll(130, Outcome::Error, ErrorReason::RateLimit, 429, 60);
    QCOMPARE(call.verdict(135.3).advice, u"Wait until +190 s (54.7 s more; the server asked for 60 s), then try again."_s);
    QCOMPARE(call.verdict(190).advice, u"Try again: the 60 s that the server asked for are over."_s);
}

void tst_Verdict::rateLimitByTheWallClock()
{
    Call call;
    TraceHeader header;
    header.clock = ClockKind::Real;
    header.startUtc = QDateTime(QDate(2026, 8, 1), QTime(12, 0, 0), Qt::UTC);
    call.store.setHeader(header);
    call.endAll(130, Outcome::Error, ErrorReason::RateLimit, 429, 60);
    const QString wall = header.startUtc.addSecs(190).toLocalTime().toString(u"HH:mm:ss"_s);
    QVERIFY2(call.verdict(135).advice.startsWith(u"Wait until "_s + wall), qUtf8Printable(call.verdict(135).advice));
}

void tst_Verdict::transportNamesTheTimer()
{
    Call idle;
    const TimerId timer = idle.arm(100, idle.request, TimerKind::Idle, 1800, Kills::Request, "http.idle_timeout_s"_L1);
    idle.fire(1900, timer);
    idle.endAll(1900, Outcome::Error, ErrorReason::Transport);
    QCOMPARE(idle.verdict(1950).advice, u"Try again; if the server was only slow, raise http.idle_timeout_s (1800 s)."_s);

    Call connect;
    const TimerId other
        = connect.arm(100, connect.request, TimerKind::Connect, 30, Kills::Request, "http.connect_timeout_s"_L1);
    connect.fire(130, other);
    connect.endAll(130, Outcome::Error, ErrorReason::Transport);
    const QString advice = connect.verdict(140).advice;
    QVERIFY2(advice.contains(u"10.0.0.9"_s) && advice.contains(u"http.connect_timeout_s (30 s)"_s), qUtf8Printable(advice));
}

void tst_Verdict::lastFiringCounts()
{
    Call call;
    // An earlier try of the layers above met its own timer; a sleep's end is no reason for anything.
    const TimerId total = call.arm(20, call.run, TimerKind::Total, 30, Kills::Request, "http.total_timeout_s"_L1);
    call.fire(50, total);
    const TimerId idle = call.arm(100, call.request, TimerKind::Idle, 60, Kills::Request, "http.idle_timeout_s"_L1);
    call.fire(160, idle);
    const TimerId nap = call.arm(160, call.request, TimerKind::BackoffEnd, 2, Kills::Sleep, "stream.backoff_base_s"_L1);
    call.fire(162, nap);
    call.endAll(162, Outcome::Error, ErrorReason::Transport);
    const QString advice = call.verdict(170).advice;
    QVERIFY2(advice.contains(u"http.idle_timeout_s (60 s)"_s), qUtf8Printable(advice));
}

void tst_Verdict::whatIsLeftRoundsUp()
{
    Call call;
    call.end(130, call.request);
    const SpanId nap = call.counted(130, SpanKind::Backoff, Layer::Stream, call.run, 2, 0, {}, call.request);
    call.arm(130, nap, TimerKind::BackoffEnd, 2, Kills::Sleep, "stream.backoff_base_s"_L1);
    QVERIFY(call.verdict(131.98).sentence.endsWith(u"; 0.1 s left"_s)); // 0.0 would say that it is due
    QVERIFY(call.verdict(132).sentence.endsWith(u"; 0.0 s left"_s));
    QVERIFY(call.verdict(140).sentence.endsWith(u"; 0.0 s left"_s));
}

void tst_Verdict::watchdogEndedIt()
{
    Call call;
    const TimerId dog = call.arm(0, call.task, TimerKind::Watchdog, 900, Kills::Task, "harness.task_timeout_s"_L1);
    call.fire(900, dog);
    call.endAll(900, Outcome::Interrupted);
    const Verdict v = call.verdict(950);
    QCOMPARE(v.sentence, u"Ended by its watchdog after 900 s; no request was sent"_s);
    QVERIFY2(v.advice.startsWith(u"Raise harness.task_timeout_s (900 s)"_s), qUtf8Printable(v.advice));
}

void tst_Verdict::deadlineEndedIt()
{
    Call call;
    const TimerId deadline = call.arm(0, call.exec, TimerKind::Deadline, 60, Kills::Call, "exec.timeout_s"_L1);
    call.fire(160, deadline);
    call.endAll(160, Outcome::Timeout, ErrorReason::Timeout);
    const Verdict v = call.verdict(200);
    QCOMPARE(v.sentence, u"Ended by its deadline after 160 s; no request was sent"_s);
    QVERIFY2(v.advice.startsWith(u"Raise exec.timeout_s (60 s)"_s), qUtf8Printable(v.advice));
}

void tst_Verdict::abandoned()
{
    Call call;
    const TimerId cap = call.arm(0, call.exec, TimerKind::HardCap, 120, Kills::Call, "exec.hard_cap_s"_L1);
    call.fire(120, cap);
    call.end(120, call.exec, Outcome::Abandoned);
    call.end(120, call.task, Outcome::Abandoned);
    const QString advice = call.verdict(125).advice;
    QVERIFY2(advice.startsWith(u"Watch the orphan"_s) && advice.contains(u"exec.hard_cap_s (120 s)"_s),
             qUtf8Printable(advice));
}

QTEST_GUILESS_MAIN(tst_Verdict)
#include "tst_verdict.moc"
