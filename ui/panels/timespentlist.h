// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a task that has ended went, as a short list.
#pragma once

#include "trace/tracestore.h"
#include "ui/models/rowsmodel.h"

#include <QWidget>

#include <array>
#include <vector>

class QGridLayout;

namespace Waitscope {

class Readout;

class TimeSpentList final : public QWidget
{
    Q_OBJECT
public:
    explicit TimeSpentList(QWidget *parent = nullptr);

    // Looks at the whole task, but only once for each state of the store.
    void showTask(const TraceStore &store, SpanId task);

private:
    void showRows(const TextRows &rows);

    const TraceStore *m_store = nullptr;
    SpanId m_task;
    quint64 m_revision = 0;
    std::vector<std::array<Readout *, 3>> m_rows;
    QGridLayout *m_grid = nullptr;
};

} // namespace Waitscope
