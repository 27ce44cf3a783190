// SPDX-License-Identifier: GPL-3.0-or-later
// Every decision table of the project through the runner: the public ones of the reference, and those of `strict`.
#include "conformance/knowndifferences.h"
#include "conformance/table.h"

#include <QDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableAgrees_data();
    void tableAgrees();
    void knownDifferencesAreFewAndReal();
};

namespace {

const QString dataFolder = QStringLiteral(TEST_DATA_DIR);

QString pathOf(QLatin1StringView table)
{
    return dataFolder + u"/vectors/"_s + table + u".json"_s;
}

} // namespace

void TestTables::tableAgrees_data()
{
    QTest::addColumn<QString>("path");
    for (const QString &folder : {u"vectors"_s, u"strict"_s}) {
        const QDir tables(dataFolder + u'/' + folder);
        for (const QString &file : tables.entryList({u"*.json"_s}, QDir::Files))
            QTest::addRow("%s/%s", qPrintable(folder), qPrintable(file)) << tables.filePath(file);
    }
}

void TestTables::tableAgrees()
{
    QFETCH(QString, path);
    const Expected<TableReport> report = runTable(path);
    QVERIFY2(report, report ? "" : qPrintable(report.error().line()));
    for (const CaseResult &result : report->results) {
        if (!result.passed && result.knownDifference.isEmpty())
            qWarning("%s: %s", qPrintable(result.id), qPrintable(result.difference));
    }
    qInfo("%s: %d passed, %d failed, %d known", qPrintable(report->table), report->passed(), report->failed(),
          report->knownDifferences());
    QCOMPARE(report->failed(), 0);
    QCOMPARE(report->passed() + report->knownDifferences(), static_cast<int>(report->results.size()));
}

void TestTables::knownDifferencesAreFewAndReal()
{
    constexpr size_t most = 20;
    QVERIFY(knownDifferences().size() <= most);
    std::map<QString, TableReport> reports;
    for (const KnownDifference &known : knownDifferences()) {
        const QString id = known.id;
        QVERIFY2(known.reason.size() > 20, qPrintable(id));
        if (!reports.contains(known.table)) {
            Expected<TableReport> report = runTable(pathOf(known.table));
            QVERIFY2(report, report ? "" : qPrintable(report.error().line()));
            reports.emplace(known.table, std::move(*report));
        }
        const auto &results = reports.at(known.table).results;
        const auto found = std::ranges::find(results, id, &CaseResult::id);
        QVERIFY2(found != results.end(), qPrintable(id + u" is in no table"_s));
        QVERIFY2(!found->passed, qPrintable(id + u" agrees by now: strike it from the list"_s));
    }
}

QTEST_GUILESS_MAIN(TestTables)
#include "tst_tables.moc"
