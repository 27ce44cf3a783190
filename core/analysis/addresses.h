// SPDX-License-Identifier: GPL-3.0-or-later
// What became of each address of a host that a request connects to.
#pragma once

#include "trace/tracestore.h"

namespace Waitscope {

// "[2001:db8::1]:443 no answer for 12.4 s, 192.0.2.1:443 no answer for 12.1 s"; "192.0.2.1:443: Connection refused".
// Empty where nobody saw more than one address tried, and none that failed.
[[nodiscard]] QString addressesClause(const TraceStore &store, SpanId request, Instant now);

} // namespace Waitscope
