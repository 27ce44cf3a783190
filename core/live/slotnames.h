// SPDX-License-Identifier: GPL-3.0-or-later
// Names that give each parallel request to one origin a connection of its own inside QNetworkAccessManager.
//
// The library keeps one queue for each (scheme, host, port, proxy, peer verify name), and one connection's failure fails
// everything queued behind it. A different verify name is a different queue. For https the name is what the certificate is
// held against, so it has to mean the same host: letters in other cases, or blanks around an address.
#pragma once

#include <QString>
#include <QUrl>

#include <optional>

namespace Waitscope {

// How many different names an origin has.
[[nodiscard]] quint64 slotNameCount(const QUrl &url);

// The n-th of them, from 0.
[[nodiscard]] QString slotName(const QUrl &url, quint64 n);

} // namespace Waitscope
