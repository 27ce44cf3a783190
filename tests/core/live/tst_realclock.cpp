// SPDX-License-Identifier: GPL-3.0-or-later
// The live clock: never early, in order, one event at a time, at every scale. Real time is what is tested here, so the
// tests wait some tenths of a second; upper bounds are wide, because a busy machine may be late but never early.
#include "live/monotonic.h"
#include "live/realclock.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <thread>

using namespace Waitscope;
using namespace std::chrono_literals;

namespace {

class Node final : public ClockNode
{
public:
    Node() = default;
    explicit Node(std::function<void()> then)
        : m_then(std::move(then))
    {
    }

    int fired = 0;
    int ready = 0;

private:
    void onDue() override
    {
        ++fired;
        if (m_then)
            m_then();
    }
    void onReady() override
    {
        ++ready;
        if (m_then)
            m_then();
    }

    std::function<void()> m_then;
};

Instant in(const RealClock &clock, Duration d)
{
    return after(clock.nominalNow(), d);
}

} // namespace

class TestRealClock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neverEarly_data();
    void neverEarly();
    void tiesFireInArmingOrder();
    void postedRunsLaterInOrder();
    void nowIsTheEventsTime();
    void scaleIsHere();
    void farAwayTimersDoNotWrap_data();
    void farAwayTimersDoNotWrap();
    void rearmedAndDisarmed();
    void destroyedNodesAreForgotten();
    void whatHasArrivedGoesFirst();
    void stampsConvert();
    void presentFromOtherThreads();
    void suspendsAreTold();
    void noSuspendHere();
};

void TestRealClock::neverEarly_data()
{
    QTest::addColumn<WakeTimer::Means>("means");
    QTest::newRow("timerfd") << WakeTimer::Means::TimerFd;
    QTest::newRow("Qt timer") << WakeTimer::Means::QtTimer;
}

void TestRealClock::neverEarly()
{
    QFETCH(WakeTimer::Means, means);
    RealClock clock(1.0, means);
    constexpr int count = 200;
    QEventLoop loop; // QTest's own waiting sleeps ten milliseconds at a time
    QTimer::singleShot(10000, &loop, &QEventLoop::quit);
    std::vector<std::unique_ptr<Node>> nodes;
    std::vector<Duration> lateness;
    std::vector<Instant> dues;
    for (int i = 0; i < count; ++i) {
        // Armed out of order; 40 to 440 ms away.
        const Instant due = in(clock, 40ms + 2ms * ((i * 37) % count));
        nodes.push_back(std::make_unique<Node>([&, due] {
            lateness.push_back(clock.nominalNow() - due);
            dues.push_back(due);
            if (clock.now() < due)
                QFAIL("fired before it was due");
            if (int(lateness.size()) == count)
                loop.quit();
        }));
        clock.arm(*nodes.back(), due);
    }
    loop.exec();
    QCOMPARE(int(lateness.size()), count);
    QVERIFY(std::ranges::is_sorted(dues));
    std::ranges::sort(lateness);
    QVERIFY(lateness.front() >= 0ns);
    qInfo("late by p50 %.3f ms, p99 %.3f ms, max %.3f ms", toSeconds(lateness[count / 2]) * 1e3,
          toSeconds(lateness[count * 99 / 100]) * 1e3, toSeconds(lateness.back()) * 1e3);
    QVERIFY(lateness[count / 2] < 50ms);
}

void TestRealClock::tiesFireInArmingOrder()
{
    RealClock clock;
    const Instant due = in(clock, 20ms);
    std::vector<int> order;
    Node a([&] { order.push_back(1); });
    Node b([&] { order.push_back(2); });
    Node c([&] { order.push_back(3); });
    clock.arm(b, due);
    clock.arm(a, due);
    clock.arm(c, due);
    QTRY_COMPARE(order, (std::vector<int>{2, 1, 3}));
}

void TestRealClock::postedRunsLaterInOrder()
{
    RealClock clock;
    std::vector<int> order;
    Node a([&] { order.push_back(1); });
    Node b([&] { order.push_back(2); });
    clock.post(b);
    clock.post(a);
    clock.post(b);
    QVERIFY(order.empty()); // nothing runs inside post()
    QTRY_COMPARE(order, (std::vector<int>{2, 1}));
    QTest::qWait(10);
    QCOMPARE(b.ready, 1);
    // What a running node posts is run too, without a further push from outside.
    Node last;
    Node first([&] { clock.post(last); });
    clock.post(first);
    QTRY_COMPARE(last.ready, 1);
    // And what it arms is waited for.
    Node timer;
    Node armer([&] { clock.arm(timer, in(clock, 5ms)); });
    clock.post(armer);
    QTRY_COMPARE(timer.fired, 1);
}

void TestRealClock::nowIsTheEventsTime()
{
    RealClock clock;
    const Instant due = in(clock, 10ms);
    bool held = false;
    Node node([&] {
        const Instant event = clock.now();
        std::this_thread::sleep_for(5ms); // lets the present move on; the event's time must not
        held = clock.now() == event && clock.nominalNow() >= after(event, 5ms) && event >= due;
    });
    clock.arm(node, due);
    QTRY_COMPARE(node.fired, 1);
    QVERIFY(held);
    // A fact that happened before the present event is handled at the present.
    const Instant before = clock.now();
    clock.advanceTo(Instant{});
    QCOMPARE(clock.now(), before);
}

