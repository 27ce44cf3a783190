// SPDX-License-Identifier: GPL-3.0-or-later
// Environment variables: what OpenProgram makes of their texts, and policies read from them and written as them.
#pragma once

#include "policy/policy.h"

namespace Waitscope {

// The setting that OpenProgram ends up with; exactly one of the first five members says something.
struct EnvironmentReading {
    std::optional<double> value;   // a number; may be infinite, negative or not a number, as there
    std::optional<bool> flag;
    std::optional<QString> text;
    bool noLimit = false;          // "no deadline"
    std::optional<QString> raises; // the Python exception: at its start, or at each use (SettingInfo::readAt)
    bool fellBack = false;         // the text says nothing to OpenProgram; its default stands
};

// `text` nullopt = the variable is unset. All other variables are unset. nullopt = no variable of a setting.
[[nodiscard]] std::optional<EnvironmentReading> readAsOpenProgram(QStringView variable, const std::optional<QString> &text);
// Its http read timeout in seconds from the texts of the idle and the read variable.
[[nodiscard]] double readBackstop(const std::optional<QString> &idleText, const std::optional<QString> &readText);
// What idle and data stall are multiplied with for a prompt of so many tokens; nullopt = unknown.
[[nodiscard]] double promptScale(std::optional<double> contextTokens);

struct EnvironmentVariable {
    QString name;
    QString text;
    QString where; // "file:line" or "environment"; of the problems about it
};
using Environment = std::vector<EnvironmentVariable>;

// KEY=VALUE lines with an optional `export`, quotes and comments. `name` stands in the problems, "name:line".
[[nodiscard]] Expected<Environment> parseDotenv(const QByteArray &content, const QString &name);
[[nodiscard]] Expected<Environment> readDotenv(const QString &path);
// The variables of this process whose names begin with OPENPROGRAM_, by name.
[[nodiscard]] Environment processEnvironment();

// The policy with what OpenProgram would make of these variables, and everything that is wrong with them. A text that it
// cannot read has the effect that it has there; a number beyond a setting's range comes as near as the range allows, and
// one that only stands for "no limit" is `off`. Of two variables for one setting the registry's first wins, of two lines
// for one variable the later.
struct EnvironmentResult {
    Policy policy;
    std::vector<Problem> problems;
};
[[nodiscard]] EnvironmentResult applyEnvironment(Policy base, const Environment &variables, const QString &origin);
// The same; the first problem is the answer.
[[nodiscard]] Expected<Policy> withEnvironment(Policy base, const Environment &variables, const QString &origin);

// Names that are nearly, but not quite, those of a setting's variable. (OpenProgram has variables that set other things.)
[[nodiscard]] std::vector<Problem> misspeltVariables(const Environment &variables);

enum class EnvironmentFormat : quint8 { Sh, Dotenv, Powershell, Docker, K8s, Json };

[[nodiscard]] QLatin1StringView wordOf(EnvironmentFormat);
template<>
std::span<const EnvironmentFormat> allOf<EnvironmentFormat>();

// Would OpenProgram do the same if the setting's variable were unset, or is this what it always does?
[[nodiscard]] bool followsOpenProgram(const Policy &policy, const SettingInfo &info);

// The variables and texts that make OpenProgram follow the policy. With `onlyDifferences`, those where it would do
// something else if the variable were unset. `where` is the setting's name.
[[nodiscard]] Environment toEnvironment(const Policy &policy, bool onlyDifferences);
// The same as a file. What no variable can say stands in comments, where the format has any.
[[nodiscard]] QString printEnvironment(const Policy &policy, EnvironmentFormat format, bool onlyDifferences);

} // namespace Waitscope
