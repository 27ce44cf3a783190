// SPDX-License-Identifier: GPL-3.0-or-later
// Small signs drawn as paths, so that they look the same with every font and nothing depends on colour alone.
#pragma once

#include "base/vocabulary.h"
#include "event/event.h"
#include "ui/style/palette.h"

#include <QIcon>
#include <QPainterPath>
#include <QRectF>

#include <optional>

class QPainter;

namespace Waitscope {

// Tick, half tick, torn edge, cross, clock, square, broken ring: one shape for each outcome.
void drawOutcome(QPainter &painter, const QRectF &box, Outcome outcome, const QColor &colour);
void drawFiring(QPainter &painter, const QRectF &box, const QColor &colour);
// Marks that stand on the timeline; nothing for those that do not (see isShownMark).
void drawMark(QPainter &painter, const QRectF &box, MarkKind kind, const QColor &colour);
[[nodiscard]] bool isShownMark(MarkKind kind);
[[nodiscard]] QColor markColour(const Palette &palette, MarkKind kind); // as a foreground on base

[[nodiscard]] QIcon outcomeIcon(Outcome outcome, Scheme scheme);
[[nodiscard]] QIcon openIcon(Scheme scheme); // still going on

} // namespace Waitscope
