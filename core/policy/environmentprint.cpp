// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/environment.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(EnvironmentFormat format)
{
    switch (format) {
    case EnvironmentFormat::Sh:
        return "sh"_L1;
    case EnvironmentFormat::Dotenv:
        return "dotenv"_L1;
    case EnvironmentFormat::Powershell:
        return "powershell"_L1;
    case EnvironmentFormat::Docker:
        return "docker"_L1;
    case EnvironmentFormat::K8s:
        return "k8s"_L1;
    case EnvironmentFormat::Json:
        return "json"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const EnvironmentFormat> allOf<EnvironmentFormat>()
{
    static constexpr EnvironmentFormat values[] = {EnvironmentFormat::Sh,     EnvironmentFormat::Dotenv,
                                                   EnvironmentFormat::Powershell, EnvironmentFormat::Docker,
                                                   EnvironmentFormat::K8s,    EnvironmentFormat::Json};
    return values;
}

namespace {

// No shell and no reader of such files sees more than letters in these.
bool isPlain(const QString &text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar c) {
        return c.unicode() < 128 && (c.isLetterOrNumber() || u"_-.,:/+@%"_s.contains(c));
    });
}

QString singleQuoted(QString text, QLatin1StringView quoteInside)
{
    return u'\'' + text.replace(u'\'', quoteInside) + u'\'';
}

// Single quotes are read alike everywhere as long as nothing inside wants escaping.
QString dotenvQuoted(QString text)
{
    if (!text.contains(u'\'') && !text.contains(u'\\'))
        return u'\'' + text + u'\'';
    for (const QChar special : u"\\\"$`"_s)
        text.replace(special, QString(u'\\') + special);
    return u'"' + text + u'"';
}

// YAML's double quotes are JSON's.
QString jsonQuoted(QString text)
{
    return u'"' + text.replace(u'\\', "\\\\"_L1).replace(u'"', "\\\""_L1) + u'"';
}

QString lineOf(const EnvironmentVariable &variable, EnvironmentFormat format)
{
    const QString &name = variable.name;
    const QString &text = variable.text;
    switch (format) {
    case EnvironmentFormat::Sh:
        return u"export "_s + name + u'=' + (isPlain(text) ? text : singleQuoted(text, "'\\''"_L1));
    case EnvironmentFormat::Dotenv:
        return name + u'=' + (text.isEmpty() || isPlain(text) ? text : dotenvQuoted(text));
    case EnvironmentFormat::Powershell:
        return u"$env:"_s + name + u" = "_s + singleQuoted(text, "''"_L1);
    case EnvironmentFormat::Docker:
        return name + u'=' + text; // docker takes the rest of the line as it is
    case EnvironmentFormat::K8s:
        return u"  - name: "_s + name + u"\n    value: "_s + jsonQuoted(text);
    case EnvironmentFormat::Json:
        break; // printed as a whole
    }
    Q_UNREACHABLE();
}

QString printJson(const Environment &variables)
{
    QJsonObject object;
    for (const EnvironmentVariable &variable : variables)
        object[variable.name] = variable.text;
    return QString::fromUtf8(QJsonDocument(object).toJson());
}

// What the policy asks for and no variable can say.
QStringList unsaid(const Policy &policy)
{
    QStringList comments;
    for (const SettingInfo &info : settings()) {
        if (info.variable.isEmpty() && !followsOpenProgram(policy, info)) {
            const QString own = info.whenUnset.isEmpty() ? u"nothing"_s : QString(info.whenUnset);
            comments << u"# %1 = %2: OpenProgram has no variable for it, and has %3"_s.arg(
                QString(info.name), policy.text(info.id), own);
        }
    }
    return comments;
}

} // namespace

QString printEnvironment(const Policy &policy, EnvironmentFormat format, bool onlyDifferences)
{
    const Environment variables = toEnvironment(policy, onlyDifferences);
    if (format == EnvironmentFormat::Json)
        return printJson(variables);
    QStringList lines;
    if (!variables.empty())
        lines << u"# OpenProgram reads some of these only when it starts: restart it after a change."_s;
    if (format == EnvironmentFormat::K8s)
        lines << (variables.empty() ? u"env: []"_s : u"env:"_s);
    for (const EnvironmentVariable &variable : variables)
        lines << lineOf(variable, format);
    lines += unsaid(policy);
    return lines.isEmpty() ? QString() : lines.join(u'\n') + u'\n';
}

} // namespace Waitscope
