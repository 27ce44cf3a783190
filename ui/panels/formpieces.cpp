// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/formpieces.h"

#include "policy/profile.h"
#include "ui/style/palette.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QSpinBox>

namespace Waitscope {

Expected<Policy> policyOf(const QString &profile, const QStringList &overrides)
{
    Expected<Profile> found = findProfile(profile.trimmed());
    if (!found)
        return tl::unexpected(found.error());
    Expected<Policy> policy = std::move(found->policy);
    for (const QString &assignment : overrides) {
        policy = policy->withAssignment(assignment, QStringLiteral("window"));
        if (!policy)
            break;
    }
    return policy;
}

QComboBox *profileBox(const QStringList &profiles, QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->addItems(profiles);
    box->setAccessibleName(QCoreApplication::translate("Waitscope::FormPieces", "Profile"));
    box->setToolTip(
        QCoreApplication::translate("Waitscope::FormPieces", "A built-in profile, or the path of a profile file"));
    return box;
}

QSpinBox *countBox(int most, const QString &accessibleName, QWidget *parent)
{
    auto *box = new QSpinBox(parent);
    box->setRange(1, most);
    box->setAccessibleName(accessibleName);
    return box;
}

void showFault(QLabel *label, const QString &text, bool isError)
{
    const Palette &colours = paletteOf(schemeOf(label->parentWidget()->palette()));
    QPalette own = label->palette();
    own.setColor(QPalette::WindowText, isError ? colours.bad : colours.dimText);
    label->setPalette(own);
    label->setText(text);
}

} // namespace Waitscope
