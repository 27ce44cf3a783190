// SPDX-License-Identifier: GPL-3.0-or-later
// JSON values as text and back, exactly: every QString survives, lone surrogates and NUL included.
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>
#include <string_view>

namespace Waitscope {

// With the quotes. UTF-8 as it is; escaped are quote, backslash, controls below 0x20 and lone surrogates (\ud800).
void appendJsonString(QByteArray &out, QStringView text);
void appendInteger(QByteArray &out, qint64 value);
void appendInteger(QByteArray &out, quint64 value);
// The shortest text that reads back as the same number; `null` where JSON has no word for it (infinite, not a number).
void appendNumber(QByteArray &out, double value);

// What stands between the quotes, which must be valid UTF-8; nothing for a broken escape.
[[nodiscard]] std::optional<QString> fromJsonString(std::string_view raw);

} // namespace Waitscope
