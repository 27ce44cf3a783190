// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/rowsmodel.h"

#include <algorithm>

namespace Waitscope {

RowsModel::RowsModel(QStringList headers, QObject *parent)
    : QAbstractTableModel(parent)
    , m_headers(std::move(headers))
{
}

void RowsModel::setRows(TextRows rows)
{
    const size_t common = std::min(rows.size(), m_rows.size());
    const int last = static_cast<int>(m_headers.size()) - 1;
    for (size_t i = 0; i < common; ++i) {
        if (m_rows[i] == rows[i])
            continue;
        m_rows[i] = std::move(rows[i]);
        const int row = static_cast<int>(i);
        Q_EMIT dataChanged(index(row, 0), index(row, last));
    }
    if (rows.size() > common) {
        beginInsertRows({}, static_cast<int>(common), static_cast<int>(rows.size()) - 1);
        m_rows.insert(m_rows.end(), std::make_move_iterator(rows.begin() + static_cast<qsizetype>(common)),
                      std::make_move_iterator(rows.end()));
        endInsertRows();
    } else if (m_rows.size() > common) {
        beginRemoveRows({}, static_cast<int>(common), static_cast<int>(m_rows.size()) - 1);
        m_rows.resize(common);
        endRemoveRows();
    }
}

int RowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RowsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headers.size());
}

QVariant RowsModel::data(const QModelIndex &index, int role) const
{
    // The name of a fact of many lines stands beside the first of them.
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignTop);
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const QString text = m_rows[static_cast<size_t>(index.row())].value(index.column());
    // What a column has no room for is in the tip.
    return role == Qt::ToolTipRole && text.size() < 12 ? QVariant() : QVariant(text);
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return m_headers.value(section);
}

} // namespace Waitscope
