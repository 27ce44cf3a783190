// SPDX-License-Identifier: GPL-3.0-or-later
// One JSON text as a value: a scalar may stand at the top, and Python's reading of the grammar is one of two.
#pragma once

#include <QByteArrayView>
#include <QJsonValue>

#include <optional>

namespace Waitscope {

enum class JsonReading : quint8 {
    Standard, // inside objects and arrays as lenient as QJsonDocument is
    Python, // besides NaN, Infinity and -Infinity, as json.loads takes them; they become that double
};

// QJsonDocument alone is not enough: it wants an array or an object, takes raw control characters and "1.", and knows no NaN.
// nullopt for anything else than one value, and for deep nesting (512 or 1024). Of equal keys the last counts. Broken UTF-8
// inside a string becomes U+FFFD. Numbers beyond a double's range become zero or infinity.
[[nodiscard]] std::optional<QJsonValue> readJson(QByteArrayView text, JsonReading reading);

} // namespace Waitscope
