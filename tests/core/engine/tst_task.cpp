// SPDX-License-Identifier: GPL-3.0-or-later
// The coroutine type, the strand and the clock: who resumes whom, what destruction does, which signal wins.
#include "engine/strand.h"
#include "engine/task.h"
#include "sim/virtualclock.h"

#include <QtTest>

using namespace Waitscope;
using namespace std::chrono_literals;

class TestTask : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isLazy();
    void manyChildrenThatNeverSuspend();
    void destructionFreesEveryFrame();
    void timersFireInOrderOfTimeThenArming();
    void aRealFiringKeepsTheClockMonotonic();
    void interruptIsSticky();
    void alarmIsOneShot();
    void alarmWithoutAWaitIsKept();
    void interruptBeatsAFactOnItsWay();
    void deafWaitsHearNothing();
    void destroyingAWaitingTaskUnlinksIt();
};

namespace {

struct Counted {
    Counted() { ++alive; }
    Counted(const Counted &) { ++alive; }
    ~Counted() { --alive; }
    static inline int alive = 0;
};

Task<int> leaf(int value)
{
    co_return value;
}

Task<int> sumOf(int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        auto child = leaf(1);
        sum += co_await std::move(child);
    }
    co_return sum;
}

Task<Wake> waitUntil(Strand &strand, Instant due)
{
    Counted counted;
    Wait wait(strand, due);
    const Wake wake = co_await wait;
    co_return wake;
}

Task<Wake> nested(Strand &strand, Instant due)
{
    Counted counted;
    auto inner = waitUntil(strand, due);
    const Wake wake = co_await std::move(inner);
    co_return wake;
}

Task<> note(Strand &strand, Instant due, std::vector<int> &order, int number)
{
    Wait wait(strand, due);
    co_await wait;
    order.push_back(number);
}

Instant at(Duration d)
{
    return Instant{d};
}

} // namespace

void TestTask::isLazy()
{
    VirtualClock clock;
    Strand strand(clock);
    auto task = waitUntil(strand, at(1s));
    QVERIFY(!task.isDone());
    QCOMPARE(Counted::alive, 0); // the body has not begun
    task.start();
    QCOMPARE(Counted::alive, 1);
    clock.run();
    QVERIFY(task.isDone());
    QCOMPARE(task.take(), Wake::Due);
    QCOMPARE(clock.now(), at(1s));
}

void TestTask::manyChildrenThatNeverSuspend()
{
    auto task = sumOf(1'000'000);
    task.start();
    QVERIFY(task.isDone());
    QCOMPARE(task.take(), 1'000'000);
}

void TestTask::destructionFreesEveryFrame()
{
    VirtualClock clock;
    Strand strand(clock);
    {
        auto task = nested(strand, at(1h));
        task.start();
        QCOMPARE(Counted::alive, 2);
    }
    QCOMPARE(Counted::alive, 0);
    QVERIFY(clock.run()); // nothing is left in the heap
    QCOMPARE(clock.now(), at(0s));
}

void TestTask::timersFireInOrderOfTimeThenArming()
{
    VirtualClock clock;
    std::vector<int> order;
    std::vector<std::unique_ptr<Strand>> strands;
    std::vector<Task<>> tasks;
    const Duration dues[] = {3s, 1s, 2s, 1s, 3s};
    for (int i = 0; i < 5; ++i) {
        strands.push_back(std::make_unique<Strand>(clock));
        tasks.push_back(note(*strands.back(), at(dues[i]), order, i));
        tasks.back().start();
    }
    clock.run();
    QCOMPARE(order, (std::vector<int>{1, 3, 2, 0, 4}));
    tasks.clear();
}

void TestTask::aRealFiringKeepsTheClockMonotonic()
{
    VirtualClock clock;
    clock.advanceTo(at(5s));
    clock.advanceTo(at(2s)); // an event that arrives late is handled at the present
    QCOMPARE(clock.now(), at(5s));
    Strand strand(clock);
    auto task = waitUntil(strand, at(1s)); // due in the past: fires at once
    task.start();
    clock.run();
    QVERIFY(task.isDone());
    QCOMPARE(clock.now(), at(5s));
}

void TestTask::interruptIsSticky()
{
    VirtualClock clock;
    Strand strand(clock);
    auto first = waitUntil(strand, at(1h));
    first.start();
    strand.interrupt(Interrupted{InterruptCause::Watchdog, QStringLiteral("first")});
    strand.interrupt(Interrupted{InterruptCause::Stopped, QStringLiteral("second")});
    QVERIFY(!first.isDone()); // a signal only posts; the clock resumes
    clock.run();
    QCOMPARE(first.take(), Wake::Interrupt);
    QCOMPARE(strand.interrupted()->why, QStringLiteral("first"));
    auto second = waitUntil(strand, at(1h));
    second.start();
    QCOMPARE(second.take(), Wake::Interrupt); // every later wait ends at once
}

void TestTask::alarmIsOneShot()
{
    VirtualClock clock;
    Strand strand(clock);
    auto first = waitUntil(strand, at(1h));
    first.start();
    strand.alarm();
    clock.run(at(1s));
    QCOMPARE(first.take(), Wake::Alarm);
    auto second = waitUntil(strand, at(2s));
    second.start();
    clock.run();
    QCOMPARE(second.take(), Wake::Due);
}

void TestTask::alarmWithoutAWaitIsKept()
{
    VirtualClock clock;
    Strand strand(clock);
    strand.alarm();
    auto task = waitUntil(strand, at(1h));
    task.start();
    QCOMPARE(task.take(), Wake::Alarm);
}

void TestTask::interruptBeatsAFactOnItsWay()
{
    VirtualClock clock;
    Strand strand(clock);
    Wait *waiting = nullptr;
    auto flow = [](Strand &s, Wait *&out) -> Task<Wake> {
        Wait wait(s, never);
        out = &wait;
        const Wake wake = co_await wait;
        co_return wake;
    };
    auto task = flow(strand, waiting);
    task.start();
    waiting->ready();
    strand.interrupt(Interrupted{InterruptCause::Stopped, {}});
    clock.run();
    QCOMPARE(task.take(), Wake::Interrupt);
}

void TestTask::deafWaitsHearNothing()
{
    VirtualClock clock;
    Strand strand(clock);
    auto flow = [](Strand &s) -> Task<Wake> {
        Wait wait(s, Instant{1s}, true);
        const Wake wake = co_await wait;
        co_return wake;
    };
    auto task = flow(strand);
    task.start();
    strand.interrupt(Interrupted{InterruptCause::Stopped, {}});
    strand.alarm();
    clock.run();
    QCOMPARE(task.take(), Wake::Due);
}

void TestTask::destroyingAWaitingTaskUnlinksIt()
{
    VirtualClock clock;
    Strand strand(clock);
    auto task = std::make_unique<Task<Wake>>(waitUntil(strand, at(1s)));
    task->start();
    strand.interrupt(Interrupted{InterruptCause::Stopped, {}}); // posted, and then destroyed before its turn
    task.reset();
    QVERIFY(clock.run());
    QCOMPARE(Counted::alive, 0);
}

QTEST_GUILESS_MAIN(TestTask)
#include "tst_task.moc"
