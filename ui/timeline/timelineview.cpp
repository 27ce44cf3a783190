// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelineview.h"

#include "ui/timeline/spansteps.h"
#include "ui/timeline/timelineexport.h"
#include "ui/timeline/timelinekeys.h"
#include "ui/timeline/timelineparts.h"
#include "ui/timeline/tips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace Waitscope {

namespace {

constexpr double zoomStep = 1.5;   // of one key press
constexpr double panStep = 0.15;   // of the width
// Of real time: what one looks back on in a live run without moving the view.
constexpr double longestWhole = 300;

} // namespace

TimelineView::TimelineView(QWidget *parent)
    : QAbstractScrollArea((installAccessibleTimeline(), parent))
    , d(std::make_unique<Parts>(*this))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    // The image covers everything.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));

    const Viewport *range = &d->viewport;
    connect(range, &Viewport::visibleRangeChanged, this, [this] {
        d->showLength();
        d->ruler->update();
        d->redraw();
    });
    connect(range, &Viewport::nowChanged, this, [this] { d->renew(); });
    connect(range, &Viewport::followChanged, this, [this] { d->schedule(); });
    connect(range, &Viewport::pausedChanged, this, [this] { d->redraw(); });
    connect(range, &Viewport::selectionChanged, this, [this] {
        d->headers->setSelected(d->selectedRow());
        d->renewOverlay();
        tellSelection(this);
    });
    connect(range, &Viewport::cursorChanged, this, [this] { d->renewOverlay(); });
    connect(range, &Viewport::measureChanged, this, [this] { d->renewOverlay(); });
    connect(range, &Viewport::bookmarksChanged, this, [this] {
        d->renewOverlay();
        d->ruler->update();
    });
    connect(&d->nextChange, &QTimer::timeout, this, [this] {
        d->renewContent();
        if (d->picture.isUnfinished())
            d->renew();
        d->renewRuler();
        d->schedule();
    });
    connect(d->headers, &LaneHeaders::toggled, this, [this](LaneId lane) { d->toggle(lane); });
    connect(d->ruler, &Ruler::dragged, this, [this](double pixels) { d->viewport.panBy(-pixels); });
    d->applyStyle();
    d->layoutChanged();
    d->showLength();
}

TimelineView::~TimelineView() = default;

void TimelineView::setStore(const TraceStore *store)
{
    d->store = store;
    d->picture.setStore(store);
    d->viewport.select({});
    d->viewport.setCursor(std::nullopt);
    d->viewport.setMeasure(std::nullopt);
    d->viewport.setBookmarks({});
    d->renewContent();
    verticalScrollBar()->setValue(0);
    d->layoutChanged();
    d->viewport.fit();
}

void TimelineView::setNow(std::function<Instant()> now)
{
    const bool begins = now && !d->nowFunction;
    d->nowFunction = std::move(now);
    d->ruler->setLive(d->isLive());
    d->chip->setLive(d->isLive());
    const bool whole = d->viewport.isWhole();
    if (begins) {
        d->viewport.setLongestWhole(fromSeconds(longestWhole * d->speed()));
        d->viewport.setFollowing(true);
        if (whole)
            d->viewport.fit();
    }
    d->renewContent();
    if (!d->isLive()) {
        d->viewport.setFollowing(false);
        if (whole)
            d->viewport.fit(); // how it ended, without the room for more
    }
    d->redraw();
}

void TimelineView::setSimulated(bool simulated)
{
    d->simulated = simulated;
    d->picture.setHatched(simulated);
    d->redraw();
}

void TimelineView::setLegendVisible(bool visible)
{
    d->legend->setVisible(visible);
    d->place();
}

Viewport &TimelineView::shown() noexcept
{
    return d->viewport;
}

TimelineView::Counters TimelineView::counters() const noexcept
{
    return {d->paints, d->picture.rowsDrawn()};
}

void TimelineView::storeChanged()
{
    d->renewContent();
    if (d->viewport.isPaused())
        return;
    d->picture.updateLayout();
    if (!d->noticeLayout())
        d->renew();
}

void TimelineView::paint(QPainter &painter, const QRectF &rect, bool vector)
{
    d->freshen();
    const bool legend = !d->legend->isHidden();
    paintTimeline(painter, rect, vector, {d->picture, d->viewport, font(), d->isLive(), d->simulated, legend});
}

