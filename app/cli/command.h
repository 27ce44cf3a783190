// SPDX-License-Identifier: GPL-3.0-or-later
// One command of waitscope-cli: adds its options to the parser and runs with what was parsed.
#pragma once

#include "base/problem.h"
#include "engine/http/api.h"
#include "policy/policy.h"

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

// Options that every command with a policy shares: --profile, --set, --env-file, --seed, --record.
class PolicyOptions
{
public:
    void addTo(CLI::App &app);
    // Profile, then the environment file, then each --set in order.
    [[nodiscard]] Expected<PolicyPtr> policy() const;
    [[nodiscard]] quint64 seed() const noexcept { return m_seed; }
    [[nodiscard]] QString recordPath() const { return QString::fromStdString(m_record); }

private:
    std::string m_profile = "hardened";
    std::vector<std::string> m_assignments;
    std::string m_envFile;
    quint64 m_seed = 0;
    std::string m_record;
};

// A line on stdout, a line on stderr; the only two ways out.
void printLine(const QString &line);
void printMessage(const QString &line);
void printJson(const QJsonObject &object);
// Prints the problem and gives its exit code.
[[nodiscard]] Exit fail(const Problem &problem);

// What --api takes, for help and complaints.
[[nodiscard]] std::string apiWords();
[[nodiscard]] Expected<Api> apiNamed(const std::string &name);

} // namespace Waitscope
