// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, labels, timers as shapes and what lies over the rows: the parts of the timeline that need no window.
#include "support/synthetictrace.h"
#include "ui/style/theme.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/picture.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTest>

#include <set>

using namespace Waitscope;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

TraceStore *storm(TraceStore &store, int tasks, Duration until)
{
    SyntheticTrace what;
    what.tasks = tasks;
    what.until = Instant{until};
    writeSyntheticTrace(store, what);
    return &store;
}

RowMetrics metrics()
{
    return RowMetrics::comfortable(QFontMetrics(textFont(9)));
}

class Writer
{
public:
    explicit Writer(TraceStore &store)
        : m_store(store)
    {
    }
    SpanId begin(SpanKind kind, Duration at, SpanId parent = {}, const QString &label = {})
    {
        SpanBegan span;
        span.at = Instant{at};
        span.id = SpanId{++m_spans};
        span.parent = parent;
        span.kind = kind;
        span.label = label;
        m_store.write(span);
        return span.id;
    }
    void end(SpanId id, Duration at)
    {
        SpanEnded span;
        span.at = Instant{at};
        span.id = id;
        m_store.write(span);
    }
    TimerId arm(TimerKind kind, SpanId owner, Duration at, Duration value)
    {
        TimerArmed timer;
        timer.at = Instant{at};
        timer.id = TimerId{++m_timers};
        timer.owner = owner;
        timer.kind = kind;
        timer.value = value;
        timer.due = Instant{at + value};
        m_store.write(timer);
        return timer.id;
    }

private:
    TraceStore &m_store;
    quint64 m_spans = 0;
    quint64 m_timers = 0;
};

} // namespace

