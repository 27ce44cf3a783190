// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of text that are replaced as a whole; views hear only of cells that differ, so that selections survive.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace Waitscope {

using TextRows = std::vector<QStringList>;

class RowsModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit RowsModel(QStringList headers, QObject *parent = nullptr);

    void setRows(TextRows rows);
    [[nodiscard]] const TextRows &rows() const noexcept { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_headers;
    TextRows m_rows;
};

} // namespace Waitscope
