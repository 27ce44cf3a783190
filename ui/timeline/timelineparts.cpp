// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelineparts.h"

#include "ui/style/format.h"
#include "ui/timeline/spansteps.h"

#include <QScrollBar>

#include <cmath>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds fastestTick = 16ms; // nothing is repainted more often than this
constexpr std::chrono::milliseconds slowestTick = 1h;
constexpr std::chrono::milliseconds rest = 150ms;        // nobody sees one late frame after that
constexpr int nowPlate = 80; // pixels beside the view in which the ruler's time of day can still be seen

} // namespace

TimelineView::Parts::Parts(TimelineView &view)
    : q(view)
    , input(viewport, *view.verticalScrollBar(), [this](QPointF at) {
        freshen();
        return picture.spanAt(at);
    })
    , ruler(new Ruler(viewport, &view))
    , headers(new LaneHeaders(picture.layout(), &view))
    , legend(new Legend(&view))
    , corner(new QLabel(&view))
    , chip(new NowChip(viewport, view.viewport()))
{
    corner->setAlignment(Qt::AlignCenter);
    corner->setAutoFillBackground(true);
    nextChange.setSingleShot(true);
    nextChange.setTimerType(Qt::PreciseTimer);
}

Instant TimelineView::Parts::present() const
{
    const Instant last = store ? store->lastTime() : Instant{};
    return nowFunction ? std::max(nowFunction(), last) : last;
}

double TimelineView::Parts::speed() const
{
    return store && store->header().scale > 0 ? store->header().scale : 1.0;
}

PictureView TimelineView::Parts::pictureView() const
{
    return {viewport.scale(), viewport.now(), viewport.isPaused(), q.verticalScrollBar()->value(), q.viewport()->height()};
}

std::vector<OverlayShape> TimelineView::Parts::currentOverlay() const
{
    return overlayOf(picture, viewport, isLive());
}

std::optional<SpanInfo> TimelineView::Parts::selected() const
{
    return store ? store->span(viewport.selection()) : std::nullopt;
}

std::optional<size_t> TimelineView::Parts::selectedRow() const
{
    const std::optional<SpanInfo> span = selected();
    return span ? picture.layout().rowShowing(*store, span->lane) : std::nullopt;
}

Instant TimelineView::Parts::stepFrom() const
{
    if (viewport.cursor())
        return *viewport.cursor();
    const std::optional<SpanInfo> span = selected();
    return span ? span->begin : viewport.visible().from;
}

void TimelineView::Parts::applyStyle()
{
    ratio = q.devicePixelRatioF();
    picture.setStyle(paletteOf(schemeOf(q.palette())), q.font(), ratio);
    redraw();
}

void TimelineView::Parts::redraw()
{
    stale = true;
    ++generation;
    q.viewport()->update();
}

void TimelineView::Parts::freshen()
{
    if (!stale)
        return;
    stale = false;
    // In the midst of a movement no frame may come late; after a rest the whole picture counts for more.
    const bool moving = sinceFresh.isValid() && std::chrono::milliseconds(sinceFresh.elapsed()) < rest;
    sinceFresh.start();
    picture.refresh(pictureView(), moving ? Labels::perFrame : Labels::withoutLimit);
    overlay = currentOverlay();
    schedule();
    // This may be in the midst of a paint, where nothing may be moved.
    if (picture.layouts() != placedLayout)
        QMetaObject::invokeMethod(&q, [this] { noticeLayout(); }, Qt::QueuedConnection);
}

void TimelineView::Parts::renew()
{
    if (stale || !q.isVisible())
        return;
    const QRegion changed = picture.refresh(pictureView());
    if (noticeLayout())
        return;
    if (!changed.isEmpty())
        ++generation;
    renewOverlay(changed);
    renewRuler();
    schedule();
}

void TimelineView::Parts::renewOverlay(QRegion changed)
{
    if (stale)
        return;
    std::vector<OverlayShape> shapes = currentOverlay();
    changed += differenceOf(overlay, shapes);
    overlay = std::move(shapes);
    if (!changed.isEmpty())
        q.viewport()->update(changed);
}

void TimelineView::Parts::renewRuler()
{
    const double x = viewport.scale().xOf(viewport.now());
    std::optional<int> column;
    QString text;
    if (isLive() && x > -nowPlate && x < viewport.scale().width() + nowPlate) {
        column = static_cast<int>(std::floor(x));
        text = shownAge(viewport.now().time_since_epoch());
    }
    if (column == rulerColumn && text == rulerText)
        return;
    rulerColumn = column;
    rulerText = text;
    ruler->update();
}

