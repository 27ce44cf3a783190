// SPDX-License-Identifier: GPL-3.0-or-later
// One setting's value: a number, a word, a text, or `off` / `auto`, which are values of their own.
#pragma once

#include "base/problem.h"
#include "policy/setting.h"

namespace Waitscope {

class SettingValue
{
public:
    SettingValue() = default;
    [[nodiscard]] static SettingValue off();
    [[nodiscard]] static SettingValue derived();        // `auto`
    [[nodiscard]] static SettingValue number(double n); // also flags (0 or 1) and the index of a word
    [[nodiscard]] static SettingValue text(QString t);

    [[nodiscard]] bool isOff() const noexcept { return m_kind == Kind::Off; }
    [[nodiscard]] bool isDerived() const noexcept { return m_kind == Kind::Derived; }
    // 0 for `off` and `auto`: ask these first.
    [[nodiscard]] double toNumber() const noexcept { return m_number; }
    [[nodiscard]] const QString &toText() const noexcept { return m_text; }

    friend bool operator==(const SettingValue &, const SettingValue &) = default;

private:
    enum class Kind : quint8 { Number, Text, Off, Derived };
    Kind m_kind = Kind::Number;
    double m_number = 0;
    QString m_text;
};

// Reads the spelling of files and of `--set`. The problem names the setting and says range, unit and choices.
[[nodiscard]] Expected<SettingValue> parseValue(const SettingInfo &info, QStringView text);
// The spelling that parseValue() reads back to the same value.
[[nodiscard]] QString spellValue(const SettingInfo &info, const SettingValue &value);
// The same for screens, traces and logs: a proxy's password is masked.
[[nodiscard]] QString showValue(const SettingInfo &info, const SettingValue &value);
// "unknown setting", with the near misses.
[[nodiscard]] tl::unexpected<Problem> unknownSetting(QStringView name);
// "a number of seconds from 0 to 1000000, or off": what parseValue() accepts.
[[nodiscard]] QString describeChoices(const SettingInfo &info);
// The shortest spelling that reads back to the same number, without an exponent where it is whole.
[[nodiscard]] QString spellNumber(double n);

} // namespace Waitscope
