// SPDX-License-Identifier: GPL-3.0-or-later
// The runner itself: which table a file is, what malformed ones are told, and how numbers are compared.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/table.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestRunner : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString written(const QString &name, const QByteArray &content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the temporary folder cannot be written to");
        return file.fileName();
    }

    static QJsonValue parsed(const char *text)
    {
        return QJsonDocument::fromJson(QByteArray("[") + text + "]").array().first();
    }

private Q_SLOTS:
    void shapeTellsTheTable_data()
    {
        QTest::addColumn<QByteArray>("oneCase");
        QTest::addColumn<QString>("table");
        QTest::newRow("classify") << QByteArray(
            R"({"id":"a","type_name":"X","message":"boom","http_status":null,"error_text":"","expect":{"reason":"unknown","retryable":false}})")
                                  << u"classify_error"_s;
        QTest::newRow("permanent")
            << QByteArray(R"({"id":"a","type_name":"X","message":"boom","retryable_attr":null,"expect":false})")
            << u"is_permanent"_s;
        QTest::newRow("status") << QByteArray(R"({"id":"a","status":503,"body":"","expect":true})")
                                << u"is_retryable_status"_s;
        QTest::newRow("hint") << QByteArray(R"({"id":"a","headers":null,"now":"2025-10-21T07:27:00Z","expect":null})")
                              << u"retry_after"_s;
        QTest::newRow("session") << QByteArray(
            R"({"id":"a","stop_reason":"stop","error_message":null,"context_window":0,"usage_input":0,"usage_cache_read":0,"error_retryable":null,"expect":{"retryable":false,"overflow":false}})")
                                 << u"session_retryable"_s;
        QTest::newRow("backoff") << QByteArray(
            R"({"id":"a","fn":"session_backoff_ms","attempt":2,"base_ms":2000,"expect":4000})")
                                 << u"backoff"_s;
        QTest::newRow("timeouts") << QByteArray(
            R"({"id":"a","kind":"read_backstop","idle_env":null,"read_env":null,"expect":1860})")
                                  << u"timeouts"_s;
        QTest::newRow("strict") << QByteArray(
            R"({"id":"a","fn":"should_retry","inputs":{},"expect":{"retry":null},"reason":"no header"})")
                                << u"strict"_s;
    }
    void shapeTellsTheTable()
    {
        QFETCH(QByteArray, oneCase);
        const QString path = written(u"some table.json"_s, R"({"cases":[)" + oneCase + "]}");
        const Expected<TableReport> report = runTable(path);
        QVERIFY2(report, report ? "" : qPrintable(report.error().line()));
        QTEST(report->table, "table");
        QCOMPARE(report->file, path);
        QCOMPARE(report->passed(), 1);
        QCOMPARE(report->failed(), 0);
    }

    void differencesAreCounted()
    {
        const QString path = written(u"is_retryable_status.json"_s,
                                     R"([{"id":"a","status":503,"body":"","expect":true},
                                         {"id":"b","status":503,"body":"","expect":false},
                                         {"id":"c","status":400,"body":"overloaded","expect":1}])");
        const Expected<TableReport> report = runTable(path);
        QVERIFY(report);
        QCOMPARE(report->passed(), 1);
        QCOMPARE(report->failed(), 2);
        QCOMPARE(report->knownDifferences(), 0);
        QCOMPARE(report->results[1].id, u"b"_s);
        QCOMPARE(report->results[1].difference, u"expected false, got true"_s);
        QCOMPARE(report->results[2].difference, u"expected 1, got true"_s);
    }

    void malformedFilesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("what");
        const auto row = [](const char *name, const char *content, const char *what) {
            QTest::newRow(name) << QByteArray(content) << QString::fromUtf8(what);
        };
        row("empty", "", "not JSON at byte 0");
        row("cut off", R"({"cases":[{"id":"a")", "not JSON at byte");
        row("no cases", R"({"about":"x"})", "has no list \"cases\"");
        row("cases is no list", R"({"cases":{}})", "has no list \"cases\"");
        row("nothing in it", R"({"cases":[]})", "is empty");
        row("a number", "7", "not JSON");
        row("unknown shape", R"({"cases":[{"id":"a","x":1}]})", "known table");
        row("case is no object", R"([{"id":"a","status":503,"body":"","expect":true},5])", "case number 2: is not an object");
        row("no id", R"([{"status":503,"body":"","expect":true}])", "case number 1: has no id");
        row("field missing", R"([{"id":"a","status":503,"body":"","expect":true},{"id":"b","status":503,"expect":true}])",
            "case b: field \"body\" is missing");
        row("nothing expected", R"([{"id":"a","status":503,"body":""}])", "case a: field \"expect\" is missing");
        row("text for number", R"([{"id":"a","status":"503","body":"","expect":true}])",
            "case a: field \"status\" is not a number");
        row("half a status", R"([{"id":"a","status":503.5,"body":"","expect":true}])", "is not a whole number");
        row("huge status", R"([{"id":"a","status":99999999999,"body":"","expect":true}])", "is out of range");
        row("number for text", R"([{"id":"a","status":503,"body":1,"expect":true}])", "field \"body\" is not a text");
        row("unknown function", R"([{"id":"a","fn":"x","attempt":1,"expect":1}])", "names no back-off function");
        row("bad moment", R"([{"id":"a","headers":{},"now":"today","expect":null}])", "is not a moment");
        row("bad header", R"([{"id":"a","headers":{"Retry-After":[]},"now":"2025-10-21T07:27:00Z","expect":null}])",
            "neither text nor number");
        row("unknown variable", R"([{"id":"a","kind":"env","name":"PATH","value":"x","expect":1}])",
            "is no variable of a setting");
        row("strict without a reason",
            R"([{"id":"a","fn":"should_retry","inputs":{"headers":null},"expect":{},"reason":""}])", "\"reason\" is empty");
        row("strict with a wrong field",
            R"([{"id":"a","fn":"classify","inputs":{"mesage":"x"},"expect":{},"reason":"r"}])", "does not know");
        row("strict with a wrong word",
            R"([{"id":"a","fn":"backoff","inputs":{"jitter":"x"},"expect":{},"reason":"r"}])", "none of the known words");
        row("strict with a wrong function", R"([{"id":"a","fn":"x","inputs":{},"expect":{},"reason":"r"}])",
            "names no rule");
    }
    void malformedFilesAreNamed()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, what);
        const QString path = written(u"given.json"_s, content);
        const Expected<TableReport> report = runTable(path);
        QVERIFY(!report);
        const QString line = report.error().line();
        QVERIFY2(line.startsWith(path), qPrintable(line));
        QVERIFY2(line.contains(what), qPrintable(line));
        QVERIFY(!line.contains(u'\n'));
        QCOMPARE(report.error().kind, ProblemKind::Usage);
    }

    void absentFilesAreUnavailable()
    {
        const Expected<TableReport> report = runTable(m_folder.filePath(u"absent.json"_s));
        QVERIFY(!report);
        QCOMPARE(report.error().kind, ProblemKind::Unavailable);
    }

    // A case of the wrong shape under every table: a problem each time, never a crash.
    void everyAdapterSurvivesForeignCases()
    {
        const char *cases[] = {"{}", R"({"id":"a"})", R"({"id":"a","expect":null,"input":null,"inputs":[],"fn":1})",
                               R"({"id":"a","expect":{},"input":{"calls":[1],"runs":{},"attempts":7,"lines":[null]}})"};
        for (const TableKind &kind : tableKinds()) {
            for (const char *one : cases) {
                const CaseResult result = kind.run(parsed(one).toObject());
                QVERIFY2(!result.passed || !result.malformed.isEmpty(), kind.name.latin1());
            }
        }
    }

    void comparison_data()
    {
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<QByteArray>("actual");
        QTest::addColumn<QString>("difference");
        const auto row = [](const char *expected, const char *actual, const char *difference) {
            QTest::addRow("%s / %s", expected, actual)
                << QByteArray(expected) << QByteArray(actual) << QString::fromUtf8(difference);
        };
        row("1", "1.0000009", "");
        row("1", "1.000002", "expected 1, got 1.000002");
        row("1e13", "1.00000000000001e13", "");
        row("\"inf\"", "\"inf\"", "");
        row("\"inf\"", "1e308", "expected \"inf\", got 1e+308");
        row("\"-inf\"", "\"inf\"", "expected \"-inf\", got \"inf\"");
        row("\"nan\"", "\"nan\"", "");
        row("0", "\"nan\"", "expected 0, got \"nan\"");
        row("null", "0", "expected null, got 0");
        row("true", "1", "expected true, got 1");
        row("\"a\"", "\"a\"", "");
        row("{\"raises\":\"ValueError\"}", "{\"raises\":\"ValueError\"}", "");
        row("{\"raises\":\"ValueError\"}", "5", "expected {\"raises\":\"ValueError\"}, got 5");
        row("{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}", "a.b[1]: expected 2, got 3");
        row("{\"a\":1}", "{\"a\":1,\"b\":2}", "b: expected nothing, got 2");
        row("{\"a\":1,\"b\":2}", "{\"a\":1}", "b: expected 2, got nothing");
        row("[1]", "[1,2]", "[1]: expected nothing, got 2");
        row("[1,2]", "[1]", "[1]: expected 2, got nothing");
    }
    void comparison()
    {
        QFETCH(QByteArray, expected);
        QFETCH(QByteArray, actual);
        QTEST(firstDifference(parsed(expected.constData()), parsed(actual.constData())), "difference");
    }

    void numbersAreWrittenAsTablesDo()
    {
        QCOMPARE(tableNumber(std::numeric_limits<double>::infinity()), QJsonValue(u"inf"_s));
        QCOMPARE(tableNumber(-std::numeric_limits<double>::infinity()), QJsonValue(u"-inf"_s));
        QCOMPARE(tableNumber(std::nan("")), QJsonValue(u"nan"_s));
        QCOMPARE(tableNumber(std::optional<double>()), QJsonValue(QJsonValue::Null));
        QCOMPARE(tableNumber(1.5), QJsonValue(1.5));
    }
};

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
