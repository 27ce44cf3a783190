// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/nowchip.h"

#include "ui/timeline/viewport.h"

namespace Waitscope {

NowChip::NowChip(Viewport &viewport, QWidget *parent)
    : QToolButton(parent)
    , m_viewport(viewport)
{
    // The timeline itself keeps the keyboard; its End and Space do the same.
    setFocusPolicy(Qt::NoFocus);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setCursor(Qt::ArrowCursor);
    connect(&viewport, &Viewport::followChanged, this, &NowChip::renew);
    connect(&viewport, &Viewport::pausedChanged, this, &NowChip::renew);
    connect(this, &QToolButton::clicked, this, [this] {
        m_viewport.setPaused(false);
        m_viewport.setFollowing(true);
    });
    renew();
}

void NowChip::setLive(bool live)
{
    m_live = live;
    renew();
}

void NowChip::renew()
{
    setText(m_viewport.isPaused() ? tr("Paused; go on (Space)") : tr("Jump to now (End)"));
    adjustSize();
    setVisible(m_live && (m_viewport.isPaused() || !m_viewport.isFollowing()));
    place();
}

void NowChip::place()
{
    if (const QWidget *over = parentWidget())
        move(over->width() - width() - 12, over->height() - height() - 10);
}

} // namespace Waitscope
