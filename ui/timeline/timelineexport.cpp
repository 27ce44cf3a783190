// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timelineexport.h"

#include "ui/timeline/laneheaders.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/ruler.h"

#include <QFontMetrics>
#include <QPainter>

namespace Waitscope {

namespace {

void mirror(Viewport &to, const Viewport &from, int width)
{
    to.setWidth(width);
    to.setContent(from.content(), from.now());
    to.setVisible(from.visible());
    to.setPaused(from.isPaused());
    to.setMeasure(from.measure());
    to.setBookmarks(from.bookmarks());
    to.setCursor(from.cursor());
    to.select(from.selection());
}

} // namespace

void paintTimeline(QPainter &painter, const QRectF &rect, bool vector, const TimelineExport &what)
{
    const Palette &palette = what.picture.palette();
    const QSize size = rect.size().toSize();
    const QFontMetrics metrics(what.font);
    const int top = metrics.height() + 13;
    const int left = laneHeadersWidth(what.picture.layout(), what.font);
    const int foot = what.legend ? Legend::draw(nullptr, QRect(0, 0, size.width(), 0), palette, what.font) : 0;
    const QRect rows(left, top, std::max(1, size.width() - left), std::max(1, size.height() - top - foot));

    Viewport viewport;
    mirror(viewport, what.viewport, rows.width());
    Picture picture;
    picture.setStore(what.picture.store());
    picture.setStyle(palette, what.font, vector || !painter.device() ? 1.0 : painter.device()->devicePixelRatioF());
    picture.setHatched(what.simulated);
    picture.layout() = what.picture.layout();
    const int scroll = std::clamp(what.picture.view().scroll, 0, std::max(0, picture.layout().height() - rows.height()));
    picture.refresh({viewport.scale(), viewport.now(), viewport.isPaused(), scroll, rows.height()},
                    Labels::withoutLimit);

    painter.save();
    painter.translate(rect.topLeft());
    painter.setFont(what.font);
    painter.fillRect(QRect(QPoint(), size), palette.panel);
    drawLaneHeaders(painter, QRect(0, top, left, rows.height()), picture.layout(), scroll, std::nullopt, palette);
    painter.save();
    painter.setClipRect(QRect(left, 0, rows.width(), rows.bottom() + 1));
    drawRuler(painter, QRect(left, 0, rows.width(), top), viewport, picture.ticks(), palette, what.live);
    painter.setClipRect(rows);
    painter.translate(rows.topLeft());
    if (vector)
        picture.drawVector(painter);
    else
        picture.draw(painter, QRect(QPoint(), rows.size()));
    drawOverlay(painter, overlayOf(picture, viewport, what.live), picture);
    painter.restore();
    if (what.legend)
        Legend::draw(&painter, QRect(0, size.height() - foot, size.width(), foot), palette, what.font);
    painter.restore();
}

} // namespace Waitscope
