// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timespent.h"

#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace Waitscope {

// The context of translations.
class TimeSpent
{
    Q_DECLARE_TR_FUNCTIONS(TimeSpent)
};

TextRows timeSpent(const Totals &totals, Duration whole)
{
    std::vector<std::pair<Duration, QString>> parts;
    for (const Phase phase : allOf<Phase>())
        parts.emplace_back(totals.phases[static_cast<size_t>(phase)], shownWord(phase));
    for (const Layer layer : allOf<Layer>())
        parts.emplace_back(totals.backoff[static_cast<size_t>(layer)],
                           TimeSpent::tr("sleeping, %1 layer").arg(shownWord(layer)));
    std::erase_if(parts, [](const auto &part) { return part.first <= Duration::zero(); });
    std::ranges::stable_sort(parts, std::greater<>(), &std::pair<Duration, QString>::first);
    TextRows rows;
    for (const auto &[length, what] : parts) {
        const double share = whole > Duration::zero() ? toSeconds(length) / toSeconds(whole) : 0;
        rows.push_back({what, shownDuration(length), shownShare(share)});
    }
    return rows;
}

} // namespace Waitscope
