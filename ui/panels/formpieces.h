// SPDX-License-Identifier: GPL-3.0-or-later
// What the run form and the simulate form have in common: choosing a profile, changing it, saying what is wrong.
#pragma once

#include "base/problem.h"
#include "policy/policy.h"

#include <QStringList>

class QComboBox;
class QLabel;
class QSpinBox;
class QWidget;

namespace Waitscope {

// The profile by name or file with the overrides over it; the problem names the profile, its file or the setting.
[[nodiscard]] Expected<Policy> policyOf(const QString &profile, const QStringList &overrides);

[[nodiscard]] QComboBox *profileBox(const QStringList &profiles, QWidget *parent); // also takes a file's path
[[nodiscard]] QSpinBox *countBox(int most, const QString &accessibleName, QWidget *parent);

// One line in the colour of failures; empty text hides nothing, so that the form does not jump.
void showFault(QLabel *label, const QString &text, bool isError);

} // namespace Waitscope
