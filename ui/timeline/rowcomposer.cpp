// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rowcomposer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace Waitscope {

namespace {

constexpr int dotEvery = 4;   // device pixels are scaled by the stroke
constexpr int hatchEvery = 7;

int mixed(int a, int b, int weight) // weight of b in 256ths
{
    return a + ((b - a) * weight >> 8);
}

QRgb mixed(QRgb a, QRgb b, int weight)
{
    return qRgb(mixed(qRed(a), qRed(b), weight), mixed(qGreen(a), qGreen(b), weight), mixed(qBlue(a), qBlue(b), weight));
}

// The mean of the variants' colours by their shares, over the ground by the column's weight.
QRgb blended(const FoldedColumn &column, const std::array<QRgb, 3> &inks, QRgb ground)
{
    int good = column.good;
    int backoff = column.backoff;
    int bad = column.bad;
    if (good + backoff + bad == 0) {
        const SpanClass only = column.dominant();
        good = only == SpanClass::Good;
        backoff = only == SpanClass::Backoff;
        bad = only == SpanClass::Bad;
    }
    const int all = good + backoff + bad;
    const auto mean = [&](auto part) {
        return static_cast<int>((qint64{part(inks[0])} * good + qint64{part(inks[1])} * backoff + qint64{part(inks[2])} * bad) / all);
    };
    const QRgb ink = qRgb(mean([](QRgb c) { return qRed(c); }), mean([](QRgb c) { return qGreen(c); }),
                          mean([](QRgb c) { return qBlue(c); }));
    return mixed(ground, ink, static_cast<int>(column.weight() * 256));
}

// Shares in sixteenths as one number; 0 is left for columns whose shares say nothing.
constexpr size_t blendCount = 1 << 15;

size_t blendOf(const FoldedColumn &column)
{
    const auto part = [](quint16 share) { return static_cast<size_t>((share + 2048) >> 12); };
    return part(column.good) << 10 | part(column.backoff) << 5 | part(column.bad);
}

FoldedColumn columnOf(size_t blend)
{
    const auto share = [](size_t part) { return static_cast<quint16>(std::min<size_t>(part << 12, 65535)); };
    FoldedColumn column;
    column.good = share(blend >> 10 & 31);
    column.backoff = share(blend >> 5 & 31);
    column.bad = share(blend & 31);
    column.occupied = true;
    return column;
}

} // namespace

RowBox boxOf(const Row &row, const RowMetrics &metrics, int scroll, double ratio)
{
    const auto device = [&](int y) { return static_cast<int>(std::lround((y - scroll) * ratio)); };
    return {device(row.top), device(row.top + metrics.above), device(row.top + metrics.above + metrics.bar), device(row.bottom())};
}

void RowComposer::setStyle(const Palette &palette, double ratio)
{
    for (size_t layer = 0; layer < m_inks.size(); ++layer) {
        for (size_t variant = 0; variant < 3; ++variant) {
            const BarColours &bar = palette.bars[layer][variant];
            m_inks[layer].fill[variant] = bar.fill.rgb();
            m_inks[layer].edge[variant] = bar.outline.rgb();
            m_inks[layer].folded[variant] = bar.fill.rgb();
        }
        // Dots cover a quarter of a backoff's ground.
        constexpr auto backoff = static_cast<size_t>(SpanClass::Backoff);
        m_inks[layer].folded[backoff] = mixed(m_inks[layer].fill[backoff], m_inks[layer].edge[backoff], 64);
    }
    for (size_t severity = 0; severity < m_severity.size(); ++severity)
        m_severity[severity] = palette.outcome(outcomeOfSeverity(static_cast<int>(severity))).rgb();
    m_blends = {};
    m_base = palette.base.rgb();
    m_shaded = palette.alternate.rgb();
    m_faint = palette.faintLine.rgb();
    m_line = palette.line.rgb();
    m_stroke = std::max(1, static_cast<int>(std::lround(ratio)));
}

void RowComposer::setGrid(const std::vector<int> &major, int width)
{
    m_width = width;
    m_ground[0].assign(static_cast<size_t>(width), m_base);
    m_ground[1].assign(static_cast<size_t>(width), m_shaded);
    for (const int x : major) {
        if (x >= 0 && x < width)
            m_ground[0][static_cast<size_t>(x)] = m_ground[1][static_cast<size_t>(x)] = m_faint;
    }
}

