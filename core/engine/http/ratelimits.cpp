// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/ratelimits.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

enum class What : quint8 { Limit, Remaining, Reset };

std::optional<What> whatOf(const QByteArray &word)
{
    if (word == "limit")
        return What::Limit;
    if (word == "remaining")
        return What::Remaining;
    if (word == "reset")
        return What::Reset;
    return std::nullopt;
}

struct Meaning {
    QByteArray subject; // "requests", "tokens", "input-tokens"; empty = not said
    What what;
};

// "x-ratelimit-remaining-tokens", "anthropic-ratelimit-input-tokens-reset", "ratelimit-reset".
std::optional<Meaning> meaningOf(const QByteArray &lowerName)
{
    constexpr QByteArrayView word("ratelimit-");
    const qsizetype at = lowerName.indexOf(word);
    if (at != 0 && !(at > 0 && lowerName[at - 1] == '-'))
        return std::nullopt;
    const QByteArray rest = lowerName.mid(at + word.size());
    const qsizetype first = rest.indexOf('-');
    if (const auto what = whatOf(rest.left(first < 0 ? rest.size() : first)))
        return Meaning{first < 0 ? QByteArray() : rest.mid(first + 1), *what};
    const qsizetype last = rest.lastIndexOf('-');
    if (const auto what = last < 0 ? std::nullopt : whatOf(rest.mid(last + 1)))
        return Meaning{rest.left(last), *what};
    return std::nullopt;
}

std::optional<double> plainNumber(const QByteArray &text)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber && std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

// "6m0s", "1.5s", "120ms", "1h2m3s".
std::optional<double> spelledDuration(const QByteArray &text)
{
    double seconds = 0;
    qsizetype at = 0;
    while (at < text.size()) {
        qsizetype end = at;
        while (end < text.size() && (std::isdigit(static_cast<uchar>(text[end])) || text[end] == '.'))
            ++end;
        const std::optional<double> number = plainNumber(text.mid(at, end - at));
        if (!number)
            return std::nullopt;
        const QByteArray unit = text.mid(end, text.mid(end).startsWith("ms") ? 2 : 1);
        if (unit == "ms")
            seconds += *number / 1000;
        else if (unit == "s")
            seconds += *number;
        else if (unit == "m")
            seconds += *number * 60;
        else if (unit == "h")
            seconds += *number * 3600;
        else if (unit == "d")
            seconds += *number * 86400;
        else
            return std::nullopt;
        at = end + unit.size();
    }
    return text.isEmpty() ? std::nullopt : std::optional(seconds);
}

std::optional<double> resetSeconds(const QByteArray &text, const QDateTime &nowUtc)
{
    if (const std::optional<double> number = plainNumber(text)) {
        // A moment since 1970, or a duration: nobody waits thirty years.
        constexpr double earliestMoment = 1e9;
        const double now = static_cast<double>(nowUtc.toMSecsSinceEpoch()) / 1000;
        return *number < earliestMoment ? *number : std::max(0.0, *number - now);
    }
    if (const std::optional<double> spelled = spelledDuration(text))
        return spelled;
    const QDateTime moment = QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs);
    return moment.isValid() ? std::optional(std::max(0.0, static_cast<double>(nowUtc.msecsTo(moment)) / 1000)) : std::nullopt;
}

QLatin1StringView wordOf(What what)
{
    switch (what) {
    case What::Limit:
        return "limit"_L1;
    case What::Remaining:
        return "remaining"_L1;
    case What::Reset:
        return "reset_s"_L1;
    }
    Q_UNREACHABLE();
}

} // namespace

std::vector<RateLimitSample> rateLimitsOf(const std::vector<WireHeader> &headers, const QDateTime &nowUtc)
{
    std::vector<RateLimitSample> samples;
    for (const WireHeader &header : headers) {
        const std::optional<Meaning> meaning = meaningOf(header.name.toLower());
        if (!meaning)
            continue;
        const QByteArray text = header.value.trimmed();
        const std::optional<double> value = meaning->what == What::Reset ? resetSeconds(text, nowUtc) : plainNumber(text);
        if (!value)
            continue;
        QString name = u"ratelimit"_s;
        if (!meaning->subject.isEmpty())
            name += u'.' + QString::fromLatin1(meaning->subject).replace(u'-', u'_');
        samples.push_back({name + u'.' + wordOf(meaning->what), *value});
    }
    return samples;
}

} // namespace Waitscope
