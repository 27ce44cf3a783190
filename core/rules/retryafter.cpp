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
QDateTime senderNow(const HeaderList &headers, const QDateTime &nowUtc)
{
    const QString *date = valueOf(headers, u"date");
    if (!date || valueOf(headers, u"age"))
        return nowUtc;
    const std::optional<qint64> moment = httpDate(*date, nowUtc);
    return moment ? QDateTime::fromSecsSinceEpoch(*moment, Qt::UTC) : nowUtc;
}

// A header decides when it is there and readable: "retry-after-ms: 0" says "now" and is not overruled by another one.
std::optional<double> strictRetryAfter(const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    if (const QString *text = forms.milliseconds ? valueOf(headers, u"retry-after-ms") : nullptr) {
        if (const std::optional<double> milliseconds = plainDecimal(*text))
            return usable(*milliseconds / 1000.0);
    }
    const QString *text = valueOf(headers, u"retry-after");
    if (!text)
        return std::nullopt;
    if (const std::optional<double> seconds = plainDecimal(*text))
        return forms.seconds ? usable(*seconds) : std::nullopt;
    if (!forms.date)
        return std::nullopt;
    const std::optional<qint64> moment = httpDate(*text, nowUtc);
    return moment ? usable(secondsUntil(*moment, senderNow(headers, nowUtc))) : std::nullopt;
}

} // namespace

std::optional<double> retryAfter(RuleSet rules, const HeaderList &headers, const HintForms &forms, const QDateTime &nowUtc)
{
    switch (rules) {
    case RuleSet::Openprogram:
        return openprogramRetryAfter(headers, forms, nowUtc);
    case RuleSet::Strict:
        return strictRetryAfter(headers, forms, nowUtc);
    }
    Q_UNREACHABLE();
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
