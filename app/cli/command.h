// SPDX-License-Identifier: GPL-3.0-or-later
// One command of waitscope-cli: adds its options to the parser and runs with what was parsed.
#pragma once

#include "base/problem.h"
#include "engine/http/api.h"
#include "policy/policy.h"
#include "trace/recorder.h"
#include "trace/redaction.h"

#include <CLI/App.hpp>

#include <QJsonObject>

#include <functional>
#include <memory>

namespace Waitscope {

// The documented exit codes.
enum class Exit : int { Done = 0, Failed = 1, Usage = 2, Unavailable = 3, Interrupted = 130 };

class Command
{
public:
    Command() = default;
    virtual ~Command() = default;
    Q_DISABLE_COPY_MOVE(Command)

    virtual void addTo(CLI::App &app) = 0;
    [[nodiscard]] virtual Exit run() = 0;
};

using CommandPtr = std::unique_ptr<Command>;

[[nodiscard]] CommandPtr classifyCommand();
[[nodiscard]] CommandPtr conformanceCommand();
[[nodiscard]] CommandPtr envCommand();
[[nodiscard]] CommandPtr profilesCommand();
[[nodiscard]] CommandPtr runCommand();
[[nodiscard]] CommandPtr scenariosCommand();
[[nodiscard]] CommandPtr serveFaultsCommand();
[[nodiscard]] CommandPtr settingsCommand();
[[nodiscard]] CommandPtr simulateCommand();

// Options that every command with a policy shares: --profile, --set, --env-file.
class PolicyOptions
{
public:
    void addTo(CLI::App &app);
    // Profile, then the environment file, then each --set in order.
    [[nodiscard]] Expected<PolicyPtr> policy() const;

private:
    std::string m_profile = "hardened";
    std::vector<std::string> m_assignments;
    std::string m_envFile;
};

// Of the commands that run something: --seed, --record, --overwrite.
class RunOptions
{
public:
    void addTo(CLI::App &app);
    [[nodiscard]] quint64 seed() const noexcept { return m_seed; }
    [[nodiscard]] bool isRecorded() const noexcept { return !m_record.empty(); }
    [[nodiscard]] RecorderOptions recorder() const;

private:
    quint64 m_seed = 0;
    std::string m_record;
    bool m_overwrite = false;
};

// Checks for options: an empty text, a name that Qt could not give back, and numbers that are none (NaN, infinity, overflow).
[[nodiscard]] CLI::Validator notEmpty();
[[nodiscard]] CLI::Validator fileName();
[[nodiscard]] CLI::Validator realBetween(double least, double most);
[[nodiscard]] CLI::Validator wholeNumber(); // 0 to 2^64 - 1

// A line on stdout, a line on stderr; the only two ways out.
void printLine(const QString &line);
void printMessage(const QString &line);
void printJson(const QJsonObject &object);
// What a server said may repeat what the person sent, and may hold characters that a terminal obeys: secrets are taken out,
// control characters and marks of direction are shown as \uXXXX.
void printResult(const QStringList &lines, const Redactor &redactor);
void printResult(const QJsonObject &object, const Redactor &redactor);
// Prints the problem and gives its exit code.
[[nodiscard]] Exit fail(const Problem &problem);

// What --api takes, for help and complaints.
[[nodiscard]] std::string apiWords();
[[nodiscard]] Expected<Api> apiNamed(const std::string &name);

} // namespace Waitscope
