// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "policy/environment.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class Env final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        m_policy.addTo(app);
        app.add_option("--format", m_format, "sh, dotenv, powershell, docker, k8s, json")->capture_default_str();
        app.add_flag("--diff", m_diff, "only what differs from what OpenProgram does when its variables are unset");
    }

    Exit run() override
    {
        const std::optional<EnvironmentFormat> format = fromWord<EnvironmentFormat>(QString::fromStdString(m_format));
        if (!format) {
            QStringList words;
            for (EnvironmentFormat known : allOf<EnvironmentFormat>())
                words << QString(wordOf(known));
            return fail(Problem(ProblemKind::Usage, u"--format"_s,
                                u"\"%1\" is not known"_s.arg(QString::fromStdString(m_format)),
                                u"use one of "_s + words.join(u", "_s)));
        }
        const Expected<PolicyPtr> policy = m_policy.policy();
        if (!policy)
            return fail(policy.error());
        QString text = printEnvironment(**policy, *format, m_diff);
        if (text.endsWith(u'\n'))
            text.chop(1);
        printLine(text);
        return Exit::Done;
    }

private:
    PolicyOptions m_policy;
    std::string m_format = "sh";
    bool m_diff = false;
};

} // namespace

CommandPtr envCommand()
{
    return std::make_unique<Env>();
}

} // namespace Waitscope
