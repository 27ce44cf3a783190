// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/environment.h"

#include "policy/nearness.h"
#include "policy/pythonnumber.h"
#include "policy/texts.h"

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView prefix = u"OPENPROGRAM_";

QStringList variablesOf(const SettingInfo &info)
{
    QStringList names;
    if (!info.variable.isEmpty())
        names << QString(info.variable);
    names += QString(info.alsoVariables).split(u' ', Qt::SkipEmptyParts);
    return names;
}

// A word of when…() is a value, a sentence says what happens.
bool isSentence(QLatin1StringView text)
{
    return text.contains(QLatin1Char(' '));
}

// One variable on its way to a setting's value.
class Interpreter
{
public:
    Interpreter(const SettingInfo &info, const EnvironmentVariable &variable)
        : m_info(info)
        , m_variable(variable)
        , m_reading(readAsOpenProgram(variable.name, variable.text).value())
    {
    }

    // nullopt leaves the setting alone.
    std::optional<SettingValue> value()
    {
        if (m_reading.raises) {
            complain(u"makes OpenProgram raise "_s + *m_reading.raises,
                     m_info.readAt == ReadAt::Start ? u"it would not start"_s : u"every call would fail"_s);
            return std::nullopt;
        }
        if (m_reading.fellBack && !pythonStrip(m_variable.text).isEmpty())
            complain(u"cannot be read"_s, u"OpenProgram would use "_s + m_info.whenUnreadable);
        if (m_reading.fellBack && m_info.canBeAuto)
            return SettingValue::derived();
        if (m_reading.noLimit)
            return SettingValue::off();
        if (m_reading.flag)
            return SettingValue::number(*m_reading.flag ? 1 : 0);
        return m_reading.text ? text(*m_reading.text) : number(m_reading.value.value());
    }

    [[nodiscard]] const std::optional<Problem> &problem() const { return m_problem; }

private:
    void complain(const QString &what, const QString &advice)
    {
        m_problem.emplace(ProblemKind::Usage, m_variable.where,
                          m_variable.name + u' ' + quoted(shownText(m_info.id, m_variable.text)) + u' ' + what, advice);
    }

    std::optional<SettingValue> text(const QString &text)
    {
        std::optional<QString> normal = normalText(m_info.id, text);
        if (!normal) {
            complain(u"is not a value for "_s + m_info.name, u"it takes "_s + describeChoices(m_info));
            return std::nullopt;
        }
        return SettingValue::text(*std::move(normal));
    }

    std::optional<SettingValue> number(double value)
    {
        if (std::isnan(value)) {
            complain(u"is not a number that a clock can count to"_s, u"it takes "_s + describeChoices(m_info));
            return std::nullopt;
        }
        if (value > m_info.maximum && m_info.canBeOff)
            return SettingValue::off();
        if (value < m_info.minimum || value > m_info.maximum) {
            const QLatin1StringView sentence =
                value < 0 && !m_info.whenNegative.isEmpty() ? m_info.whenNegative : m_info.whenZero;
            complain(u"is out of range"_s, value <= 0 && isSentence(sentence) ? u"in OpenProgram: "_s + sentence
                                                                              : u"it takes "_s + describeChoices(m_info));
        }
        return SettingValue::number(std::clamp(value, m_info.minimum, m_info.maximum) + 0.0); // -0 becomes 0
    }

    const SettingInfo &m_info;
    const EnvironmentVariable &m_variable;
    EnvironmentReading m_reading;
    std::optional<Problem> m_problem;
};

// Is there a later line for the same variable, or a better variable for the same setting?
bool isOverruled(const Environment &variables, size_t index, const SettingInfo &info)
{
    const QStringList names = variablesOf(info);
    const qsizetype rank = names.indexOf(variables[index].name);
    for (size_t i = 0; i < variables.size(); ++i) {
        const qsizetype other = names.indexOf(variables[i].name);
        if (other >= 0 && (other < rank || (other == rank && i > index)))
            return true;
    }
    return false;
}

} // namespace

EnvironmentResult applyEnvironment(Policy base, const Environment &variables, const QString &origin)
{
    EnvironmentResult result{std::move(base), {}};
    for (size_t i = 0; i < variables.size(); ++i) {
        const std::optional<Setting> setting = settingOfVariable(variables[i].name);
        if (!setting || isOverruled(variables, i, infoOf(*setting)))
            continue;
        Interpreter interpreter(infoOf(*setting), variables[i]);
        if (std::optional<SettingValue> value = interpreter.value())
            result.policy = result.policy.with(*setting, *std::move(value), origin);
        if (interpreter.problem())
            result.problems.push_back(*interpreter.problem());
    }
    return result;
}

Expected<Policy> withEnvironment(Policy base, const Environment &variables, const QString &origin)
{
    EnvironmentResult result = applyEnvironment(std::move(base), variables, origin);
    if (!result.problems.empty())
        return tl::unexpected(std::move(result.problems.front()));
    return std::move(result.policy);
}

std::vector<Problem> misspeltVariables(const Environment &variables)
{
    QStringList known;
    for (const SettingInfo &info : settings()) {
        for (const QString &name : variablesOf(info)) {
            if (name.startsWith(prefix))
                known << name.mid(prefix.size());
        }
    }
    std::vector<Problem> problems;
    for (const EnvironmentVariable &variable : variables) {
        if (!variable.name.startsWith(prefix) || settingOfVariable(variable.name))
            continue;
        // Without the common beginning, which would make all names alike.
        const QString near = suggestion(QStringView(variable.name).mid(prefix.size()), known);
        if (!near.isEmpty())
            problems.emplace_back(ProblemKind::Usage, variable.where,
                                  variable.name + u": no setting of OpenProgram has this name"_s,
                                  near + u" (after %1)"_s.arg(prefix));
    }
    return problems;
}

namespace {

// The text that makes OpenProgram hold this value.
QString exportText(const SettingInfo &info, const SettingValue &value)
{
    if (value.isOff())
        return QString(info.exportOff);
    if (value.isDerived())
        return {}; // an empty variable is as good as none
    if (info.type == SettingType::Flag)
        return value.toNumber() != 0 ? u"1"_s : u"0"_s;
    return spellValue(info, value);
}

} // namespace

bool followsOpenProgram(const Policy &policy, const SettingInfo &info)
{
    return policy.value(info.id) == parseValue(info, QString(info.whenUnset)).value();
}

Environment toEnvironment(const Policy &policy, bool onlyDifferences)
{
    Environment variables;
    for (const SettingInfo &info : settings()) {
        if (info.variable.isEmpty() || (onlyDifferences && followsOpenProgram(policy, info)))
            continue;
        const QString text = exportText(info, policy.value(info.id));
        // The proxy has one variable of OpenProgram's own; the general ones are other programs' too.
        for (const QString &name : variablesOf(info)) {
            if (name.startsWith(prefix))
                variables.push_back({name, text, QString(info.name)});
        }
    }
    return variables;
}

} // namespace Waitscope
