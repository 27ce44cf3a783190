// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a row's geometry into pixels: a few lines of pixels are made and copied into the row's scanlines, no painter per span.
#pragma once

#include "ui/style/palette.h"
#include "ui/timeline/rowgeometry.h"

#include <QImage>

#include <array>
#include <vector>

namespace Waitscope {

// Where a row stands in an image, in device pixels.
struct RowBox {
    int top = 0;
    int barTop = 0;
    int barBottom = 0;
    int bottom = 0;
};
[[nodiscard]] RowBox boxOf(const Row &row, const RowMetrics &metrics, int scroll, double ratio);

class RowComposer
{
public:
    void setStyle(const Palette &palette, double ratio);
    // Bars of simulated runs are hatched.
    void setHatched(bool hatched) { m_hatched = hatched; }
    // Columns of grid lines, the same in every row.
    void setGrid(const std::vector<int> &major, int width);

    // `target` is of Format_RGB32; lines outside it are left out.
    void compose(QImage &target, const RowBox &box, const Row &row, const RowGeometry &geometry);
    // The ground below the last row.
    void fillGround(QImage &target, int top, int bottom);

    // For painting without pixels: the colour a column has.
    [[nodiscard]] QColor colourOf(const FoldedColumn &column, Layer layer, bool shaded) const;
    [[nodiscard]] QColor severityColour(int severity) const { return QColor(m_severity[static_cast<size_t>(severity)]); }

private:
    using Line = std::vector<QRgb>;
    struct Inks {
        std::array<QRgb, 3> fill;
        std::array<QRgb, 3> edge;
        std::array<QRgb, 3> folded; // what a bar of the variant looks like on average
    };
    // Colours of columns by their shares in sixteenths, made when first asked for: blending each anew is half of a full view.
    struct Blends {
        std::vector<QRgb> plain;
        std::vector<QRgb> edge;
    };
    void composeColumns(const RowGeometry &geometry, const Row &row, int from, int to);
    void composeBar(const Bar &bar, const Inks &inks);
    void copy(QImage &target, int y, const Line &line) const;

    std::array<Inks, 5> m_inks{};
    std::array<std::array<Blends, 2>, 5> m_blends; // by Layer, plain or shaded ground
    std::array<QRgb, 7> m_severity{};
    std::array<Line, 2> m_ground; // plain, shaded
    QRgb m_base = 0;
    QRgb m_shaded = 0;
    QRgb m_faint = 0;
    QRgb m_line = 0;
    int m_width = 0;
    int m_stroke = 1; // device pixels of an outline
    bool m_hatched = false;

    Line m_edge;  // first and last line of the bars
    Line m_plain;
    Line m_dots;  // as plain, with the dots of backoffs
    Line m_foot;  // as plain, failures underlined
    Line m_hatch;
};

} // namespace Waitscope