class TestRowLayout : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void rowsFollowTheLanes()
    {
        TraceStore store;
        RowLayout layout;
        QVERIFY(layout.update(storm(store, 4, 40s), metrics()));
        QCOMPARE(layout.rows().size(), size_t(store.laneCount()));
        QVERIFY(!layout.update(&store, metrics())); // nothing came
        int bottom = 0;
        std::set<bool> shades;
        for (size_t i = 0; i < layout.rows().size(); ++i) {
            const Row &row = layout.rows()[i];
            QCOMPARE(row.lane, store.laneOrder()[i]);
            QCOMPARE(row.top, bottom);
            bottom = row.bottom();
            QCOMPARE(layout.rowAt(row.top), std::optional(i));
            QCOMPARE(layout.rowAt(row.bottom() - 1), std::optional(i));
            QCOMPARE(layout.rowOf(row.lane), std::optional(i));
            QVERIFY(!row.title.isEmpty());
            if (row.isRoot())
                shades.insert(row.shaded);
        }
        QCOMPARE(layout.height(), bottom);
        QCOMPARE(shades.size(), 2u);
        QVERIFY(!layout.rowAt(-1));
        QVERIFY(!layout.rowAt(bottom));
        QVERIFY(!layout.rowOf(LaneId{99999}));
        const auto [first, last] = layout.taskRows(2);
        QCOMPARE(first, 0u);
        QVERIFY(last > 2 && layout.rows()[last].isRoot());
    }

    void foldingHidesWhatIsInside()
    {
        TraceStore store;
        RowLayout layout;
        layout.update(storm(store, 3, 40s), metrics());
        const size_t all = layout.rows().size();
        const LaneId root = layout.rows().front().lane;
        const LaneId inner = layout.rows()[3].lane;
        layout.setCollapsed(root, true);
        QVERIFY(layout.update(&store, metrics()));
        QVERIFY(layout.rows().size() < all);
        QVERIFY(layout.rows().front().collapsed && layout.rows().front().hasChildren);
        QVERIFY(layout.rows()[1].isRoot());
        QVERIFY(!layout.rowOf(inner));
        QCOMPARE(layout.rowShowing(store, inner), std::optional<size_t>(0));
        layout.collapseAll();
        layout.update(&store, metrics());
        QCOMPARE(layout.rows().size(), 3u);
        layout.expandAll();
        layout.update(&store, metrics());
        QCOMPARE(layout.rows().size(), all);
        // Another store begins unfolded.
        layout.collapseAll();
        TraceStore other;
        layout.update(storm(other, 3, 40s), metrics());
        QCOMPARE(layout.rows().size(), size_t(other.laneCount()));
        QVERIFY(layout.update(nullptr, metrics()));
        QVERIFY(layout.rows().empty());
    }

    void rowsThatManyTasksShareSaySo()
    {
        StoreLimits limits;
        limits.tasksWithOwnRows = 1;
        TraceStore store(limits);
        Writer write(store);
        write.end(write.begin(SpanKind::Task, 0s, {}, u"alpha"_s), 1s);
        RowLayout layout;
        layout.update(&store, metrics());
        QCOMPARE(layout.rows().front().title, u"alpha"_s);
        write.begin(SpanKind::Task, 2s, {}, u"beta"_s);
        QVERIFY(layout.update(&store, metrics())); // no new lane, another title
        QCOMPARE(layout.rows().front().title, u"alpha and others"_s);
        QVERIFY(!layout.update(&store, metrics()));
    }

    void timersStandInFiringOrder()
    {
        TraceStore store;
        Writer write(store);
        const SpanId task = write.begin(SpanKind::Task, 0s);
        const SpanId request = write.begin(SpanKind::Request, 1s, task);
        write.arm(TimerKind::Watchdog, task, 1s, 300s);
        write.arm(TimerKind::Read, request, 2s, 90s);
        write.arm(TimerKind::Idle, request, 3s, 30s);
        write.arm(TimerKind::Total, request, 4s, 600s);
        const TimerShapes shapes = armedShapes(store);
        QCOMPARE(shapes.lines.size(), 1u);
        QCOMPARE(shapes.lines.front().kind, TimerKind::Watchdog);
        QCOMPARE(shapes.lines.front().at, Instant{301s});
        QCOMPARE(shapes.bars.size(), 3u);
        QCOMPARE(shapes.bars[0].kind, TimerKind::Idle);
        QCOMPARE(shapes.bars[1].kind, TimerKind::Read);
        QCOMPARE(shapes.bars[2].kind, TimerKind::Total);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(shapes.bars[size_t(i)].slot, i);
        QVERIFY(armedShapes(store) == shapes);
        TimerDisarmed gone;
        gone.at = Instant{5s};
        gone.id = shapes.bars[0].id;
        store.write(gone);
        QCOMPARE(armedShapes(store).bars.front().slot, 0);
        QCOMPARE(armedShapes(store).bars.front().kind, TimerKind::Read);
    }

    void labelsFitOrAreLeftOut()
    {
        SpanInfo span;
        span.kind = SpanKind::Request;
        span.attempt = 2;
        span.maxAttempts = 3;
        span.end = Instant{30s};
        span.outcome = Outcome::Error;
        span.type = u"ConnectTimeout"_s;
        const QStringList texts = labelTexts(span);
        QVERIFY(texts.first().contains(u"ConnectTimeout"_s));
        QCOMPARE(texts.last(), u"2/3"_s);
        // A number alone says little: what it counts comes before its label goes.
        SpanInfo exec = span;
        exec.kind = SpanKind::Exec;
        exec.maxAttempts = 0;
        exec.label = u"a task with a long name"_s;
        QCOMPARE(labelTexts(exec).mid(2), (QStringList{u"exec 2: a task with a long name"_s, u"exec 2"_s, u"2"_s}));
        QVERIFY(static_cast<size_t>(labelTexts(exec).size()) <= mostTexts);
        Labels labels;
        QVERIFY(labels.setStyle(textFont(9), 1));
        QVERIFY(!labels.setStyle(textFont(9), 1));
        TraceStore store;
        Writer write(store);
        write.end(write.begin(SpanKind::Task, 0s, {}, u"a task with quite a long name"_s), 12s);
        int last = 0;
        Labels::Fitting longest;
        for (int room = 0; room < 600; room += 5) {
            const Labels::Fitting fitting = labels.fitting(store, SpanId{1}, true, room);
            QVERIFY(fitting.width <= room);
            QVERIFY(fitting.width >= last); // more room, never a shorter text
            QCOMPARE(fitting.text.isEmpty(), fitting.width == 0);
            last = fitting.width;
            longest = fitting;
        }
        QVERIFY(longest.text.contains(u"12"_s));
        QCOMPARE(labels.image(longest.text, longest.width, Qt::black)->width(), longest.width);
        // A frame makes only so many; the rest comes later.
        labels.beginFrame(1);
        QVERIFY(labels.fitting(store, SpanId{1}, true, 600).text == longest.text); // known: costs nothing
        QVERIFY(!labels.isUnfinished());
        QVERIFY(labels.image(longest.text, longest.width, Qt::red));
        QVERIFY(!labels.image(longest.text, longest.width, Qt::blue));
        QVERIFY(labels.isUnfinished());
        labels.beginFrame(1);
        QVERIFY(labels.image(longest.text, longest.width, Qt::blue));
        QVERIFY(!labels.isUnfinished());
        span.label = u"one\ntwo"_s + QString(500, u'x');
        span.kind = SpanKind::Task;
        span.attempt = 0;
        QVERIFY(!labelTexts(span).last().contains(u'\n'));
        QVERIFY(labelTexts(span).last().size() <= 120);
    }

    void linesStandOverTheirTaskAndTheirLabelsApart()
    {
        TraceStore store;
        Writer write(store);
        const SpanId first = write.begin(SpanKind::Task, 0s, {}, u"alpha"_s);
        const SpanId exec = write.begin(SpanKind::Exec, 0s, first);
        write.begin(SpanKind::Task, 0s, {}, u"beta"_s);
        write.arm(TimerKind::Watchdog, first, 0s, 50s);
        write.arm(TimerKind::Deadline, exec, 0s, 50500ms);
        Picture picture;
        picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        picture.setStore(&store);
        Viewport viewport;
        viewport.setWidth(1000);
        viewport.setVisible({Instant{0s}, Instant{100s}});
        viewport.setContent({Instant{0s}, Instant{10s}}, Instant{10s});
        picture.refresh({viewport.scale(), viewport.now(), false, 0, 400});
        const std::vector<OverlayShape> shapes = overlayOf(picture, viewport, true);
        std::vector<OverlayShape> lines;
        int nows = 0;
        for (const OverlayShape &shape : shapes) {
            if (shape.kind == OverlayKind::Timer)
                lines.push_back(shape);
            nows += shape.kind == OverlayKind::Now;
        }
        QCOMPARE(nows, 1);
        QCOMPARE(lines.size(), 2u);
        QVERIFY(!lines[0].label.intersects(lines[1].label));
        for (const OverlayShape &line : lines) {
            QCOMPARE(line.rect.top(), 0);
            QCOMPARE(line.rect.bottom() + 1, picture.layout().rows()[2].top); // not over the other task
        }
        QCOMPARE(lines[0].text, u"watchdog 50\u00a0s"_s);
        QVERIFY(differenceOf(shapes, shapes).isEmpty());
        viewport.setContent({Instant{0s}, Instant{10s}}, Instant{20s});
        const QRegion moved = differenceOf(shapes, overlayOf(picture, viewport, true));
        QVERIFY(moved.contains(QPoint(100, 50)) && moved.contains(QPoint(200, 50)));
        QVERIFY(moved.boundingRect().width() < 120); // the two places of one line
    }

    // When so many lanes come that rows become narrow, what was drawn before is measured anew in the smaller letters.
    void growingNarrowChangesEverything()
    {
        StoreLimits limits;
        limits.tasksWithOwnRows = 1000;
        TraceStore store(limits);
        Writer write(store);
        // Their bars are 413 pixels wide.
        QString name = u"a task"_s;
        while (QFontMetrics(textFont(9)).horizontalAdvance(name) < 420)
            name += u" again"_s;
        for (int i = 0; i < 6; ++i)
            write.end(write.begin(SpanKind::Task, 1s, {}, name), 60s);
        const auto drawn = [](const Picture &picture) {
            QImage image(700, 500, QImage::Format_RGB32);
            QPainter painter(&image);
            picture.draw(painter, image.rect());
            return image;
        };
        const PictureView view{TimeScale::fitting(Instant{0s}, Instant{100s}, 700), Instant{80s}, false, 0, 500};
        Picture picture;
        picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        picture.setStore(&store);
        picture.refresh(view);
        const int high = picture.layout().rows().front().height;
        QVERIFY(picture.shownBars(100, true).empty());
        for (int i = 0; i < 150; ++i)
            write.begin(SpanKind::Task, 61s);
        picture.refresh(view);
        QVERIFY(picture.layout().rows().front().height < high);
        Picture fresh;
        fresh.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        fresh.setStore(&store);
        fresh.refresh(view);
        QCOMPARE(fresh.shownBars(6, true).size(), 6u);
        QVERIFY(drawn(picture) == drawn(fresh));
    }

    void everySpanIsFoundWhereItIsDrawn()
    {
        TraceStore store;
        storm(store, 4, 60s);
        Picture picture;
        picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        picture.setStore(&store);
        picture.refresh({TimeScale::fitting(Instant{0s}, Instant{62s}, 1400), Instant{60s}, false, 30, 500});
        const std::vector<ShownBar> bars = picture.shownBars(100000, false);
        QVERIFY(bars.size() > 50);
        for (const ShownBar &bar : bars) {
            QVERIFY(picture.rectOf(bar.id).adjusted(-1, -1, 1, 1).contains(bar.rect.center()));
            if (bar.rect.width() > 8)
                QCOMPARE(picture.spanAt(bar.rect.center()), bar.id);
        }
        QVERIFY(!picture.spanAt(QPointF(-50, 20)));
        QVERIFY(!picture.spanAt(QPointF(50, 1e6)));
        QVERIFY(picture.shownBars(10, false).size() == 10);
    }

    // A row may not look at more than so much, whatever the zoom; what went wrong is in the picture all the same.
    void failuresAreVisibleAtEveryZoom()
    {
        TraceStore store;
        SyntheticTrace what;
        what.tasks = 400;
        what.workers = 4;
        what.maxSpans = 20000;
        writeSyntheticTrace(store, what);
        Picture picture;
        picture.setStyle(paletteOf(Scheme::Light), textFont(9), 1);
        picture.setStore(&store);
        const Palette &palette = paletteOf(Scheme::Light);
        std::set<QRgb> marks;
        for (const Outcome outcome : allOf<Outcome>()) {
            if (outcome != Outcome::Ok)
                marks.insert(palette.outcome(outcome).rgb());
        }
        for (const Duration length : {Duration(store.lastTime() - store.firstTime()), Duration(3h), Duration(20min), Duration(90s)}) {
            picture.refresh({TimeScale::fitting(Instant{0s}, Instant{length}, 1200), store.lastTime(), false, 0, 800});
            QImage image(1200, 800, QImage::Format_RGB32);
            QPainter painter(&image);
            picture.draw(painter, image.rect());
            int failures = 0;
            for (const Row &row : picture.layout().rows()) {
                const RowMetrics &m = picture.layout().metrics();
                const int foot = row.top + m.above + m.bar - 2; // the underline of a failure
                const Lane &lane = store.lane(row.lane);
                for (quint32 i = 0; i < lane.failures().size() && foot < image.height(); ++i) {
                    const quint32 at = lane.failures()[i];
                    const int x = static_cast<int>(std::floor(picture.view().scale.xOf(lane.begin(at))));
                    if (x < 1 || x >= image.width() - 2 || lane.spanClass(at) == SpanClass::Backoff)
                        continue;
                    ++failures;
                    QVERIFY2(marks.contains(image.pixel(x - 1, foot)) || marks.contains(image.pixel(x, foot))
                                 || marks.contains(image.pixel(x + 1, foot)),
                             qPrintable(u"%1 at %2, %3"_s.arg(row.title).arg(x).arg(foot)));
                }
            }
            QVERIFY2(failures > 10, qPrintable(QString::number(failures)));
        }
    }
};

QTEST_MAIN(TestRowLayout)
#include "tst_rowlayout.moc"
