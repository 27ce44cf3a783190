// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/wholefile.h"
#include "fault/nearword.h"
#include "fault/scenarioreader.h"
#include "fault/scriptcheck.h"

#include <QDebug>
#include <QDir>
#include <QFile>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

std::vector<Scenario> readBuiltIns()
{
    std::vector<Scenario> scenarios;
    const QDir folder(u":/waitscope/scenarios"_s);
    const QStringList names = folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto scenario = readScenario(file.readAll(), name);
        if (scenario)
            scenarios.push_back(std::move(*scenario));
        else // our own file: a test reads them all, so this is a damaged build
            qCritical().noquote() << scenario.error().line();
    }
    return scenarios;
}

Expected<Scenario> readFile(const QString &path)
{
    const Expected<QByteArray> json = readWhole(path, mostFileBytes, u"a scenario"_s);
    if (!json)
        return tl::unexpected(json.error());
    return readScenario(*json, path);
}

} // namespace

std::span<const Scenario> builtInScenarios()
{
    static const std::vector<Scenario> scenarios = readBuiltIns();
    return scenarios;
}

Expected<Scenario> findScenario(const QString &nameOrFile)
{
    if (nameOrFile.contains(u'/') || nameOrFile.endsWith(".json"_L1))
        return readFile(nameOrFile);
    QStringList names;
    for (const Scenario &scenario : builtInScenarios()) {
        if (scenario.name == nameOrFile)
            return scenario;
        names << scenario.name;
    }
    const QString near = nearestWord(nameOrFile, names);
    return usageProblem(u"scenario %1"_s.arg(nameOrFile.left(80)), u"there is no built-in scenario of this name"_s,
                        near.isEmpty() ? u"known: "_s + names.join(u", "_s) : u"did you mean %1?"_s.arg(near));
}

} // namespace Waitscope
