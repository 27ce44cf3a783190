// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/nearness.h"

#include <algorithm>
#include <vector>

namespace Waitscope {

using namespace Qt::StringLiterals;

int editDistance(QStringView a, QStringView b)
{
    std::vector<std::vector<int>> d(static_cast<size_t>(a.size() + 1),
                                    std::vector<int>(static_cast<size_t>(b.size() + 1)));
    const auto at = [](QStringView text, size_t index) { return text[static_cast<qsizetype>(index)]; };
    for (size_t i = 0; i < d.size(); ++i) {
        for (size_t j = 0; j < d[i].size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = static_cast<int>(i + j);
                continue;
            }
            const int change = at(a, i - 1) == at(b, j - 1) ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && at(a, i - 1) == at(b, j - 2) && at(a, i - 2) == at(b, j - 1))
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d.back().back();
}

QString suggestion(QStringView name, const QStringList &candidates)
{
    // Longer than any name by far: nothing is near, and the work must not grow with the input.
    constexpr qsizetype longest = 80;
    if (name.isEmpty() || name.size() > longest)
        return {};
    std::vector<std::pair<int, QString>> near;
    for (const QString &candidate : candidates) {
        const int steps = editDistance(name, candidate);
        if (steps <= std::max<int>(2, static_cast<int>(name.size()) / 3))
            near.emplace_back(steps, candidate);
    }
    std::ranges::stable_sort(near, {}, [](const auto &one) { return one.first; });
    QStringList best;
    for (size_t i = 0; i < std::min<size_t>(near.size(), 3); ++i)
        best << near[i].second;
    return best.isEmpty() ? QString() : u"did you mean "_s + best.join(u" or "_s) + u'?';
}

} // namespace Waitscope
