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
        ->capture_default_str();
    app.add_option("--set", m_assignments, "change one setting: key=value (repeatable)")->take_all()->allow_extra_args(false);
    app.add_option("--env-file", m_envFile, "read OPENPROGRAM_* variables from this file");
    app.add_option("--seed", m_seed, "seed of the jitter")
        ->check([](const std::string &text) { return text.starts_with('-') ? "a seed is 0 or more" : std::string(); })
        ->capture_default_str();
    app.add_option("--record", m_record, "write the trace to this file (.waitscope.jsonl)");
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