void TimelineView::Parts::schedule()
{
    nextChange.stop();
    if (picture.isUnfinished() && q.isVisible() && !stale) {
        nextChange.start(fastestTick);
        return;
    }
    if (!isLive() || viewport.isPaused() || !q.isVisible() || stale)
        return;
    const TimeScale &scale = viewport.scale();
    const double x = scale.xOf(viewport.now());
    Duration wait = scale.untilPixelChanges(viewport.now(), ratio).value_or(Duration::max());
    if (x > -nowPlate && x < scale.width() + nowPlate)
        wait = std::min(wait, untilAgeChanges(viewport.now().time_since_epoch()));
    if (wait == Duration::max())
        return;
    const double ms = std::min(std::ceil(static_cast<double>(wait.count()) / 1e6 / speed()), 1e9);
    nextChange.start(std::clamp(std::chrono::milliseconds(static_cast<qint64>(ms)), fastestTick, slowestTick));
}

void TimelineView::Parts::renewContent()
{
    TimeRange content{};
    if (store)
        content = {store->firstTime(), std::max(store->firstTime(), store->lastTime())};
    viewport.setContent(content, present());
}

bool TimelineView::Parts::noticeLayout()
{
    if (picture.layouts() == placedLayout)
        return false;
    layoutChanged();
    return true;
}

void TimelineView::Parts::layoutChanged()
{
    placedLayout = picture.layouts();
    const int room = q.viewport()->height();
    q.verticalScrollBar()->setRange(0, std::max(0, picture.layout().height() - room));
    q.verticalScrollBar()->setPageStep(room);
    q.verticalScrollBar()->setSingleStep(picture.layout().metrics().height(LaneRow::Exec));
    headers->setSelected(selectedRow());
    headers->update();
    place();
    redraw();
}

void TimelineView::Parts::place()
{
    const int left = laneHeadersWidth(picture.layout(), q.font());
    const int top = ruler->sizeHint().height();
    // As wide as header and rows: beside them the scroll bar stands, all the way down.
    const int wide = q.viewportMargins().left() + q.viewport()->width();
    const int foot = legend->isHidden() ? 0 : legend->heightForWidth(wide);
    const QMargins margins(left, top, 0, foot);
    if (q.viewportMargins() != margins)
        q.setViewportMargins(margins);
    const QRect rows = q.viewport()->geometry();
    corner->setGeometry(rows.left() - left, rows.top() - top, left, top);
    ruler->setGeometry(rows.left(), rows.top() - top, rows.width(), top);
    headers->setGeometry(rows.left() - left, rows.top(), left, rows.height());
    legend->setGeometry(rows.left() - left, rows.bottom() + 1, wide, foot);
    chip->place();
}

void TimelineView::Parts::showLength()
{
    corner->setText(TimelineView::tr("%1 in view").arg(shownDuration(viewport.visible().length())));
}

void TimelineView::Parts::toggle(LaneId lane)
{
    picture.layout().setCollapsed(lane, !picture.layout().isCollapsed(lane));
    picture.updateLayout();
    layoutChanged();
}

void TimelineView::Parts::fold(bool collapsed)
{
    const std::optional<size_t> row = selectedRow();
    if (row && picture.layout().isCollapsed(picture.layout().rows()[*row].lane) != collapsed)
        toggle(picture.layout().rows()[*row].lane);
}

void TimelineView::Parts::step(std::optional<Instant> edge)
{
    if (!edge)
        return;
    const SpanId span = spanWithEdge(*store, picture.layout(), *edge);
    viewport.reveal(*edge);
    viewport.select(span);
    viewport.setCursor(*edge);
    showRow(span);
}

void TimelineView::Parts::step(SpanId beside)
{
    if (!beside)
        return;
    viewport.setCursor(std::nullopt);
    viewport.select(beside);
    q.reveal(beside);
}

void TimelineView::Parts::showRow(SpanId id)
{
    const std::optional<SpanInfo> span = store ? store->span(id) : std::nullopt;
    const std::optional<size_t> index = span ? picture.layout().rowShowing(*store, span->lane) : std::nullopt;
    if (!index)
        return;
    const Row &row = picture.layout().rows()[*index];
    QScrollBar *bar = q.verticalScrollBar();
    if (row.top < bar->value())
        bar->setValue(row.top);
    else if (row.bottom() > bar->value() + q.viewport()->height())
        bar->setValue(row.bottom() - q.viewport()->height());
}

} // namespace Waitscope
