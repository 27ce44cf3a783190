// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/readout.h"

#include <QAccessible>
#include <QEvent>
#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr int wrapped = static_cast<int>(Qt::TextWordWrap);

// Does it still say the same, of another moment?
bool isSameButForDigits(const QString &a, const QString &b)
{
    const auto skip = [](const QString &text, qsizetype i) {
        while (i < text.size() && text.at(i).isDigit())
            ++i;
        return i;
    };
    qsizetype i = skip(a, 0);
    qsizetype j = skip(b, 0);
    while (i < a.size() && j < b.size() && a.at(i) == b.at(j)) {
        i = skip(a, i + 1);
        j = skip(b, j + 1);
    }
    return i == a.size() && j == b.size();
}

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

Readout::Readout(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

Readout::Readout(int lines, QWidget *parent)
    : QWidget(parent)
    , m_wrapped(true)
    , m_lines(lines)
    , m_shownLines(lines)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void Readout::setText(const QString &text)
{
    if (text == m_text)
        return;
    const bool ticked = isSameButForDigits(text, m_text);
    m_text = text;
    if (QAccessible::isActive())
        setAccessibleName(text);
    fitLines(ticked);
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

void Readout::setElideMode(Qt::TextElideMode mode)
{
    m_elide = mode;
    update();
}

void Readout::setRoomFor(const QString &text)
{
    m_room = text;
    updateGeometry();
}

int Readout::linesNeeded(int width) const
{
    if (!m_wrapped || width <= 0 || m_text.isEmpty())
        return m_lines;
    const QRect box = fontMetrics().boundingRect(QRect(0, 0, width, 1 << 20), wrapped, m_text);
    return std::max(m_lines, (box.height() + fontMetrics().lineSpacing() - 1) / fontMetrics().lineSpacing());
}

void Readout::fitLines(bool sameButForDigits)
{
    const int needed = linesNeeded(width());
    // A line less because of a digit less is not worth moving everything below: the next moment would move it back.
    if (needed == m_shownLines || (sameButForDigits && needed < m_shownLines))
        return;
    m_shownLines = needed;
    updateGeometry();
}

void Readout::showWholeTextAsTip()
{
    const bool cut = !m_wrapped && fontMetrics().horizontalAdvance(m_text) > width();
    setToolTip(cut ? m_text : QString());
}

int Readout::heightForWidth(int width) const
{
    const int lines = linesNeeded(width);
    return (width == this->width() ? std::max(lines, m_shownLines) : lines) * fontMetrics().lineSpacing();
}

QSize Readout::sizeHint() const
{
    const QString &widest = m_room.isEmpty() ? m_text : m_room;
    const int width = m_wrapped ? fontMetrics().averageCharWidth() * 40 : fontMetrics().horizontalAdvance(widest) + 1;
    return {width, m_lines * fontMetrics().lineSpacing()};
}

QSize Readout::minimumSizeHint() const
{
    // A number is never cut; a sentence may be, its tip has all of it.
    const int width = m_room.isEmpty() ? fontMetrics().averageCharWidth() * 6 : sizeHint().width();
    return {width, m_lines * fontMetrics().lineSpacing()};
}

void Readout::paintEvent(QPaintEvent *)
{
    ++m_paints;
    QPainter painter(this);
    painter.setPen(colourOf(paletteOf(schemeOf(palette())), m_ink));
    if (m_wrapped)
        painter.drawText(rect(), static_cast<int>(m_alignment) | wrapped, m_text);
    else
        painter.drawText(rect(), static_cast<int>(m_alignment), fontMetrics().elidedText(m_text, m_elide, width()));
}

void Readout::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width() && m_shownLines != linesNeeded(width())) {
        m_shownLines = linesNeeded(width());
        updateGeometry();
    }
    showWholeTextAsTip();
}

void Readout::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace Waitscope
