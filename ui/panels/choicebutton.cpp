// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/choicebutton.h"

#include "ui/style/palette.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr int margin = 16;
constexpr int strip = 6;
constexpr int gap = 6;
constexpr int least = 92;

} // namespace

ChoiceButton::ChoiceButton(const QString &title, const QString &about, Layer hue, QWidget *parent)
    : QAbstractButton(parent)
    , m_about(about)
    , m_hue(hue)
{
    setText(title); // its & makes the mnemonic
    setAccessibleDescription(about);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QFont ChoiceButton::titleFont() const
{
    QFont title = font();
    title.setBold(true);
    title.setPointSizeF(title.pointSizeF() * 1.25);
    return title;
}

int ChoiceButton::heightForWidth(int width) const
{
    const QRect about = fontMetrics().boundingRect(QRect(0, 0, width - strip - 2 * margin, 1 << 20),
                                                   static_cast<int>(Qt::TextWordWrap), m_about);
    return std::max(least, 2 * margin + QFontMetrics(titleFont()).lineSpacing() + gap + about.height());
}

QSize ChoiceButton::sizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * 44;
    return {width, heightForWidth(width)};
}

void ChoiceButton::paintEvent(QPaintEvent *)
{
    const Palette &colours = paletteOf(schemeOf(palette()));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool near = hasFocus() || underMouse();
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setBrush(isDown() ? colours.alternate : colours.base);
    painter.setPen(QPen(near ? colours.highlight : colours.line, near ? 2 : 1));
    painter.drawRoundedRect(frame, 4, 4);
    painter.fillRect(QRectF(frame.left() + 2, frame.top() + 6, strip, frame.height() - 12), colours.layer(m_hue));
    QRect text = rect().adjusted(strip + margin, margin, -margin, -margin);
    painter.setPen(colours.text);
    painter.setFont(titleFont());
    painter.drawText(text, static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextShowMnemonic), this->text());
    text.setTop(text.top() + QFontMetrics(titleFont()).lineSpacing() + gap);
    painter.setPen(colours.dimText);
    painter.setFont(font());
    painter.drawText(text, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | static_cast<int>(Qt::TextWordWrap), m_about);
}

void ChoiceButton::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void ChoiceButton::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

void ChoiceButton::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace Waitscope
