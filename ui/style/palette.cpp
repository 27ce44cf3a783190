// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/palette.h"

#include <QPalette>

#include <cmath>

namespace Waitscope {

namespace {

QColor mixed(const QColor &a, const QColor &b, double shareOfB)
{
    const auto part = [shareOfB](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * shareOfB)); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

double luminanceOf(const QColor &colour)
{
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

// White or near-black ink, whichever reads better on `fill`.
QColor inkOn(const QColor &fill)
{
    const QColor dark(0x10, 0x12, 0x16);
    const QColor light(Qt::white);
    return contrastOf(fill, dark) >= contrastOf(fill, light) ? dark : light;
}

// Okabe and Ito's hues: grey for the task, then blue, reddish purple, bluish green, sky blue from outside in. The light set
// is darkened as far as 3:1 on the rows' ground asks, the dark set lightened.
void fillBars(Palette &p, const std::array<QColor, 5> &hues)
{
    const bool light = p.scheme == Scheme::Light;
    for (size_t layer = 0; layer < hues.size(); ++layer) {
        const QColor hue = hues[layer];
        const QColor edge = light ? mixed(hue, Qt::black, 0.35) : mixed(hue, p.base, 0.45);
        p.bars[layer][static_cast<size_t>(SpanClass::Good)] = {hue, edge, inkOn(hue)};
        // A failure keeps its layer's hue, deeper; frame and underline say what it is.
        const QColor failed = mixed(hue, light ? QColor(Qt::black) : p.base, light ? 0.22 : 0.28);
        p.bars[layer][static_cast<size_t>(SpanClass::Bad)] = {failed, p.bad, inkOn(failed)};
        p.bars[layer][static_cast<size_t>(SpanClass::Backoff)] = {mixed(hue, p.base, 0.82), hue, p.text};
    }
}

Palette makeLight()
{
    Palette p;
    p.scheme = Scheme::Light;
    p.base = QColor(0xff, 0xff, 0xff);
    p.alternate = QColor(0xf5, 0xf6, 0xf8);
    p.panel = QColor(0xec, 0xee, 0xf1);
    p.text = QColor(0x1b, 0x1e, 0x23);
    p.dimText = QColor(0x59, 0x61, 0x6d);
    p.line = QColor(0xcf, 0xd3, 0xd9);
    p.faintLine = QColor(0xe6, 0xe8, 0xec);
    p.good = QColor(0x00, 0x7a, 0x59);
    p.warning = QColor(0x92, 0x5e, 0x00);
    p.bad = QColor(0xb5, 0x49, 0x00);
    p.neutral = QColor(0x62, 0x6a, 0x77);
    p.now = QColor(0x1b, 0x1e, 0x23);
    p.timer = QColor(0x92, 0x5e, 0x00);
    p.deadline = QColor(0xb5, 0x49, 0x00);
    p.watchdog = QColor(0x8a, 0x3f, 0x6a);
    p.alarm = QColor(0x8a, 0x3f, 0x6a);
    p.selection = QColor(0x00, 0x00, 0x00);
    p.measure = QColor(0x00, 0x5a, 0x8f);
    p.bookmark = QColor(0x7d, 0x62, 0x00);
    p.highlight = QColor(0x00, 0x63, 0x9c);
    p.highlightText = QColor(0xff, 0xff, 0xff);
    fillBars(p, {QColor(0x48, 0x50, 0x5b), QColor(0x00, 0x72, 0xb2), QColor(0xc2, 0x6a, 0x98), QColor(0x00, 0x81, 0x5e),
                 QColor(0x33, 0x91, 0xca)});
    p.series = {QColor(0x00, 0x72, 0xb2), QColor(0xc2, 0x4e, 0x00), QColor(0x00, 0x81, 0x5e),
                QColor(0xa9, 0x52, 0x7f), QColor(0xa8, 0x6f, 0x00), QColor(0x5b, 0x64, 0x70)};
    return p;
}

Palette makeDark()
{
    Palette p;
    p.scheme = Scheme::Dark;
    p.base = QColor(0x16, 0x18, 0x1d);
    p.alternate = QColor(0x1d, 0x20, 0x26);
    p.panel = QColor(0x24, 0x27, 0x2e);
    p.text = QColor(0xe8, 0xea, 0xee);
    p.dimText = QColor(0xa3, 0xab, 0xb8);
    p.line = QColor(0x3c, 0x41, 0x4b);
    p.faintLine = QColor(0x2a, 0x2e, 0x36);
    p.good = QColor(0x2f, 0xb9, 0x8f);
    p.warning = QColor(0xe6, 0x9f, 0x00);
    p.bad = QColor(0xf5, 0x84, 0x4a);
    p.neutral = QColor(0xa3, 0xab, 0xb8);
    p.now = QColor(0xff, 0xff, 0xff);
    p.timer = QColor(0xe6, 0x9f, 0x00);
    p.deadline = QColor(0xf5, 0x84, 0x4a);
    p.watchdog = QColor(0xe8, 0xa6, 0xca);
    p.alarm = QColor(0xe8, 0xa6, 0xca);
    p.selection = QColor(0xff, 0xff, 0xff);
    p.measure = QColor(0x86, 0xcd, 0xf5);
    p.bookmark = QColor(0xf0, 0xe4, 0x42);
    p.highlight = QColor(0x25, 0x76, 0xb0);
    p.highlightText = QColor(0xff, 0xff, 0xff);
    fillBars(p, {QColor(0xc0, 0xc8, 0xd2), QColor(0x4a, 0xa3, 0xdd), QColor(0xd9, 0x8f, 0xb8), QColor(0x2f, 0xb9, 0x8f),
                 QColor(0x86, 0xcd, 0xf5)});
    p.series = {QColor(0x56, 0xb4, 0xe9), QColor(0xf5, 0x84, 0x4a), QColor(0x2f, 0xb9, 0x8f),
                QColor(0xd9, 0x8f, 0xb8), QColor(0xe6, 0x9f, 0x00), QColor(0x97, 0xa1, 0xb0)};
    return p;
}

} // namespace

QColor Palette::outcome(Outcome outcome) const
{
    switch (outcome) {
    case Outcome::Ok:
        return good;
    case Outcome::Partial:
    case Outcome::Truncated:
        return warning;
    case Outcome::Error:
    case Outcome::Timeout:
        return bad;
    case Outcome::Interrupted:
    case Outcome::Abandoned:
        return neutral;
    }
    Q_UNREACHABLE();
}

const Palette &paletteOf(Scheme scheme)
{
    static const Palette light = makeLight();
    static const Palette dark = makeDark();
    return scheme == Scheme::Dark ? dark : light;
}

Scheme schemeOf(const QPalette &palette)
{
    return luminanceOf(palette.color(QPalette::Window)) < luminanceOf(palette.color(QPalette::WindowText)) ? Scheme::Dark
                                                                                                        : Scheme::Light;
}

double contrastOf(const QColor &a, const QColor &b)
{
    const double la = luminanceOf(a) + 0.05;
    const double lb = luminanceOf(b) + 0.05;
    return la > lb ? la / lb : lb / la;
}

} // namespace Waitscope
