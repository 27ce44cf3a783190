// SPDX-License-Identifier: GPL-3.0-or-later
// The names of all settings, and the registry that says everything about each of them.
#pragma once

#include "base/vocabulary.h"

#include <QLatin1StringView>
#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace Waitscope {

// Order is the order of lists and files: by layer, from outside in. Retry layers share one shape (see RetryPolicy).
enum class Setting : quint8 {
    Rules,
    HarnessRounds, HarnessWatchdog, HarnessTaskTimeout, HarnessAbortOnAuth,
    ExecMaxAttempts, ExecTimeout, ExecBackoffBase, ExecBackoffFactor, ExecBackoffMax, ExecJitter, ExecJitterShare,
    ExecHintForms, ExecHintJitterShare, ExecHintMax, ExecHintAbove, ExecHonorExhausted, ExecPropagateDeadline,
    ExecHardCap, ExecHardCapAfter,
    SessionEnabled, SessionMaxAttempts, SessionBackoffBase, SessionBackoffFactor, SessionBackoffMax, SessionJitter,
    SessionJitterShare, SessionHintForms, SessionHintJitterShare, SessionHintMax, SessionHintAbove, SessionUseVerdict,
    SessionRetryEmpty, SessionCarryVerdict, SessionContextWindow,
    StreamKind, StreamMaxAttempts, StreamSdkMaxRetries, StreamBackoffBase, StreamBackoffFactor, StreamBackoffMax, StreamJitter,
    StreamJitterShare, StreamHintForms, StreamHintJitterShare, StreamHintMax, StreamHintAbove, StreamRetryStatuses,
    StreamPartialRecovery,
    HttpConnectTimeout, HttpWriteTimeout, HttpPoolTimeout, HttpFirstByteTimeout, HttpReadTimeout, HttpIdleTimeout,
    HttpDataStallTimeout, HttpTotalTimeout, HttpPoolSize, HttpClampToDeadline, HttpKeepalive, HttpKeepaliveIdle,
    HttpKeepaliveInterval, HttpKeepaliveCount, HttpPromptScaling, HttpIpv4Only, HttpProxyUrl,
};

inline constexpr int settingCount = static_cast<int>(Setting::HttpProxyUrl) + 1;

enum class SettingType : quint8 { Flag, Count, Seconds, Number, Word, Text };

// Where a change reaches a call that is already running: the next exec (of the harness: the next task), the next try, the
// next sleep, or timers that are armed already.
enum class Reach : quint8 { Exec, Attempt, Sleep, AtOnce };

// When OpenProgram reads its variable.
enum class ReadAt : quint8 { Never, Start, PerUse };

struct SettingInfo {
    Setting id = Setting::Rules;
    QLatin1StringView name;      // "exec.timeout_s"
    Layer layer = Layer::Task;
    SettingType type = SettingType::Seconds;
    QLatin1StringView unit;      // "s", "tokens", "" where there is none
    QLatin1StringView variable;  // OpenProgram's environment variable; "" where there is none
    QLatin1StringView alsoVariables; // blank-separated further variables that set the same thing
    QLatin1StringView defaultValue;  // Waitscope's default, in the spelling of files ("off", "30", "true", "strict")
    double minimum = 0;          // of numbers; inclusive
    double maximum = 0;
    bool canBeOff = false;       // `off` is a value of its own: no limit
    bool canBeAuto = false;      // `auto`: derived from others (http.read_timeout_s = idle + 60)
    std::span<const QLatin1StringView> words; // the choices of a Word
    Reach reach = Reach::Attempt;
    ReadAt readAt = ReadAt::Never;
    // What the user's OpenProgram does when the variable is …; "" where there is no variable.
    QLatin1StringView whenUnset;      // the value then in force ("5"); without a variable: the value always in force
    QLatin1StringView whenEmpty;      // the same, or a sentence ("the program cannot start")
    QLatin1StringView whenUnreadable;
    QLatin1StringView whenZero;
    QLatin1StringView whenNegative;   // "" where it is the same as for zero
    QLatin1StringView exportOff;      // how `off` is written into the variable ("0", or a very large number)
    QLatin1StringView explanation;    // one line; it and the sentences above are translated in the context "Setting"
};

[[nodiscard]] std::span<const SettingInfo> settings();
[[nodiscard]] const SettingInfo &infoOf(Setting setting);
[[nodiscard]] std::optional<Setting> settingNamed(QStringView name);
// The setting whose `variable` or `alsoVariables` holds this name.
[[nodiscard]] std::optional<Setting> settingOfVariable(QStringView variable);
// Near misses for "unknown setting" messages, best first, at most three.
[[nodiscard]] std::vector<QLatin1StringView> similarSettings(QStringView name);

} // namespace Waitscope
