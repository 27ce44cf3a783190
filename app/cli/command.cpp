// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "policy/environment.h"
#include "policy/profile.h"

#include <QJsonDocument>

#include <algorithm>
#include <cstdio>

namespace Waitscope {

using namespace Qt::StringLiterals;

void PolicyOptions::addTo(CLI::App &app)
{
    app.add_option("--profile", m_profile, "named policy or a profile file; `waitscope-cli profiles` lists them")
        ->check(fileName())
        ->capture_default_str();
    app.add_option("--set", m_assignments, "change one setting: key=value (repeatable)")->take_all()->allow_extra_args(false);
    app.add_option("--env-file", m_envFile, "read OPENPROGRAM_* variables from this file")->check(fileName());
}

void RunOptions::addTo(CLI::App &app)
{
    app.add_option("--seed", m_seed, "seed of the jitter")->check(wholeNumber())->capture_default_str();
    auto *record = app.add_option("--record", m_record, "write the trace to this file (.waitscope.jsonl)")->check(fileName());
    app.add_flag("--overwrite", m_overwrite, "let --record replace a file that holds something")->needs(record);
}

RecorderOptions RunOptions::recorder() const
{
    RecorderOptions options;
    options.path = QString::fromStdString(m_record);
    options.overwrite = m_overwrite;
    return options;
}

CLI::Validator notEmpty()
{
    return {[](const std::string &text) { return text.empty() ? std::string("is empty") : std::string(); }, {}};
}

CLI::Validator fileName()
{
    const auto fault = [](const std::string &text) {
        const bool isKept = QString::fromStdString(text).toStdString() == text;
        return text.empty() ? std::string("is empty") : isKept ? std::string() : std::string("the name is not valid UTF-8");
    };
    return {fault, {}};
}

CLI::Validator realBetween(double least, double most)
{
    const std::string range = QString(u"a number from %1 to %2"_s).arg(least).arg(most).toStdString();
    const auto fault = [least, most, range](const std::string &text) {
        bool isNumber = false;
        const double value = QString::fromStdString(text).toDouble(&isNumber);
        // Not a number is not between any two.
        return isNumber && value >= least && value <= most ? std::string() : "give " + range;
    };
    return {fault, range};
}

CLI::Validator wholeNumber()
{
    const auto fault = [](const std::string &text) {
        bool isNumber = false;
        static_cast<void>(QString::fromStdString(text).toULongLong(&isNumber));
        return isNumber && !text.starts_with('-') ? std::string() : std::string("give a whole number from 0 to 2^64 - 1");
    };
    return {fault, {}};
}

namespace {

// What nobody knows of another program is not passed off as its own.
void sayUnknown(const Profile &profile, const std::vector<std::string> &assignments)
{
    QStringList names;
    for (const Setting setting : profile.unknown) {
        const std::string name = infoOf(setting).name.data();
        if (std::ranges::none_of(assignments, [&](const std::string &set) { return set.starts_with(name + '='); }))
            names << QString::fromStdString(name);
    }
    if (!names.isEmpty())
        printMessage(u"note: unknown of %1, Waitscope's defaults stand in: %2"_s.arg(profile.name, names.join(u", "_s)));
}

} // namespace

Expected<PolicyPtr> PolicyOptions::policy() const
{
    Expected<Profile> profile = findProfile(QString::fromStdString(m_profile));
    if (!profile)
        return tl::unexpected(profile.error());
    sayUnknown(*profile, m_assignments);
    Policy policy = std::move(profile->policy);
    if (!m_envFile.empty()) {
        const Expected<Environment> variables = readDotenv(QString::fromStdString(m_envFile));
        if (!variables)
            return tl::unexpected(variables.error());
        for (const Problem &problem : misspeltVariables(*variables))
            printMessage(u"warning: "_s + problem.line());
        Expected<Policy> read = withEnvironment(std::move(policy), *variables, QString::fromStdString(m_envFile));
        if (!read)
            return tl::unexpected(read.error());
        policy = std::move(*read);
    }
    for (const std::string &assignment : m_assignments) {
        Expected<Policy> changed = policy.withAssignment(QString::fromStdString(assignment), u"command line"_s);
        if (!changed)
            return tl::unexpected(changed.error());
        policy = std::move(*changed);
    }
    return std::make_shared<const Policy>(std::move(policy));
}

void printLine(const QString &line)
{
    const QByteArray bytes = line.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), stdout);
}

void printMessage(const QString &line)
{
    const QByteArray bytes = line.toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<size_t>(bytes.size()), stderr);
}

void printJson(const QJsonObject &object)
{
    printLine(QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)));
}

namespace {

bool isObeyedByTerminals(QChar c)
{
    const char16_t u = c.unicode();
    const bool isControl = (u < 0x20 && u != u'\n' && u != u'\t') || (u >= 0x7F && u < 0xA0);
    const bool turnsText = u == 0x061C || u == 0x200E || u == 0x200F || (u >= 0x202A && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069);
    return isControl || turnsText || u == 0x2028 || u == 0x2029;
}

QString shown(const QString &text)
{
    QString safe;
    safe.reserve(text.size());
    for (const QChar c : text) {
        if (isObeyedByTerminals(c))
            safe += u"\\u%1"_s.arg(static_cast<uint>(c.unicode()), 4, 16, QChar(u'0'));
        else
            safe += c;
    }
    return safe;
}

QJsonValue redactedValue(const QJsonValue &value, const Redactor &redactor)
{
    if (value.isString())
        return redactor.redacted(value.toString());
    if (!value.isObject())
        return value;
    QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        it.value() = redactedValue(it.value(), redactor);
    return object;
}

} // namespace

void printResult(const QStringList &lines, const Redactor &redactor)
{
    for (const QString &line : lines)
        printLine(shown(redactor.redacted(line)));
}

void printResult(const QJsonObject &object, const Redactor &redactor)
{
    const QJsonObject safe = redactedValue(object, redactor).toObject();
    // What is left to be shown after JSON's own escapes may be escaped like this in JSON, too.
    printLine(shown(QString::fromUtf8(QJsonDocument(safe).toJson(QJsonDocument::Compact))));
}

Exit fail(const Problem &problem)
{
    printMessage(u"waitscope-cli: "_s + problem.line());
    switch (problem.kind) {
    case ProblemKind::Usage:
        return Exit::Usage;
    case ProblemKind::Unavailable:
        return Exit::Unavailable;
    }
    Q_UNREACHABLE();
}

std::string apiWords()
{
    QStringList words;
    for (Api api : allOf<Api>())
        words << QString(wordOf(api));
    return words.join(u", "_s).toStdString();
}

Expected<Api> apiNamed(const std::string &name)
{
    if (const std::optional<Api> api = fromWord<Api>(QString::fromStdString(name)))
        return *api;
    return usageProblem(u"--api"_s, u"\"%1\" is not known"_s.arg(QString::fromStdString(name)),
                        u"use one of "_s + QString::fromStdString(apiWords()));
}

} // namespace Waitscope
