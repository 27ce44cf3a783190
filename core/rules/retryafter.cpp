// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rules.h"

#include "policy/pythonnumber.h"
#include "rules/httpdate.h"
#include "rules/pythondate.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace Waitscope {

namespace {

std::optional<double> usable(double seconds)
{
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

double secondsUntil(qint64 momentS, const QDateTime &nowUtc)
{
    return static_cast<double>(momentS * 1000 - nowUtc.toMSecsSinceEpoch()) / 1000.0;
}

// The first of these spellings that stands there and is not empty.
QStringView firstSpelled(const HeaderList &headers, std::initializer_list<QStringView> spellings)
{
    for (const QStringView spelling : spellings) {
        const auto found = std::ranges::find_if(headers, [spelling](const auto &h) { return h.first == spelling; });
        if (found != headers.end() && !found->second.isEmpty())
            return found->second;
    }
    return {};
}

std::optional<double> openprogramRetryAfter(const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    if (forms.milliseconds) {
        const QStringView text = firstSpelled(headers, {u"retry-after-ms", u"Retry-After-Ms"});
        const std::optional<double> milliseconds = pythonFloat(text);
        if (milliseconds && *milliseconds > 0)
            return *milliseconds / 1000.0;
    }
    const QStringView text = firstSpelled(headers, {u"Retry-After", u"retry-after"});
    const std::optional<double> seconds = pythonFloat(text);
    // A number that is no hint is not tried as a date.
    if (seconds)
        return forms.seconds ? usable(*seconds) : std::nullopt;
    if (!forms.date)
        return std::nullopt;
    const std::optional<qint64> moment = pythonMailDate(text);
    return moment ? usable(secondsUntil(*moment, nowUtc)) : std::nullopt;
}

const QString *valueOf(const HeaderList &headers, QStringView name)
{
    const auto found = std::ranges::find_if(
        headers, [name](const auto &h) { return name.compare(h.first, Qt::CaseInsensitive) == 0; });
    return found == headers.end() ? nullptr : &found->second;
}

// Digits, perhaps with a fraction: what the standard and the vendors write. No sign, exponent, list or foreign digit.
std::optional<double> plainDecimal(QStringView text)
{
    text = text.trimmed();
    const auto isDigit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    if (text.isEmpty() || !isDigit(text.front()) || !isDigit(text.back()) || text.count(u'.') > 1
        || !std::ranges::all_of(text, [&](QChar c) { return isDigit(c) || c == u'.'; }))
        return std::nullopt;
    const std::optional<double> value = pythonFloat(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// The server's own clock where it sent one: its date then means what it meant, however wrong this machine's clock is.
// A cached response (Age) carries an old one.
std::optional<QDateTime> senderNow(const HeaderList &headers, const QDateTime &nowUtc)
{
    const QString *date = valueOf(headers, u"date");
    if (!date || valueOf(headers, u"age"))
        return std::nullopt;
    const std::optional<qint64> moment = httpDate(*date, nowUtc);
    return moment ? std::optional(QDateTime::fromSecsSinceEpoch(*moment, Qt::UTC)) : std::nullopt;
}

void notePassedOver(HintReading &reading, QLatin1StringView name, const QString &value, QStringView why)
{
    constexpr qsizetype shown = 40;
    if (!reading.note.isEmpty())
        reading.note += u"; ";
    reading.note += QStringLiteral("%1 \"%2\" passed over: %3").arg(name, QStringView(value).left(shown), why);
}

void noteSkew(HintReading &reading, const QDateTime &theirs, const QDateTime &ours)
{
    constexpr double worthNoting = 5;
    reading.skewS = static_cast<double>(ours.msecsTo(theirs)) / 1000;
    if (std::abs(*reading.skewS) <= worthNoting)
        return;
    reading.note += QStringLiteral("the server's clock is %1 s %2 of this machine's")
                        .arg(std::abs(*reading.skewS), 0, 'f', 0)
                        .arg(*reading.skewS > 0 ? QStringView(u"ahead") : QStringView(u"behind"));
}

void readDate(HintReading &reading, const QString &text, const HeaderList &headers, const QDateTime &nowUtc)
{
    const std::optional<qint64> moment = httpDate(text, nowUtc);
    if (!moment) {
        notePassedOver(reading, QLatin1StringView("retry-after"), text, u"neither seconds nor an HTTP date");
        return;
    }
    const std::optional<QDateTime> theirs = senderNow(headers, nowUtc);
    if (theirs)
        noteSkew(reading, *theirs, nowUtc);
    reading.seconds = usable(secondsUntil(*moment, theirs.value_or(nowUtc)));
    if (reading.seconds)
        reading.asksBody = false;
    else
        notePassedOver(reading, QLatin1StringView("retry-after"), text, u"its date has passed");
}

// A header decides when it is there and readable: "retry-after-ms: 0" says "now" and is not overruled by another one.
HintReading strictHint(const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    HintReading reading;
    reading.asksBody = forms.body;
    if (const QString *text = forms.milliseconds ? valueOf(headers, u"retry-after-ms") : nullptr) {
        if (const std::optional<double> milliseconds = plainDecimal(*text)) {
            reading.seconds = usable(*milliseconds / 1000.0);
            reading.asksBody = false;
            return reading;
        }
        notePassedOver(reading, QLatin1StringView("retry-after-ms"), *text, u"not a number of milliseconds");
    }
    const QString *text = valueOf(headers, u"retry-after");
    if (!text)
        return reading;
    if (const std::optional<double> seconds = plainDecimal(*text)) {
        if (forms.seconds) {
            reading.seconds = usable(*seconds);
            reading.asksBody = false;
        }
    } else if (forms.date) {
        readDate(reading, *text, headers, nowUtc);
    }
    return reading;
}

} // namespace

HintReading readHint(RuleSet rules, const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    switch (rules) {
    case RuleSet::Openprogram: {
        HintReading reading;
        reading.seconds = openprogramRetryAfter(headers, forms, nowUtc);
        return reading;
    }
    case RuleSet::Strict:
        return strictHint(headers, forms, nowUtc);
    }
    Q_UNREACHABLE();
}

std::optional<double> retryAfter(RuleSet rules, const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    return readHint(rules, headers, forms, nowUtc).seconds;
}

std::optional<bool> shouldRetryHeader(const HeaderList &headers)
{
    const QString *text = valueOf(headers, u"x-should-retry");
    if (!text)
        return std::nullopt;
    const QStringView word = QStringView(*text).trimmed();
    if (word.compare(u"true", Qt::CaseInsensitive) == 0)
        return true;
    if (word.compare(u"false", Qt::CaseInsensitive) == 0)
        return false;
    return std::nullopt;
}

} // namespace Waitscope
