// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/pythondate.h"

#include "policy/pythonnumber.h"

#include <QDate>
#include <QVarLengthArray>

#include <algorithm>
#include <array>
#include <utility>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

using Words = QVarLengthArray<QStringView, 8>;

// As str.split() has it.
bool isPythonSpace(QChar c)
{
    return c.isSpace() || (c.unicode() >= 0x1c && c.unicode() <= 0x1f);
}

// int(); what is far beyond any calendar and clock stays so.
std::optional<qint64> wholeNumber(QStringView text)
{
    constexpr double farAway = 1e15;
    const std::optional<double> number = pythonInt(text);
    if (!number)
        return std::nullopt;
    return static_cast<qint64>(std::clamp(*number, -farAway, farAway));
}

Words splitAtSpaces(QStringView text)
{
    Words words;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        if (i < text.size() && !isPythonSpace(text.at(i)))
            continue;
        if (i > start)
            words.append(text.sliced(start, i - start));
        start = i + 1;
    }
    return words;
}

Words splitAt(QStringView text, QChar mark)
{
    Words words;
    for (const QStringView part : text.tokenize(mark))
        words.append(part);
    return words;
}

QStringView withoutComma(QStringView word)
{
    if (word.endsWith(u','))
        word.chop(1);
    return word;
}

// Zone words the mail format knows, as +hhmm; others are read as a number.
std::optional<qint64> zoneOffset(QStringView zone)
{
    static constexpr std::array<std::pair<QStringView, int>, 14> known{{
        {u"UT", 0}, {u"UTC", 0}, {u"GMT", 0}, {u"Z", 0}, {u"AST", -400}, {u"ADT", -300}, {u"EST", -500},
        {u"EDT", -400}, {u"CST", -600}, {u"CDT", -500}, {u"MST", -700}, {u"MDT", -600}, {u"PST", -800}, {u"PDT", -700},
    }};
    for (const auto &[name, offset] : known) {
        if (zone.compare(name, Qt::CaseInsensitive) == 0)
            return offset;
    }
    return wholeNumber(zone);
}

// +hhmm as seconds; nullopt for a day and more, which no zone object can hold.
std::optional<qint64> offsetSeconds(qint64 hhmm)
{
    const qint64 size = hhmm < 0 ? -hhmm : hhmm;
    const qint64 seconds = size / 100 * 3600 + size % 100 * 60;
    if (seconds >= 86400)
        return std::nullopt;
    return hhmm < 0 ? -seconds : seconds;
}

// Hours, minutes and seconds; dots stand in for colons where there is no colon at all.
std::optional<std::array<qint64, 3>> clockTime(QStringView word)
{
    Words parts = splitAt(word, u':');
    if (parts.size() == 1 && word.contains(u'.'))
        parts = splitAt(word, u'.');
    if (parts.size() != 2 && parts.size() != 3)
        return std::nullopt;
    std::array<qint64, 3> time{};
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const std::optional<qint64> number = wholeNumber(parts[i]);
        if (!number)
            return std::nullopt;
        time[static_cast<size_t>(i)] = *number;
    }
    return time;
}

// A leading weekday goes, whatever it says; one glued to the day by its comma is cut off.
void dropWeekday(Words &words)
{
    if (words[0].endsWith(u',') || isShortDayName(words[0])) {
        words.remove(0);
        return;
    }
    const qsizetype comma = words[0].lastIndexOf(u',');
    if (comma >= 0)
        words[0] = words[0].sliced(comma + 1);
}

// Brings the words into the places day, month, year, time, zone; false where there are too few.
bool fillPlaces(Words &words)
{
    if (words.size() == 3) {
        const Words date = splitAt(words[0], u'-');
        if (date.size() == 3)
            words = Words{date[0], date[1], date[2], words[1], words[2]};
    }
    if (words.size() == 4) {
        const QStringView last = words[3];
        qsizetype sign = last.indexOf(u'+');
        if (sign < 0)
            sign = last.indexOf(u'-');
        words[3] = sign > 0 ? last.first(sign) : last;
        words.append(sign > 0 ? last.sliced(sign) : QStringView());
    }
    return words.size() >= 5 && !words[0].isEmpty() && !words[1].isEmpty() && !words[2].isEmpty();
}

} // namespace

std::optional<int> monthNamed(QStringView word)
{
    static constexpr std::array<QStringView, 12> names{u"january", u"february", u"march", u"april", u"may", u"june",
                                                       u"july", u"august", u"september", u"october", u"november",
                                                       u"december"};
    for (size_t i = 0; i < names.size(); ++i) {
        if (word.compare(names[i], Qt::CaseInsensitive) == 0 || word.compare(names[i].first(3), Qt::CaseInsensitive) == 0)
            return static_cast<int>(i) + 1;
    }
    return std::nullopt;
}

bool isShortDayName(QStringView word)
{
    static constexpr std::array<QStringView, 7> names{u"mon", u"tue", u"wed", u"thu", u"fri", u"sat", u"sun"};
    return std::ranges::any_of(names, [word](QStringView name) { return word.compare(name, Qt::CaseInsensitive) == 0; });
}

std::optional<qint64> secondsSinceEpoch(qint64 year, qint64 month, qint64 day, qint64 hour, qint64 minute, qint64 second)
{
    const auto within = [](qint64 value, qint64 low, qint64 high) { return value >= low && value <= high; };
    if (!within(year, 1, 9999) || !within(month, 1, 12) || !within(day, 1, 31) || !within(hour, 0, 23)
        || !within(minute, 0, 59) || !within(second, 0, 59))
        return std::nullopt;
    const QDate date(static_cast<int>(year), static_cast<int>(month), static_cast<int>(day));
    if (!date.isValid())
        return std::nullopt;
    static const qint64 epochDay = QDate(1970, 1, 1).toJulianDay();
    return (date.toJulianDay() - epochDay) * 86400 + hour * 3600 + minute * 60 + second;
}

std::optional<qint64> pythonMailDate(QStringView text)
{
    Words words = splitAtSpaces(text);
    if (words.isEmpty())
        return std::nullopt;
    dropWeekday(words);
    if (words.isEmpty() || !fillPlaces(words))
        return std::nullopt;
    QStringView day = words[0];
    QStringView month = words[1];
    QStringView year = words[2];
    QStringView time = words[3];
    QStringView zone = words[4];

    std::optional<int> monthNumber = monthNamed(month);
    if (!monthNumber) {
        std::swap(day, month);
        monthNumber = monthNamed(month);
    }
    if (!monthNumber)
        return std::nullopt;
    if (year.indexOf(u':') > 0)
        std::swap(year, time);
    year = withoutComma(year);
    if (year.isEmpty())
        return std::nullopt;
    if (!year.front().isDigit())
        std::swap(year, zone);
    const std::optional<std::array<qint64, 3>> clock = clockTime(withoutComma(time));
    const std::optional<qint64> dayNumber = wholeNumber(withoutComma(day));
    std::optional<qint64> yearNumber = wholeNumber(year);
    if (!clock || !dayNumber || !yearNumber)
        return std::nullopt;
    if (*yearNumber < 100)
        *yearNumber += *yearNumber > 68 ? 1900 : 2000;

    const std::optional<qint64> local
        = secondsSinceEpoch(*yearNumber, *monthNumber, *dayNumber, (*clock)[0], (*clock)[1], (*clock)[2]);
    const std::optional<qint64> hhmm = zoneOffset(zone);
    if (!local || !hhmm)
        return local;
    const std::optional<qint64> offset = offsetSeconds(*hhmm);
    if (!offset)
        return std::nullopt;
    return *local - *offset;
}

} // namespace Waitscope
