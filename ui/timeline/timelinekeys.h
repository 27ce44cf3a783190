// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's keys, as the key sheet lists them.
#pragma once

#include <QtGlobal>

#include <optional>

class QKeyEvent;

namespace Waitscope {

enum class TimelineKey : quint8 {
    ZoomIn, ZoomOut, PanLeft, PanRight, Fit, Start, Follow, Pause, NextEvent, PreviousEvent, NextInChain, PreviousInChain,
    Bookmark, Parent, Child, NextSpan, PreviousSpan, Activate, Fold, Unfold, PageUp, PageDown, Clear
};

// None for keys the timeline leaves to the window, whatever comes with Ctrl, Alt or Meta among them.
[[nodiscard]] std::optional<TimelineKey> timelineKeyOf(const QKeyEvent &event);

} // namespace Waitscope
