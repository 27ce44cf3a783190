// SPDX-License-Identifier: GPL-3.0-or-later
// Reads an HTTP status out of a text where one stands in a status position, and only there.
#pragma once

#include <QStringView>

#include <optional>

namespace Waitscope {

// "HTTP 503: busy", "Error code: 429 - …", "status=529", "503 Service Unavailable", or the whole text "503".
// A number that is a port, a stream id, a count or part of a longer one is none. 400 to 599.
[[nodiscard]] std::optional<int> statusInText(QStringView text);

} // namespace Waitscope
