// SPDX-License-Identifier: GPL-3.0-or-later
// Dates as Python's email.utils reads them: lenient about order, weekday, zone, separators and two-digit years.
#pragma once

#include <QStringView>

#include <optional>

namespace Waitscope {

// Seconds since 1970 UTC; a date without a usable zone counts as UTC. nullopt where Python would refuse.
[[nodiscard]] std::optional<qint64> pythonMailDate(QStringView text);

// The same for the pieces: nullopt for what no calendar or clock has (second 60 included).
[[nodiscard]] std::optional<qint64> secondsSinceEpoch(qint64 year, qint64 month, qint64 day, qint64 hour, qint64 minute,
                                                      qint64 second);

// 1 to 12 for "jan" or "January"; nullopt for other words.
[[nodiscard]] std::optional<int> monthNamed(QStringView word);

// "tue", any case: the three-letter names only.
[[nodiscard]] bool isShortDayName(QStringView word);

} // namespace Waitscope
