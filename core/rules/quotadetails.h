// SPDX-License-Identifier: GPL-3.0-or-later
// Which window a quota violation names in Google's structured details, where its sentence alone misleads.
#pragma once

#include <QStringView>

namespace Waitscope {

struct QuotaDetails {
    bool perMinute = false; // passes by itself
    bool perDay = false;
};

// Reads the "quotaId" members; nothing where a text has none.
[[nodiscard]] QuotaDetails quotaDetailsIn(QStringView text);

} // namespace Waitscope
