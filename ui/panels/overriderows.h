// SPDX-License-Identifier: GPL-3.0-or-later
// A small table of key=value changes to a profile, fed by the settings registry.
#pragma once

#include "base/problem.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace Waitscope {

class OverrideRows final : public QWidget
{
    Q_OBJECT
public:
    explicit OverrideRows(QWidget *parent = nullptr);

    // "key=value" of all rows that are not empty.
    [[nodiscard]] QStringList assignments() const;
    void setAssignments(const QStringList &assignments);
    // The first row that is not in order, in the words of the command line.
    [[nodiscard]] std::optional<Problem> problem() const;

    QComboBox *addRow(const QString &key = {}, const QString &value = {}); // its key field

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QWidget *widget = nullptr;
        QComboBox *key = nullptr;
        QLineEdit *value = nullptr;
    };
    void removeRow(QWidget *row);
    static void describe(const Row &row);

    std::vector<Row> m_rows;
    QVBoxLayout *m_layout = nullptr;
    QToolButton *m_add = nullptr;
};

} // namespace Waitscope
