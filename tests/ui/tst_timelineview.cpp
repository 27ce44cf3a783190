// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 240
// The timeline as a person meets it: keys, wheel, mouse, selection, folding, pictures; and that idle means idle.
#include "support/synthetictrace.h"
#include "ui/style/theme.h"
#include "ui/timeline/laneheaders.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/picture.h"
#include "ui/timeline/timelineview.h"
#include "ui/timeline/tips.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QDir>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace Waitscope;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

void wheel(QWidget *over, QPointF at, QPoint turn, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(at, over->mapToGlobal(at), {}, turn, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(over, &event);
}

// A view over a storm that has been looked at in the middle, as a live run is.
class Stage
{
public:
    explicit Stage(Duration until = 40s, int tasks = 4, QSize size = {1280, 800})
    {
        SyntheticTrace what;
        what.tasks = tasks;
        what.until = Instant{until};
        writeSyntheticTrace(store, what);
        view.resize(size);
        view.setStore(&store);
        view.show();
        shownInTime = QTest::qWaitForWindowExposed(&view);
    }
    QWidget *rows() { return view.viewport(); }
    [[nodiscard]] double xOf(Instant t) { return view.shown().scale().xOf(t); }
    // A request in the middle of what is visible.
    SpanId someRequest()
    {
        for (quint32 i = 0; i < store.spanCount(); ++i) {
            const SpanId id = store.spanAtIndex(i);
            const std::optional<SpanInfo> span = store.span(id);
            if (span->kind == SpanKind::Request && span->attempt == 2 && !span->isOpen() && span->end - span->begin > 500ms)
                return id;
        }
        return {};
    }
    QPoint placeOf(SpanId id)
    {
        for (const SpokenSpan &span : view.spokenSpans()) {
            if (span.id == id)
                return span.rect.center() - rows()->pos();
        }
        return {};
    }

    TraceStore store;
    TimelineView view;
    bool shownInTime = false;
};

QString folder()
{
    const QString path = QDir(QCoreApplication::applicationDirPath()).absoluteFilePath(u"../../shots"_s);
    QDir().mkpath(path);
    return path;
}

bool hasManyColours(const QImage &image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colours.insert(image.pixel(x, y));
    }
    return colours.size() > 20;
}

} // namespace

