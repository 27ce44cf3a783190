// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 180
// From an engine's thread into the store: nothing lost, nothing out of order, nothing ticking for nothing.
#include "ui/feed/livefeed.h"

#include <QSignalSpy>
#include <QTest>
#include <QElapsedTimer>
#include <QThread>

#include <atomic>
#include <thread>

using namespace Waitscope;
using namespace std::chrono_literals;

namespace {

Event beginning(quint64 id, Duration at)
{
    SpanBegan span;
    span.at = Instant{at};
    span.id = SpanId{id};
    span.kind = SpanKind::Task;
    return span;
}

Event ending(quint64 id, Duration at)
{
    SpanEnded span;
    span.at = Instant{at};
    span.id = SpanId{id};
    return span;
}

} // namespace

class TestFeed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // Real time: the rate is what is tested. The margin is wide: on a machine that is too busy to write at the rate, the
    // test only takes longer.
    void keepsUpWithAHundredThousandEventsASecond()
    {
        constexpr quint64 spans = 100000; // two events each, in two seconds
        TraceStore store;
        LiveFeed feed(store);
        QSignalSpy changed(&feed, &LiveFeed::storeChanged);
        QSignalSpy lost(&feed, &LiveFeed::eventsLost);
        std::jthread producer([&feed] {
            const auto start = std::chrono::steady_clock::now();
            for (quint64 i = 1; i <= spans; ++i) {
                feed.write(beginning(i, std::chrono::microseconds(20 * i)));
                feed.write(ending(i, std::chrono::microseconds(20 * i + 10)));
                if (i % 500 == 0)
                    std::this_thread::sleep_until(start + std::chrono::microseconds(20 * i));
            }
        });
        QTRY_COMPARE_WITH_TIMEOUT(store.revision(), 2 * spans, 120000);
        QCOMPARE(store.spanCount(), quint32(spans));
        QCOMPARE(store.problemCount(), 0u); // out of order or lost would be one
        for (quint32 i = 0; i < store.spanCount(); ++i)
            QCOMPARE(store.spanAtIndex(i).value, quint64(i) + 1);
        QVERIFY(lost.isEmpty());
        QCOMPARE(feed.eventsLeftOut(), 0u);
        QVERIFY(changed.size() > 1);
        QVERIFY(changed.size() < 120000 / 16);
    }

    void idleTicksNothing()
    {
        TraceStore store;
        LiveFeed feed(store);
        QVERIFY(!feed.isTicking());
        feed.write(beginning(1, 0s));
        QTRY_COMPARE(store.revision(), 1u);
        QTRY_VERIFY(!feed.isTicking()); // open, but the run has no present: nothing to show
        Instant present{1s};
        feed.setNow([&present] { return present; });
        QVERIFY(feed.isTicking());
        QSignalSpy advanced(&feed, &LiveFeed::nowAdvanced);
        QTRY_VERIFY(advanced.size() >= 2);
        QCOMPARE(feed.now(), Instant{1s});
        feed.write(ending(1, 2s));
        QTRY_VERIFY(!feed.isTicking()); // all ended
        QCOMPARE(feed.now(), Instant{2s}); // never before the last event
        advanced.clear();
        QTest::qWait(250); // two and a half ticks: silence can only be waited for
        QVERIFY(advanced.isEmpty());
    }

    // The end of a run waits for what is still on its way, frame by frame.
    void saysWhenNothingWaits()
    {
        TraceStore store;
        FeedLimits limits;
        limits.workPerFrame = std::chrono::milliseconds(0); // one piece a frame
        LiveFeed feed(store, limits);
        QVERIFY(feed.isEmpty());
        for (quint64 i = 1; i <= 5000; ++i)
            feed.write(beginning(i, std::chrono::microseconds(i)));
        QVERIFY(!feed.isEmpty());
        QSignalSpy changed(&feed, &LiveFeed::storeChanged);
        quint64 there = 0;
        connect(&feed, &LiveFeed::emptied, this, [&] { there = store.revision(); });
        QTRY_COMPARE(there, 5000u);
        QVERIFY(feed.isEmpty());
        QVERIFY2(changed.size() >= 4, qPrintable(QString::number(changed.size())));
    }

    void flushBringsEverythingAtOnce()
    {
        TraceStore store;
        LiveFeed feed(store);
        for (quint64 i = 1; i <= 5000; ++i)
            feed.write(beginning(i, std::chrono::microseconds(i)));
        QCOMPARE(store.revision(), 0u);
        QSignalSpy changed(&feed, &LiveFeed::storeChanged);
        feed.flush();
        QCOMPARE(store.revision(), 5000u);
        QCOMPARE(changed.size(), 1);
        feed.flush();
        QCOMPARE(changed.size(), 1);
    }

    void aFrameTakesOnlyItsShare()
    {
        TraceStore store;
        FeedLimits limits;
        limits.workPerFrame = 0ms; // one piece a frame
        LiveFeed feed(store, limits);
        for (quint64 i = 1; i <= 10000; ++i)
            feed.write(beginning(i, std::chrono::microseconds(i)));
        QSignalSpy changed(&feed, &LiveFeed::storeChanged);
        QVERIFY(changed.wait());
        QVERIFY(store.revision() > 0);
        QVERIFY(store.revision() < 10000);
        QTRY_COMPARE(store.revision(), 10000u);
        QVERIFY(changed.size() >= 5);
    }

    void aFullQueueHoldsTheWriterAndLosesNothing()
    {
        TraceStore store;
        FeedLimits limits;
        limits.events = 2000;
        limits.patience = 60000ms;
        LiveFeed feed(store, limits);
        std::jthread producer([&feed] {
            for (quint64 i = 1; i <= 50000; ++i)
                feed.write(beginning(i, std::chrono::microseconds(i)));
        });
        QTRY_COMPARE_WITH_TIMEOUT(store.revision(), 50000u, 60000);
        QCOMPARE(feed.eventsLeftOut(), 0u);
    }

    void whatDoesNotFitIsCountedAndTold()
    {
        TraceStore store;
        FeedLimits limits;
        limits.events = 1000;
        limits.patience = 1ms;
        LiveFeed feed(store, limits);
        QSignalSpy lost(&feed, &LiveFeed::eventsLost);
        // This thread stands still meanwhile, as a window that hangs does.
        std::thread producer([&feed] {
            for (quint64 i = 1; i <= 3000; ++i)
                feed.write(beginning(i, std::chrono::microseconds(i)));
        });
        producer.join();
        QCOMPARE(feed.eventsLeftOut(), 2000u);
        feed.flush();
        QCOMPARE(store.revision(), 1000u);
        QCOMPARE(lost.size(), 1);
        QCOMPARE(lost.first().first().toULongLong(), 2000u);
        // And then it goes on.
        feed.write(beginning(5000, 1s));
        feed.flush();
        QCOMPARE(store.revision(), 1001u);
    }

    void theWindowsOwnThreadMakesRoomItself()
    {
        TraceStore store;
        FeedLimits limits;
        limits.events = 100;
        LiveFeed feed(store, limits);
        for (quint64 i = 1; i <= 1000; ++i)
            feed.write(beginning(i, std::chrono::microseconds(i)));
        feed.flush();
        QCOMPARE(store.revision(), 1000u);
    }

    void closingLetsAWaitingWriterGo()
    {
        TraceStore store;
        FeedLimits limits;
        limits.events = 10;
        limits.patience = 20000ms;
        LiveFeed feed(store, limits);
        std::atomic<int> written = 0;
        std::thread producer([&feed, &written] {
            for (quint64 i = 1; i <= 20; ++i) {
                feed.write(beginning(i, std::chrono::microseconds(i)));
                ++written;
            }
        });
        while (written < 10) // no event loop here: it would make room
            std::this_thread::yield();
        QElapsedTimer clock;
        clock.start();
        feed.close();
        producer.join();
        // Else it takes its whole patience. The margin is for a busy machine.
        QVERIFY(clock.elapsed() < 10000);
        feed.flush();
        QVERIFY(store.revision() <= 10);
        QCOMPARE(feed.eventsLeftOut() + store.revision(), 20u);
    }
};

QTEST_GUILESS_MAIN(TestFeed)
#include "tst_feed.moc"
