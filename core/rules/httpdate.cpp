// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/httpdate.h"

#include "rules/pythondate.h"

#include <QRegularExpression>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

qint64 fullYear(qint64 year, qsizetype digits, const QDateTime &nowUtc)
{
    if (digits != 2)
        return year;
    const qint64 now = nowUtc.date().year();
    const qint64 guess = now / 100 * 100 + year;
    return guess > now + 50 ? guess - 100 : guess;
}

} // namespace

std::optional<qint64> httpDate(QStringView text, const QDateTime &nowUtc)
{
    static const QRegularExpression fixOrOld(
        uR"(^(?:[A-Za-z]{3}|[A-Za-z]{6,9}), *([0-9]{1,2})[ -]([A-Za-z]{3})[ -]([0-9]{4}|[0-9]{2}))"
        uR"( ([0-9]{2}):([0-9]{2}):([0-9]{2}) (?:GMT|UTC)$)"_s);
    static const QRegularExpression asctime(
        uR"(^[A-Za-z]{3} (?<month>[A-Za-z]{3}) +(?<day>[0-9]{1,2}))"
        uR"( (?<time>([0-9]{2}):([0-9]{2}):([0-9]{2})) (?<year>[0-9]{4})$)"_s);
    const QString trimmed = text.trimmed().toString();
    QRegularExpressionMatch match = fixOrOld.match(trimmed);
    if (match.hasMatch()) {
        const std::optional<int> month = monthNamed(match.capturedView(2));
        if (!month)
            return std::nullopt;
        const qint64 year = fullYear(match.capturedView(3).toLongLong(), match.capturedLength(3), nowUtc);
        return secondsSinceEpoch(year, *month, match.capturedView(1).toInt(), match.capturedView(4).toInt(),
                                 match.capturedView(5).toInt(), match.capturedView(6).toInt());
    }
    match = asctime.match(trimmed);
    if (!match.hasMatch())
        return std::nullopt;
    const std::optional<int> month = monthNamed(match.capturedView(u"month"));
    if (!month)
        return std::nullopt;
    return secondsSinceEpoch(match.capturedView(u"year").toInt(), *month, match.capturedView(u"day").toInt(),
                             match.capturedView(4).toInt(), match.capturedView(5).toInt(), match.capturedView(6).toInt());
}

} // namespace Waitscope
