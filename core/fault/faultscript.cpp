// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/faultscript.h"

#include <algorithm>

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

bool hasConnectionFaults(const Scenario &scenario)
{
    return std::any_of(scenario.requests.begin(), scenario.requests.end(),
                       [](const FaultScript &script) { return script.connection != ConnectionFault::Accept; });
}

} // namespace Waitscope
