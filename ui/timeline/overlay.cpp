// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overlay.h"

#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class OverlayWords
{
    Q_DECLARE_TR_FUNCTIONS(OverlayWords)
};

namespace {

constexpr int plate = 4; // pixels around a label's text

int columnOf(const TimeScale &scale, Instant t)
{
    return static_cast<int>(std::floor(std::clamp(scale.xOf(t), -1e6, 1e6)));
}

// Beside its line, on the other side where the edge is near.
QRect labelBeside(int x, int top, const QString &text, const QFontMetrics &font, int width)
{
    const QSize size(font.horizontalAdvance(text) + 2 * plate, font.height() + 1);
    const int left = x + 3 + size.width() <= width ? x + 3 : x - 3 - size.width();
    return QRect(QPoint(left, top), size);
}

class Builder
{
public:
    Builder(const Picture &picture, const Viewport &viewport, const QFontMetrics &font, std::vector<OverlayShape> &out)
        : m_picture(picture)
        , m_viewport(viewport)
        , m_font(font)
        , m_out(out)
        , m_width(viewport.scale().width())
        , m_height(picture.view().height)
    {
    }

    void line(OverlayKind kind, Instant at)
    {
        const int x = columnOf(m_viewport.scale(), at);
        if (x >= 0 && x < m_width)
            m_out.push_back({kind, QRect(x, 0, 1, m_height), {}, {}, TimerKind::Deadline, false});
    }

    void measure()
    {
        const std::optional<TimeRange> range = m_viewport.measure();
        if (!range)
            return;
        const int left = std::max(-4, columnOf(m_viewport.scale(), range->from));
        const int right = std::min(m_width + 4, columnOf(m_viewport.scale(), range->to));
        if (right <= 0 || left >= m_width)
            return;
        OverlayShape shape;
        shape.kind = OverlayKind::Measure;
        shape.rect = QRect(left, 0, std::max(1, right - left), m_height);
        shape.text = shownDuration(range->length());
        const QSize size(m_font.horizontalAdvance(shape.text) + 2 * plate, m_font.height() + 2);
        const int middle = (std::max(left, 0) + std::min(right, m_width)) / 2 - size.width() / 2;
        shape.label = QRect(QPoint(std::clamp(middle, 2, std::max(2, m_width - size.width() - 2)), 6), size);
        m_out.push_back(shape);
    }

    // Over all rows of its owner's task, those in view.
    void timer(const TimerLine &line)
    {
        const int x = columnOf(m_viewport.scale(), line.at);
        const RowLayout &layout = m_picture.layout();
        const std::optional<size_t> row = layout.rowShowing(*m_picture.store(), line.lane);
        if (x < 0 || x >= m_width || !row || (m_picture.view().frozen && line.fired && line.at > m_viewport.now()))
            return;
        const auto [first, last] = layout.taskRows(*row);
        const int top = std::max(layout.rows()[first].top - m_picture.view().scroll, 0);
        const int bottom = std::min(layout.rows()[last - 1].bottom() - m_picture.view().scroll, m_height);
        if (top >= bottom)
            return;
        OverlayShape shape;
        shape.kind = OverlayKind::Timer;
        shape.timer = line.kind;
        shape.fired = line.fired;
        shape.rect = QRect(x, top, 1, bottom - top);
        const QString what = u"%1 %2"_s.arg(shownWord(line.kind), shownDuration(line.value));
        shape.text = line.fired ? OverlayWords::tr("%1, fired").arg(what) : what;
        shape.label = labelBeside(x, top + 2, shape.text, m_font, m_width);
        for (const OverlayShape &other : m_out) {
            if (other.kind == OverlayKind::Timer && other.label.intersects(shape.label))
                shape.label.moveTop(other.label.bottom() + 2);
        }
        if (shape.label.bottom() >= bottom) {
            shape.label = {};
            shape.text.clear();
        }
        m_out.push_back(shape);
    }

