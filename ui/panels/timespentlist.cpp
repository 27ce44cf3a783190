// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/timespentlist.h"

#include "trace/callquery.h"
#include "ui/models/timespent.h"
#include "ui/panels/readout.h"

#include <QGridLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

TimeSpentList::TimeSpentList(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(1);
    m_grid->setHorizontalSpacing(12);
    m_grid->setColumnStretch(0, 1);
}

void TimeSpentList::showTask(const TraceStore &store, SpanId task)
{
    if (&store == m_store && task == m_task && store.revision() == m_revision)
        return;
    m_store = &store;
    m_task = task;
    m_revision = store.revision();
    const std::optional<SpanInfo> span = store.span(task);
    showRows(span ? timeSpent(totalsOf(store, task, span->end), span->length(span->end)) : TextRows());
}

void TimeSpentList::showRows(const TextRows &rows)
{
    while (m_rows.size() < rows.size()) {
        std::array<Readout *, 3> row{};
        const int at = static_cast<int>(m_rows.size());
        for (int column = 0; column < 3; ++column) {
            auto *cell = new Readout(this);
            if (column > 0) {
                cell->setAlignment(Qt::AlignRight | Qt::AlignTop);
                cell->setRoomFor(column == 1 ? u"888 m 88 s"_s : u"> 99 %"_s);
                cell->setInk(column == 1 ? Ink::Text : Ink::Dim);
            }
            m_grid->addWidget(cell, at, column);
            row[static_cast<size_t>(column)] = cell;
        }
        m_rows.push_back(row);
    }
    for (size_t i = 0; i < m_rows.size(); ++i) {
        for (size_t column = 0; column < 3; ++column) {
            m_rows[i][column]->setVisible(i < rows.size());
            if (i < rows.size())
                m_rows[i][column]->setText(rows[i][static_cast<qsizetype>(column)]);
        }
    }
}

} // namespace Waitscope
