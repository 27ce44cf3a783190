// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the rows: now line, watchdog and deadlines, selection, measured range, bookmarks. Cheap to move, drawn last.
#pragma once

#include "ui/timeline/picture.h"
#include "ui/timeline/viewport.h"

#include <QRect>
#include <QString>

#include <vector>

namespace Waitscope {

enum class OverlayKind : quint8 { Measure, Bookmark, Cursor, Timer, Now, Selection };

struct OverlayShape {
    OverlayKind kind = OverlayKind::Now;
    QRect rect;  // a line is one pixel wide
    QRect label; // empty where there is no text
    QString text;
    TimerKind timer = TimerKind::Deadline;
    bool fired = false;
    friend bool operator==(const OverlayShape &, const OverlayShape &) = default;

    // All pixels it may touch.
    [[nodiscard]] QRect bounds() const;
};

// In drawing order, in logical pixels from the picture's corner; `live` = there is a present to show.
[[nodiscard]] std::vector<OverlayShape> overlayOf(const Picture &picture, const Viewport &viewport, bool live);
// The pixels that differ.
[[nodiscard]] QRegion differenceOf(const std::vector<OverlayShape> &a, const std::vector<OverlayShape> &b);

void drawOverlay(QPainter &painter, const std::vector<OverlayShape> &shapes, const Picture &picture);

} // namespace Waitscope
