// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/glyphs.h"

#include <QIconEngine>
#include <QPainter>

#include <functional>

namespace Waitscope {

namespace {

// All shapes are written for a box of 12 x 12 with two pixels of stroke.
class Stroke
{
public:
    Stroke(QPainter &painter, const QRectF &box, const QColor &colour)
        : m_painter(painter)
    {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(box.topLeft());
        painter.scale(box.width() / 12, box.height() / 12);
        painter.setPen(QPen(colour, 1.9, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
    }
    ~Stroke() { m_painter.restore(); }
    Q_DISABLE_COPY_MOVE(Stroke)

    void line(std::initializer_list<QPointF> points)
    {
        QPolygonF polygon(points);
        m_painter.drawPolyline(polygon);
    }
    void fill(std::initializer_list<QPointF> points)
    {
        m_painter.setBrush(m_painter.pen().color());
        m_painter.drawPolygon(QPolygonF(points));
        m_painter.setBrush(Qt::NoBrush);
    }
    void ring(double radius = 4.4) { m_painter.drawEllipse(QPointF(6, 6), radius, radius); }
    void arc(int from, int degrees) { m_painter.drawArc(QRectF(1.6, 1.6, 8.8, 8.8), from * 16, degrees * 16); }
    void dot(QPointF at, double radius = 1.0)
    {
        m_painter.setBrush(m_painter.pen().color());
        m_painter.drawEllipse(at, radius / 2, radius / 2);
        m_painter.setBrush(Qt::NoBrush);
    }

private:
    QPainter &m_painter;
};

class GlyphIcon final : public QIconEngine
{
public:
    explicit GlyphIcon(std::function<void(QPainter &, const QRectF &)> draw)
        : m_draw(std::move(draw))
    {
    }
    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        const double side = std::min(rect.width(), rect.height()) * 0.75;
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        m_draw(*painter, box);
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine *clone() const override { return new GlyphIcon(m_draw); }

private:
    std::function<void(QPainter &, const QRectF &)> m_draw;
};

} // namespace

void drawOutcome(QPainter &painter, const QRectF &box, Outcome outcome, const QColor &colour)
{
    Stroke s(painter, box, colour);
    switch (outcome) {
    case Outcome::Ok: // tick
        s.line({{1.8, 6.4}, {4.7, 9.3}, {10.2, 2.8}});
        return;
    case Outcome::Partial: // tick over a base line: kept, but not all of it
        s.line({{2.2, 4.8}, {4.7, 7.2}, {9.8, 1.6}});
        s.line({{1.8, 10.6}, {6.0, 10.6}});
        return;
    case Outcome::Truncated: // torn edge
        s.line({{1.2, 6}, {4.2, 6}});
        s.line({{8.6, 1.4}, {5.6, 4.5}, {8.6, 7.5}, {5.6, 10.6}});
        return;
    case Outcome::Error: // cross
        s.line({{2.3, 2.3}, {9.7, 9.7}});
        s.line({{9.7, 2.3}, {2.3, 9.7}});
        return;
    case Outcome::Timeout: // clock
        s.ring(4.8);
        s.line({{6, 3.3}, {6, 6.2}, {8.2, 7.4}});
        return;
    case Outcome::Interrupted: // a stop sign's square
        s.fill({{2.8, 2.8}, {9.2, 2.8}, {9.2, 9.2}, {2.8, 9.2}});
        return;
    case Outcome::Abandoned: // a ring that is not closed
        s.arc(60, 120);
        s.arc(240, 120);
        s.dot({6, 6}, 2.0);
        return;
    }
    Q_UNREACHABLE();
}

void drawFiring(QPainter &painter, const QRectF &box, const QColor &colour)
{
    Stroke s(painter, box, colour);
    // A flash.
    s.fill({{7.4, 0.8}, {2.6, 6.9}, {5.6, 6.9}, {4.4, 11.2}, {9.4, 5.0}, {6.3, 5.0}});
}

bool isShownMark(MarkKind kind)
{
    switch (kind) {
    case MarkKind::AlarmEntered:
    case MarkKind::AlarmSwallowed:
    case MarkKind::AlarmUndelivered:
    case MarkKind::Unprotected:
    case MarkKind::Interrupted:
    case MarkKind::StreamError:
    case MarkKind::ResendRefused:
    case MarkKind::Committed:
        return true;
    case MarkKind::Headers:
    case MarkKind::Line:
    case MarkKind::Data:
    case MarkKind::Ping:
    case MarkKind::EndMarker:
    case MarkKind::Progress:
    case MarkKind::SendBegan:
    case MarkKind::Trying:
    case MarkKind::AddressFailed:
    case MarkKind::Connected:
    case MarkKind::Usage:
    case MarkKind::Retrying:
    case MarkKind::GaveUp:
    case MarkKind::Note:
        return false;
    }
    Q_UNREACHABLE();
}

QColor markColour(const Palette &palette, MarkKind kind)
{
    if (kind == MarkKind::Committed)
        return palette.good;
    return kind == MarkKind::StreamError || kind == MarkKind::ResendRefused ? palette.bad : palette.alarm;
}

void drawMark(QPainter &painter, const QRectF &box, MarkKind kind, const QColor &colour)
{
    Stroke s(painter, box, colour);
    switch (kind) {
    case MarkKind::AlarmEntered: // a bell
        s.line({{1.6, 8.8}, {3.2, 7.2}, {3.2, 4.6}, {6, 1.8}, {8.8, 4.6}, {8.8, 7.2}, {10.4, 8.8}, {1.6, 8.8}});
        s.dot({6, 10.7}, 1.4);
        return;
    case MarkKind::AlarmSwallowed: // a bell, struck out
        s.line({{1.6, 8.8}, {3.2, 7.2}, {3.2, 4.6}, {6, 1.8}, {8.8, 4.6}, {8.8, 7.2}, {10.4, 8.8}, {1.6, 8.8}});
        s.line({{1.2, 1.2}, {10.8, 10.8}});
        return;
    case MarkKind::AlarmUndelivered: // an arrow that meets a wall
        s.line({{1.2, 6}, {7.2, 6}});
        s.line({{4.8, 3.4}, {7.4, 6}, {4.8, 8.6}});
        s.line({{10, 1.6}, {10, 10.4}});
        return;
    case MarkKind::Unprotected: // a shield, struck out
        s.line({{6, 1.2}, {10, 2.8}, {9.4, 7.4}, {6, 10.8}, {2.6, 7.4}, {2, 2.8}, {6, 1.2}});
        s.line({{1.2, 10.6}, {10.8, 1.2}});
        return;
    case MarkKind::Interrupted:
        s.fill({{2.8, 2.8}, {9.2, 2.8}, {9.2, 9.2}, {2.8, 9.2}});
        return;
    case MarkKind::StreamError: // an exclamation mark
        s.line({{6, 1.4}, {6, 7}});
        s.dot({6, 10.2}, 1.4);
        return;
    case MarkKind::ResendRefused: // no entry
        s.ring(4.8);
        s.line({{3.4, 6}, {8.6, 6}});
        return;
    case MarkKind::Committed: // the first drop of content
        s.fill({{6, 2.4}, {9.6, 6}, {6, 9.6}, {2.4, 6}});
        return;
    case MarkKind::Headers:
    case MarkKind::Line:
    case MarkKind::Data:
    case MarkKind::Ping:
    case MarkKind::EndMarker:
    case MarkKind::Progress:
    case MarkKind::SendBegan:
    case MarkKind::Trying:
    case MarkKind::AddressFailed:
    case MarkKind::Connected:
    case MarkKind::Usage:
    case MarkKind::Retrying:
    case MarkKind::GaveUp:
    case MarkKind::Note:
        return;
    }
    Q_UNREACHABLE();
}

QIcon outcomeIcon(Outcome outcome, Scheme scheme)
{
    return QIcon(new GlyphIcon([outcome, scheme](QPainter &painter, const QRectF &box) {
        drawOutcome(painter, box, outcome, paletteOf(scheme).outcome(outcome));
    }));
}

QIcon openIcon(Scheme scheme)
{
    return QIcon(new GlyphIcon([scheme](QPainter &painter, const QRectF &box) {
        Stroke s(painter, box, paletteOf(scheme).now);
        s.dot({1.8, 6}, 2.2);
        s.dot({6, 6}, 2.2);
        s.dot({10.2, 6}, 2.2);
    }));
}

} // namespace Waitscope
