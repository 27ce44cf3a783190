// SPDX-License-Identifier: GPL-3.0-or-later
// Compares what a table expects with what came out, number by number.
#pragma once

#include <QJsonValue>
#include <QString>

#include <optional>

namespace Waitscope {

// A number as tables write it: infinities and not-a-number are the strings "inf", "-inf" and "nan".
[[nodiscard]] QJsonValue tableNumber(double value);
[[nodiscard]] QJsonValue tableNumber(std::optional<double> value);

// The reverse; nullopt for anything else.
[[nodiscard]] std::optional<double> numberOf(const QJsonValue &value);

// The first place where the two differ, as "final.reason: expected "timeout", got "transport""; empty = nowhere.
// Numbers may differ by 1e-6, or by 1e-12 of their size; strings spelling a number count as numbers on both sides.
// {"raises": X} is compared like any other object.
[[nodiscard]] QString firstDifference(const QJsonValue &expected, const QJsonValue &actual);

} // namespace Waitscope
