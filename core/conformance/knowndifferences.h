// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of the public tables that Waitscope answers differently on purpose, each with its reason.
#pragma once

#include <QLatin1StringView>
#include <QString>

#include <span>

namespace Waitscope {

struct KnownDifference {
    QLatin1StringView table;
    QLatin1StringView id;
    QLatin1StringView reason;
};

// At most 20 over all tables; a test holds this, and that each of them still differs.
[[nodiscard]] std::span<const KnownDifference> knownDifferences();

// Empty where the case is expected to agree.
[[nodiscard]] QString knownDifferenceOf(QLatin1StringView table, QStringView id);

} // namespace Waitscope
