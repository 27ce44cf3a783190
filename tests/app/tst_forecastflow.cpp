// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts follow the last change, take their share of the time and no more, and do not blink.
#include "app/waitscope/forecastflow.h"

#include <QTest>
#include <QThread>

using namespace Waitscope;
using namespace std::chrono_literals;

class TestForecastFlow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theLastWishCounts()
    {
        int facts = 1; // what there is to know
        int shown = 0;
        ForecastFlow flow(
            [&](SpanId) {
                Forecast forecast;
                forecast.known = true;
                forecast.furtherRequests = facts;
                return forecast;
            },
            [&](SpanId, const Forecast &forecast) { shown = forecast.furtherRequests; });
        flow.want(SpanId{1});
        QCOMPARE(shown, 1);
        // It changes at once again, and then for a long time not.
        facts = 2;
        flow.want(SpanId{1});
        QTRY_COMPARE(shown, 2);
        // Another task does not wait.
        facts = 3;
        flow.want(SpanId{2});
        QCOMPARE(shown, 3);
    }

    // Real time passes here: ten milliseconds each, wished for without end, would be all of the window's time.
    void dearOnesAreRare()
    {
        int made = 0;
        ForecastFlow flow(
            [&](SpanId) {
                ++made;
                QThread::msleep(10);
                Forecast forecast;
                forecast.known = true;
                return forecast;
            },
            [](SpanId, const Forecast &) {});
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 700) {
            flow.want(SpanId{1});
            QTest::qWait(1);
        }
        QVERIFY2(made >= 1 && made <= 5, qPrintable(QString::number(made)));
    }

    void aMomentWithoutOneIsNotShown()
    {
        int dark = 0; // so many times nothing is known
        QList<bool> shown;
        ForecastFlow flow(
            [&](SpanId) {
                Forecast forecast;
                forecast.known = dark-- <= 0;
                return forecast;
            },
            [&](SpanId, const Forecast &forecast) { shown << forecast.known; });
        flow.want(SpanId{1});
        dark = 1;
        flow.want(SpanId{1});
        QTRY_COMPARE(shown.size(), 2);
        QCOMPARE(shown, (QList<bool>{true, true}));
        // For good: it is said.
        dark = 1000;
        flow.want(SpanId{1});
        QTRY_COMPARE(shown.size(), 3);
        QCOMPARE(shown.last(), false);
        flow.want(SpanId{2});
        QCOMPARE(shown.size(), 4);
    }

    void nothingWithoutARun()
    {
        int shown = 0;
        ForecastFlow flow([](SpanId) { return std::optional<Forecast>(); }, [&](SpanId, const Forecast &) { ++shown; });
        flow.want(SpanId{1});
        QTest::qWait(100);
        QCOMPARE(shown, 0);
    }
};

QTEST_GUILESS_MAIN(TestForecastFlow)
#include "tst_forecastflow.moc"
