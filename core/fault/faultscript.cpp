// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/faultscript.h"

namespace Waitscope {

const FaultScript &scriptFor(const Scenario &scenario, qint64 requestNumber)
{
    Q_ASSERT(!scenario.requests.empty());
    qint64 last = 0; // the last request of the scripts looked at
    for (const FaultScript &script : scenario.requests) {
        last += script.times;
        if (requestNumber <= last)
            return script;
    }
    return scenario.requests.back();
}

} // namespace Waitscope
