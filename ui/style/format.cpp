// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/format.h"

#include "event/header.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace Waitscope {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

// The context of translations.
class FormatWords
{
    Q_DECLARE_TR_FUNCTIONS(FormatWords)
};

namespace {

constexpr Duration tenth = 100ms;
constexpr QChar figureSpace(0x2007);
constexpr QChar noBreakSpace(0x00a0);
constexpr QChar narrowSpace(0x202f);
constexpr QChar minus(0x2212);

// "12.4", and "30" rather than "30.0".
QString trimmed(double value)
{
    QString text = QString::number(value, 'f', 1);
    if (text.endsWith(".0"_L1))
        text.chop(2);
    return text;
}

// Three digits at most below 1000 of a unit: 2.5, 12, 350.
QString small(double value)
{
    return value < 9.95 ? trimmed(value) : QString::number(value, 'f', 0);
}

// Both rounded to the smaller unit first, so that 59.6 s beside 59 min never reads "59 m 60 s".
QString pair(const QString &both, const QString &one, qint64 total, qint64 factor)
{
    return total % factor == 0 ? one.arg(total / factor) : both.arg(total / factor).arg(total % factor);
}

qint64 roundedTo(Duration d, Duration unit)
{
    return (d.count() + unit.count() / 2) / unit.count();
}

QString tenths(qint64 n)
{
    const QString number = u"%1.%2"_s.arg(n / 10).arg(n % 10);
    return FormatWords::tr("%1 s").arg(number.rightJustified(6, figureSpace)).replace(u' ', noBreakSpace);
}

qint64 tenthsLeft(Duration left)
{
    return left <= Duration::zero() ? 0 : (left - 1ns) / tenth + 1;
}

// The most negative duration has no positive twin.
Duration magnitudeOf(Duration d)
{
    return Duration{std::abs(std::max(d.count(), -Duration::max().count()))};
}

QString plainDuration(Duration d)
{
    const double ns = static_cast<double>(d.count());
    if (d < 1us)
        return FormatWords::tr("%1 ns").arg(d.count());
    if (d < 999500ns)
        return FormatWords::tr("%1 µs").arg(small(ns / 1e3));
    if (d < 999500us)
        return FormatWords::tr("%1 ms").arg(small(ns / 1e6));
    if (d < 119950ms)
        return FormatWords::tr("%1 s").arg(trimmed(ns / 1e9));
    if (d < 59min + 59500ms)
        return pair(FormatWords::tr("%1 m %2 s"), FormatWords::tr("%1 m"), roundedTo(d, 1s), 60);
    if (d < 23h + 59min + 30s)
        return pair(FormatWords::tr("%1 h %2 m"), FormatWords::tr("%1 h"), roundedTo(d, 1min), 60);
    return pair(FormatWords::tr("%1 d %2 h"), FormatWords::tr("%1 d"), roundedTo(d, 1h), 24);
}

} // namespace

QString shownDuration(Duration d)
{
    // A century stands for no limit; what is off is armed as "for ever".
    if (d >= 24h * 36500)
        return FormatWords::tr("off");
    QString text = plainDuration(magnitudeOf(d));
    if (d < Duration::zero())
        text.prepend(minus);
    // A duration never breaks at the end of a line.
    return text.replace(u' ', noBreakSpace);
}

QString shownCountdown(Duration left)
{
    return tenths(tenthsLeft(left));
}

QString shownAge(Duration age)
{
    return tenths(std::max(age, Duration::zero()) / tenth);
}

Duration untilCountdownChanges(Duration left)
{
    return left <= Duration::zero() ? Duration::max() : Duration{left - (tenthsLeft(left) - 1) * tenth};
}

Duration untilAgeChanges(Duration age)
{
    return age < Duration::zero() ? tenth - age : Duration{tenth - age % tenth};
}

QString shownInstant(Instant t)
{
    return FormatWords::tr("%1 s").arg(QString::number(toSeconds(t), 'f', 3)).replace(u' ', noBreakSpace);
}

QString shownOffset(Duration d)
{
    return d < Duration::zero() ? shownDuration(d) : u'+' + shownDuration(d);
}

QString shownWallTime(const TraceHeader &header, Instant t)
{
    if (!header.startUtc.isValid())
        return {};
    const double scale = header.scale > 0 ? header.scale : 1.0;
    const double ms = toSeconds(t) * 1e3 / scale;
    return header.startUtc.addMSecs(static_cast<qint64>(std::llround(ms))).toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s);
}

QString shownTick(Instant t, Duration step)
{
    int decimals = 0;
    for (Duration unit = 1s; decimals < 9 && step < unit; unit /= 10)
        ++decimals;
    const Duration since = t.time_since_epoch();
    const bool negative = since < Duration::zero();
    const Duration magnitude = magnitudeOf(since);
    const qint64 whole = magnitude / 1s;
    QString fraction;
    if (decimals > 0)
        fraction = u'.' + QString::number((magnitude % 1s).count()).rightJustified(9, u'0').left(decimals);
    QString text;
    if (whole < 60)
        text = FormatWords::tr("%1 s").arg(QString::number(whole) + fraction);
    else if (whole < 3600)
        text = u"%1:%2"_s.arg(whole / 60).arg(whole % 60, 2, 10, QChar(u'0')) + fraction;
    else
        text = u"%1:%2:%3"_s.arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QChar(u'0')).arg(whole % 60, 2, 10, QChar(u'0'))
            + fraction;
    return negative ? minus + text : text;
}

QString shownCount(qint64 n)
{
    QString digits = QString::number(n);
    const qsizetype first = n < 0 ? 1 : 0;
    for (qsizetype i = digits.size() - 3; i > first; i -= 3)
        digits.insert(i, narrowSpace);
    return digits;
}

QString shownBytes(qint64 bytes)
{
    if (bytes < 1024)
        return FormatWords::tr("%1 B").arg(bytes);
    const double kib = static_cast<double>(bytes) / 1024;
    if (kib < 1023.95)
        return FormatWords::tr("%1 KiB").arg(kib, 0, 'f', 1);
    if (kib / 1024 < 1023.95)
        return FormatWords::tr("%1 MiB").arg(kib / 1024, 0, 'f', 1);
    return FormatWords::tr("%1 GiB").arg(kib / 1024 / 1024, 0, 'f', 1);
}

QString shownShare(double fraction)
{
    const double percent = fraction * 100;
    // Nothing but all is 100 %, nothing but none is 0 %.
    if (percent > 0 && percent < 1)
        return FormatWords::tr("< 1 %");
    if (percent > 99 && percent < 100)
        return FormatWords::tr("> 99 %");
    return FormatWords::tr("%1 %").arg(percent, 0, 'f', 0);
}

} // namespace Waitscope
