// SPDX-License-Identifier: GPL-3.0-or-later
// The time axis above the rows: round times, the present with its seconds, bookmarks.
#pragma once

#include "ui/style/palette.h"
#include "ui/timeline/timeticks.h"
#include "ui/timeline/viewport.h"

#include <QWidget>

namespace Waitscope {

// Draws the axis into `rect`; `live` = there is a present to show.
void drawRuler(QPainter &painter, const QRect &rect, const Viewport &viewport, const TimeTicks &ticks, const Palette &palette,
               bool live);

class Ruler final : public QWidget
{
    Q_OBJECT
public:
    Ruler(const Viewport &viewport, QWidget *parent);

    void setLive(bool live);
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void dragged(double pixels); // to the right: earlier times come into view

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    const Viewport &m_viewport;
    bool m_live = false;
    double m_lastX = 0;
};

} // namespace Waitscope
