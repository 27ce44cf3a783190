// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline's colours, patterns and signs mean.
#pragma once

#include "ui/style/palette.h"

#include <QWidget>

namespace Waitscope {

class Legend final : public QWidget
{
    Q_OBJECT
public:
    explicit Legend(QWidget *parent = nullptr);

    // Draws it into `rect` and tells the height it needed; with a null painter only that.
    static int draw(QPainter *painter, const QRect &rect, const Palette &palette, const QFont &font);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace Waitscope
