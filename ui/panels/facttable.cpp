// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/facttable.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr int widestColumn = 220;

} // namespace

FactTable::FactTable(const QStringList &headers, const QString &accessibleName, QWidget *parent)
    : QTableView(parent)
    , m_model(new RowsModel(headers, this))
{
    setModel(m_model);
    setAccessibleName(accessibleName);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 6);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto *copyAction = new QAction(tr("&Copy"), this);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    connect(copyAction, &QAction::triggered, this, &FactTable::copy);
    addAction(copyAction);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void FactTable::setFormLike()
{
    horizontalHeader()->hide();
    setColumnWidth(0, fontMetrics().averageCharWidth() * 22);
    m_sized = true;
    setWordWrap(true);
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

void FactTable::setRows(TextRows rows)
{
    m_model->setRows(std::move(rows));
    // Once: columns that change their width while one reads are worse than a cut text.
    if (m_sized || m_model->rows().empty())
        return;
    m_sized = true;
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, std::min(columnWidth(column), widestColumn));
}

QString FactTable::textToCopy() const
{
    std::vector<int> chosen;
    for (const QModelIndex &index : selectionModel()->selectedRows())
        chosen.push_back(index.row());
    std::sort(chosen.begin(), chosen.end());
    QStringList lines;
    for (size_t i = 0; i < m_model->rows().size(); ++i) {
        if (chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), static_cast<int>(i)))
            lines << m_model->rows()[i].join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void FactTable::copy() const
{
    QGuiApplication::clipboard()->setText(textToCopy());
}

void FactTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace Waitscope
