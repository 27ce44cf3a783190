// SPDX-License-Identifier: GPL-3.0-or-later
// How one line of the settings table is written down, and the pieces the table is made of.
#pragma once

#include "policy/setting.h"

#include <QtGlobal>

namespace Waitscope {

// Above every permitted number of seconds, and still a 32-bit number of milliseconds: poll() takes no more.
inline constexpr QLatin1StringView endlessSeconds{"2000000"};
inline constexpr double longestSeconds = 1'000'000;
// Above every permitted number of tries.
inline constexpr QLatin1StringView endlessTries{"1000000"};
inline constexpr int mostTries = 10'000;

// The index of a word is the number of the enumeration value of that name in policy.h and retrypolicy.h.
inline constexpr QLatin1StringView ruleSetWords[] = {QLatin1StringView("openprogram"), QLatin1StringView("strict")};
inline constexpr QLatin1StringView watchdogWords[] = {QLatin1StringView("off"), QLatin1StringView("swallowed"),
                                                      QLatin1StringView("undelivered"), QLatin1StringView("interrupt")};
inline constexpr QLatin1StringView hardCapWords[] = {QLatin1StringView("off"), QLatin1StringView("abort"),
                                                     QLatin1StringView("abandon")};
inline constexpr QLatin1StringView carryWords[] = {QLatin1StringView("none"), QLatin1StringView("to_exec"),
                                                   QLatin1StringView("everywhere")};
inline constexpr QLatin1StringView streamKindWords[] = {QLatin1StringView("loop"), QLatin1StringView("sdk"),
                                                        QLatin1StringView("none")};
inline constexpr QLatin1StringView jitterWords[] = {QLatin1StringView("none"), QLatin1StringView("symmetric"),
                                                    QLatin1StringView("shorten"), QLatin1StringView("lengthen"),
                                                    QLatin1StringView("additive")};
inline constexpr QLatin1StringView hintAboveWords[] = {QLatin1StringView("obey"), QLatin1StringView("cut"),
                                                       QLatin1StringView("own_backoff"), QLatin1StringView("stop")};

// A line in the making. `reach` is Attempt unless said.
class RegistryRow
{
public:
    constexpr RegistryRow(Setting id, Layer layer, const char *name, SettingType type, const char *defaultValue)
    {
        m_info.id = id;
        m_info.layer = layer;
        m_info.name = QLatin1StringView(name);
        m_info.type = type;
        m_info.defaultValue = QLatin1StringView(defaultValue);
        if (type == SettingType::Seconds) {
            m_info.unit = QLatin1StringView("s");
            m_info.maximum = longestSeconds;
        } else if (type == SettingType::Flag) {
            m_info.maximum = 1;
        }
    }

    constexpr RegistryRow &range(double minimum, double maximum)
    {
        m_info.minimum = minimum;
        m_info.maximum = maximum;
        return *this;
    }
    constexpr RegistryRow &unit(const char *unit)
    {
        m_info.unit = QLatin1StringView(unit);
        return *this;
    }
    constexpr RegistryRow &words(std::span<const QLatin1StringView> words)
    {
        m_info.words = words;
        m_info.maximum = static_cast<double>(words.size() - 1);
        return *this;
    }
    constexpr RegistryRow &orOff(QLatin1StringView exportOff = {})
    {
        m_info.canBeOff = true;
        m_info.exportOff = exportOff;
        return *this;
    }
    constexpr RegistryRow &orAuto()
    {
        m_info.canBeAuto = true;
        return *this;
    }
    constexpr RegistryRow &reaches(Reach reach)
    {
        m_info.reach = reach;
        return *this;
    }
    constexpr RegistryRow &variable(const char *name, ReadAt readAt, const char *also = "")
    {
        m_info.variable = QLatin1StringView(name);
        m_info.alsoVariables = QLatin1StringView(also);
        m_info.readAt = readAt;
        return *this;
    }
    // What OpenProgram does with its variable.
    constexpr RegistryRow &when(const char *unset, const char *empty, const char *unreadable, const char *zero,
                                const char *negative = "")
    {
        m_info.whenUnset = QLatin1StringView(unset);
        m_info.whenEmpty = QLatin1StringView(empty);
        m_info.whenUnreadable = QLatin1StringView(unreadable);
        m_info.whenZero = QLatin1StringView(zero);
        m_info.whenNegative = QLatin1StringView(negative);
        return *this;
    }
    // What OpenProgram does, for which it has no variable.
    constexpr RegistryRow &fixedAs(const char *value)
    {
        m_info.whenUnset = QLatin1StringView(value);
        return *this;
    }
    [[nodiscard]] constexpr SettingInfo says(const char *explanation)
    {
        m_info.explanation = QLatin1StringView(explanation);
        return m_info;
    }

private:
    SettingInfo m_info;
};

[[nodiscard]] std::span<const SettingInfo> harnessSettings();
[[nodiscard]] std::span<const SettingInfo> execSettings();
[[nodiscard]] std::span<const SettingInfo> sessionSettings();
[[nodiscard]] std::span<const SettingInfo> streamSettings();
[[nodiscard]] std::span<const SettingInfo> httpSettings();

} // namespace Waitscope
