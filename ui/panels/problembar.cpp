// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/problembar.h"

#include "ui/style/palette.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace Waitscope {

ProblemBar::ProblemBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setAccessibleName(tr("Problem"));
    auto *dismiss = new QToolButton(this);
    dismiss->setText(tr("Dismiss"));
    dismiss->setAccessibleName(tr("Dismiss the problem"));
    connect(dismiss, &QToolButton::clicked, this, &QWidget::hide);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 6, 4);
    layout->addWidget(m_text, 1);
    layout->addWidget(dismiss, 0, Qt::AlignTop);
    hide();
    colour();
}

void ProblemBar::showProblem(const QString &line)
{
    m_text->setText(line);
    setVisible(!line.isEmpty());
}

QString ProblemBar::text() const
{
    return m_text->text();
}

void ProblemBar::colour()
{
    const Palette &colours = paletteOf(schemeOf(parentWidget() ? parentWidget()->palette() : palette()));
    QPalette own = m_text->palette();
    own.setColor(QPalette::WindowText, colours.bad);
    if (own.color(QPalette::WindowText) != m_text->palette().color(QPalette::WindowText))
        m_text->setPalette(own);
    QPalette ground = palette();
    ground.setColor(QPalette::Window, colours.base);
    if (ground.color(QPalette::Window) != palette().color(QPalette::Window))
        setPalette(ground);
}

void ProblemBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

} // namespace Waitscope