class TestTimelineView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }
    void cleanup() { applyTheme(Theme::Light); }

    void zoomsAtThePointer()
    {
        Stage stage;
        QVERIFY(stage.shownInTime);
        const QPointF at(700, 200);
        const Instant anchor = stage.view.shown().scale().timeAt(at.x());
        const double before = stage.view.shown().scale().nsPerPixel();
        for (int i = 0; i < 5; ++i) {
            wheel(stage.rows(), at, {0, 120}, Qt::ControlModifier);
            QVERIFY(std::abs(stage.xOf(anchor) - at.x()) <= 2);
        }
        QVERIFY(stage.view.shown().scale().nsPerPixel() < before / 2);
        // With the keyboard it is the pointer too.
        QTest::mouseMove(stage.rows(), QPoint(300, 100));
        QMouseEvent move(QEvent::MouseMove, QPointF(300, 100), stage.rows()->mapToGlobal(QPointF(300, 100)), Qt::NoButton,
                         Qt::NoButton, {});
        QCoreApplication::sendEvent(stage.rows(), &move);
        const Instant under = stage.view.shown().scale().timeAt(300);
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&stage.view, Qt::Key_W);
            QVERIFY(std::abs(stage.xOf(under) - 300) <= 2);
        }
        const double deep = stage.view.shown().scale().nsPerPixel();
        QTest::keyClick(&stage.view, Qt::Key_S);
        QVERIFY(stage.view.shown().scale().nsPerPixel() > deep);
    }

    void pansAndScrolls()
    {
        Stage stage(40s, 4, {1280, 400});
        const Instant from = stage.view.shown().visible().from;
        QTest::keyClick(&stage.view, Qt::Key_D);
        const Instant later = stage.view.shown().visible().from;
        QVERIFY(later > from);
        QTest::keyClick(&stage.view, Qt::Key_A);
        QVERIFY(std::abs(toSeconds(stage.view.shown().visible().from - from)) < 0.001);
        wheel(stage.rows(), {500, 100}, {0, -120}, Qt::ShiftModifier);
        QVERIFY(stage.view.shown().visible().from > from);
        // A plain wheel scrolls the rows.
        const Instant still = stage.view.shown().visible().from;
        QCOMPARE(stage.view.verticalScrollBar()->value(), 0);
        wheel(stage.rows(), {500, 100}, {0, -240});
        QVERIFY(stage.view.verticalScrollBar()->value() > 0);
        QCOMPARE(stage.view.shown().visible().from, still);
        // The middle button drags both.
        const int row = stage.view.verticalScrollBar()->value();
        QTest::mousePress(stage.rows(), Qt::MiddleButton, {}, {600, 200});
        QMouseEvent move(QEvent::MouseMove, QPointF(500, 190), stage.rows()->mapToGlobal(QPointF(500, 190)), Qt::NoButton,
                         Qt::MiddleButton, {});
        QCoreApplication::sendEvent(stage.rows(), &move);
        QTest::mouseRelease(stage.rows(), Qt::MiddleButton, {}, {500, 190});
        QVERIFY(stage.view.shown().visible().from > still);
        QCOMPARE(stage.view.verticalScrollBar()->value(), row + 10);
        QTest::keyClick(&stage.view, Qt::Key_F);
        QVERIFY(stage.xOf(stage.store.firstTime()) >= 0);
        QVERIFY(stage.xOf(stage.store.lastTime()) <= stage.rows()->width());
    }

    void selectsMeasuresAndActivates()
    {
        Stage stage;
        const SpanId request = stage.someRequest();
        QVERIFY(request);
        stage.view.reveal(request);
        const std::optional<SpanInfo> span = stage.store.span(request);
        stage.view.shown().setVisible({span->begin - 2s, span->end + 2s});
        const QPoint at = stage.placeOf(request);
        QVERIFY(!at.isNull());
        QSignalSpy selected(&stage.view.shown(), &Viewport::selectionChanged);
        QTest::mouseClick(stage.rows(), Qt::LeftButton, {}, at);
        QCOMPARE(stage.view.shown().selection(), request);
        QCOMPARE(selected.size(), 1);
        QSignalSpy activated(&stage.view, &TimelineView::spanActivated);
        QTest::mouseDClick(stage.rows(), Qt::LeftButton, {}, at);
        QTest::keyClick(&stage.view, Qt::Key_Return);
        QCOMPARE(activated.size(), 2);
        // Dragging measures and selects nothing else.
        QTest::mousePress(stage.rows(), Qt::LeftButton, {}, {100, 50});
        QMouseEvent move(QEvent::MouseMove, QPointF(300, 60), stage.rows()->mapToGlobal(QPointF(300, 60)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(stage.rows(), &move);
        QTest::mouseRelease(stage.rows(), Qt::LeftButton, {}, {300, 60});
        QVERIFY(stage.view.shown().measure());
        QVERIFY(std::abs(stage.view.shown().scale().pixels(stage.view.shown().measure()->length()) - 200) < 1);
        QCOMPARE(stage.view.shown().selection(), request);
        QTest::keyClick(&stage.view, Qt::Key_Escape);
        QVERIFY(!stage.view.shown().measure());
        // A hand that trembles does not drag.
        QTest::mousePress(stage.rows(), Qt::LeftButton, {}, at);
        QMouseEvent tremble(QEvent::MouseMove, QPointF(at) + QPointF(2, 1), stage.rows()->mapToGlobal(QPointF(at)), Qt::NoButton,
                            Qt::LeftButton, {});
        QCoreApplication::sendEvent(stage.rows(), &tremble);
        QTest::mouseRelease(stage.rows(), Qt::LeftButton, {}, at + QPoint(2, 1));
        QVERIFY(!stage.view.shown().measure());
        QCOMPARE(stage.view.shown().selection(), request);
        // Empty ground selects nothing.
        QTest::mouseClick(stage.rows(), Qt::LeftButton, {}, {stage.rows()->width() - 1, stage.rows()->height() - 1});
        QVERIFY(!stage.view.shown().selection());
    }

    void stepsThroughEventsAndCauses()
    {
        Stage stage;
        Instant last = Instant::min();
        for (int i = 0; i < 30; ++i) {
            QTest::keyClick(&stage.view, '.');
            QVERIFY(stage.view.shown().cursor());
            QVERIFY(*stage.view.shown().cursor() > last);
            last = *stage.view.shown().cursor();
            QVERIFY(stage.view.shown().selection());
            QVERIFY(stage.xOf(last) >= 0 && stage.xOf(last) <= stage.rows()->width());
        }
        QTest::keyClick(&stage.view, ',');
        QVERIFY(*stage.view.shown().cursor() < last);
        // A retry and what led to it.
        const SpanId request = stage.someRequest();
        stage.view.shown().select(request);
        QTest::keyClick(&stage.view, '[');
        const SpanId cause = stage.view.shown().selection();
        QCOMPARE(cause, stage.store.causeOf(request));
        QTest::keyClick(&stage.view, ']');
        QCOMPARE(stage.view.shown().selection(), request);
        QTest::keyClick(&stage.view, Qt::Key_Up);
        QCOMPARE(stage.view.shown().selection(), stage.store.parentOf(request));
        QTest::keyClick(&stage.view, Qt::Key_Down);
        QCOMPARE(stage.store.parentOf(stage.view.shown().selection()), stage.store.parentOf(request));
        const SpanId first = stage.view.shown().selection();
        QTest::keyClick(&stage.view, Qt::Key_Right);
        QVERIFY(stage.view.shown().selection() != first);
        QTest::keyClick(&stage.view, Qt::Key_Left);
        QCOMPARE(stage.view.shown().selection(), first);
    }

    void bookmarksAndFolding()
    {
        Stage stage;
        stage.view.shown().select(stage.someRequest());
        QTest::keyClick(&stage.view, Qt::Key_M);
        QCOMPARE(stage.view.shown().bookmarks().size(), 1u);
        QTest::keyClick(&stage.view, Qt::Key_M);
        QVERIFY(stage.view.shown().bookmarks().empty());
        const size_t all = stage.view.spokenSpans().size();
        stage.view.collapseAll();
        const size_t folded = stage.view.spokenSpans().size();
        QVERIFY(folded > 0 && folded < all);
        QCOMPARE(stage.view.verticalScrollBar()->maximum(), 0);
        // To look at something inside unfolds it.
        stage.view.reveal(stage.someRequest());
        QVERIFY(stage.view.spokenSpans().size() > folded);
        stage.view.expandAll();
        stage.view.shown().fit();
        QCOMPARE(stage.view.spokenSpans().size(), all);
        QTest::keyClick(&stage.view, '-');
        QVERIFY(stage.view.spokenSpans().size() < all);
    }

    void leavesOtherKeysToTheWindow()
    {
        Stage stage;
        const TimeRange before = stage.view.shown().visible();
        QTest::keyClick(&stage.view, Qt::Key_S, Qt::ControlModifier); // save
        QTest::keyClick(&stage.view, Qt::Key_Slash);                  // search
        QCOMPARE(stage.view.shown().visible(), before);
        QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_W, {}, u"w"_s);
        override.ignore();
        QCoreApplication::sendEvent(&stage.view, &override);
        QVERIFY(override.isAccepted());
        QKeyEvent save(QEvent::ShortcutOverride, Qt::Key_S, Qt::ControlModifier);
        save.ignore();
        QCoreApplication::sendEvent(&stage.view, &save);
        QVERIFY(!save.isAccepted());
    }

    void idleRepaintsNothing()
    {
        Stage stage;
        Instant now{40s};
        stage.view.setNow([&now] { return now; });
        QTest::qWait(100); // whatever the first show brought
        const quint64 paints = stage.view.counters().paints;
        const quint64 rows = stage.view.counters().rowsDrawn;
        // Time that stands still, and a store that says it changed but did not.
        for (int i = 0; i < 20; ++i) {
            stage.view.storeChanged();
            QTest::qWait(20);
        }
        QCOMPARE(stage.view.counters().paints, paints);
        QCOMPARE(stage.view.counters().rowsDrawn, rows);
        // Time that moves by less than a pixel, then by more.
        now += 1ms;
        stage.view.storeChanged();
        QTest::qWait(50);
        QCOMPARE(stage.view.counters().rowsDrawn, rows);
        now += 2s;
        QTRY_VERIFY(stage.view.counters().rowsDrawn > rows);
        QTRY_VERIFY(stage.view.counters().paints > paints);
        // An ended run has no present.
        stage.view.setNow({});
        QTest::qWait(100);
        const quint64 ended = stage.view.counters().paints;
        QTest::qWait(400); // silence can only be waited for
        QCOMPARE(stage.view.counters().paints, ended);
    }

    // Real time passes here: pixels of 50 ms, watched for a second. More than sixty paints would be more than the rate of a
    // screen; far fewer than the pixels passed would be a frozen picture. Wide margins, because the machine may be busy.
    void openSpansGrowAtTheRateOfPixels()
    {
        Stage stage;
        QElapsedTimer clock;
        clock.start();
        stage.view.setNow([&clock] { return Instant{40s} + std::chrono::milliseconds(clock.elapsed()); });
        stage.view.shown().setVisible({Instant{0s}, Instant{50ms * stage.rows()->width()}});
        QTest::qWait(100);
        const quint64 paints = stage.view.counters().paints;
        clock.restart();
        QTest::qWait(1000);
        const quint64 done = stage.view.counters().paints - paints;
        const double passed = static_cast<double>(clock.elapsed()) * stage.view.devicePixelRatioF();
        QVERIFY2(done >= 4, qPrintable(QString::number(done)));
        QVERIFY2(static_cast<double>(done) <= passed / 50 + passed / 100 + 4, qPrintable(QString::number(done)));
    }

    void onlyTheChangedRowsAreDrawn()
    {
        TraceStore store;
        const auto write = [&store](auto event, Duration at) {
            event.at = Instant{at};
            store.write(event);
        };
        SpanBegan task;
        for (quint64 i = 1; i <= 10; ++i) {
            task.id = SpanId{i};
            write(task, 0s);
        }
        TimelineView view;
        view.resize(1000, 500);
        view.setStore(&store);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.shown().setVisible({Instant{0s}, Instant{100s}});
        view.setNow([&store] { return store.lastTime(); });
        view.shown().setFollowing(false);
        QTest::qWait(100);
        const quint64 before = view.counters().rowsDrawn;
        SpanEnded end;
        end.id = SpanId{3};
        end.outcome = Outcome::Error;
        write(end, 1ns); // the end alone: the present moved by no pixel
        view.storeChanged();
        QTRY_COMPARE(view.counters().rowsDrawn, before + 1);
    }

    // As the window does it: the store is there before its first event.
    void aRunIsInViewFromItsBeginToItsEnd()
    {
        TraceStore store;
        TraceHeader header;
        header.scale = 100;
        store.setHeader(header);
        TimelineView view;
        view.resize(1000, 500);
        view.setStore(&store);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.fit();
        Instant now{0s};
        view.setNow([&now] { return now; });
        SpanBegan task;
        task.id = SpanId{1};
        task.at = now;
        store.write(task);
        for (const Duration at : {Duration(1ms), Duration(140s), Duration(4000s)}) {
            now = Instant{at};
            view.storeChanged();
            QVERIFY(view.shown().isFollowing());
            const TimeRange seen = view.shown().visible();
            QVERIFY(seen.from <= Instant{0s} && seen.to >= now && seen.length() >= 10s);
        }
        SpanEnded end;
        end.id = SpanId{1};
        end.at = Instant{4450s};
        store.write(end);
        view.setNow({});
        QVERIFY(!view.shown().isFollowing());
        const double x = view.shown().scale().xOf(end.at);
        QVERIFY2(x > view.viewport()->width() - 30 && x <= view.viewport()->width(), qPrintable(QString::number(x)));
    }

    // Whoever looks at the new rows first, time or paint: the headers have room for their names, and all can be scrolled to.
    void newRowsHaveRoomForTheirNames()
    {
        TraceStore store;
        TimelineView view;
        view.resize(900, 200);
        view.setStore(&store);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        Instant now{0s};
        view.setNow([&now] { return now; });
        const auto *headers = view.findChild<LaneHeaders *>();
        QTest::qWait(50); // painted, and not waiting for another paint
        const int before = headers->width();
        for (quint64 i = 1; i <= 20; ++i) {
            SpanBegan task;
            task.id = SpanId{i};
            task.label = u"a task with a rather long name %1"_s.arg(i);
            task.at = now + 1s;
            store.write(task);
        }
        now += 2s;
        view.storeChanged();
        QVERIFY(headers->width() > before);
        QVERIFY(headers->width() >= view.fontMetrics().horizontalAdvance(u"a task with a rather long name 20"_s));
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        SpanBegan longer;
        longer.id = SpanId{21};
        longer.label = u"a task with an even longer name 21"_s;
        longer.at = now;
        store.write(longer);
        const int rows = view.verticalScrollBar()->maximum();
        view.shown().panBy(1); // a paint comes before anybody says that the store changed
        QTRY_VERIFY(view.verticalScrollBar()->maximum() > rows);
    }

    // A mark at a span's very begin stands in the span.
    void marksStandWithTheirSpans()
    {
        TraceStore store;
        SpanBegan request;
        request.id = SpanId{1};
        request.kind = SpanKind::Request;
        request.layer = Layer::Stream;
        request.at = Instant{10s};
        store.write(request);
        Marked mark;
        mark.span = request.id;
        mark.kind = MarkKind::Committed;
        mark.at = Instant{10'001ms};
        store.write(mark);
        SpanEnded end;
        end.id = request.id;
        end.at = Instant{40s};
        store.write(end);
        RowLayout layout;
        layout.update(&store, RowMetrics::comfortable(QFontMetrics(QApplication::font())));
        RowContext context;
        context.store = &store;
        context.device = TimeScale::fitting(Instant{0s}, Instant{50s}, 500);
        context.to = context.device.to();
        context.now = Instant{40s};
        context.sign = 12;
        const int begin = 100; // pixels
        bool found = false;
        Labels texts;
        for (const Row &row : layout.rows()) {
            RowGeometry geometry;
            int budget = Labels::withoutLimit;
            geometry.compute(context, row, {}, texts, budget);
            for (const Sign &sign : geometry.signs) {
                found = found || sign.kind == SignKind::Mark;
                QVERIFY2(sign.x >= begin, qPrintable(QString::number(sign.x)));
            }
        }
        QVERIFY(found);
    }

    void theLegendIsBesideTheScrollBar()
    {
        for (const int width : {700, 1000, 1280}) {
            Stage stage(40s, 12, {width, 500});
            QScrollBar *bar = stage.view.verticalScrollBar();
            QVERIFY(bar->isVisible());
            const auto *legend = stage.view.findChild<Legend *>();
            QVERIFY(legend->geometry().right() < bar->mapTo(&stage.view, QPoint()).x());
            QVERIFY(legend->height() >= legend->heightForWidth(legend->width()));
        }
    }

    void followPauseAndChip()
    {
        Stage stage;
        Instant now{40s};
        stage.view.setNow([&now] { return now; });
        QVERIFY(stage.view.shown().isFollowing());
        auto *chip = stage.rows()->findChild<QAbstractButton *>();
        QVERIFY(chip && !chip->isVisible());
        QTest::keyClick(&stage.view, Qt::Key_A);
        QVERIFY(!stage.view.shown().isFollowing());
        QVERIFY(chip->isVisible());
        QTest::keyClick(&stage.view, Qt::Key_End);
        QVERIFY(stage.view.shown().isFollowing());
        QVERIFY(!chip->isVisible());
        QTest::keyClick(&stage.view, Qt::Key_Space);
        QVERIFY(stage.view.shown().isPaused());
        QVERIFY(chip->isVisible());
        now += 100s;
        stage.view.storeChanged();
        QCOMPARE(stage.view.shown().now(), Instant{40s});
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!stage.view.shown().isPaused());
        QCOMPARE(stage.view.shown().now(), Instant{140s});
        QTest::keyClick(&stage.view, Qt::Key_Home);
        QVERIFY(!stage.view.shown().isFollowing());
        QVERIFY(stage.xOf(Instant{0s}) >= 0 && stage.xOf(Instant{0s}) < 30);
    }

    // While paused the store goes on; what is drawn does not, even when the view moves.
    void pausedShowsWhatWasThen()
    {
        SyntheticTrace what;
        what.tasks = 2;
        what.until = Instant{20s};
        TraceStore store;
        writeSyntheticTrace(store, what);
        Picture picture;
        picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        picture.setStore(&store);
        PictureView view{TimeScale::fitting(Instant{0s}, Instant{60s}, 1200), Instant{20s}, true, 0, 600};
        picture.refresh(view);
        for (const ShownBar &bar : picture.shownBars(100000, false))
            QVERIFY(bar.rect.right() <= view.scale.xOf(view.now) + 2);
        TraceStore whole;
        what.until = never;
        writeSyntheticTrace(whole, what);
        Picture later;
        later.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        later.setStore(&whole);
        later.refresh(view);
        QVERIFY(!later.shownBars(100000, false).empty());
        for (const ShownBar &bar : later.shownBars(100000, false)) {
            QVERIFY(bar.rect.right() <= view.scale.xOf(view.now) + 2);
            QVERIFY(whole.span(bar.id)->begin <= view.now);
        }
    }

    void partialRedrawEqualsWholeRedraw_data()
    {
        QTest::addColumn<int>("tasks");
        QTest::newRow("few") << 6;
        QTest::newRow("so many that rows become narrow on the way") << 24;
    }
    void partialRedrawEqualsWholeRedraw()
    {
        QFETCH(int, tasks);
        // The same events, once in many pieces with a refresh after each, once at the end.
        SyntheticTrace what;
        what.tasks = tasks;
        what.until = Instant{60s};
        struct Piecewise final : EventSink {
            void write(const Event &event) override
            {
                store.write(event);
                if (++count % 7 == 0)
                    refresh();
            }
            void refresh()
            {
                view.now = store.lastTime();
                picture.refresh(view);
            }
            TraceStore store;
            Picture picture;
            PictureView view{TimeScale::fitting(Instant{0s}, Instant{62s}, 900), Instant{}, false, 0, 900};
            int count = 0;
        } piecewise;
        piecewise.picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        piecewise.picture.setStore(&piecewise.store);
        writeSyntheticTrace(piecewise, what);
        piecewise.refresh();
        Picture whole;
        whole.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        whole.setStore(&piecewise.store);
        whole.refresh(piecewise.view, Labels::withoutLimit);
        while (piecewise.picture.isUnfinished())
            piecewise.refresh();
        const auto drawn = [](const Picture &picture) {
            QImage image(900, 900, QImage::Format_RGB32);
            QPainter painter(&image);
            picture.draw(painter, image.rect());
            return image;
        };
        const QImage a = drawn(piecewise.picture);
        const QImage b = drawn(whole);
        QVERIFY(hasManyColours(b));
        if (a != b) {
            a.save(folder() + u"/partial.png"_s);
            b.save(folder() + u"/whole.png"_s);
        }
        QVERIFY(a == b);
    }

    void tipsSayWhatItIs()
    {
        Stage stage;
        SpanId failed;
        for (quint32 i = 0; i < stage.store.spanCount(); ++i) {
            const std::optional<SpanInfo> span = stage.store.span(stage.store.spanAtIndex(i));
            if (span->kind == SpanKind::Request && span->type == u"ConnectTimeout"_s)
                failed = span->id;
        }
        QVERIFY(failed);
        const QString tip = spanTip(stage.store, failed, Instant{40s});
        for (const QString &part : {u"request"_s, u"attempt"_s, u"ConnectTimeout"_s, u"30"_s, u"(empty)"_s, u"127.0.0.1"_s})
            QVERIFY2(tip.contains(part), qPrintable(part + u" in "_s + tip));
        SpanBegan bad;
        bad.id = SpanId{1};
        bad.label = u"<img src=x>"_s;
        TraceStore store;
        store.write(bad);
        SpanEnded ended;
        ended.id = SpanId{1};
        ended.outcome = Outcome::Error;
        ended.text = u"<img src=y>"_s;
        store.write(ended);
        QVERIFY(!spanTip(store, SpanId{1}, Instant{}).contains(u"<img"_s));
        QVERIFY(spanTip(store, SpanId{1}, Instant{}).contains(u"&lt;img src=y"_s));
        QVERIFY(!stage.store.armedTimers().empty());
        const QString timer = timerTip(stage.store, stage.store.armedTimers().front(), Instant{40s});
        QVERIFY(timer.contains(u"timer"_s) && timer.contains(u"armed with"_s));
    }

    void assistiveTechnologySeesTheSpans()
    {
        Stage stage;
        QAccessibleInterface *timeline = QAccessible::queryAccessibleInterface(&stage.view);
        QVERIFY(timeline);
        QCOMPARE(timeline->role(), QAccessible::List);
        const int count = timeline->childCount();
        QVERIFY(count > 10 && count <= int(mostSpokenSpans));
        QAccessibleInterface *child = timeline->child(count / 2);
        QVERIFY(child);
        QVERIFY(!child->text(QAccessible::Name).isEmpty());
        QVERIFY(child->text(QAccessible::Description).contains(u"started at"_s));
        QCOMPARE(timeline->indexOfChild(child), count / 2);
        const QPoint middle = child->rect().center();
        QAccessibleInterface *under = timeline->childAt(middle.x(), middle.y());
        QVERIFY(under && under->rect().contains(middle));
        // It can be selected, and what is selected is said.
        QVERIFY(child->actionInterface());
        child->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(stage.view.shown().selection());
        QVERIFY(child->state().selected);
        QCOMPARE(timeline->focusChild(), child);
        // Another view, other children.
        const SpanId first = stage.view.spokenSpans().front().id;
        stage.view.shown().setVisible({Instant{39s}, Instant{40s}});
        QVERIFY(timeline->childCount() != count || stage.view.spokenSpans().front().id == first);
        stage.view.setStore(nullptr);
        QCOMPARE(timeline->childCount(), 0);
    }

    void emptyAndStrangeStoresAreShown()
    {
        TimelineView view;
        view.resize(900, 400);
        view.show();
        QVERIFY(!view.grab().isNull());
        for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_Period, Qt::Key_Down, Qt::Key_M, Qt::Key_End, Qt::Key_Home})
            QTest::keyClick(&view, key);
        TraceStore store;
        view.setStore(&store);
        QVERIFY(!view.grab().isNull());
        SpanBegan span;
        span.id = SpanId{1};
        store.write(span); // nothing but a beginning
        TimerArmed endless;
        endless.id = TimerId{1};
        endless.owner = span.id;
        endless.due = never;
        store.write(endless);
        view.storeChanged();
        QVERIFY(!view.grab().isNull());
        QTest::keyClick(&view, Qt::Key_F);
        QVERIFY(!view.grab().isNull());
        view.resize(40, 30);
        QVERIFY(!view.grab().isNull());
    }

    void pictures_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        for (const char *theme : {"light", "dark"}) {
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
                QTest::addRow("%s-%d", theme, size.width()) << QString::fromLatin1(theme) << size;
        }
    }
    void pictures()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        applyTheme(*themeFromWord(theme));
        const QString name = folder() + u"/timeline-%1-%2"_s.arg(theme).arg(size.width());
        Stage stage(75s, 4, size);
        stage.view.setNow([] { return Instant{76200ms}; });
        QCoreApplication::processEvents();
        QVERIFY(stage.view.grab().save(name + u".png"_s));
        QVERIFY(hasManyColours(stage.view.grab().toImage()));
        // Zoomed in, with a selection, a measured range and a bookmark.
        stage.view.shown().setVisible({Instant{52s}, Instant{80s}});
        stage.view.shown().select(stage.someRequest());
        stage.view.shown().setMeasure(TimeRange{Instant{56s}, Instant{60s}});
        stage.view.shown().toggleBookmark(Instant{66s});
        QCoreApplication::processEvents();
        QVERIFY(stage.view.grab().save(name + u"-near.png"_s));
        // What has not happened yet: countdowns, deadlines, watchdogs.
        Stage ahead(33s, 8, size);
        ahead.view.setNow([] { return Instant{33400ms}; });
        ahead.view.shown().setVisible({Instant{20s}, Instant{100s}});
        QCoreApplication::processEvents();
        QVERIFY(ahead.view.grab().save(name + u"-ahead.png"_s));
        Stage alarm(100s, 8, size);
        alarm.view.shown().setVisible({Instant{50s}, Instant{75s}});
        alarm.view.verticalScrollBar()->setValue(alarm.view.verticalScrollBar()->maximum());
        QCoreApplication::processEvents();
        QVERIFY(alarm.view.grab().save(name + u"-alarm.png"_s));
        stage.view.setSimulated(true);
        const QImage exported = stage.view.renderToImage({1000, 600}, 2);
        QCOMPARE(exported.size(), QSize(2000, 1200));
        QVERIFY(exported.save(name + u"-export.png"_s));
    }

    void manyLanesAreCompact()
    {
        Stage stage(4h, 300, {1920, 1080});
        QVERIFY(stage.store.laneCount() > 96);
        QVERIFY(stage.view.grab().save(folder() + u"/timeline-many.png"_s));
        stage.view.shown().setVisible({Instant{100s}, Instant{180s}});
        // In the midst of a movement labels come over a few frames, and then they are all there.
        QVERIFY(!stage.view.grab().isNull());
        const auto labelled = [&stage] { return stage.view.spokenSpans().size(); };
        size_t before = 0;
        QTRY_VERIFY(before == std::exchange(before, labelled()) && before > 300);
        QVERIFY(stage.view.grab().save(folder() + u"/timeline-many-near.png"_s));
    }

    void vectorExportIsReadable()
    {
        Stage stage;
        const QString path = folder() + u"/timeline.svg"_s;
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize({1200, 700});
        svg.setViewBox(QRect(0, 0, 1200, 700));
        QPainter painter(&svg);
        stage.view.paint(painter, QRectF(0, 0, 1200, 700), true);
        painter.end();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("task-1"));
        QVERIFY(text.size() < 4 << 20);
    }
};

QTEST_MAIN(TestTimelineView)
#include "tst_timelineview.moc"
