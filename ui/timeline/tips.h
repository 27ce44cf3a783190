// SPDX-License-Identifier: GPL-3.0-or-later
// What a tooltip and a screen reader say of a span or a timer.
#pragma once

#include "trace/tracestore.h"

#include <QString>

namespace Waitscope {

// Rich text with everything from the trace escaped.
[[nodiscard]] QString spanTip(const TraceStore &store, SpanId id, Instant now);
[[nodiscard]] QString timerTip(const TraceStore &store, const ShownTimer &timer, Instant now);

// Plain text: "request 2 of 3, timeout: ConnectTimeout" and "starts at 12.400 s, lasts 30 s, in task-1".
[[nodiscard]] QString spokenName(const SpanInfo &span);
[[nodiscard]] QString spokenDescription(const TraceStore &store, const SpanInfo &span, Instant now);

} // namespace Waitscope
