// SPDX-License-Identifier: GPL-3.0-or-later
// Pure time and pixel arithmetic, without a window.
#include "ui/timeline/timescale.h"
#include "ui/timeline/timeticks.h"

#include "ui/style/format.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace Waitscope;
using namespace std::chrono_literals;

namespace {

Instant at(Duration d)
{
    return Instant{d};
}

} // namespace

class TestTimeScale : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pixelsAndTimesAreInverse()
    {
        std::mt19937_64 random(7);
        for (int i = 0; i < 2000; ++i) {
            const double perPixel = std::pow(10.0, 1 + static_cast<double>(random() % 1000) / 100); // 10 ns … 1000 s
            const TimeScale scale(at(Duration{static_cast<qint64>(random() % 1000000000000)}), perPixel, 1000);
            const double x = static_cast<double>(random() % 1000);
            QVERIFY(std::abs(scale.xOf(scale.timeAt(x)) - x) < 0.1);
        }
    }

    void longWayOutIsFarAndNeverWraps()
    {
        const TimeScale scale(at(-5s), 10, 1000);
        QVERIFY(scale.xOf(never) > 1e17);
        QVERIFY(scale.xOf(Instant::min()) < -1e17);
        const TimeScale wide(Instant::min(), 1e15, 1000);
        QVERIFY(wide.xOf(never) > 1e4);
        QVERIFY(TimeScale(at(0s), 1e15, 1000).timeAt(1e9) == never);
    }

    void fittingFillsTheWidth()
    {
        const TimeScale scale = TimeScale::fitting(at(10s), at(70s), 600);
        QCOMPARE(scale.xOf(at(10s)), 0.0);
        QVERIFY(std::abs(scale.xOf(at(70s)) - 600) < 1e-6);
        // An empty range has no zoom of its own; it must still have one.
        QVERIFY(TimeScale::fitting(at(10s), at(10s), 600).nsPerPixel() > 0);
        QVERIFY(TimeScale::fitting(at(10s), at(20s), 0).nsPerPixel() > 0);
    }

    void whatIsUnderThePointerStaysThere()
    {
        TimeScale scale(at(0s), 1e8, 1000);
        const double x = 333;
        const Instant anchor = scale.timeAt(x);
        for (int i = 0; i < 60; ++i) {
            scale = scale.zoomedAt(x, i < 30 ? 1.3 : 1 / 1.3);
            QVERIFY(std::abs(scale.xOf(anchor) - x) < 0.5);
        }
        // There and back again.
        QVERIFY(std::abs(scale.nsPerPixel() - 1e8) < 1);
        QVERIFY(std::abs(toSeconds(scale.from())) < 1e-6);
    }

    void zoomStopsAtTheLimits()
    {
        TimeScale scale(at(0s), 1e8, 1000);
        for (int i = 0; i < 400; ++i)
            scale = scale.zoomedAt(500, 2);
        QCOMPARE(scale.nsPerPixel(), TimeScale::finest);
        for (int i = 0; i < 400; ++i)
            scale = scale.zoomedAt(500, 0.5);
        QCOMPARE(scale.nsPerPixel(), TimeScale::coarsest);
    }

    void aLineTellsWhenItMoves()
    {
        const TimeScale scale(at(0s), 1e8, 1000); // 0.1 s a pixel
        QCOMPARE(scale.untilPixelChanges(at(1s)).value(), Duration(100ms));
        QCOMPARE(scale.untilPixelChanges(at(1040ms)).value(), Duration(60ms));
        QCOMPARE(scale.untilPixelChanges(at(1040ms), 2.0).value(), Duration(10ms)); // half pixels
        QCOMPARE(scale.untilPixelChanges(at(-3s)).value(), Duration(3s));           // comes into view
        QVERIFY(!scale.untilPixelChanges(at(101s)));                                 // never comes back
        // Having waited so long, the line does stand on another pixel.
        std::mt19937_64 random(3);
        for (int i = 0; i < 1000; ++i) {
            const TimeScale any(at(Duration{static_cast<qint64>(random() % 1000)}), 10 + static_cast<double>(random() % 99999), 800);
            const Instant now = any.timeAt(static_cast<double>(random() % 700));
            const Instant later = now + any.untilPixelChanges(now).value() + 1ns;
            QVERIFY(std::floor(any.xOf(later)) > std::floor(any.xOf(now)) || any.xOf(later) - any.xOf(now) > 0.99);
        }
    }

    void ticksAreRoundAndHaveRoom_data()
    {
        QTest::addColumn<double>("nsPerPixel");
        for (double ns = 10; ns < 1e13; ns *= 3.7)
            QTest::addRow("%g", ns) << ns;
    }
    void ticksAreRoundAndHaveRoom()
    {
        QFETCH(double, nsPerPixel);
        const TimeScale scale(at(1234567891ns), nsPerPixel, 1600);
        const TimeTicks ticks = ticksOf(scale, 90);
        QVERIFY(ticks.major.size() <= 1600 / 90 + 2);
        QVERIFY(ticks.major.size() >= 2);
        QVERIFY(ticks.minor.size() < 140);
        QStringList labels;
        for (const Instant tick : ticks.major) {
            QCOMPARE(tick.time_since_epoch() % ticks.step, Duration::zero());
            labels << shownTick(tick, ticks.step);
        }
        // Two lines that look alike would be a lie.
        QCOMPARE(labels.removeDuplicates(), 0);
    }

    void ticksBeforeTheStartAreTicksToo()
    {
        const TimeTicks ticks = ticksOf(TimeScale(at(-10s), 1e8, 200), 50);
        QCOMPARE(ticks.step, Duration(5s));
        QCOMPARE(ticks.major.front(), at(-10s));
        QVERIFY(std::find(ticks.major.begin(), ticks.major.end(), at(0s)) != ticks.major.end());
    }
};

QTEST_GUILESS_MAIN(TestTimeScale)
#include "tst_timescale.moc"
