// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "conformance/table.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

class Conformance final : public Command
{
public:
    void addTo(CLI::App &app) override
    {
        app.add_option("files", m_files, "decision tables (JSON)")->required();
        app.add_flag("--json", m_json, "print one JSON object");
    }

    Exit run() override
    {
        int passed = 0;
        int failed = 0;
        int known = 0;
        QJsonObject tables;
        for (const std::string &file : m_files) {
            const Expected<TableReport> report = runTable(QString::fromStdString(file));
            if (!report)
                return fail(report.error());
            passed += report->passed();
            failed += report->failed();
            known += report->knownDifferences();
            for (const CaseResult &result : report->results) {
                if (!result.malformed.isEmpty())
                    printMessage(u"%1: %2: %3"_s.arg(report->file, result.id, result.malformed));
                else if (!result.passed)
                    printMessage(u"%1: %2: %3%4"_s.arg(report->table, result.id, result.difference,
                                                       result.knownDifference.isEmpty()
                                                           ? QString()
                                                           : u" [known: %1]"_s.arg(result.knownDifference)));
            }
            QJsonObject entry;
            entry["passed"_L1] = report->passed();
            entry["failed"_L1] = report->failed();
            entry["known_differences"_L1] = report->knownDifferences();
            tables[report->table] = entry;
            if (!m_json)
                printLine(u"%1: %2 passed, %3 failed"_s.arg(report->table).arg(report->passed()).arg(report->failed()));
        }
        if (m_json) {
            QJsonObject json;
            json["passed"_L1] = passed;
            json["failed"_L1] = failed;
            json["known_differences"_L1] = known;
            json["tables"_L1] = tables;
            printJson(json);
        } else {
            printLine(known ? u"%1 passed, %2 failed, %3 known differences"_s.arg(passed).arg(failed).arg(known)
                            : u"%1 passed, %2 failed"_s.arg(passed).arg(failed));
        }
        return failed ? Exit::Failed : Exit::Done;
    }

private:
    std::vector<std::string> m_files;
    bool m_json = false;
};

} // namespace

CommandPtr conformanceCommand()
{
    return std::make_unique<Conformance>();
}

} // namespace Waitscope
