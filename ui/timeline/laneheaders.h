// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the rows at their left, indented as the layers are nested; tasks fold up.
#pragma once

#include "ui/style/palette.h"
#include "ui/timeline/rowlayout.h"

#include <QWidget>

namespace Waitscope {

// `selected` is a row's number, none if no row is.
void drawLaneHeaders(QPainter &painter, const QRect &rect, const RowLayout &layout, int scroll, std::optional<size_t> selected,
                     const Palette &palette);

// So that every name is whole, between bounds.
[[nodiscard]] int laneHeadersWidth(const RowLayout &layout, const QFont &font);

class LaneHeaders final : public QWidget
{
    Q_OBJECT
public:
    LaneHeaders(const RowLayout &layout, QWidget *parent);

    void setScroll(int scroll);
    void setSelected(std::optional<size_t> row);

Q_SIGNALS:
    void toggled(LaneId lane);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    const RowLayout &m_layout;
    int m_scroll = 0;
    std::optional<size_t> m_selected;
};

} // namespace Waitscope
