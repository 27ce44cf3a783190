// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/laneheaders.h"

#include "ui/style/words.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int indent = 11;
constexpr int arrow = 13;  // room of the triangle
constexpr int swatch = 4;  // width of the layer's colour
constexpr int margin = 6;
constexpr int narrowest = 110;
constexpr int widest = 300;

QFont fontOf(const QFont &base, const Row &row, const RowMetrics &metrics)
{
    QFont font = base;
    font.setBold(row.isRoot());
    if (metrics.compact)
        font.setPixelSize(9);
    return font;
}

int textLeft(const Row &row)
{
    return margin + row.depth * indent + arrow + swatch + 5;
}

void drawArrow(QPainter &painter, QPointF centre, bool collapsed, const QColor &colour)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const QPolygonF down({QPointF(-4, -2.2), QPointF(4, -2.2), QPointF(0, 3)});
    const QPolygonF right({QPointF(-2.2, -4), QPointF(-2.2, 4), QPointF(3, 0)});
    painter.drawPolygon((collapsed ? right : down).translated(centre));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

void drawLaneHeaders(QPainter &painter, const QRect &rect, const RowLayout &layout, int scroll, std::optional<size_t> selected,
                     const Palette &palette)
{
    painter.fillRect(rect, palette.panel);
    const QFont base = painter.font();
    const RowMetrics &metrics = layout.metrics();
    std::optional<size_t> at = layout.rowAt(scroll);
    for (size_t i = at.value_or(layout.rows().size()); i < layout.rows().size(); ++i) {
        const Row &row = layout.rows()[i];
        const int top = rect.top() + row.top - scroll;
        if (top > rect.bottom())
            break;
        const bool chosen = selected == i;
        if (chosen)
            painter.fillRect(QRect(rect.left(), top, rect.width(), row.height), palette.highlight);
        if (row.isRoot()) {
            painter.setPen(palette.line);
            painter.drawLine(rect.left(), top, rect.right(), top);
        }
        const int bar = top + metrics.above;
        const int left = rect.left() + margin + row.depth * indent;
        const QColor ink = chosen ? palette.highlightText : row.isRoot() ? palette.text : palette.dimText;
        if (row.hasChildren)
            drawArrow(painter, QPointF(left + arrow / 2.0 - 1, bar + metrics.bar / 2.0), row.collapsed, ink);
        const QRect colour(left + arrow, bar + (metrics.compact ? 0 : 2), swatch, metrics.bar - (metrics.compact ? 0 : 4));
        if (chosen)
            painter.fillRect(colour.adjusted(-1, -1, 1, 1), ink); // the layer's colour alone is lost on the highlight
        painter.fillRect(colour, palette.layer(row.layer));
        painter.setFont(fontOf(base, row, metrics));
        painter.setPen(ink);
        const QRect text(rect.left() + textLeft(row), bar, rect.width() - textLeft(row) - margin, metrics.bar);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(row.title, Qt::ElideMiddle, text.width()));
    }
    painter.setFont(base);
    painter.setPen(palette.line);
    painter.drawLine(rect.topRight(), rect.bottomRight());
}

int laneHeadersWidth(const RowLayout &layout, const QFont &font)
{
    int width = narrowest;
    for (const Row &row : layout.rows()) {
        const QFontMetrics metrics(fontOf(font, row, layout.metrics()));
        width = std::max(width, textLeft(row) + metrics.horizontalAdvance(row.title) + 2 * margin);
        if (width >= widest)
            return widest;
    }
    return width;
}

LaneHeaders::LaneHeaders(const RowLayout &layout, QWidget *parent)
    : QWidget(parent)
    , m_layout(layout)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void LaneHeaders::setScroll(int scroll)
{
    m_scroll = scroll;
    update();
}

void LaneHeaders::setSelected(std::optional<size_t> row)
{
    if (m_selected == row)
        return;
    m_selected = row;
    update();
}

bool LaneHeaders::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const std::optional<size_t> row = m_layout.rowAt(help->pos().y() + m_scroll);
    if (row) {
        const Row &at = m_layout.rows()[*row];
        QToolTip::showText(help->globalPos(), u"<b>%1</b><br>%2"_s.arg(at.title.toHtmlEscaped(), shownWord(at.layer)), this);
    } else {
        QToolTip::hideText();
    }
    return true;
}

void LaneHeaders::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawLaneHeaders(painter, rect(), m_layout, m_scroll, m_selected, paletteOf(schemeOf(palette())));
}

void LaneHeaders::mousePressEvent(QMouseEvent *event)
{
    const std::optional<size_t> index = m_layout.rowAt(qRound(event->position().y()) + m_scroll);
    if (!index || event->button() != Qt::LeftButton)
        return;
    const Row &row = m_layout.rows()[*index];
    const int left = margin + row.depth * indent;
    if (row.hasChildren && event->position().x() >= left - margin && event->position().x() < left + arrow)
        Q_EMIT toggled(row.lane);
}

void LaneHeaders::mouseDoubleClickEvent(QMouseEvent *event)
{
    const std::optional<size_t> index = m_layout.rowAt(qRound(event->position().y()) + m_scroll);
    if (index && m_layout.rows()[*index].hasChildren)
        Q_EMIT toggled(m_layout.rows()[*index].lane);
}

} // namespace Waitscope
