// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "policy/nearness.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace {

struct Entry {
    const char *name;
    const char *about;
    Waitscope::CommandPtr (*make)();
};

// Alphabetical, as --help shows them.
constexpr Entry entries[] = {
    {"classify", "the verdict on one text, type, status and headers under both rule sets", Waitscope::classifyCommand},
    {"conformance", "run decision tables", Waitscope::conformanceCommand},
    {"env", "the policy as environment variables", Waitscope::envCommand},
    {"profiles", "list the built-in policies", Waitscope::profilesCommand},
    {"run", "make live calls through the engine", Waitscope::runCommand},
    {"scenarios", "list the built-in faults", Waitscope::scenariosCommand},
    {"serve-faults", "serve the faults to any client", Waitscope::serveFaultsCommand},
    {"settings", "list all settings", Waitscope::settingsCommand},
    {"simulate", "run a policy against a fault on a virtual clock", Waitscope::simulateCommand},
};

bool isCommand(std::string_view word)
{
    return std::ranges::any_of(entries, [word](const Entry &entry) { return word == entry.name; });
}

Waitscope::Exit unknownCommand(const QString &word)
{
    QStringList names;
    for (const Entry &entry : entries)
        names << QString::fromLatin1(entry.name);
    const QString near = Waitscope::suggestion(word, names);
    return Waitscope::fail(Waitscope::Problem(Waitscope::ProblemKind::Usage, word, QStringLiteral("no command has this name"),
                                              near.isEmpty() ? QStringLiteral("there are ") + names.join(QStringLiteral(", ")) : near));
}

// An answer that nobody could be given is no success.
Waitscope::Exit withOutput(Waitscope::Exit exit)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return exit;
    return Waitscope::fail(Waitscope::Problem(Waitscope::ProblemKind::Unavailable, QStringLiteral("standard output"),
                                              QStringLiteral("cannot be written to")));
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("waitscope-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WAITSCOPE_VERSION));

    CLI::App app("Shows what a language-model call is waiting for.", "waitscope-cli");
    app.set_version_flag("--version", WAITSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 the call failed or a check found differences, 2 usage, 3 a file or port could not be had, "
               "130 interrupted.");
    std::vector<std::pair<CLI::App *, Waitscope::CommandPtr>> commands;
    for (const Entry &entry : entries) {
        CLI::App *sub = app.add_subcommand(entry.name, entry.about);
        Waitscope::CommandPtr command = entry.make();
        command->addTo(*sub);
        commands.emplace_back(sub, std::move(command));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (argc > 1 && argv[1][0] != '-' && !isCommand(argv[1]))
            return static_cast<int>(unknownCommand(QString::fromLocal8Bit(argv[1])));
        // --help and --version end here too, with 0; everything else is a mistake in the call.
        return static_cast<int>(app.exit(error) == 0 ? withOutput(Waitscope::Exit::Done) : Waitscope::Exit::Usage);
    }
    for (const auto &[sub, command] : commands) {
        if (sub->parsed())
            return static_cast<int>(withOutput(command->run()));
    }
    return static_cast<int>(Waitscope::Exit::Usage);
}
