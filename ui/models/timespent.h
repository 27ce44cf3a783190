// SPDX-License-Identifier: GPL-3.0-or-later
// Where a task's time went: phases of its requests and sleeps of its layers, the longest first.
#pragma once

#include "trace/callquery.h"
#include "ui/models/rowsmodel.h"

namespace Waitscope {

// What, how long, which share of `whole`. What took no time has no row; what is in neither phase nor sleep is not listed.
[[nodiscard]] TextRows timeSpent(const Totals &totals, Duration whole);

} // namespace Waitscope
