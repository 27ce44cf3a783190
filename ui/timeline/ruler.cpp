// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/ruler.h"

#include "ui/style/format.h"
#include "ui/timeline/picture.h"

#include <QMouseEvent>
#include <QPainter>

namespace Waitscope {

void drawRuler(QPainter &painter, const QRect &rect, const Viewport &viewport, const TimeTicks &ticks, const Palette &palette,
               bool live)
{
    const TimeScale &scale = viewport.scale();
    const QFontMetrics font = painter.fontMetrics();
    painter.fillRect(rect, palette.panel);
    painter.setPen(palette.line);
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    const auto column = [&](Instant t) { return rect.left() + static_cast<int>(std::floor(scale.xOf(t))); };
    // The present's plate; labels it would cut in half are left out.
    QRectF plate;
    QString present;
    const double nowX = column(viewport.now()) + 0.5;
    if (live && nowX >= rect.left() - 60 && nowX <= rect.right() + 60) {
        present = shownAge(viewport.now().time_since_epoch()).remove(QChar(0x2007));
        const double width = font.horizontalAdvance(present) + 12;
        const double left = std::clamp(nowX - width / 2, double(rect.left()), std::max(double(rect.left()), rect.right() - width));
        plate = QRectF(left, rect.top() + 2, width, rect.height() - 8);
    }
    painter.setPen(palette.line);
    for (const Instant at : ticks.minor)
        painter.drawLine(column(at), rect.bottom() - 4, column(at), rect.bottom());
    for (const Instant at : ticks.major) {
        const int x = column(at);
        painter.setPen(palette.dimText);
        painter.drawLine(x, rect.bottom() - 9, x, rect.bottom());
        const QString label = shownTick(at, ticks.step);
        const QRect place(x + 4, rect.top(), font.horizontalAdvance(label) + 2, rect.height() - 3);
        if (rect.contains(place) && !plate.adjusted(-4, -4, 4, 4).intersects(place))
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, label);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Instant at : viewport.bookmarks()) {
        const double x = column(at) + 0.5;
        painter.setPen(QPen(palette.text, 0.8));
        painter.setBrush(palette.bookmark);
        painter.drawPolygon(QPolygonF({QPointF(x, rect.bottom()), QPointF(x, rect.bottom() - 13), QPointF(x + 9, rect.bottom() - 9),
                                       QPointF(x, rect.bottom() - 5)}));
    }
    if (!plate.isNull()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.now);
        painter.drawRoundedRect(plate, 3, 3);
        painter.drawPolygon(QPolygonF({QPointF(nowX - 4, rect.bottom() - 7), QPointF(nowX + 4, rect.bottom() - 7),
                                       QPointF(nowX, rect.bottom())}));
        painter.setPen(palette.base);
        painter.drawText(plate, Qt::AlignCenter, present);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

Ruler::Ruler(const Viewport &viewport, QWidget *parent)
    : QWidget(parent)
    , m_viewport(viewport)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void Ruler::setLive(bool live)
{
    m_live = live;
    update();
}

QSize Ruler::sizeHint() const
{
    return QSize(200, fontMetrics().height() + 13);
}

void Ruler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawRuler(painter, rect(), m_viewport, ticksOf(m_viewport.scale(), Picture::tickRoom), paletteOf(schemeOf(palette())), m_live);
}

void Ruler::mousePressEvent(QMouseEvent *event)
{
    m_lastX = event->position().x();
}

void Ruler::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton)))
        return;
    Q_EMIT dragged(event->position().x() - m_lastX);
    m_lastX = event->position().x();
}

} // namespace Waitscope
