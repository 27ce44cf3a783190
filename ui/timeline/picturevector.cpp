// SPDX-License-Identifier: GPL-3.0-or-later
// The rows as shapes and text, for SVG and PDF.
#include "ui/timeline/picture.h"

#include "ui/style/glyphs.h"

#include <QPainter>

namespace Waitscope {

namespace {

// Beyond so many stretches of folded columns the file is smaller, and opens faster, with an image of them.
constexpr size_t mostRuns = 20000;

size_t runsOf(const RowGeometry &geometry)
{
    size_t runs = 0;
    quint64 last = 0;
    for (const FoldedColumn &column : geometry.spans.columns) {
        const quint64 bits = bitsOf(column);
        runs += bits != 0 && bits != last;
        last = bits;
    }
    return runs;
}

} // namespace

void Picture::drawVector(QPainter &painter)
{
    const auto [first, last] = visibleRows();
    size_t runs = 0;
    for (size_t i = first; i < last; ++i) {
        if (const auto known = m_rows.find(m_layout.rows()[i].lane); known != m_rows.end())
            runs += runsOf(known->second);
    }
    const bool columns = runs <= mostRuns;
    if (columns)
        painter.fillRect(QRect(0, 0, m_view.scale.width(), m_view.height), m_palette->base);
    else
        draw(painter, QRect(0, 0, m_view.scale.width(), m_view.height));
    for (size_t i = first; i < last; ++i) {
        const Row &row = m_layout.rows()[i];
        if (const auto known = m_rows.find(row.lane); known != m_rows.end())
            drawVectorRow(painter, row, known->second, columns);
    }
}

void Picture::drawVectorRow(QPainter &painter, const Row &row, const RowGeometry &geometry, bool columns)
{
    const RowBox box = boxOf(row, m_layout.metrics(), m_view.scroll, m_ratio);
    painter.save();
    painter.scale(1 / m_ratio, 1 / m_ratio);
    const int barHeight = box.barBottom - box.barTop;
    if (columns) {
        if (row.shaded) {
            painter.fillRect(QRect(0, box.top, static_cast<int>(geometry.spans.columns.size()), box.bottom - box.top),
                             m_palette->alternate);
        }
        if (row.isRoot())
            painter.fillRect(QRect(0, box.top, static_cast<int>(geometry.spans.columns.size()), 1), m_palette->line);
        const std::vector<FoldedColumn> &all = geometry.spans.columns;
        for (size_t x = 0; x < all.size();) {
            const quint64 bits = bitsOf(all[x]);
            size_t end = x + 1;
            while (end < all.size() && bitsOf(all[end]) == bits)
                ++end;
            if (bits != 0) {
                const QRect run(static_cast<int>(x), box.barTop, static_cast<int>(end - x), barHeight);
                painter.fillRect(run, m_composer.colourOf(all[x], row.layer, row.shaded));
            }
            x = end;
        }
    }
    for (const Bar &bar : geometry.bars) {
        const BarColours &colours = m_palette->bar(row.layer, bar.variant);
        const QRectF rect(bar.left, box.barTop, bar.right - bar.left, barHeight);
        if (columns) {
            const bool backoff = bar.variant == SpanClass::Backoff;
            painter.setPen(QPen(colours.outline, 1, backoff ? Qt::DotLine : Qt::SolidLine));
            painter.setBrush(colours.fill);
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
    if (columns)
        drawVectorFailures(painter, box, geometry);
    painter.setFont(m_labels.font());
    for (const BarLabel &label : geometry.labels) {
        const Bar &bar = geometry.bars[label.bar];
        painter.setPen(m_palette->bar(row.layer, bar.variant).text);
        painter.drawText(QRectF(label.x, box.barTop, bar.right - label.x, barHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         label.text);
    }
    for (const TimerRect &timer : geometry.timers)
        painter.fillRect(timerRect(row, box, timer), m_palette->timer);
    for (const Sign &sign : geometry.signs) {
        const QRectF rect = signRect(row, box, sign);
        switch (sign.kind) {
        case SignKind::Outcome:
            drawOutcome(painter, rect, sign.outcome, m_palette->bar(row.layer, sign.variant).text);
            break;
        case SignKind::Firing:
            drawFiring(painter, rect, m_layout.metrics().compact ? m_palette->bar(row.layer, sign.variant).text
                                                                   : m_palette->timer);
            break;
        case SignKind::Mark:
            if (row.timerSlots < 2)
                painter.fillRect(rect.adjusted(-1, -1, 1, 1), m_palette->base);
            drawMark(painter, rect, sign.mark, markColour(*m_palette, sign.mark));
            break;
        }
    }
    painter.restore();
}

// Over the bars, so that no edge of one hides a failure too narrow to be one.
void Picture::drawVectorFailures(QPainter &painter, const RowBox &box, const RowGeometry &geometry)
{
    const std::vector<FoldedColumn> &all = geometry.spans.columns;
    for (size_t x = 0; x < all.size();) {
        size_t end = x + 1;
        while (end < all.size() && all[end].worst == all[x].worst)
            ++end;
        if (all[x].worst > 0) {
            painter.fillRect(QRect(static_cast<int>(x), box.barBottom - 3, static_cast<int>(end - x), 3),
                             m_composer.severityColour(all[x].worst));
        }
        x = end;
    }
}

} // namespace Waitscope
