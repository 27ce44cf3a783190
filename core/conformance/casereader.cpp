// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/casereader.h"

#include "conformance/comparison.h"

#include <cmath>
#include <limits>

namespace Waitscope {

using namespace Qt::StringLiterals;

void CaseReader::blame(QLatin1StringView key, QLatin1StringView what)
{
    if (m_fault.isEmpty())
        m_fault = u"field \"%1\" %2"_s.arg(key, what);
}

QJsonValue CaseReader::value(QLatin1StringView key)
{
    const QJsonValue value = m_object.value(key);
    if (value.isUndefined())
        blame(key, "is missing"_L1);
    return value;
}

std::optional<QString> CaseReader::textOrNull(QLatin1StringView key)
{
    const QJsonValue found = value(key);
    if (found.isNull() || found.isUndefined())
        return std::nullopt;
    if (!found.isString())
        blame(key, "is not a text"_L1);
    return found.toString();
}

QString CaseReader::text(QLatin1StringView key)
{
    const std::optional<QString> found = textOrNull(key);
    if (!found)
        blame(key, "is not a text"_L1);
    return found.value_or(QString());
}

std::optional<double> CaseReader::numberOrNull(QLatin1StringView key)
{
    const QJsonValue found = value(key);
    if (found.isNull() || found.isUndefined())
        return std::nullopt;
    const std::optional<double> number = numberOf(found);
    if (!number)
        blame(key, "is not a number"_L1);
    return number;
}

double CaseReader::number(QLatin1StringView key)
{
    const std::optional<double> found = numberOrNull(key);
    if (!found)
        blame(key, "is not a number"_L1);
    return found.value_or(0);
}

std::optional<qint64> CaseReader::integerOrNull(QLatin1StringView key)
{
    const std::optional<double> found = numberOrNull(key);
    if (!found)
        return std::nullopt;
    constexpr double largest = 9007199254740992; // 2^53: whole numbers beyond are not exact in JSON
    if (!(std::abs(*found) <= largest) || std::trunc(*found) != *found) {
        blame(key, "is not a whole number"_L1);
        return std::nullopt;
    }
    return static_cast<qint64>(*found);
}

qint64 CaseReader::integer(QLatin1StringView key)
{
    const std::optional<qint64> found = integerOrNull(key);
    if (!found)
        blame(key, "is not a whole number"_L1);
    return found.value_or(0);
}

std::optional<int> CaseReader::intOrNull(QLatin1StringView key)
{
    const std::optional<qint64> found = integerOrNull(key);
    if (!found)
        return std::nullopt;
    if (*found < std::numeric_limits<int>::min() || *found > std::numeric_limits<int>::max()) {
        blame(key, "is out of range"_L1);
        return std::nullopt;
    }
    return static_cast<int>(*found);
}

std::optional<bool> CaseReader::flagOrNull(QLatin1StringView key)
{
    const QJsonValue found = value(key);
    if (found.isNull() || found.isUndefined())
        return std::nullopt;
    if (!found.isBool())
        blame(key, "is neither true nor false"_L1);
    return found.toBool();
}

QJsonObject CaseReader::object(QLatin1StringView key)
{
    const QJsonValue found = value(key);
    if (!found.isObject())
        blame(key, "is not an object"_L1);
    return found.toObject();
}

} // namespace Waitscope
