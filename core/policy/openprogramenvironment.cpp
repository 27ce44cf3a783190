// SPDX-License-Identifier: GPL-3.0-or-later
// Each way of reading a variable that OpenProgram has; the `timeouts` table of the tests holds what it answers.
#include "policy/environment.h"

#include "policy/pythonnumber.h"

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

enum class Parse : quint8 {
    FloatOrDefault,
    FloatOrRaise,
    FloatAboveZero, // else no limit
    IntOrRaise,
    IntAtLeastOne,  // unreadable: the default
    IntOfFloat,     // unreadable: the default; not finite: raises
    OnWords,        // anything else is off
    OffWords,       // anything else is on
    Text,
};

// The ways are told apart by what a variable governs, not by its name: all of one kind are read alike.
std::optional<Parse> parseOf(Setting setting)
{
    const SettingInfo &info = infoOf(setting);
    switch (info.type) {
    case SettingType::Text:
        return Parse::Text;
    case SettingType::Flag:
        return setting == Setting::StreamPartialRecovery ? Parse::OffWords : Parse::OnWords;
    case SettingType::Seconds:
        if (setting == Setting::ExecTimeout)
            return Parse::FloatAboveZero;
        return info.layer == Layer::Stream ? Parse::FloatOrRaise : Parse::FloatOrDefault;
    case SettingType::Count:
        if (setting == Setting::ExecMaxAttempts)
            return Parse::IntAtLeastOne;
        return info.layer == Layer::Http ? Parse::IntOfFloat : Parse::IntOrRaise;
    case SettingType::Number:
    case SettingType::Word:
        return std::nullopt; // no variable sets one
    }
    Q_UNREACHABLE();
}

EnvironmentReading number(double value)
{
    EnvironmentReading reading;
    reading.value = value;
    return reading;
}

EnvironmentReading raises(QLatin1StringView exception)
{
    EnvironmentReading reading;
    reading.raises = QString(exception);
    return reading;
}

EnvironmentReading flag(bool on)
{
    EnvironmentReading reading;
    reading.flag = on;
    return reading;
}

bool isOneOf(const QString &text, std::initializer_list<QLatin1StringView> words)
{
    const QString word = pythonStrip(text).toString().toLower();
    return std::ranges::any_of(words, [&](QLatin1StringView known) { return word == known; });
}

double unsetNumber(const SettingInfo &info)
{
    if (info.canBeAuto)
        return readBackstop(std::nullopt, std::nullopt);
    return QString(info.whenUnset).toDouble();
}

EnvironmentReading readUnset(const SettingInfo &info, Parse parse)
{
    if (parse == Parse::OnWords || parse == Parse::OffWords)
        return flag(info.whenUnset == "true"_L1);
    EnvironmentReading reading;
    if (parse == Parse::Text)
        reading.text = QString(info.whenUnset);
    else if (parse == Parse::FloatAboveZero)
        reading.noLimit = true;
    else
        reading.value = unsetNumber(info);
    return reading;
}

EnvironmentReading numberOrDefault(const SettingInfo &info, std::optional<double> value)
{
    EnvironmentReading reading = number(value.value_or(unsetNumber(info)));
    reading.fellBack = !value;
    return reading;
}

EnvironmentReading numberOrRaise(std::optional<double> value)
{
    return value ? number(*value) : raises("ValueError"_L1);
}

EnvironmentReading readFlag(const QString &text, Parse parse)
{
    const bool saysOn = isOneOf(text, {"1"_L1, "true"_L1, "yes"_L1, "on"_L1});
    const bool saysOff = isOneOf(text, {"0"_L1, "false"_L1, "no"_L1, "off"_L1});
    EnvironmentReading reading = flag(parse == Parse::OnWords ? saysOn : !saysOff);
    reading.fellBack = !saysOn && !saysOff;
    return reading;
}

EnvironmentReading readText(const SettingInfo &info, Parse parse, const QString &text)
{
    switch (parse) {
    case Parse::FloatOrDefault:
        return numberOrDefault(info, pythonFloat(text));
    case Parse::FloatOrRaise:
        return numberOrRaise(pythonFloat(text));
    case Parse::FloatAboveZero: {
        const std::optional<double> value = pythonFloat(text);
        EnvironmentReading reading = value && *value > 0 ? number(*value) : readUnset(info, parse);
        reading.fellBack = !value;
        return reading;
    }
    case Parse::IntOrRaise:
        return numberOrRaise(pythonInt(text));
    case Parse::IntAtLeastOne: {
        EnvironmentReading reading = numberOrDefault(info, pythonInt(text));
        reading.value = std::max(1.0, *reading.value);
        return reading;
    }
    case Parse::IntOfFloat: {
        const std::optional<double> value = pythonFloat(text);
        if (value && std::isnan(*value))
            return raises("ValueError"_L1);
        if (value && std::isinf(*value))
            return raises("OverflowError"_L1);
        EnvironmentReading reading = numberOrDefault(info, value);
        reading.value = std::trunc(*reading.value);
        return reading;
    }
    case Parse::OnWords:
    case Parse::OffWords:
        return readFlag(text, parse);
    case Parse::Text: {
        EnvironmentReading reading;
        reading.text = pythonStrip(text).toString();
        return reading;
    }
    }
    Q_UNREACHABLE();
}

} // namespace

std::optional<EnvironmentReading> readAsOpenProgram(QStringView variable, const std::optional<QString> &text)
{
    const std::optional<Setting> setting = settingOfVariable(variable);
    if (!setting)
        return std::nullopt;
    const std::optional<Parse> parse = parseOf(*setting);
    if (!parse)
        return std::nullopt;
    const SettingInfo &info = infoOf(*setting);
    return text ? readText(info, *parse, *text) : readUnset(info, *parse);
}

double readBackstop(const std::optional<QString> &idleText, const std::optional<QString> &readText)
{
    constexpr double behindIdleS = 60;
    if (readText) {
        if (const std::optional<double> own = pythonFloat(*readText))
            return *own;
    }
    std::optional<double> idle = idleText ? pythonFloat(*idleText) : std::nullopt;
    if (!idle)
        idle = QString(infoOf(Setting::HttpIdleTimeout).whenUnset).toDouble();
    return *idle + behindIdleS;
}

double promptScale(std::optional<double> contextTokens)
{
    const double tokens = contextTokens.value_or(0);
    if (tokens > 200'000)
        return 2;
    if (tokens > 100'000)
        return 1.5;
    return tokens > 50'000 ? 1.25 : 1;
}

} // namespace Waitscope
