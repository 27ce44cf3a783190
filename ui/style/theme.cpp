// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

#include <memory>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Fusion's own palette follows the system's light or dark setting where Qt can see it.
Scheme systemScheme()
{
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create(u"Fusion"_s));
    return fusion ? schemeOf(fusion->standardPalette()) : Scheme::Light;
}

QFont fontOf(const QStringList &families, double pointSize)
{
    QFont font;
    font.setFamilies(families);
    if (pointSize > 0)
        font.setPointSizeF(pointSize);
    else if (font.pointSizeF() <= 0)
        font.setPointSizeF(10);
    return font;
}

} // namespace

QLatin1StringView wordOf(Theme theme)
{
    switch (theme) {
    case Theme::System:
        return "system"_L1;
    case Theme::Light:
        return "light"_L1;
    case Theme::Dark:
        return "dark"_L1;
    }
    Q_UNREACHABLE();
}

std::optional<Theme> themeFromWord(QStringView word)
{
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark}) {
        if (word == wordOf(theme))
            return theme;
    }
    return std::nullopt;
}

QPalette qtPaletteOf(Scheme scheme)
{
    const Palette &p = paletteOf(scheme);
    QPalette q;
    const auto both = [&q](QPalette::ColorRole role, const QColor &colour) { q.setColor(QPalette::All, role, colour); };
    both(QPalette::Window, p.panel);
    both(QPalette::WindowText, p.text);
    both(QPalette::Base, p.base);
    both(QPalette::AlternateBase, p.alternate);
    both(QPalette::Text, p.text);
    both(QPalette::PlaceholderText, p.dimText);
    both(QPalette::Button, scheme == Scheme::Dark ? QColor(0x2f, 0x33, 0x3c) : QColor(0xf5, 0xf6, 0xf8));
    both(QPalette::ButtonText, p.text);
    both(QPalette::BrightText, p.bad);
    both(QPalette::ToolTipBase, p.base);
    both(QPalette::ToolTipText, p.text);
    both(QPalette::Highlight, p.highlight);
    both(QPalette::HighlightedText, p.highlightText);
    both(QPalette::Link, p.measure);
    both(QPalette::LinkVisited, p.watchdog);
    both(QPalette::Light, scheme == Scheme::Dark ? QColor(0x4a, 0x50, 0x5c) : QColor(0xff, 0xff, 0xff));
    both(QPalette::Midlight, p.line);
    both(QPalette::Mid, p.dimText);
    both(QPalette::Dark, scheme == Scheme::Dark ? QColor(0x0d, 0x0f, 0x12) : QColor(0x9a, 0xa1, 0xac));
    both(QPalette::Shadow, scheme == Scheme::Dark ? QColor(0x00, 0x00, 0x00) : QColor(0x6b, 0x72, 0x80));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        q.setColor(QPalette::Disabled, role, scheme == Scheme::Dark ? QColor(0x78, 0x80, 0x8c) : QColor(0x82, 0x8a, 0x96));
    q.setColor(QPalette::Disabled, QPalette::Highlight, p.line);
    q.setColor(QPalette::Disabled, QPalette::HighlightedText, p.dimText);
    return q;
}

void applyTheme(Theme theme)
{
    const Scheme scheme = theme == Theme::System ? systemScheme() : theme == Theme::Dark ? Scheme::Dark : Scheme::Light;
    QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    const QPalette palette = qtPaletteOf(scheme);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    const QFont font = textFont();
    QApplication::setFont(font);
    QToolTip::setFont(font);
}

QFont textFont(double pointSize)
{
    return fontOf({u"DejaVu Sans"_s, u"Segoe UI"_s, u"Helvetica Neue"_s, u"Noto Sans CJK SC"_s, u"WenQuanYi Micro Hei"_s,
                   u"Microsoft YaHei"_s, u"PingFang SC"_s},
                  pointSize);
}

QFont fixedFont(double pointSize)
{
    QFont font = fontOf({u"DejaVu Sans Mono"_s, u"Consolas"_s, u"Menlo"_s, u"Noto Sans Mono CJK SC"_s,
                         u"WenQuanYi Micro Hei Mono"_s, u"Microsoft YaHei"_s, u"PingFang SC"_s},
                        pointSize);
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    return font;
}

} // namespace Waitscope
