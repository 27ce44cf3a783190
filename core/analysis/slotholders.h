// SPDX-License-Identifier: GPL-3.0-or-later
// Who has the pool's connections while a request waits for one.
#pragma once

#include "trace/tracestore.h"

namespace Waitscope {

// "all 2 are taken, longest by sample 3, for 212.0 s, receiving"; empty when no other request is open.
[[nodiscard]] QString slotHoldersClause(const TraceStore &store, Instant now);

} // namespace Waitscope
