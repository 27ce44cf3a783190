// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rulenames.h"

#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// "status 429" and its null. Texts over static characters have no counter that threads would contend for.
using Characters = std::array<char16_t, 11>;
constexpr size_t wordAt = 7;
constexpr int lowest = 100;
constexpr int highest = 999;

constexpr auto namesOfAll = [] {
    std::array<Characters, highest - lowest + 1> all{};
    for (size_t i = 0; i < all.size(); ++i) {
        const size_t status = i + lowest;
        const auto digit = [](size_t d) { return static_cast<char16_t>(u'0' + d); };
        all[i] = {u's', u't', u'a', u't', u'u', u's', u' ', digit(status / 100), digit(status / 10 % 10),
                  digit(status % 10), u'\0'};
    }
    return all;
}();

QString tailOf(int status, size_t from)
{
    if (status < lowest || status > highest)
        return u"status out of range"_s;
    const Characters &name = namesOfAll[static_cast<size_t>(status - lowest)];
    return QString::fromRawData(reinterpret_cast<const QChar *>(name.data() + from),
                                static_cast<qsizetype>(name.size() - 1 - from));
}

} // namespace

QString ruleOfStatus(int status)
{
    return tailOf(status, 0);
}

QString wordOfStatus(int status)
{
    return tailOf(status, wordAt);
}

} // namespace Waitscope
