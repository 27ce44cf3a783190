// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/comparison.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString shown(const QJsonValue &value)
{
    if (value.isUndefined())
        return u"nothing"_s;
    // QJsonDocument writes arrays and objects only.
    const QByteArray wrapped = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(wrapped.sliced(1, wrapped.size() - 2));
}

QString differs(const QString &place, const QJsonValue &expected, const QJsonValue &actual)
{
    const QString sentence = u"expected %1, got %2"_s.arg(shown(expected), shown(actual));
    return place.isEmpty() ? sentence : place + u": "_s + sentence;
}

bool sameNumber(double expected, double actual)
{
    if (std::isnan(expected) || std::isnan(actual))
        return std::isnan(expected) && std::isnan(actual);
    if (std::isinf(expected) || std::isinf(actual))
        return expected == actual;
    return std::abs(expected - actual) <= std::max(1e-6, 1e-12 * std::abs(expected));
}

QString compare(const QString &place, const QJsonValue &expected, const QJsonValue &actual);

QString compareArrays(const QString &place, const QJsonArray &expected, const QJsonArray &actual)
{
    for (qsizetype i = 0; i < std::max(expected.size(), actual.size()); ++i) {
        const QString inner = u"%1[%2]"_s.arg(place).arg(i);
        const QJsonValue missing(QJsonValue::Undefined);
        const QString difference = compare(inner, i < expected.size() ? expected.at(i) : missing,
                                           i < actual.size() ? actual.at(i) : missing);
        if (!difference.isEmpty())
            return difference;
    }
    return {};
}

QString compareObjects(const QString &place, const QJsonObject &expected, const QJsonObject &actual)
{
    QStringList keys = expected.keys();
    for (const QString &key : actual.keys()) {
        if (!expected.contains(key))
            keys.append(key);
    }
    for (const QString &key : std::as_const(keys)) {
        const QString inner = place.isEmpty() ? key : place + u'.' + key;
        const QString difference = compare(inner, expected.value(key), actual.value(key));
        if (!difference.isEmpty())
            return difference;
    }
    return {};
}

QString compare(const QString &place, const QJsonValue &expected, const QJsonValue &actual)
{
    const std::optional<double> number = numberOf(expected);
    const std::optional<double> other = numberOf(actual);
    if (number && other)
        return sameNumber(*number, *other) ? QString() : differs(place, expected, actual);
    if (expected.type() != actual.type())
        return differs(place, expected, actual);
    if (expected.isArray())
        return compareArrays(place, expected.toArray(), actual.toArray());
    if (expected.isObject())
        return compareObjects(place, expected.toObject(), actual.toObject());
    return expected == actual ? QString() : differs(place, expected, actual);
}

} // namespace

QJsonValue tableNumber(double value)
{
    if (std::isnan(value))
        return u"nan"_s;
    if (std::isinf(value))
        return value > 0 ? u"inf"_s : u"-inf"_s;
    return value;
}

QJsonValue tableNumber(std::optional<double> value)
{
    return value ? tableNumber(*value) : QJsonValue(QJsonValue::Null);
}

std::optional<double> numberOf(const QJsonValue &value)
{
    if (value.isDouble())
        return value.toDouble();
    const QString word = value.toString();
    if (word == u"inf"_s)
        return std::numeric_limits<double>::infinity();
    if (word == u"-inf"_s)
        return -std::numeric_limits<double>::infinity();
    if (word == u"nan"_s)
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

QString firstDifference(const QJsonValue &expected, const QJsonValue &actual)
{
    return compare(QString(), expected, actual);
}

} // namespace Waitscope
