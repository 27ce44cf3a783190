// SPDX-License-Identifier: GPL-3.0-or-later
// The armed timers in firing order: countdown, value, what resets each, what it ends, the setting and variable behind it.
#pragma once

#include "trace/spaninfo.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace Waitscope {

class Readout;

class TimerList final : public QWidget
{
    Q_OBJECT
public:
    explicit TimerList(QWidget *parent = nullptr);
    void showTimers(const std::vector<ShownTimer> &timers, Instant now);

private:
    struct Row {
        QWidget *widget = nullptr;
        Readout *kind = nullptr;
        Readout *countdown = nullptr;
        Readout *value = nullptr;
        Readout *rule = nullptr;
        Readout *setting = nullptr;
    };
    Row addRow();

    std::vector<Row> m_rows;
    QVBoxLayout *m_layout = nullptr;
};

} // namespace Waitscope
