// SPDX-License-Identifier: GPL-3.0-or-later
// A date in one of the three forms HTTP knows (RFC 9110 5.6.7), for the `strict` rules.
#pragma once

#include <QDateTime>
#include <QStringView>

#include <optional>

namespace Waitscope {

// Seconds since 1970 UTC. A wrong weekday is forgiven, a missing zone or a made-up time is not. The two-digit year of
// the oldest form means the past century when it lies more than 50 years ahead of `nowUtc`.
[[nodiscard]] std::optional<qint64> httpDate(QStringView text, const QDateTime &nowUtc);

} // namespace Waitscope
