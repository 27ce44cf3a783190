// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "rules/rules.h"

#include <QDateTime>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class Classify final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        app.add_option("text", m_text, "the error's text");
        app.add_option("--type", m_type, "the exception's type name");
        app.add_option("--status", m_status, "the HTTP status")->check(CLI::Range(100, 999));
        app.add_option("--header", m_headers, "a response header \"Name: value\" (repeatable)")->take_all()->allow_extra_args(false);
        app.add_flag("--json", m_json, "print one JSON object");
    }

    Exit run() override
    {
        Failure failure;
        failure.type = QString::fromStdString(m_type);
        failure.text = QString::fromStdString(m_text);
        if (m_status)
            failure.httpStatus = m_status;
        HeaderList headers;
        for (const std::string &header : m_headers) {
            const QString line = QString::fromStdString(header);
            const qsizetype colon = line.indexOf(u':');
            if (colon <= 0)
                return fail(Problem(ProblemKind::Usage, u"--header"_s, u"a header has the form \"Name: value\""_s));
            headers.emplace_back(line.left(colon).trimmed(), line.mid(colon + 1).trimmed());
        }
        QJsonObject json;
        for (const auto &[rules, name] : {std::pair(RuleSet::Openprogram, u"openprogram"_s), std::pair(RuleSet::Strict, u"strict"_s)}) {
            const Classification verdict = classify(rules, failure);
            const Classification permanent = permanentVerdict(rules, failure);
            SessionMessage message;
            message.stopReason = u"error"_s;
            message.errorMessage = failure.type.isEmpty() ? failure.text : failure.typeAndText();
            // What the session layer is told with the message: under `openprogram` text and type are all that reaches it.
            Failure told = failure;
            if (rules == RuleSet::Openprogram)
                told.httpStatus.reset();
            message.retryable = classify(rules, told).retryable;
            const Classification session = sessionVerdict(rules, message, SessionRule());
            const std::optional<double> hint = retryAfter(rules, headers, HintForms(), QDateTime::currentDateTimeUtc());
            QJsonObject entry;
            entry["reason"_L1] = QString(wordOf(verdict.reason));
            entry["retryable"_L1] = verdict.retryable;
            entry["rule"_L1] = verdict.rule;
            entry["matched"_L1] = verdict.matched;
            entry["permanent_for_exec"_L1] = !permanent.retryable;
            entry["permanent_rule"_L1] = permanent.rule;
            entry["session_retries"_L1] = session.retryable;
            entry["session_rule"_L1] = session.rule;
            entry["retry_after_s"_L1] = hint ? QJsonValue(*hint) : QJsonValue();
            json[name] = entry;
            if (!m_json) {
                printLine(u"%1: %2 (%3%4)"_s.arg(name, wordOf(verdict.reason), verdict.rule,
                                                 verdict.matched.isEmpty() ? QString() : u": \"%1\""_s.arg(verdict.matched)));
                printLine(u"  stream: %1; session: %2; exec: %3"_s.arg(
                    verdict.retryable ? u"tries again"_s : u"gives up"_s,
                    session.retryable ? u"runs again (%1)"_s.arg(session.rule) : u"does not run again (%1)"_s.arg(session.rule),
                    permanent.retryable ? u"tries again, nothing marks it as permanent"_s : u"gives up (%1)"_s.arg(permanent.rule)));
                if (hint)
                    printLine(u"  the server asked to wait %1 s"_s.arg(*hint));
            }
        }
        if (m_json)
            printJson(json);
        return Exit::Done;
    }

private:
    std::string m_text;
    std::string m_type;
    int m_status = 0;
    std::vector<std::string> m_headers;
    bool m_json = false;
};

} // namespace

CommandPtr classifyCommand()
{
    return std::make_unique<Classify>();
}

} // namespace Waitscope
