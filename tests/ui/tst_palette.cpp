// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that can be told apart, and numbers and words as people read them.
#include "event/header.h"
#include "ui/panels/readout.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/theme.h"
#include "ui/style/words.h"

#include <QApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QTest>

using namespace Waitscope;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

QString plain(QString text)
{
    return text.replace(QChar(0x00a0), u' ').replace(QChar(0x2007), u'_').replace(QChar(0x202f), u'\'');
}

// How far apart two colours are for somebody without red cones, without green cones, or with neither missing: distance in
// linear light after Viénot's projection is enough to tell "the same" from "not the same".
double distanceFor(const QColor &a, const QColor &b, int kind)
{
    const auto seen = [kind](const QColor &c) {
        const double r = std::pow(c.redF(), 2.2);
        const double g = std::pow(c.greenF(), 2.2);
        const double bl = std::pow(c.blueF(), 2.2);
        if (kind == 1)
            return std::array{0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + bl};
        if (kind == 2)
            return std::array{0.29275 * r + 0.70725 * g, 0.29275 * r + 0.70725 * g, -0.02234 * r + 0.02234 * g + bl};
        return std::array{r, g, bl};
    };
    const auto x = seen(a);
    const auto y = seen(b);
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) {
        const double d = std::pow(std::max(0.0, x[i]), 1 / 2.2) - std::pow(std::max(0.0, y[i]), 1 / 2.2);
        sum += d * d;
    }
    return std::sqrt(sum);
}

} // namespace

