// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/resettime.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Whatever is read below contains one of these. Most texts have none, and looking for them is cheap.
bool mentionsWaiting(QStringView text)
{
    static constexpr std::array<QStringView, 6> latin{u"reset",     u"retry",          u"again",
                                                         u" available", u"estimated_time", u"limit reached|"};
    static constexpr std::array<QStringView, 4> chinese{u"重置", u"恢复", u"重试", u"再试"};
    const auto stands = [text](Qt::CaseSensitivity letters) {
        return [text, letters](QStringView word) { return text.contains(word, letters); };
    };
    return std::ranges::any_of(latin, stands(Qt::CaseInsensitive)) || std::ranges::any_of(chinese, stands(Qt::CaseSensitive));
}

std::optional<double> secondsPer(QStringView unit)
{
    struct Unit {
        QStringView name;
        double seconds;
    };
    static constexpr std::array<Unit, 9> units{{{u"ms", 0.001},
                                                {u"milli", 0.001},
                                                {u"s", 1},
                                                {u"m", 60},
                                                {u"h", 3600},
                                                {u"d", 86400},
                                                {u"秒", 1},
                                                {u"分", 60},
                                                {u"小时", 3600}}};
    for (const Unit &known : units) {
        if (unit.startsWith(known.name, Qt::CaseInsensitive))
            return known.seconds;
    }
    return unit.startsWith(u"天") ? std::optional(86400.0) : std::nullopt;
}

// "1m2.5s", "2 days, 5 hours and 3 minutes"
double secondsOf(const QString &length)
{
    static const QRegularExpression piece(uR"(([0-9]+(?:\.[0-9]+)?)\s*(\p{L}+))"_s);
    double seconds = 0;
    for (auto pieces = piece.globalMatch(length); pieces.hasNext();) {
        const QRegularExpressionMatch match = pieces.next();
        seconds += match.capturedView(1).toDouble() * secondsPer(match.capturedView(2)).value_or(0);
    }
    return seconds;
}

std::optional<ResetTime> field(const QString &text)
{
    static const QRegularExpression lengths(
        uR"("(resets?_(?:in|after)_seconds|retry_after|retry_after_seconds|retry_after_ms|estimated_time)\\?"\s*:\s*\\?"?([0-9]{1,9}(?:\.[0-9]+)?)s?(?![0-9.]))"_s);
    static const QRegularExpression googles(uR"("retryDelay\\?"\s*:\s*\\?"([0-9]{1,9}(?:\.[0-9]+)?)s\\?")"_s);
    static const QRegularExpression moments(uR"((?:"resets?_at\\?"\s*:\s*\\?"?|limit reached\|)([0-9]{10})(?![0-9]))"_s);
    ResetTime reset;
    reset.structured = true;
    if (const QRegularExpressionMatch match = lengths.match(text); match.hasMatch()) {
        reset.inSeconds = match.capturedView(2).toDouble() * (match.capturedView(1).endsWith(u"_ms") ? 0.001 : 1);
        return reset;
    }
    if (const QRegularExpressionMatch match = googles.match(text); match.hasMatch()) {
        reset.inSeconds = match.capturedView(1).toDouble();
        return reset;
    }
    if (const QRegularExpressionMatch match = moments.match(text); match.hasMatch()) {
        reset.at = QDateTime::fromSecsSinceEpoch(match.capturedView(1).toLongLong(), Qt::UTC);
        return reset;
    }
    return std::nullopt;
}

std::optional<ResetTime> lengthInWords(const QString &text)
{
    static const QRegularExpression english(
        uR"((?:again|retry|resets?|available)\s+(?:in|after)\s+(?:about\s+|approximately\s+)?)"
        uR"(((?:[0-9]{1,9}(?:\.[0-9]+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?))"
        uR"((?!\p{L})\s*+(?:,\s*+)?(?:and\s++)?)+))"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression chinese(uR"(([0-9]{1,9})\s*(秒|分钟|小时|天)\s*(?:之?后|以后)(?:再?重?试|重置|恢复))"_s);
    QRegularExpressionMatch match = english.match(text);
    ResetTime reset;
    if (match.hasMatch()) {
        reset.inSeconds = secondsOf(match.captured(1));
        return reset;
    }
    match = chinese.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    reset.inSeconds = match.capturedView(1).toDouble() * secondsPer(match.capturedView(2)).value_or(0);
    return reset;
}

// A zone is a number here: a name such as CST means four different ones.
std::optional<ResetTime> momentInWords(const QString &text)
{
    static const QString moment = uR"(([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)?)"
                                  uR"((?:\s?(Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})(?![0-9A-Za-z]))?)"_s;
    static const QRegularExpression behindWord(
        u"(?:reset|again|available|重置|恢复)[^\\n]{0,40}?"_s + moment, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression beforeWord(moment + u"\\s*(?:之?后|以后)?\\s*(?:重置|恢复|再试|重试)"_s);
    QRegularExpressionMatch match = beforeWord.match(text);
    if (!match.hasMatch())
        match = behindWord.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString written = match.captured(1) + u'T' + match.captured(2);
    const QString zone = match.captured(3).toUpper();
    QDateTime at = QDateTime::fromString(written, Qt::ISODate);
    if (!at.isValid())
        return std::nullopt;
    ResetTime reset;
    if (zone.isEmpty()) {
        reset.wallClock = match.captured(1) + u' ' + match.captured(2);
        return reset;
    }
    int offset = 0;
    if (zone.front() == u'+' || zone.front() == u'-') {
        offset = (zone.sliced(1, 2).toInt() * 60 + zone.last(2).toInt()) * 60;
        if (zone.front() == u'-')
            offset = -offset;
    }
    at.setTimeSpec(Qt::UTC);
    reset.at = at.addSecs(-offset);
    return reset;
}

} // namespace

std::optional<double> ResetTime::secondsFrom(const QDateTime &nowUtc) const
{
    if (inSeconds)
        return *inSeconds > 0 ? inSeconds : std::nullopt;
    if (!at.isValid())
        return std::nullopt;
    const double seconds = static_cast<double>(nowUtc.msecsTo(at)) / 1000;
    return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::optional<ResetTime> resetTimeIn(QStringView text)
{
    if (text.isEmpty() || !mentionsWaiting(text))
        return std::nullopt;
    constexpr qsizetype longest = 4096; // as much as is kept of an error's body
    const QString words = text.left(longest).toString();
    std::optional<ResetTime> reset = field(words);
    if (!reset)
        reset = lengthInWords(words);
    return reset ? reset : momentInWords(words);
}

} // namespace Waitscope
