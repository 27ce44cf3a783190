// SPDX-License-Identifier: GPL-3.0-or-later
// A small button over the rows: back to the present, or on after a pause. Not there while there is nothing to do.
#pragma once

#include <QToolButton>

namespace Waitscope {

class Viewport;

class NowChip final : public QToolButton
{
    Q_OBJECT
public:
    NowChip(Viewport &viewport, QWidget *parent);

    void setLive(bool live);
    void place(); // the parent has another size

private:
    void renew();

    Viewport &m_viewport;
    bool m_live = false;
};

} // namespace Waitscope
