// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of zoom, pan, follow and pause, without a window.
#include "ui/timeline/viewport.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace Waitscope;
using namespace std::chrono_literals;

namespace {

constexpr int width = 1000;

Instant at(Duration d)
{
    return Instant{d};
}

} // namespace

class TestViewport : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void zoomKeepsTheMomentUnderThePointer()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(100s)}, at(100s));
        viewport.fit();
        for (const double x : {3.0, 417.0, 990.0}) {
            const Instant anchor = viewport.scale().timeAt(x);
            for (int i = 0; i < 5; ++i) {
                viewport.zoomAt(x, 1.25);
                QVERIFY(std::abs(viewport.scale().xOf(anchor) - x) <= 2);
            }
        }
    }

    void zoomOutEndsSomewhere()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(100s)}, at(100s));
        viewport.fit();
        for (int i = 0; i < 200; ++i)
            viewport.zoomAt(500, 0.5);
        // All there is can still be seen.
        QVERIFY(viewport.scale().pixels(100s) >= 50);
        for (int i = 0; i < 200; ++i)
            viewport.zoomAt(500, 2);
        QVERIFY(viewport.scale().nsPerPixel() >= 1);
    }

    void followKeepsTheZoomAndThePlace()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(0s)}, at(0s));
        viewport.setVisible({at(0s), at(100s)});
        viewport.setFollowing(true);
        const double zoom = viewport.scale().nsPerPixel();
        // Grows at first: nothing moves.
        const Instant start = viewport.scale().from();
        viewport.setContent({at(0s), at(50s)}, at(50s));
        QCOMPARE(viewport.scale().from(), start);
        // Then scrolls, by whole pixels.
        for (int i = 51; i < 400; ++i) {
            const Instant now = at(std::chrono::seconds(i) + 37ms);
            viewport.setContent({at(0s), now}, now);
            QCOMPARE(viewport.scale().nsPerPixel(), zoom);
            const double x = viewport.scale().xOf(now);
            QVERIFY(x > 0 && x <= width * Viewport::nowPlace + 1);
            QCOMPARE((viewport.scale().from() - start) % 100ms, Duration::zero());
        }
        QVERIFY(viewport.scale().xOf(at(399s)) > width * (Viewport::nowPlace - 0.02));
    }

    void manualPanStopsFollowingAndZoomDoesNot()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(500s)}, at(500s));
        viewport.setVisible({at(0s), at(100s)});
        QSignalSpy follow(&viewport, &Viewport::followChanged);
        viewport.setFollowing(true);
        QCOMPARE(follow.size(), 1);
        const double line = viewport.scale().xOf(at(500s));
        viewport.zoomAt(20, 1.5);
        QVERIFY(viewport.isFollowing());
        QVERIFY(std::abs(viewport.scale().xOf(at(500s)) - line) <= 2); // the now line is what stays
        viewport.panBy(-300);
        QVERIFY(!viewport.isFollowing());
        QCOMPARE(follow.size(), 2);
        const Instant from = viewport.scale().from();
        viewport.setContent({at(0s), at(520s)}, at(520s));
        QCOMPARE(viewport.scale().from(), from);
        viewport.setFollowing(true);
        QVERIFY(viewport.scale().xOf(at(520s)) <= width && viewport.scale().xOf(at(520s)) > 0);
    }

    void jumpsBackFromTheFutureToo()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(50s)}, at(50s));
        viewport.setVisible({at(60s), at(160s)});
        viewport.setFollowing(true);
        const double x = viewport.scale().xOf(at(50s));
        QVERIFY(x >= 0 && x <= width);
        QVERIFY(viewport.scale().from() >= at(-10s)); // no more emptiness before the start than needed
    }

    void pauseHoldsTheViewOnly()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(50s)}, at(50s));
        viewport.setFollowing(true);
        viewport.setPaused(true);
        QSignalSpy now(&viewport, &Viewport::nowChanged);
        const TimeRange before = viewport.visible();
        viewport.setContent({at(0s), at(900s)}, at(900s));
        QCOMPARE(viewport.now(), at(50s));
        QCOMPARE(viewport.visible(), before);
        QCOMPARE(now.size(), 0);
        viewport.setPaused(false);
        QCOMPARE(viewport.now(), at(900s));
        QVERIFY(viewport.scale().xOf(at(900s)) <= width);
    }

    void fitStartAndReveal()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(10s), at(110s)}, at(110s));
        viewport.fit();
        QVERIFY(viewport.scale().xOf(at(10s)) >= 0 && viewport.scale().xOf(at(10s)) < 30);
        QVERIFY(viewport.scale().xOf(at(110s)) > width - 30 && viewport.scale().xOf(at(110s)) <= width);
        viewport.zoomAt(500, 50);
        const double zoom = viewport.scale().nsPerPixel();
        viewport.goToStart();
        QCOMPARE(viewport.scale().nsPerPixel(), zoom);
        QVERIFY(viewport.scale().xOf(at(10s)) >= 0 && viewport.scale().xOf(at(10s)) < 30);
        viewport.reveal(at(90s));
        QVERIFY(viewport.scale().xOf(at(90s)) >= 0 && viewport.scale().xOf(at(90s)) <= width);
        const TimeRange seen = viewport.visible();
        viewport.reveal(at(90s)); // already there
        QCOMPARE(viewport.visible(), seen);
        viewport.reveal(TimeRange{at(20s), at(100s)}); // longer than the view
        QVERIFY(viewport.scale().xOf(at(20s)) < width);
        viewport.setVisible({at(0s), at(200s)});
        viewport.reveal(TimeRange{at(20s), at(100s)}); // all of it is there
        QVERIFY(std::abs(toSeconds(viewport.visible().from)) < 0.001);
    }

    void aRangeBeforeTheFirstSizeIsKept()
    {
        Viewport viewport;
        viewport.setVisible({at(5s), at(25s)});
        viewport.setWidth(width);
        QVERIFY(std::abs(viewport.scale().xOf(at(25s)) - width) < 1e-6);
        Viewport other;
        other.setContent({at(0s), at(40s)}, at(40s));
        other.fit();
        other.setWidth(width);
        QVERIFY(other.scale().xOf(at(40s)) > width - 30);
        // Later sizes keep the zoom.
        const double zoom = other.scale().nsPerPixel();
        other.setWidth(width / 2);
        QCOMPARE(other.scale().nsPerPixel(), zoom);
    }

    // A run that has just begun: seconds at first, not the microseconds there are; room ahead in a few steps; then it scrolls.
    void theWholeGrowsWithTheRun()
    {
        Viewport viewport;
        viewport.fit();
        viewport.setWidth(width);
        viewport.setLongestWhole(200s);
        viewport.setFollowing(true);
        QVERIFY(viewport.visible().length() >= 10s);
        QSignalSpy moved(&viewport, &Viewport::visibleRangeChanged);
        for (int i = 0; i <= 170; ++i) {
            viewport.setContent({at(0s), at(std::chrono::seconds(i))}, at(std::chrono::seconds(i)));
            QVERIFY(viewport.scale().xOf(at(0s)) >= 0 && viewport.scale().xOf(at(0s)) < 30);
            QVERIFY(viewport.scale().xOf(viewport.now()) <= width * Viewport::nowPlace + 1);
        }
        QVERIFY2(moved.size() <= 8, qPrintable(QString::number(moved.size())));
        for (int i = 171; i < 400; ++i)
            viewport.setContent({at(0s), at(std::chrono::seconds(i))}, at(std::chrono::seconds(i)));
        QVERIFY(viewport.visible().length() <= 201s);
        QVERIFY(viewport.scale().xOf(viewport.now()) <= width * Viewport::nowPlace + 1);
        // A zoom of one's own is kept.
        viewport.fit();
        QVERIFY(viewport.visible().length() > 399s);
        viewport.zoomAt(500, 8);
        const double zoom = viewport.scale().nsPerPixel();
        viewport.setContent({at(0s), at(900s)}, at(900s));
        QCOMPARE(viewport.scale().nsPerPixel(), zoom);
        QVERIFY(viewport.isFollowing());
    }

    // A recording that is read piece by piece: all of it is in view in a few steps, and at the end it fits.
    void theWholeGrowsAsItComes()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.fit();
        QSignalSpy moved(&viewport, &Viewport::visibleRangeChanged);
        for (int i = 0; i <= 9000; ++i) {
            const Instant end = at(i * 1s);
            viewport.setContent({at(0s), end}, end);
            QVERIFY(viewport.scale().xOf(at(0s)) >= 0);
            QVERIFY(viewport.scale().xOf(end) <= width);
        }
        QVERIFY2(moved.size() <= 20, qPrintable(QString::number(moved.size())));
        QVERIFY(viewport.isWhole());
        viewport.fit();
        QVERIFY(viewport.scale().xOf(at(9000s)) > width - 30);
        viewport.panBy(200);
        const TimeRange chosen = viewport.visible();
        viewport.setContent({at(0s), at(30'000s)}, at(30'000s));
        QCOMPARE(viewport.visible(), chosen);
    }

    void panningEndsBesideTheContent()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(100s)}, at(100s));
        viewport.fit();
        viewport.panBy(1e7);
        QVERIFY(viewport.scale().from() <= at(100s));
        viewport.panBy(-1e7);
        QVERIFY(viewport.visible().to >= at(-1s));
    }

    void bookmarksToggle()
    {
        Viewport viewport;
        viewport.setWidth(width);
        viewport.setContent({at(0s), at(100s)}, at(100s));
        viewport.fit();
        QSignalSpy changed(&viewport, &Viewport::bookmarksChanged);
        viewport.toggleBookmark(at(50s));
        viewport.toggleBookmark(at(20s));
        QCOMPARE(viewport.bookmarks(), (std::vector<Instant>{at(20s), at(50s)}));
        viewport.toggleBookmark(viewport.scale().timeAt(viewport.scale().xOf(at(50s)) + 2));
        QCOMPARE(viewport.bookmarks(), (std::vector<Instant>{at(20s)}));
        QCOMPARE(changed.size(), 3);
    }

    void measureIsInOrder()
    {
        Viewport viewport;
        viewport.setMeasure(TimeRange{at(9s), at(4s)});
        QCOMPARE(viewport.measure()->length(), Duration(5s));
        viewport.setMeasure(std::nullopt);
        QVERIFY(!viewport.measure());
    }
};

QTEST_GUILESS_MAIN(TestViewport)
#include "tst_viewport.moc"
