// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/foreignlimit.h"

#include <QTest>

#include <vector>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestForeignLimit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void limits_data();
    void limits();
};

void TestForeignLimit::limits_data()
{
    QTest::addColumn<QList<double>>("failures");
    QTest::addColumn<QList<double>>("own");
    QTest::addColumn<double>("limit"); // 0 = none
    const auto row = [](const char *name, const QList<double> &failures, const QList<double> &own, double limit) {
        QTest::newRow(name) << failures << own << limit;
    };
    row("a gateway's five minutes", {301.2, 301.0, 301.4}, {960}, 300);
    row("a balancer's minute", {60.02, 60.1, 60.05, 60.3}, {}, 60);
    row("on the dot", {100, 100, 100}, {}, 100);
    row("two are chance", {300.1, 300.2}, {}, 0);
    row("none", {}, {}, 0);
    row("not alike", {300.1, 300.2, 310}, {}, 0);
    row("not round", {287.2, 287.3, 287.1}, {}, 0);
    row("our own", {301.2, 301.0, 301.4}, {1800, 300}, 0);
    row("too short to tell", {2.0, 2.0, 2.0}, {}, 0);
    row("ten minutes", {603, 604, 602}, {}, 600);
    row("behind a round number by too much", {306, 306, 306}, {}, 0);
    row("three quarters of a minute", {45.1, 45.2, 45.1}, {}, 45);
}

void TestForeignLimit::limits()
{
    QFETCH(QList<double>, failures);
    QFETCH(QList<double>, own);
    QFETCH(double, limit);
    const auto durations = [](const QList<double> &seconds) {
        std::vector<Duration> list;
        for (const double s : seconds)
            list.push_back(fromSeconds(s));
        return list;
    };
    const std::optional<Duration> found = foreignLimit(durations(failures), durations(own));
    QCOMPARE(found ? toSeconds(*found) : 0.0, limit);
}

QTEST_GUILESS_MAIN(TestForeignLimit)
#include "tst_foreignlimit.moc"
