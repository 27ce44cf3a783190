// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that only list what there is: scenarios, profiles, settings.
#include "app/cli/command.h"

#include "fault/scenarioreader.h"
#include "policy/profile.h"

#include <QJsonArray>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class ListCommand : public Command
{
public:
    void addTo(CLI::App &app) override { app.add_flag("--json", m_json, "print one JSON object"); }

protected:
    bool m_json = false;
};

class Scenarios final : public ListCommand
{
public:
    Exit run() override
    {
        QJsonArray array;
        for (const Scenario &scenario : builtInScenarios()) {
            if (m_json)
                array.append(QJsonObject{{u"name"_s, scenario.name}, {u"title"_s, scenario.title}, {u"about"_s, scenario.about}});
            else
                printLine(u"%1  %2"_s.arg(scenario.name, -26).arg(scenario.title));
        }
        if (m_json)
            printJson(QJsonObject{{u"scenarios"_s, array}});
        return Exit::Done;
    }
};

class Profiles final : public ListCommand
{
public:
    Exit run() override
    {
        QJsonArray array;
        for (const Profile &profile : builtInProfiles()) {
            if (!m_json) {
                printLine(u"%1  %2"_s.arg(profile.name, -26).arg(profile.title));
                continue;
            }
            QJsonObject values;
            for (const SettingInfo &info : settings())
                values[QString(info.name)] = spellValue(info, profile.policy.value(info.id));
            QJsonArray unknown;
            for (const Setting setting : profile.unknown)
                unknown.append(QString(infoOf(setting).name));
            array.append(QJsonObject{{u"name"_s, profile.name},
                                     {u"title"_s, profile.title},
                                     {u"about"_s, profile.about},
                                     {u"sources"_s, QJsonArray::fromStringList(profile.sources)},
                                     {u"settings"_s, values},
                                     {u"unknown"_s, unknown}});
        }
        if (m_json)
            printJson(QJsonObject{{u"profiles"_s, array}});
        return Exit::Done;
    }
};

QString rangeOf(const SettingInfo &info)
{
    QStringList parts;
    switch (info.type) {
    case SettingType::Flag:
        parts << u"true, false"_s;
        break;
    case SettingType::Word:
        for (const QLatin1StringView word : info.words)
            parts << QString(word);
        break;
    case SettingType::Text:
        parts << u"text"_s;
        break;
    case SettingType::Count:
    case SettingType::Seconds:
    case SettingType::Number:
        parts << u"%1 to %2"_s.arg(info.minimum).arg(info.maximum);
        break;
    }
    if (info.canBeOff)
        parts << u"off"_s;
    if (info.canBeAuto)
        parts << u"auto"_s;
    return parts.join(u", "_s);
}

class Settings final : public ListCommand
{
public:
    Exit run() override
    {
        const Policy defaults;
        QJsonArray array;
        for (const SettingInfo &info : settings()) {
            if (m_json) {
                QJsonObject entry;
                entry["name"_L1] = QString(info.name);
                entry["layer"_L1] = QString(wordOf(info.layer));
                entry["unit"_L1] = QString(info.unit);
                entry["default"_L1] = QString(info.defaultValue);
                entry["range"_L1] = rangeOf(info);
                entry["variable"_L1] = QString(info.variable);
                entry["when_unset"_L1] = QString(info.whenUnset);
                entry["when_empty"_L1] = QString(info.whenEmpty);
                entry["when_unreadable"_L1] = QString(info.whenUnreadable);
                entry["when_zero"_L1] = QString(info.whenZero);
                entry["explanation"_L1] = QString(info.explanation);
                array.append(entry);
                continue;
            }
            printLine(u"%1 = %2%3"_s.arg(info.name, info.defaultValue,
                                         info.unit.isEmpty() || info.defaultValue == "off"_L1 ? QString() : u' ' + QString(info.unit)));
            printLine(u"    %1"_s.arg(info.explanation));
            printLine(u"    %1%2"_s.arg(rangeOf(info), info.variable.isEmpty()
                                                           ? QString()
                                                           : u"; %1 (unset: %2)"_s.arg(info.variable, info.whenUnset)));
        }
        if (m_json)
            printJson(QJsonObject{{u"settings"_s, array}});
        return Exit::Done;
    }
};

} // namespace

CommandPtr scenariosCommand()
{
    return std::make_unique<Scenarios>();
}

CommandPtr profilesCommand()
{
    return std::make_unique<Profiles>();
}

CommandPtr settingsCommand()
{
    return std::make_unique<Settings>();
}

} // namespace Waitscope
