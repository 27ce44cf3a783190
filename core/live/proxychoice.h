// SPDX-License-Identifier: GPL-3.0-or-later
// Which proxy a request takes: none for this machine itself, else the one that is set, else the system's.
#pragma once

#include "base/problem.h"

#include <QNetworkProxy>
#include <QUrl>

namespace Waitscope {

// "http://user:password@host:port" or "socks5://…"; without a scheme it is http. Nothing of the text is repeated in the
// problem: it may hold a password.
[[nodiscard]] Expected<QNetworkProxy> proxyFromUrl(const QString &url);

// An unreadable `proxyUrl` gives the problem; an empty one asks the system (environment variables, desktop settings).
[[nodiscard]] Expected<QNetworkProxy> proxyFor(const QUrl &target, const QString &proxyUrl);

} // namespace Waitscope
