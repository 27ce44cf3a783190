// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/nearword.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace Waitscope {

namespace {

int editsBetween(const QString &a, const QString &b)
{
    std::vector<int> row(static_cast<size_t>(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const auto at = static_cast<size_t>(j) + 1;
            const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[at];
            row[at] = std::min({replaced, row[at] + 1, row[at - 1] + 1});
        }
    }
    return row.back();
}

} // namespace

QString nearestWord(const QString &word, const QStringList &known)
{
    constexpr qsizetype longest = 64; // nothing that we know is longer; keeps the comparison short
    if (word.isEmpty() || word.size() > longest)
        return {};
    const QString wanted = word.toLower();
    QString best;
    int fewest = static_cast<int>(std::max<qsizetype>(2, word.size() / 2)) + 1;
    for (const QString &candidate : known) {
        // Part of a name is a near miss, too: "429" for "429-quota".
        const bool part = wanted.size() >= 3 && candidate.contains(wanted);
        const int edits = part ? 1 : editsBetween(wanted, candidate.toLower());
        if (edits < fewest) {
            fewest = edits;
            best = candidate;
        }
    }
    return best;
}

} // namespace Waitscope