QImage TimelineView::renderToImage(QSize size, double pixelRatio)
{
    QImage image(size * pixelRatio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    QPainter painter(&image);
    paint(painter, QRectF(QPointF(), size), false);
    return image;
}

void TimelineView::reveal(SpanId id)
{
    const std::optional<SpanInfo> span = d->store ? d->store->span(id) : std::nullopt;
    if (!span)
        return;
    bool unfolded = false;
    for (LaneId lane = d->store->laneInfo(span->lane).parent; lane; lane = d->store->laneInfo(lane).parent) {
        unfolded = unfolded || d->picture.layout().isCollapsed(lane);
        d->picture.layout().setCollapsed(lane, false);
    }
    if (unfolded) {
        d->picture.updateLayout();
        d->layoutChanged();
    }
    d->showRow(id);
    d->viewport.reveal(TimeRange{span->begin, span->isOpen() ? std::max(span->begin, d->viewport.now()) : span->end});
}

void TimelineView::zoomIn()
{
    const std::optional<QPointF> pointer = d->input.at();
    d->viewport.zoomAt(pointer ? pointer->x() : d->viewport.scale().width() / 2.0, zoomStep);
}

void TimelineView::zoomOut()
{
    const std::optional<QPointF> pointer = d->input.at();
    d->viewport.zoomAt(pointer ? pointer->x() : d->viewport.scale().width() / 2.0, 1 / zoomStep);
}

void TimelineView::panLeft()
{
    d->viewport.panBy(-std::round(d->viewport.scale().width() * panStep));
}

void TimelineView::panRight()
{
    d->viewport.panBy(std::round(d->viewport.scale().width() * panStep));
}

void TimelineView::fit()
{
    d->viewport.fit();
}

void TimelineView::goToStart()
{
    d->viewport.goToStart();
}

void TimelineView::follow()
{
    if (d->isLive())
        d->viewport.setFollowing(true);
    else
        d->viewport.reveal(d->viewport.content().to);
}

void TimelineView::togglePaused()
{
    if (d->isLive() || d->viewport.isPaused())
        d->viewport.setPaused(!d->viewport.isPaused());
}

void TimelineView::goToNextEvent()
{
    if (d->store)
        d->step(nextEdgeIn(*d->store, d->picture.layout(), d->stepFrom()));
}

void TimelineView::goToPreviousEvent()
{
    if (d->store)
        d->step(previousEdgeIn(*d->store, d->picture.layout(), d->stepFrom()));
}

void TimelineView::goToNextInChain()
{
    if (d->store)
        d->step(nextInChain(*d->store, d->viewport.selection()));
}

void TimelineView::goToPreviousInChain()
{
    if (d->store)
        d->step(previousInChain(*d->store, d->viewport.selection()));
}

void TimelineView::toggleBookmark()
{
    if (d->viewport.cursor()) {
        d->viewport.toggleBookmark(*d->viewport.cursor());
    } else if (d->input.at()) {
        d->viewport.toggleBookmark(d->viewport.scale().timeAt(d->input.at()->x()));
    } else {
        const std::optional<SpanInfo> span = d->selected();
        d->viewport.toggleBookmark(span ? span->begin : d->viewport.scale().timeAt(d->viewport.scale().width() / 2.0));
    }
}

void TimelineView::collapseAll()
{
    d->picture.layout().collapseAll();
    d->picture.updateLayout();
    d->layoutChanged();
}

void TimelineView::expandAll()
{
    d->picture.layout().expandAll();
    d->picture.updateLayout();
    d->layoutChanged();
}

std::vector<SpokenSpan> TimelineView::spokenSpans() const
{
    d->freshen();
    std::vector<SpokenSpan> spoken;
    for (const ShownBar &bar : d->picture.shownBars(mostSpokenSpans, true)) {
        if (const std::optional<SpanInfo> span = d->store->span(bar.id)) {
            spoken.push_back({bar.id, bar.rect.translated(viewport()->pos()), spokenName(*span),
                              spokenDescription(*d->store, *span, d->viewport.now())});
        }
    }
    return spoken;
}

quint64 TimelineView::generation() const
{
    return d->generation;
}

SpanId TimelineView::selectedSpan() const
{
    return d->viewport.selection();
}

void TimelineView::selectSpan(SpanId id)
{
    d->viewport.select(id);
}

QString TimelineView::spokenTitle() const
{
    const std::optional<SpanInfo> span = d->selected();
    return span ? tr("Timeline, selected: %1").arg(spokenName(*span)) : tr("Timeline");
}

bool TimelineView::event(QEvent *event)
{
    // Single letters of the window must not take the timeline's keys while it has the keyboard.
    if (event->type() == QEvent::ShortcutOverride && timelineKeyOf(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        viewport()->update();
    return QAbstractScrollArea::event(event);
}

bool TimelineView::viewportEvent(QEvent *event)
{
    switch (static_cast<int>(event->type())) {
    case QEvent::ToolTip: {
        const auto *help = static_cast<QHelpEvent *>(event);
        d->freshen();
        QString tip;
        if (const std::optional<TimerId> timer = d->picture.timerAt(help->pos())) {
            for (const ShownTimer &armed : d->store->armedTimers()) {
                if (armed.id == *timer)
                    tip = timerTip(*d->store, armed, d->viewport.now());
            }
        }
        if (const SpanId span = d->picture.spanAt(help->pos()); tip.isEmpty() && span)
            tip = spanTip(*d->store, span, d->viewport.now());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    case QEvent::Leave:
        d->input.leave();
        break;
    case QEvent::NativeGesture: {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            d->viewport.zoomAt(gesture->position().x(), std::exp(gesture->value()));
            return true;
        }
        break;
    }
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::paintEvent(QPaintEvent *event)
{
    ++d->paints;
    if (d->ratio != devicePixelRatioF())
        d->applyStyle();
    d->freshen();
    const Palette &palette = d->picture.palette();
    QPainter painter(viewport());
    for (const QRect &rect : event->region())
        d->picture.draw(painter, rect);
    drawOverlay(painter, d->overlay, d->picture);
    painter.setFont(font());
    if (d->picture.layout().rows().empty()) {
        painter.setPen(palette.dimText);
        painter.drawText(viewport()->rect(), Qt::AlignCenter, d->isLive() ? tr("Waiting for the first event") : tr("Nothing recorded"));
    }
    if (hasFocus()) {
        painter.setPen(palette.highlight);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent *)
{
    d->viewport.setWidth(viewport()->width());
    d->layoutChanged();
}

void TimelineView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    d->renewContent();
    d->redraw();
}

void TimelineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        d->applyStyle();
        d->layoutChanged();
    } else if (event->type() == QEvent::LanguageChange) {
        setStore(d->store);
    }
}

void TimelineView::scrollContentsBy(int, int)
{
    d->headers->setScroll(verticalScrollBar()->value());
    d->redraw();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    d->input.press(*event);
    if (d->input.isPanning())
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    d->input.move(*event);
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    d->input.release(*event);
    if (!d->input.isPanning())
        viewport()->unsetCursor();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    d->freshen();
    const SpanId span = d->picture.spanAt(event->position());
    if (event->button() != Qt::LeftButton || !span)
        return;
    d->viewport.select(span);
    Q_EMIT spanActivated(span);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    d->input.wheel(*event);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const std::optional<TimelineKey> key = timelineKeyOf(*event);
    if (!key) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const SpanId selected = d->viewport.selection();
    const auto step = [&](SpanStep by) {
        if (!d->store)
            return;
        d->freshen();
        if (selected) {
            d->step(spanBeside(*d->store, selected, by));
        } else if (const std::vector<ShownBar> bars = d->picture.shownBars(1, false); !bars.empty()) {
            d->viewport.select(bars.front().id);
        }
    };
    switch (*key) {
    case TimelineKey::ZoomIn:
        return zoomIn();
    case TimelineKey::ZoomOut:
        return zoomOut();
    case TimelineKey::PanLeft:
        return panLeft();
    case TimelineKey::PanRight:
        return panRight();
    case TimelineKey::Fit:
        return fit();
    case TimelineKey::Start:
        return goToStart();
    case TimelineKey::Follow:
        return follow();
    case TimelineKey::Pause:
        return togglePaused();
    case TimelineKey::NextEvent:
        return goToNextEvent();
    case TimelineKey::PreviousEvent:
        return goToPreviousEvent();
    case TimelineKey::NextInChain:
        return goToNextInChain();
    case TimelineKey::PreviousInChain:
        return goToPreviousInChain();
    case TimelineKey::Bookmark:
        return toggleBookmark();
    case TimelineKey::Parent:
        return step(SpanStep::Parent);
    case TimelineKey::Child:
        return step(SpanStep::Child);
    case TimelineKey::NextSpan:
        return step(SpanStep::Next);
    case TimelineKey::PreviousSpan:
        return step(SpanStep::Previous);
    case TimelineKey::Activate:
        if (selected)
            Q_EMIT spanActivated(selected);
        return;
    case TimelineKey::Fold:
        return d->fold(true);
    case TimelineKey::Unfold:
        return d->fold(false);
    case TimelineKey::PageUp:
        return verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
    case TimelineKey::PageDown:
        return verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
    case TimelineKey::Clear:
        if (d->viewport.measure() || d->viewport.cursor()) {
            d->viewport.setMeasure(std::nullopt);
            d->viewport.setCursor(std::nullopt);
        } else {
            d->viewport.select({});
        }
        return;
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
