// SPDX-License-Identifier: GPL-3.0-or-later
// A wire request in the network library's words, and its answer's headers in ours.
#pragma once

#include "engine/ports/transport.h"

#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>

namespace Waitscope {

// With everything switched off that the library would do on its own: redirects, cookies, caching, credentials, HTTP/2,
// decompression, headers that tell of this machine.
[[nodiscard]] QNetworkRequest networkRequest(const WireRequest &request, const QNetworkProxy &proxy);

[[nodiscard]] std::vector<WireHeader> wireHeaders(const QNetworkReply &reply);

} // namespace Waitscope
