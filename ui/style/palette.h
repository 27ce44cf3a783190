// SPDX-License-Identifier: GPL-3.0-or-later
// Colours by meaning, after Okabe and Ito, in a light and a dark set: no widget names a colour itself.
#pragma once

#include "base/vocabulary.h"
#include "trace/spaninfo.h"

#include <QColor>

#include <array>

class QPalette;

namespace Waitscope {

enum class Scheme : quint8 { Light, Dark };

// One variant of a layer's bars. `outline` stands out from the row's ground even where two bars touch.
struct BarColours {
    QColor fill;
    QColor outline;
    QColor text;
};

struct Palette {
    Scheme scheme = Scheme::Light;

    QColor base;      // ground of rows, tables and charts
    QColor alternate; // ground of every second task
    QColor panel;     // ground of rulers, headers and docks
    QColor text;
    QColor dimText;   // secondary text; still 4.5:1 on base, alternate and panel
    QColor line;      // separators and main grid lines: decoration, no meaning of their own
    QColor faintLine;

    QColor good;      // foregrounds on base: a glyph, a number, a curve
    QColor warning;
    QColor bad;
    QColor neutral;   // stopped by somebody, abandoned

    QColor now;
    QColor timer;     // countdown bars and firings
    QColor deadline;
    QColor watchdog;
    QColor alarm;     // a swallowed alarm, a task without protection
    QColor selection;
    QColor measure;
    QColor bookmark;
    QColor highlight; // ground of selected rows
    QColor highlightText;

    std::array<std::array<BarColours, 3>, 5> bars; // by Layer, by SpanClass
    std::array<QColor, 6> series;                  // categories of charts, in order of use

    [[nodiscard]] const BarColours &bar(Layer layer, SpanClass variant = SpanClass::Good) const
    {
        return bars[static_cast<size_t>(layer)][static_cast<size_t>(variant)];
    }
    // A layer's hue as a foreground.
    [[nodiscard]] QColor layer(Layer layer) const { return bar(layer).fill; }
    // As a foreground, for glyphs, outlines and text.
    [[nodiscard]] QColor outcome(Outcome outcome) const;
};

[[nodiscard]] const Palette &paletteOf(Scheme scheme);
// Which set suits a widget's own palette: paletteOf(schemeOf(widget->palette())).
[[nodiscard]] Scheme schemeOf(const QPalette &palette);

// As WCAG 2 counts it: 1 (same) to 21 (black on white).
[[nodiscard]] double contrastOf(const QColor &a, const QColor &b);

} // namespace Waitscope