    void selection()
    {
        const QRect rect = m_picture.rectOf(m_viewport.selection());
        if (!rect.isEmpty() && rect.bottom() >= 0 && rect.top() < m_height)
            m_out.push_back({OverlayKind::Selection, rect, {}, {}, TimerKind::Deadline, false});
    }

private:
    const Picture &m_picture;
    const Viewport &m_viewport;
    const QFontMetrics &m_font;
    std::vector<OverlayShape> &m_out;
    int m_width;
    int m_height;
};

QPen penOf(const OverlayShape &shape, const Palette &palette)
{
    switch (shape.kind) {
    case OverlayKind::Measure:
        return QPen(palette.measure, 1);
    case OverlayKind::Bookmark:
        return QPen(palette.bookmark, 1, Qt::DashDotLine);
    case OverlayKind::Cursor:
        return QPen(palette.text, 1, Qt::DotLine);
    case OverlayKind::Timer: {
        // Told apart by their dashes too; what has fired is solid.
        const QColor colour = shape.timer == TimerKind::Watchdog ? palette.watchdog : palette.deadline;
        const Qt::PenStyle dashes = shape.timer == TimerKind::Watchdog ? Qt::DashDotLine : Qt::DashLine;
        return QPen(colour, shape.fired ? 2 : 1.5, shape.fired ? Qt::SolidLine : dashes);
    }
    case OverlayKind::Now:
        return QPen(palette.now, 1);
    case OverlayKind::Selection:
        return QPen(palette.selection, 2);
    }
    Q_UNREACHABLE();
}

} // namespace

QRect OverlayShape::bounds() const
{
    const QRect shape = rect.adjusted(-3, -3, 3, 3);
    return label.isEmpty() ? shape : shape.united(label.adjusted(-1, -1, 1, 1));
}

std::vector<OverlayShape> overlayOf(const Picture &picture, const Viewport &viewport, bool live)
{
    const QFontMetrics font(picture.labelFont());
    std::vector<OverlayShape> shapes;
    Builder builder(picture, viewport, font, shapes);
    builder.measure();
    for (const Instant at : viewport.bookmarks())
        builder.line(OverlayKind::Bookmark, at);
    if (viewport.cursor())
        builder.line(OverlayKind::Cursor, *viewport.cursor());
    if (picture.store()) {
        for (const TimerLine &line : picture.armed().lines)
            builder.timer(line);
        for (const TimerLine &line : picture.firedLines())
            builder.timer(line);
    }
    if (live)
        builder.line(OverlayKind::Now, viewport.now());
    builder.selection();
    return shapes;
}

QRegion differenceOf(const std::vector<OverlayShape> &a, const std::vector<OverlayShape> &b)
{
    QRegion region;
    const auto missing = [&region](const std::vector<OverlayShape> &from, const std::vector<OverlayShape> &in) {
        for (const OverlayShape &shape : from) {
            if (std::find(in.begin(), in.end(), shape) != in.end())
                continue;
            region += shape.rect.adjusted(-3, -3, 3, 3);
            if (!shape.label.isEmpty())
                region += shape.label.adjusted(-1, -1, 1, 1);
        }
    };
    missing(a, b);
    missing(b, a);
    return region;
}

void drawOverlay(QPainter &painter, const std::vector<OverlayShape> &shapes, const Picture &picture)
{
    const Palette &palette = picture.palette();
    painter.setFont(picture.labelFont());
    const QRect clip = painter.hasClipping() ? painter.clipBoundingRect().toAlignedRect() : QRect();
    for (const OverlayShape &shape : shapes) {
        if (!clip.isNull() && !clip.intersects(shape.bounds()))
            continue;
        painter.setPen(penOf(shape, palette));
        painter.setBrush(Qt::NoBrush);
        switch (shape.kind) {
        case OverlayKind::Measure: {
            QColor wash = palette.measure;
            wash.setAlpha(36);
            painter.fillRect(shape.rect, wash);
            painter.drawLine(shape.rect.topLeft(), shape.rect.bottomLeft());
            painter.drawLine(shape.rect.topRight(), shape.rect.bottomRight());
            break;
        }
        case OverlayKind::Selection:
            painter.drawRect(QRectF(shape.rect).adjusted(0, 0, 0, 0));
            break;
        case OverlayKind::Bookmark:
        case OverlayKind::Cursor:
        case OverlayKind::Timer:
        case OverlayKind::Now:
            painter.drawLine(QPointF(shape.rect.left() + 0.5, shape.rect.top()),
                             QPointF(shape.rect.left() + 0.5, shape.rect.top() + shape.rect.height()));
            break;
        }
        if (shape.label.isEmpty())
            continue;
        painter.setPen(QPen(penOf(shape, palette).color(), 1));
        painter.setBrush(palette.base);
        painter.drawRect(QRectF(shape.label).adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(palette.text);
        painter.drawText(shape.label, Qt::AlignCenter, shape.text);
    }
}

} // namespace Waitscope
