// SPDX-License-Identifier: GPL-3.0-or-later
// All settings of all layers as one immutable, versioned snapshot. A change makes a new snapshot.
#pragma once

#include "base/time.h"
#include "policy/retrypolicy.h"
#include "policy/value.h"

#include <array>
#include <memory>
#include <vector>

namespace Waitscope {

enum class RuleSet : quint8 { Openprogram, Strict };
enum class WatchdogMode : quint8 { Off, Swallowed, Undelivered, Interrupt };
enum class HardCap : quint8 { Off, Abort, Abandon };
enum class CarryVerdict : quint8 { None, ToExec, Everywhere };
enum class StreamKind : quint8 { Loop, Sdk, None };

class Policy
{
public:
    // Waitscope's defaults, which are the profile `hardened`.
    Policy();

    [[nodiscard]] int version() const noexcept { return m_version; }

    [[nodiscard]] const SettingValue &value(Setting setting) const noexcept { return m_values[indexOf(setting)]; }
    // "default", "profile legacy", "environment", "command line", "window": who set it last.
    [[nodiscard]] const QString &origin(Setting setting) const noexcept { return m_origins[indexOf(setting)]; }

    [[nodiscard]] bool flag(Setting setting) const noexcept { return value(setting).toNumber() != 0; }
    // 0 where it is off: ask value() or retryPolicy() where "unlimited" is possible.
    [[nodiscard]] int count(Setting setting) const noexcept { return static_cast<int>(value(setting).toNumber()); }
    [[nodiscard]] double number(Setting setting) const noexcept { return value(setting).toNumber(); }
    // Of a Text, without a copy of its characters; of others, how they are spelled.
    [[nodiscard]] QString text(Setting setting) const;
    // nullopt = off: no limit. `auto` is resolved.
    [[nodiscard]] std::optional<double> seconds(Setting setting) const noexcept;
    [[nodiscard]] std::optional<Duration> duration(Setting setting) const noexcept;

    [[nodiscard]] RuleSet rules() const noexcept { return word<RuleSet>(Setting::Rules); }
    [[nodiscard]] WatchdogMode watchdog() const noexcept { return word<WatchdogMode>(Setting::HarnessWatchdog); }
    [[nodiscard]] HardCap hardCap() const noexcept { return word<HardCap>(Setting::ExecHardCap); }
    [[nodiscard]] CarryVerdict carryVerdict() const noexcept { return word<CarryVerdict>(Setting::SessionCarryVerdict); }
    [[nodiscard]] StreamKind streamKind() const noexcept { return word<StreamKind>(Setting::StreamKind); }

    // How a layer retries, as data; task and http run what is below them once. Lives as long as the policy.
    [[nodiscard]] const RetryPolicy &retryPolicy(Layer layer) const noexcept;

    // A new snapshot, version + 1.
    [[nodiscard]] Policy with(Setting setting, SettingValue value, QString origin) const;
    // Reads "name=value"; the problem names the setting.
    [[nodiscard]] Expected<Policy> withAssignment(QStringView assignment, const QString &origin) const;

    friend bool operator==(const Policy &a, const Policy &b) { return a.m_values == b.m_values; }

private:
    [[nodiscard]] static constexpr size_t indexOf(Setting setting) noexcept { return static_cast<size_t>(setting); }
    // A word's number is its enumeration value; parseValue() lets no other in.
    template<class Enum>
    [[nodiscard]] Enum word(Setting setting) const noexcept
    {
        return static_cast<Enum>(static_cast<quint8>(value(setting).toNumber()));
    }

    // Asked at every try, so what the settings of retrying mean together is worked out once a snapshot.
    void resolveRetries();

    std::array<SettingValue, settingCount> m_values;
    std::array<QString, settingCount> m_origins;
    RetryPolicy m_execRetry;
    RetryPolicy m_sessionRetry;
    RetryPolicy m_streamRetry;
    int m_version = 1;
};

using PolicyPtr = std::shared_ptr<const Policy>;

} // namespace Waitscope
