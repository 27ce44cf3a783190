// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rulenames.h"

#include <vector>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

struct StatusNames {
    QString rule;
    QString word;
};

constexpr int lowest = 100;
constexpr int highest = 999;

StatusNames namesOf(int status)
{
    QString word = QString::number(status);
    return {u"status "_s + word, std::move(word)};
}

const StatusNames &cachedNames(int status)
{
    static const std::vector<StatusNames> names = [] {
        std::vector<StatusNames> all;
        for (int s = lowest; s <= highest; ++s)
            all.push_back(namesOf(s));
        return all;
    }();
    static const StatusNames odd{u"status out of range"_s, QString()};
    return status < lowest || status > highest ? odd : names[static_cast<size_t>(status - lowest)];
}

} // namespace

const QString &ruleOfStatus(int status)
{
    return cachedNames(status).rule;
}

const QString &wordOfStatus(int status)
{
    return cachedNames(status).word;
}

} // namespace Waitscope
