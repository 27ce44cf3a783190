// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/knowndifferences.h"

namespace Waitscope {

std::span<const KnownDifference> knownDifferences()
{
    return {};
}

QString knownDifferenceOf(QLatin1StringView table, QStringView id)
{
    for (const KnownDifference &difference : knownDifferences()) {
        if (table == difference.table && id == difference.id)
            return difference.reason;
    }
    return {};
}

} // namespace Waitscope
