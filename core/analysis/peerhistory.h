// SPDX-License-Identifier: GPL-3.0-or-later
// What earlier calls to the same peer say about this one.
#pragma once

#include "trace/tracestore.h"

namespace Waitscope {

// A refusal by something that let the same URL's host pass a moment ago. Translated; empty = nothing contradicts it.
[[nodiscard]] QString contradictionOf(const TraceStore &store, const SpanInfo &request);

// A kept connection that was dead: how long connections may idle, from those that were and were not. Translated, or empty.
[[nodiscard]] QString idleAdvice(const TraceStore &store, const SpanInfo &reconnect);

} // namespace Waitscope