class TestPalette : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void barsStandOutFromTheirGround_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(Scheme::Light);
        QTest::newRow("dark") << int(Scheme::Dark);
    }
    void barsStandOutFromTheirGround()
    {
        QFETCH(int, scheme);
        const Palette &p = paletteOf(static_cast<Scheme>(scheme));
        for (const Layer layer : allOf<Layer>()) {
            for (const SpanClass variant : {SpanClass::Good, SpanClass::Backoff, SpanClass::Bad}) {
                const BarColours &bar = p.bar(layer, variant);
                for (const QColor &ground : {p.base, p.alternate}) {
                    // Where the fill is under 3:1 its outline is not.
                    QVERIFY2(contrastOf(bar.fill, ground) >= 3 || contrastOf(bar.outline, ground) >= 3,
                             qPrintable(wordOf(layer) + QString::number(int(variant))));
                }
                QVERIFY2(contrastOf(bar.text, bar.fill) >= 4.5, qPrintable(wordOf(layer) + QString::number(int(variant))));
            }
            for (const QColor &ground : {p.base, p.alternate})
                QVERIFY(contrastOf(p.layer(layer), ground) >= 3);
        }
    }

    void foregroundsAreReadable_data() { barsStandOutFromTheirGround_data(); }
    void foregroundsAreReadable()
    {
        QFETCH(int, scheme);
        const Palette &p = paletteOf(static_cast<Scheme>(scheme));
        for (const QColor &ground : {p.base, p.alternate, p.panel}) {
            QVERIFY(contrastOf(p.text, ground) >= 7);
            QVERIFY(contrastOf(p.dimText, ground) >= 4.5);
            for (const Outcome outcome : allOf<Outcome>())
                QVERIFY2(contrastOf(p.outcome(outcome), ground) >= 3, qPrintable(QString(wordOf(outcome))));
            // What is written in a colour, not only drawn.
            for (const Ink ink : {Ink::Text, Ink::Dim, Ink::Good, Ink::Warning, Ink::Bad, Ink::Neutral, Ink::Alarm, Ink::Timer}) {
                QVERIFY2(contrastOf(colourOf(p, ink), ground) >= 4.5,
                         qPrintable(u"ink %1 on %2"_s.arg(int(ink)).arg(ground.name())));
            }
            QVERIFY(contrastOf(p.highlight, ground) >= 3); // frames of what has the keyboard
            for (const QColor &line : {p.now, p.timer, p.deadline, p.watchdog, p.alarm, p.selection, p.measure, p.bookmark})
                QVERIFY2(contrastOf(line, ground) >= 3, qPrintable(line.name() + u" on "_s + ground.name()));
        }
        for (const QColor &series : p.series)
            QVERIFY(contrastOf(series, p.base) >= 3);
        QVERIFY(contrastOf(p.highlight, p.highlightText) >= 4.5);
        const QPalette q = qtPaletteOf(p.scheme);
        QCOMPARE(schemeOf(q), p.scheme);
        for (const auto &[ink, ground] : {std::pair(QPalette::WindowText, QPalette::Window), {QPalette::Text, QPalette::Base},
                                          {QPalette::ButtonText, QPalette::Button}, {QPalette::PlaceholderText, QPalette::Base},
                                          {QPalette::HighlightedText, QPalette::Highlight}, {QPalette::Link, QPalette::Base},
                                          {QPalette::ToolTipText, QPalette::ToolTipBase}})
            QVERIFY(contrastOf(q.color(ink), q.color(ground)) >= 4.5);
    }

    void layersAreToldApartByEveryEye_data() { barsStandOutFromTheirGround_data(); }
    void layersAreToldApartByEveryEye()
    {
        QFETCH(int, scheme);
        const Palette &p = paletteOf(static_cast<Scheme>(scheme));
        for (const Layer a : allOf<Layer>()) {
            for (const Layer b : allOf<Layer>()) {
                for (int kind = 0; kind < 3 && a < b; ++kind) {
                    QVERIFY2(distanceFor(p.layer(a), p.layer(b), kind) > 0.12,
                             qPrintable(wordOf(a) + u" and "_s + wordOf(b) + u" for eye "_s + QString::number(kind)));
                }
            }
        }
    }

    void everyOutcomeHasItsOwnShape()
    {
        QList<QImage> shapes;
        for (const Outcome outcome : allOf<Outcome>()) {
            QImage image(24, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            drawOutcome(painter, QRectF(0, 0, 24, 24), outcome, Qt::black);
            painter.end();
            QVERIFY(!shapes.contains(image));
            shapes << image;
            QVERIFY(!outcomeIcon(outcome, Scheme::Dark).pixmap(16).isNull());
        }
        for (const MarkKind mark : allOf<MarkKind>()) {
            QImage image(24, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            drawMark(painter, QRectF(0, 0, 24, 24), mark, Qt::black);
            painter.end();
            QImage blank(24, 24, QImage::Format_RGB32);
            blank.fill(Qt::white);
            QCOMPARE(image != blank, isShownMark(mark));
        }
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        const auto row = [](Duration d, const char *text) { QTest::newRow(text) << qint64(d.count()) << QString::fromUtf8(text); };
        row(0ns, "0 ns");
        row(850ns, "850 ns");
        row(2500ns, "2.5 µs");
        row(350ms, "350 ms");
        row(999700us, "1 s");
        row(9970us, "10 ms");
        row(12400ms, "12.4 s");
        row(30s, "30 s");
        row(59960ms, "60 s");
        row(61s, "61 s");
        row(93s, "93 s");
        row(119900ms, "119.9 s");
        row(119960ms, "2 m");
        row(1209s, "20 m 9 s");
        row(59min + 59700ms, "1 h");
        row(4450500ms, "1 h 14 m");
        row(86400s * 2 + 3h, "2 d 3 h");
        row(-1500ms, "−1.5 s");
        row(Duration::max(), "off");
    }
    void durations()
    {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(plain(shownDuration(Duration{ns})), text);
    }

    void countdowns()
    {
        QCOMPARE(plain(shownCountdown(17600ms)), u"__17.6 s"_s);
        QCOMPARE(plain(shownCountdown(17501ms)), u"__17.6 s"_s); // rounds up: 0.0 means due
        QCOMPARE(plain(shownCountdown(1ns)), u"___0.1 s"_s);
        QCOMPARE(plain(shownCountdown(0ns)), u"___0.0 s"_s);
        QCOMPARE(plain(shownCountdown(-40ms)), u"___0.0 s"_s);
        QCOMPARE(plain(shownCountdown(7200s)), u"7200.0 s"_s);
        QCOMPARE(plain(shownAge(17699ms)), u"__17.6 s"_s);
        // The same width whatever the digits.
        const QFontMetrics metrics(textFont(10));
        QCOMPARE(metrics.horizontalAdvance(shownCountdown(1s)), metrics.horizontalAdvance(shownCountdown(1888800ms)));
        for (int i = 0; i < 3000; ++i) {
            const Duration left(i * 7919us);
            const Duration step = untilCountdownChanges(left);
            if (left == 0ns) {
                QCOMPARE(step, Duration::max());
                continue;
            }
            QVERIFY(shownCountdown(left - step) != shownCountdown(left));
            QCOMPARE(shownCountdown(left - step + 1ns), shownCountdown(left));
            const Duration older = untilAgeChanges(left);
            QVERIFY(shownAge(left + older) != shownAge(left));
            QCOMPARE(shownAge(left + older - 1ns), shownAge(left));
        }
    }

    void timesAndCounts()
    {
        QCOMPARE(plain(shownInstant(Instant{83250ms})), u"83.250 s"_s);
        QCOMPARE(plain(shownOffset(17600ms)), u"+17.6 s"_s);
        QCOMPARE(shownTick(Instant{62350ms}, 50ms), u"1:02.35"_s);
        QCOMPARE(shownTick(Instant{0s}, 1s), u"0 s"_s);
        QCOMPARE(shownTick(Instant{4450s}, 10s), u"1:14:10"_s);
        QCOMPARE(shownTick(Instant{-5s}, 5s), u"−5 s"_s);
        QCOMPARE(plain(shownCount(1234567)), u"1'234'567"_s);
        QCOMPARE(plain(shownCount(-123)), u"-123"_s);
        QCOMPARE(shownBytes(512), u"512 B"_s);
        QCOMPARE(shownBytes(4096), u"4.0 KiB"_s);
        QCOMPARE(shownShare(0.874), u"87 %"_s);
        QCOMPARE(shownShare(0.999), u"> 99 %"_s);
        TraceHeader header;
        QVERIFY(shownWallTime(header, Instant{5s}).isEmpty());
        header.startUtc = QDateTime(QDate(2026, 8, 14), QTime(10, 0), Qt::LocalTime).toUTC();
        header.scale = 10;
        QCOMPARE(shownWallTime(header, Instant{20s}), u"2026-08-14 10:00:02.000"_s);
    }

    void namesOfSpans()
    {
        SpanInfo span;
        span.kind = SpanKind::Request;
        span.attempt = 2;
        span.maxAttempts = 3;
        QCOMPARE(shownName(span), u"request 2 of 3"_s);
        QCOMPARE(shownEnd(span), u"open"_s);
        span.end = Instant{1s};
        span.outcome = Outcome::Error;
        span.status = 503;
        QCOMPARE(shownEnd(span), u"error: HTTP 503"_s);
        span.type = u"ConnectTimeout"_s;
        QCOMPARE(shownEnd(span), u"error: ConnectTimeout"_s);
        span.kind = SpanKind::Backoff;
        QCOMPARE(shownName(span), u"backoff after try 2"_s);
        QCOMPARE(shownAttempt(0, 5), QString());
        QCOMPARE(shownAttempt(3, 0), u"attempt 3"_s);
    }

    void themesApply()
    {
        for (const Theme theme : {Theme::Dark, Theme::Light, Theme::System}) {
            applyTheme(theme);
            QWidget widget;
            if (theme != Theme::System)
                QCOMPARE(schemeOf(widget.palette()), theme == Theme::Dark ? Scheme::Dark : Scheme::Light);
            QCOMPARE(themeFromWord(QString(wordOf(theme))), theme);
            QVERIFY(widget.font().families().contains(u"DejaVu Sans"_s));
            QVERIFY(widget.font().pointSizeF() > 0);
        }
        QVERIFY(!themeFromWord(u"blue"));
    }
};

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
