// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says of a span, as rows of text.
#pragma once

#include "trace/tracestore.h"
#include "ui/models/rowsmodel.h"

namespace Waitscope {

// Each with as many columns as its headers; an unknown span gives no rows.
[[nodiscard]] TextRows spanFacts(const TraceStore &store, SpanId span, Instant now);    // name, value
[[nodiscard]] TextRows attemptFacts(const TraceStore &store, SpanId span, Instant now); // tries of the same sort beside it
[[nodiscard]] TextRows lineFacts(const TraceStore &store, SpanId span);
[[nodiscard]] TextRows timerFacts(const TraceStore &store, SpanId span, Instant now);
[[nodiscard]] TextRows markFacts(const TraceStore &store, SpanId span);

[[nodiscard]] QStringList attemptHeaders();
[[nodiscard]] QStringList lineHeaders();
[[nodiscard]] QStringList timerHeaders();
[[nodiscard]] QStringList markHeaders();

} // namespace Waitscope
