// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overriderows.h"

#include "policy/policy.h"

#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

OverrideRows::OverrideRows(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_add(new QToolButton(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    m_add->setText(tr("Add a &setting"));
    m_add->setToolTip(tr("Change one setting of the profile for this run"));
    m_layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QToolButton::clicked, this, [this] { addRow()->setFocus(); });
}

QComboBox *OverrideRows::addRow(const QString &key, const QString &value)
{
    Row row;
    row.widget = new QWidget(this);
    row.key = new QComboBox(row.widget);
    row.key->setEditable(true);
    row.key->setInsertPolicy(QComboBox::NoInsert);
    row.key->setAccessibleName(tr("Setting"));
    row.key->addItem(QString());
    for (const SettingInfo &info : settings())
        row.key->addItem(QString(info.name));
    row.key->completer()->setFilterMode(Qt::MatchContains);
    row.key->completer()->setCompletionMode(QCompleter::PopupCompletion);
    row.key->lineEdit()->setPlaceholderText(tr("setting"));
    row.key->setCurrentText(key);
    row.value = new QLineEdit(value, row.widget);
    row.value->setAccessibleName(tr("Value"));
    auto *remove = new QToolButton(row.widget);
    remove->setText(tr("Remove"));
    remove->setAccessibleName(tr("Remove this setting"));
    auto *line = new QHBoxLayout(row.widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(row.key, 3);
    line->addWidget(row.value, 2);
    line->addWidget(remove);
    m_layout->insertWidget(static_cast<int>(m_rows.size()), row.widget);
    m_rows.push_back(row);
    connect(row.key, &QComboBox::currentTextChanged, this, [this, row] {
        describe(row);
        Q_EMIT changed();
    });
    connect(row.value, &QLineEdit::textChanged, this, &OverrideRows::changed);
    connect(remove, &QToolButton::clicked, this, [this, widget = row.widget] { removeRow(widget); });
    describe(row);
    row.widget->show();
    Q_EMIT changed();
    return row.key;
}

void OverrideRows::describe(const Row &row)
{
    const std::optional<Setting> setting = settingNamed(row.key->currentText().trimmed());
    if (!setting) {
        row.value->setPlaceholderText(tr("value"));
        row.value->setToolTip({});
        return;
    }
    const SettingInfo &info = infoOf(*setting);
    const QString choices = describeChoices(info);
    row.value->setPlaceholderText(tr("default %1").arg(QString(info.defaultValue)));
    row.value->setToolTip(tr("%1\nTakes %2.").arg(QCoreApplication::translate("Setting", info.explanation.data()), choices));
    row.value->setAccessibleDescription(choices);
}

void OverrideRows::removeRow(QWidget *widget)
{
    std::erase_if(m_rows, [widget](const Row &row) { return row.widget == widget; });
    // It is the sender's parent.
    widget->hide();
    widget->deleteLater();
    m_add->setFocus();
    Q_EMIT changed();
}

QStringList OverrideRows::assignments() const
{
    QStringList all;
    for (const Row &row : m_rows) {
        const QString key = row.key->currentText().trimmed();
        const QString value = row.value->text().trimmed();
        if (!key.isEmpty() || !value.isEmpty())
            all << key + u'=' + value;
    }
    return all;
}

void OverrideRows::setAssignments(const QStringList &assignments)
{
    while (!m_rows.empty())
        removeRow(m_rows.back().widget);
    for (const QString &assignment : assignments)
        addRow(assignment.section(u'=', 0, 0), assignment.section(u'=', 1));
}

std::optional<Problem> OverrideRows::problem() const
{
    const Policy policy;
    for (const QString &assignment : assignments()) {
        if (const Expected<Policy> changed = policy.withAssignment(assignment, {}); !changed)
            return changed.error();
    }
    return std::nullopt;
}

} // namespace Waitscope
