// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that are texts with a form of their own (hint forms, statuses, a proxy's address), and texts in messages.
#pragma once

#include "policy/retrypolicy.h"
#include "policy/setting.h"

namespace Waitscope {

// The one spelling of what was written; nullopt where it has not the setting's form.
[[nodiscard]] std::optional<QString> normalText(Setting setting, QStringView text);
[[nodiscard]] QString describeText(Setting setting);
// The text without the password of a proxy's address.
[[nodiscard]] QString shownText(Setting setting, const QString &text);

// In quotation marks, and short enough for one line.
[[nodiscard]] QString quoted(QStringView text);

// Read normal texts only.
[[nodiscard]] HintForms readHintForms(const QString &text);
[[nodiscard]] std::vector<int> readStatuses(const QString &text);

} // namespace Waitscope
