// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a transport trusts: the system's certificate authorities, or those of one file instead.
#pragma once

#include "base/problem.h"

#include <QSslConfiguration>

namespace Waitscope {

// An empty `caFile` means the system's. A file that cannot be read, or holds no certificate in PEM form, is the problem.
[[nodiscard]] Expected<QSslConfiguration> tlsConfiguration(const QString &caFile);

} // namespace Waitscope
