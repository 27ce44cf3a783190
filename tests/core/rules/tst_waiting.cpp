// SPDX-License-Identifier: GPL-3.0-or-later
// How long to wait: hints out of headers, dates in two dialects, and the back-off with its saturation.
#include "rules/httpdate.h"
#include "rules/pythondate.h"
#include "rules/resettime.h"
#include "rules/rules.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <limits>

using namespace Waitscope;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(std::optional<qint64>)

namespace {

const QDateTime now(QDate(2025, 10, 21), QTime(7, 27), Qt::UTC);
constexpr double infinite = std::numeric_limits<double>::infinity();

RetryPolicy execPolicy()
{
    RetryPolicy policy;
    policy.baseS = 1.5;
    policy.jitter = JitterForm::Symmetric;
    policy.jitterShare = 0.25;
    policy.hintJitterShare = 0.25;
    return policy;
}

} // namespace

class TestWaiting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // A body is whatever a server likes to send.
    void hostileResetTimes()
    {
        QElapsedTimer clock;
        clock.start();
        for (const QString &text : {u"try again in 1s"_s + QString(100'000, u' ') + u"x"_s, u"again in "_s.repeated(50'000),
                                    u"again in "_s + u"1s, and "_s.repeated(50'000) + u'!', u"\"retry_after\" "_s.repeated(20'000),
                                    u"reset 2031-02-"_s.repeated(20'000), u"resets_at\": 99999999999999999"_s})
            static_cast<void>(resetTimeIn(text));
        QVERIFY(clock.elapsed() < 500);
        const std::optional<ResetTime> invented = resetTimeIn(u"it resets at 2031-02-31 25:61:00Z");
        QVERIFY(!invented);
        QVERIFY(!resetTimeIn(u"\"resets_in_seconds\": -5"));
        QVERIFY(!resetTimeIn(u"\"resets_in_seconds\": 0")->secondsFrom(now));
        QVERIFY(!resetTimeIn(u"resets at 2025-10-21T07:26:59Z")->secondsFrom(now));
        QCOMPARE(resetTimeIn(u"resets at 2025-10-21T07:28:00Z")->secondsFrom(now), std::optional(60.0));
        // A far one is a number, however large.
        QVERIFY(std::isfinite(resetTimeIn(u"\"retry_after\": 999999999.5")->secondsFrom(now).value_or(infinite)));
    }

    // What email.utils of Python 3.11 answers, counted from 07:28 UTC of the day that all of them mean.
    void mailDates_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<std::optional<qint64>>("seconds");
        const auto row = [](const char *text, std::optional<qint64> seconds) {
            QTest::newRow(text) << QString::fromUtf8(text) << seconds;
        };
        row("Tue, 21 Oct 2025 07:28:00 GMT", 0);
        row("Fri, 21 Oct 2025 07:28:00 GMT", 0);
        row("21 Oct 2025 07:28:00 GMT", 0);
        row("Tue,21 October 2025 07:28 utc", 0);
        row("Tue, Oct 21 2025 07:28:00 GMT", 0);
        row("Tue Oct 21 07:28:00 2025", 0);
        row("Tuesday, 21-Oct-25 07:28:00 GMT", 0);
        row("Tue, 21 Oct 25 07.28.00 XYZ", 0);
        row("Tue, 21 Oct 2025 07:28:00 -0000", 0);
        row("Tue, 21 Oct 2025 07:28:00+0100", -3600);
        row("Tue, 21 Oct 2025 07:28:00 -0530", 19800);
        row("Tue, 21 Oct 2025 07:28:00 PDT", 25200);
        row("Tue, ٢١ Oct 2_025 07:28:00 GMT", 0);
        row("Tue, 21 Oct 2025 07:28:60 GMT", std::nullopt);
        row("Tue, 32 Oct 2025 07:28:00 GMT", std::nullopt);
        row("Tue, 21 Oct 2025 07:28:00 +2400", std::nullopt);
        row("Tue, 21 Oct 99999999999999999999 07:28:00 GMT", std::nullopt);
        row("Tue, 21 Xyz 2025 07:28:00 GMT", std::nullopt);
        row("Tue, 21 Oct 2025", std::nullopt);
        row("Tue,", std::nullopt);
        row("2025-10-21T07:28:00Z", std::nullopt);
        row("", std::nullopt);
        row("- - - - -", std::nullopt);
    }
    void mailDates()
    {
        QFETCH(QString, text);
        std::optional<qint64> seconds = pythonMailDate(text);
        if (seconds)
            *seconds -= now.toSecsSinceEpoch() + 60;
        QTEST(seconds, "seconds");
    }

    void twoDigitYearsFollowThePivot()
    {
        QCOMPARE(pythonMailDate(u"1 Jan 68 00:00:00 GMT"), secondsSinceEpoch(2068, 1, 1, 0, 0, 0));
        QCOMPARE(pythonMailDate(u"1 Jan 69 00:00:00 GMT"), secondsSinceEpoch(1969, 1, 1, 0, 0, 0));
        QCOMPARE(pythonMailDate(u"1 Jan 100 00:00:00 GMT"), secondsSinceEpoch(100, 1, 1, 0, 0, 0));
        // HTTP's own rule looks fifty years ahead of now.
        QCOMPARE(httpDate(u"Sunday, 01-Jan-75 00:00:00 GMT", now), secondsSinceEpoch(2075, 1, 1, 0, 0, 0));
        QCOMPARE(httpDate(u"Sunday, 01-Jan-76 00:00:00 GMT", now), secondsSinceEpoch(1976, 1, 1, 0, 0, 0));
    }

    void httpDatesHaveThreeForms_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("read");
        QTest::newRow("fixed") << u"Tue, 21 Oct 2025 07:28:00 GMT"_s << true;
        QTest::newRow("old") << u"Tuesday, 21-Oct-25 07:28:00 GMT"_s << true;
        QTest::newRow("asctime") << u"Tue Oct 21 07:28:00 2025"_s << true;
        QTest::newRow("wrong weekday") << u"Mon, 21 Oct 2025 07:28:00 GMT"_s << true;
        QTest::newRow("blanks around") << u" Tue, 21 Oct 2025 07:28:00 GMT "_s << true;
        QTest::newRow("no zone") << u"Tue, 21 Oct 2025 07:28:00"_s << false;
        QTest::newRow("other zone") << u"Tue, 21 Oct 2025 07:28:00 EST"_s << false;
        QTest::newRow("no seconds") << u"Tue, 21 Oct 2025 07:28 GMT"_s << false;
        QTest::newRow("no such day") << u"Sun, 31 Feb 2026 07:28:00 GMT"_s << false;
        QTest::newRow("no such month") << u"Tue, 21 Okt 2025 07:28:00 GMT"_s << false;
        QTest::newRow("foreign digits") << u"Tue, ٢١ Oct 2025 07:28:00 GMT"_s << false;
        QTest::newRow("iso") << u"2025-10-21T07:28:00Z"_s << false;
    }
    void httpDatesHaveThreeForms()
    {
        QFETCH(QString, text);
        QFETCH(bool, read);
        const std::optional<qint64> expected = read ? std::optional(now.toSecsSinceEpoch() + 60) : std::nullopt;
        QCOMPARE(httpDate(text, now), expected);
    }

    void formsCanBeSwitchedOff()
    {
        const HeaderList headers{{u"retry-after-ms"_s, u"1500"_s}, {u"Retry-After"_s, u"7"_s}};
        const HeaderList dated{{u"Retry-After"_s, u"Tue, 21 Oct 2025 07:28:00 GMT"_s}};
        for (const RuleSet rules : {RuleSet::Openprogram, RuleSet::Strict}) {
            QCOMPARE(retryAfter(rules, headers, {true, true, true}, now), 1.5);
            QCOMPARE(retryAfter(rules, headers, {false, true, true}, now), 7.0);
            QCOMPARE(retryAfter(rules, headers, {false, false, true}, now), std::nullopt);
            QCOMPARE(retryAfter(rules, dated, {true, true, true}, now), 60.0);
            QCOMPARE(retryAfter(rules, dated, {true, true, false}, now), std::nullopt);
        }
    }

    void onlyTheReferenceWaitsForEver()
    {
        for (const QString &text : {u"inf"_s, u"1e400"_s}) {
            QCOMPARE(retryAfter(RuleSet::Openprogram, {{u"Retry-After"_s, text}}, {}, now), infinite);
            QCOMPARE(retryAfter(RuleSet::Strict, {{u"Retry-After"_s, text}}, {}, now), std::nullopt);
        }
    }

    void spellingsMatterToTheReferenceOnly()
    {
        const HeaderList headers{{u"RETRY-AFTER"_s, u"9"_s}};
        QCOMPARE(retryAfter(RuleSet::Openprogram, headers, {}, now), std::nullopt);
        QCOMPARE(retryAfter(RuleSet::Strict, headers, {}, now), 9.0);
    }

    void backoffDoubles()
    {
        const RetryPolicy policy = execPolicy();
        const double expected[] = {1.5, 3, 6, 12, 24};
        for (int n = 1; n <= 5; ++n) {
            QCOMPARE(backoffAfter(policy, n, std::nullopt, 0.5).seconds, expected[n - 1]);
            QCOMPARE(backoffAfter(policy, n, std::nullopt, 0).seconds, expected[n - 1] * 0.75);
            QCOMPARE(backoffAfter(policy, n, 0.1, 0).seconds, expected[n - 1]);
        }
    }

    void hintIsAFloor()
    {
        const RetryPolicy policy = execPolicy();
        for (int step = 0; step <= 100; ++step) {
            const double u = step / 100.0;
            for (const double hint : {0.1, 1.0, 7.0, 600.0})
                QVERIFY(backoffAfter(policy, 2, hint, u).seconds >= hint);
        }
    }

    void nothingIsInfiniteOrNegativeButAnInfiniteHint()
    {
        for (const double base : {-1.0, 0.0, 1e-300, 1.0, 1e308, infinite, std::nan("")}) {
            for (const double factor : {0.0, 1.0, 2.0, 3.0, 1e308, -2.0}) {
                for (const int tries : {std::numeric_limits<int>::min(), -1, 0, 1, 2, 1100, std::numeric_limits<int>::max()}) {
                    RetryPolicy policy = execPolicy();
                    policy.baseS = base;
                    policy.factor = factor;
                    const double own = backoffAfter(policy, tries, std::nullopt, 0.99).seconds;
                    QVERIFY2(own >= 0 && std::isfinite(own), qPrintable(u"%1^%2"_s.arg(factor).arg(tries)));
                    const double hinted = backoffAfter(policy, tries, 5.0, 0.99).seconds;
                    QVERIFY(hinted >= 5 && std::isfinite(hinted));
                    QCOMPARE(backoffAfter(policy, tries, infinite, 0.99).seconds, infinite);
                }
            }
        }
    }

    void drawsAreAskedForOnlyWhereTheyChangeSomething()
    {
        RetryPolicy policy = execPolicy();
        QVERIFY(needsDraw(policy, std::nullopt));
        QVERIFY(needsDraw(policy, 3.0));
        policy.hintJitterShare = 0;
        QVERIFY(!needsDraw(policy, 3.0));
        QVERIFY(needsDraw(policy, 0.0));
        policy.jitter = JitterForm::None;
        QVERIFY(!needsDraw(policy, std::nullopt));
        policy = execPolicy();
        policy.hintMaxS = 10;
        policy.hintAbove = HintAbove::Stop;
        QVERIFY(!needsDraw(policy, 11.0));
        QVERIFY(needsDraw(policy, 10.0));
        policy.hintAbove = HintAbove::OwnBackoff;
        policy.jitter = JitterForm::None;
        QVERIFY(!needsDraw(policy, 11.0));
    }
};

QTEST_GUILESS_MAIN(TestWaiting)
#include "tst_waiting.moc"
