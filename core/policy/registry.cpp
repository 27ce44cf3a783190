// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/setting.h"

#include "policy/nearness.h"
#include "policy/registryrow.h"

#include <algorithm>
#include <array>

namespace Waitscope {

std::span<const SettingInfo> settings()
{
    // Each line goes to its own number, so that infoOf() is an index and a missing line is seen by the tests.
    static const std::array<SettingInfo, settingCount> table = [] {
        std::array<SettingInfo, settingCount> all;
        for (const auto piece :
             {harnessSettings(), execSettings(), sessionSettings(), streamSettings(), httpSettings()}) {
            for (const SettingInfo &info : piece)
                all[static_cast<size_t>(info.id)] = info;
        }
        return all;
    }();
    return table;
}

const SettingInfo &infoOf(Setting setting)
{
    return settings()[static_cast<size_t>(setting)];
}

std::optional<Setting> settingNamed(QStringView name)
{
    for (const SettingInfo &info : settings()) {
        if (name == info.name)
            return info.id;
    }
    return std::nullopt;
}

std::optional<Setting> settingOfVariable(QStringView variable)
{
    if (variable.isEmpty())
        return std::nullopt;
    for (const SettingInfo &info : settings()) {
        if (variable == info.variable)
            return info.id;
        for (const QLatin1StringView also : QLatin1StringView(info.alsoVariables).tokenize(QLatin1Char(' '))) {
            if (variable == also)
                return info.id;
        }
    }
    return std::nullopt;
}

std::vector<QLatin1StringView> similarSettings(QStringView name)
{
    // Longer than any setting by far: nothing is near, and the table above must not grow with the input.
    constexpr qsizetype longest = 64;
    const QString wanted = name.trimmed().toString().toLower();
    if (wanted.isEmpty() || wanted.size() > longest)
        return {};
    std::vector<std::pair<int, QLatin1StringView>> near;
    for (const SettingInfo &info : settings()) {
        const QString own(info.name);
        const QString last = own.section(QLatin1Char('.'), -1);
        // The layer left out, or the unit, is as near as a slip of the pen.
        int steps = editDistance(wanted, own);
        if (wanted == last || own.startsWith(wanted + QLatin1Char('_')) || last.startsWith(wanted + QLatin1Char('_')))
            steps = 1;
        else if (own.contains(wanted) && wanted.size() > 3)
            steps = std::min(steps, 3);
        else
            steps = std::min(steps, editDistance(wanted, last) + 1);
        if (steps <= std::max(2, static_cast<int>(own.size()) / 4))
            near.emplace_back(steps, info.name);
    }
    std::stable_sort(near.begin(), near.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<QLatin1StringView> names;
    for (size_t i = 0; i < std::min<size_t>(near.size(), 3); ++i)
        names.push_back(near[i].second);
    return names;
}

} // namespace Waitscope
