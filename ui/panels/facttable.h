// SPDX-License-Identifier: GPL-3.0-or-later
// A table of texts whose rows can be copied, with Ctrl+C or from its menu.
#pragma once

#include "ui/models/rowsmodel.h"

#include <QTableView>

namespace Waitscope {

class FactTable final : public QTableView
{
    Q_OBJECT
public:
    // The last column takes the room that is left.
    FactTable(const QStringList &headers, const QString &accessibleName, QWidget *parent = nullptr);

    void setRows(TextRows rows);
    [[nodiscard]] const TextRows &rows() const { return m_model->rows(); }
    // Selected rows, all of them if none is selected: columns with tabs between, one line a row.
    [[nodiscard]] QString textToCopy() const;
    void copy() const;
    // The first column holds names, like a form.
    void setFormLike();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    RowsModel *m_model = nullptr;
    bool m_sized = false;
};

} // namespace Waitscope
