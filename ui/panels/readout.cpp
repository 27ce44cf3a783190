// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/readout.h"

#include <QAccessible>
#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr int wrapped = static_cast<int>(Qt::TextWordWrap);

} // namespace

QColor colourOf(const Palette &palette, Ink ink)
{
    switch (ink) {
    case Ink::Text:
        return palette.text;
    case Ink::Dim:
        return palette.dimText;
    case Ink::Good:
        return palette.good;
    case Ink::Warning:
        return palette.warning;
    case Ink::Bad:
        return palette.bad;
    case Ink::Neutral:
        return palette.neutral;
    case Ink::Alarm:
        return palette.alarm;
    case Ink::Timer:
        return palette.timer;
    }
    Q_UNREACHABLE();
}

Readout::Readout(int lines, QWidget *parent)
    : QWidget(parent)
    , m_lines(lines)
    , m_grown(lines)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(lines > 1);
    setSizePolicy(policy);
}

void Readout::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    if (QAccessible::isActive())
        setAccessibleName(text);
    growIfNeeded();
    showWholeTextAsTip();
    update();
}

void Readout::setInk(Ink ink)
{
    if (ink == m_ink)
        return;
    m_ink = ink;
    update();
}

void Readout::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

void Readout::setRoomFor(const QString &text)
{
    m_room = text;
    updateGeometry();
}

int Readout::linesNeeded(int width) const
{
    if (m_lines == 1 || width <= 0)
        return m_lines;
    const QRect box = fontMetrics().boundingRect(QRect(0, 0, width, 1 << 20), wrapped, m_text);
    return std::max(m_lines, (box.height() + fontMetrics().lineSpacing() - 1) / fontMetrics().lineSpacing());
}

void Readout::growIfNeeded()
{
    const int needed = linesNeeded(width());
    if (needed <= m_grown)
        return;
    m_grown = needed;
    updateGeometry();
}

void Readout::showWholeTextAsTip()
{
    const bool cut = m_lines == 1 && fontMetrics().horizontalAdvance(m_text) > width();
    setToolTip(cut ? m_text : QString());
}

int Readout::heightForWidth(int width) const
{
    return std::max(width == this->width() ? m_grown : m_lines, linesNeeded(width)) * fontMetrics().lineSpacing();
}

QSize Readout::sizeHint() const
{
    const QString &widest = m_room.isEmpty() ? m_text : m_room;
    const int width = m_lines > 1 ? fontMetrics().averageCharWidth() * 40 : fontMetrics().horizontalAdvance(widest) + 1;
    return {width, m_grown * fontMetrics().lineSpacing()};
}

QSize Readout::minimumSizeHint() const
{
    // A number is never cut; a sentence may be, its tip has all of it.
    const int width = m_room.isEmpty() ? fontMetrics().averageCharWidth() * 6 : sizeHint().width();
    return {width, m_grown * fontMetrics().lineSpacing()};
}

void Readout::paintEvent(QPaintEvent *)
{
    ++m_paints;
    QPainter painter(this);
    painter.setPen(colourOf(paletteOf(schemeOf(palette())), m_ink));
    if (m_lines > 1)
        painter.drawText(rect(), static_cast<int>(m_alignment) | wrapped, m_text);
    else
        painter.drawText(rect(), static_cast<int>(m_alignment), fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
}

void Readout::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_grown = linesNeeded(width());
    showWholeTextAsTip();
}

void Readout::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace Waitscope