void RowComposer::compose(QImage &target, const RowBox &box, const Row &row, const RowGeometry &geometry)
{
    const Line &ground = m_ground[row.shaded ? 1 : 0];
    const Inks &inks = m_inks[static_cast<size_t>(row.layer)];
    m_plain = ground;
    m_edge = ground;
    m_foot = ground;
    int done = 0;
    for (const Bar &bar : geometry.bars) {
        composeColumns(geometry, row, done, bar.left);
        done = std::max(done, bar.right);
    }
    composeColumns(geometry, row, done, m_width);
    m_dots = m_plain;
    for (const Bar &bar : geometry.bars)
        composeBar(bar, inks);
    // Last of all, so that no edge of a bar hides a failure too narrow to be one.
    for (size_t x = 0; x < static_cast<size_t>(m_width); ++x) {
        if (const quint8 worst = geometry.spans.columns[x].worst; worst > 0)
            m_foot[x] = m_severity[worst];
    }

    const int foot = box.barBottom - m_stroke - std::max(2 * m_stroke, (box.barBottom - box.barTop) / 7);
    for (int y = box.top; y < box.bottom; ++y) {
        const Line *line = &ground;
        const bool inside = y >= box.barTop && y < box.barBottom;
        if (inside) {
            const int row4 = (y - box.barTop) / m_stroke % dotEvery;
            if (y < box.barTop + m_stroke || y >= box.barBottom - m_stroke)
                line = &m_edge;
            else if (y >= foot)
                line = &m_foot;
            else
                line = row4 == 1 || row4 == 2 ? &m_dots : &m_plain;
        }
        if (inside && m_hatched) {
            m_hatch = *line;
            const int period = hatchEvery * m_stroke;
            for (int x = (y - box.top) % period; x < m_width; x += period) {
                for (int i = x; i < std::min(x + 2 * m_stroke, m_width); ++i)
                    m_hatch[static_cast<size_t>(i)] = mixed(m_hatch[static_cast<size_t>(i)], ground[static_cast<size_t>(i)], 72);
            }
            line = &m_hatch;
        }
        copy(target, y, *line);
    }
    if (row.isRoot() && box.top >= 0 && box.top < target.height()) {
        auto *pixels = reinterpret_cast<QRgb *>(target.scanLine(box.top));
        std::fill(pixels, pixels + std::min(m_width, target.width()), m_line);
    }
}

void RowComposer::composeColumns(const RowGeometry &geometry, const Row &row, int from, int to)
{
    const Inks &inks = m_inks[static_cast<size_t>(row.layer)];
    const QRgb ground = row.shaded ? m_shaded : m_base;
    Blends &blends = m_blends[static_cast<size_t>(row.layer)][row.shaded ? 1 : 0];
    if (blends.plain.empty()) {
        blends.plain.assign(blendCount, 0);
        blends.edge.assign(blendCount, 0);
    }
    for (auto x = static_cast<size_t>(std::max(0, from)); x < static_cast<size_t>(std::max(0, to)); ++x) {
        const FoldedColumn &column = geometry.spans.columns[x];
        if (!column.occupied)
            continue;
        if (const size_t blend = blendOf(column); blend != 0) {
            // Opaque once made.
            if (blends.plain[blend] == 0) {
                blends.plain[blend] = blended(columnOf(blend), inks.folded, ground);
                blends.edge[blend] = blended(columnOf(blend), inks.edge, ground);
            }
            m_plain[x] = blends.plain[blend];
            m_edge[x] = blends.edge[blend];
        } else {
            m_plain[x] = blended(column, inks.folded, ground);
            m_edge[x] = blended(column, inks.edge, ground);
        }
        m_foot[x] = m_plain[x];
    }
}

void RowComposer::composeBar(const Bar &bar, const Inks &inks)
{
    const auto variant = static_cast<size_t>(bar.variant);
    const QRgb fill = inks.fill[variant];
    const QRgb edge = inks.edge[variant];
    const auto fillLine = [&](Line &line, QRgb colour) {
        std::fill(line.begin() + bar.left, line.begin() + bar.right, colour);
    };
    fillLine(m_edge, edge);
    fillLine(m_plain, fill);
    fillLine(m_dots, fill);
    fillLine(m_foot, fill);
    if (bar.variant == SpanClass::Backoff) {
        const int step = dotEvery * m_stroke;
        for (int x = bar.left + (step - bar.left % step) % step; x < bar.right; x += step) {
            const int end = std::min(x + 2 * m_stroke, bar.right);
            std::fill(m_dots.begin() + x, m_dots.begin() + end, edge);
        }
    }
    // Very narrow bars keep one edge, so that neighbours stay apart and the fill stays to be seen.
    const int stroke = bar.right - bar.left >= 4 * m_stroke ? m_stroke : 1;
    for (Line *line : {&m_plain, &m_dots, &m_foot}) {
        if (!bar.cutLeft)
            std::fill(line->begin() + bar.left, line->begin() + bar.left + stroke, edge);
        if (!bar.cutRight && !bar.open && bar.right - bar.left >= 4 * m_stroke)
            std::fill(line->begin() + bar.right - stroke, line->begin() + bar.right, edge);
    }
}

void RowComposer::copy(QImage &target, int y, const Line &line) const
{
    if (y >= 0 && y < target.height()) {
        std::memcpy(target.scanLine(y), line.data(),
                    static_cast<size_t>(std::min(target.width(), m_width)) * sizeof(QRgb));
    }
}

void RowComposer::fillGround(QImage &target, int top, int bottom)
{
    for (int y = std::max(0, top); y < bottom; ++y)
        copy(target, y, m_ground[0]);
}

QColor RowComposer::colourOf(const FoldedColumn &column, Layer layer, bool shaded) const
{
    return QColor(blended(column, m_inks[static_cast<size_t>(layer)].folded, shaded ? m_shaded : m_base));
}

} // namespace Waitscope