void TestRealClock::scaleIsHere()
{
    RealClock clock(200.0);
    const qint64 realStart = monotonicNs();
    Node node;
    clock.arm(node, in(clock, 20s));
    QTRY_COMPARE_WITH_TIMEOUT(node.fired, 1, 10000);
    const qint64 real = monotonicNs() - realStart;
    QVERIFY2(real >= 100'000'000 - 1000, qPrintable(QString::number(real)));
    QVERIFY2(real < 5'000'000'000, qPrintable(QString::number(real)));
    QVERIFY(clock.now() >= Instant{20s});

    RealClock slow(0.01);
    Node slowNode;
    const qint64 slowStart = monotonicNs();
    slow.arm(slowNode, in(slow, 500us));
    QTRY_COMPARE_WITH_TIMEOUT(slowNode.fired, 1, 10000);
    QVERIFY(monotonicNs() - slowStart >= 50'000'000 - 1000);
}

void TestRealClock::farAwayTimersDoNotWrap_data()
{
    neverEarly_data();
}

void TestRealClock::farAwayTimersDoNotWrap()
{
    QFETCH(WakeTimer::Means, means);
    RealClock clock(1.0, means);
    Node month; // more milliseconds than an int holds
    Node century;
    Node ages;
    clock.arm(month, in(clock, 24h * 30));
    clock.arm(century, in(clock, 24h * 36525));
    clock.arm(ages, Instant::max() - 1ns);
    Node soon;
    clock.arm(soon, in(clock, 60ms));
    QTRY_COMPARE(soon.fired, 1);
    QTest::qWait(30);
    QCOMPARE(month.fired + century.fired + ages.fired, 0);
    QVERIFY(month.isArmed() && century.isArmed() && ages.isArmed());

    RealClock slow(1e-6); // a due time that saturates the real clock
    Node beyond;
    slow.arm(beyond, Instant::max() - 1ns);
    QTest::qWait(10);
    QCOMPARE(beyond.fired, 0);
}

void TestRealClock::rearmedAndDisarmed()
{
    RealClock clock;
    Node moved;
    Node gone;
    clock.arm(moved, in(clock, 24h));
    clock.arm(gone, in(clock, 10ms));
    clock.arm(moved, in(clock, 20ms));
    clock.arm(gone, never);
    QVERIFY(!gone.isArmed());
    QTRY_COMPARE(moved.fired, 1);
    QCOMPARE(gone.fired, 0);
    // A past time fires in the next drain, not at once.
    clock.arm(moved, Instant{});
    QCOMPARE(moved.fired, 1);
    QTRY_COMPARE(moved.fired, 2);
}

void TestRealClock::destroyedNodesAreForgotten()
{
    RealClock clock;
    {
        Node armed;
        Node posted;
        clock.arm(armed, in(clock, 1ms));
        clock.post(posted);
    }
    QTest::qWait(20);
    auto clockToo = std::make_unique<RealClock>();
    Node outlives;
    clockToo->arm(outlives, in(*clockToo, 1ms));
    clockToo->post(outlives);
    clockToo.reset();
    QTest::qWait(20);
    QCOMPARE(outlives.fired + outlives.ready, 0);
}

// A thread that lagged finds both an overdue timer and, older than its handling, a fact in its queue: the fact goes first.
void TestRealClock::whatHasArrivedGoesFirst()
{
    RealClock clock;
    Node timeout;
    clock.arm(timeout, in(clock, 20ms));
    QMetaObject::invokeMethod(
        &clock,
        [&] {
            QMetaObject::invokeMethod(&clock, [&] { clock.disarm(timeout); }, Qt::QueuedConnection);
            std::this_thread::sleep_for(60ms);
        },
        Qt::QueuedConnection);
    QTest::qWait(100);
    QCOMPARE(timeout.fired, 0);
}

void TestRealClock::stampsConvert()
{
    RealClock clock(10.0);
    const qint64 stamp = monotonicNs();
    const Instant a = clock.fromMonotonicNs(stamp);
    const Instant b = clock.fromMonotonicNs(stamp + 1'000'000);
    QCOMPARE(b - a, Duration(10ms));
    QVERIFY(clock.nominalNow() >= a);
    QVERIFY(clock.fromMonotonicNs(stamp - 3'600'000'000'000) < Instant{}); // before the trace began
}

void TestRealClock::presentFromOtherThreads()
{
    RealClock clock(3.7);
    std::atomic<bool> backwards = false;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
            Instant last{};
            for (int i = 0; i < 20000; ++i) {
                const Instant present = clock.nominalNow();
                if (present < last)
                    backwards = true;
                last = present;
            }
        });
    }
    threads.clear();
    QVERIFY(!backwards);
}

void TestRealClock::suspendsAreTold()
{
    constexpr qint64 ms = 1'000'000;
    SuspendGauge gauge(5'000 * ms); // slept five seconds before we started
    QCOMPARE(gauge.read(5'000 * ms), std::nullopt);
    QCOMPARE(gauge.read(5'000 * ms + 3000), std::nullopt); // two clocks cannot be read at once
    QCOMPARE(gauge.read(65'000 * ms), std::optional<Duration>(60s));
    QCOMPARE(gauge.read(65'000 * ms), std::nullopt);
    // Small differences add up rather than vanish.
    QCOMPARE(gauge.read(65'015 * ms), std::nullopt);
    QCOMPARE(gauge.read(65'030 * ms), std::optional<Duration>(30ms));
    QCOMPARE(gauge.read(65'020 * ms), std::nullopt);
}

void TestRealClock::noSuspendHere()
{
    RealClock clock;
    for (int i = 0; i < 200; ++i) {
        QCOMPARE(clock.takeSuspend(), std::nullopt);
        std::this_thread::yield();
    }
}

QTEST_GUILESS_MAIN(TestRealClock)
#include "tst_realclock.moc"
