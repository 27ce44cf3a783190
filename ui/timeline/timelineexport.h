// SPDX-License-Identifier: GPL-3.0-or-later
// The whole timeline on another surface: a picture file, SVG or PDF.
#pragma once

#include "ui/timeline/picture.h"
#include "ui/timeline/viewport.h"

#include <QFont>

namespace Waitscope {

struct TimelineExport {
    const Picture &picture; // what it shows, at whatever size
    const Viewport &viewport;
    QFont font;
    bool live = false;
    bool simulated = false;
    bool legend = true;
};

// The visible range fills the width of `rect`, whatever its size; rows begin where they are scrolled to.
void paintTimeline(QPainter &painter, const QRectF &rect, bool vector, const TimelineExport &what);

} // namespace Waitscope
