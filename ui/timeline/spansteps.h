// SPDX-License-Identifier: GPL-3.0-or-later
// Steps from span to span and from event to event, for the keyboard.
#pragma once

#include "trace/spanquery.h"
#include "ui/timeline/rowlayout.h"

namespace Waitscope {

enum class SpanStep : quint8 { Parent, Child, Next, Previous };

// None where there is nothing in that direction; next and previous stay in the span's lane.
[[nodiscard]] SpanId spanBeside(const TraceStore &store, SpanId id, SpanStep step);

// Among the lanes that have rows.
[[nodiscard]] std::optional<Instant> nextEdgeIn(const TraceStore &store, const RowLayout &layout, Instant t);
[[nodiscard]] std::optional<Instant> previousEdgeIn(const TraceStore &store, const RowLayout &layout, Instant t);

// The innermost span that begins at `edge`, else the innermost that ends there.
[[nodiscard]] SpanId spanWithEdge(const TraceStore &store, const RowLayout &layout, Instant edge);

} // namespace Waitscope
