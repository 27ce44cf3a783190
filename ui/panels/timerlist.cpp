// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/timerlist.h"

#include "ui/panels/readout.h"
#include "ui/style/format.h"
#include "ui/style/theme.h"
#include "ui/style/words.h"

#include <QGridLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

TimerList::TimerList(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
}

TimerList::Row TimerList::addRow()
{
    Row row;
    row.widget = new QWidget(this);
    row.kind = new Readout(row.widget);
    row.countdown = new Readout(row.widget);
    row.value = new Readout(row.widget);
    row.rule = new Readout(row.widget);
    row.setting = new Readout(row.widget);
    QFont bold = font();
    bold.setBold(true);
    row.kind->setFont(bold);
    row.kind->setRoomFor(u"end of backoff"_s);
    row.countdown->setFont(bold);
    row.countdown->setInk(Ink::Timer);
    row.countdown->setRoomFor(shownCountdown(fromSeconds(88888)));
    row.countdown->setAlignment(Qt::AlignRight | Qt::AlignTop);
    row.value->setInk(Ink::Dim);
    row.rule->setInk(Ink::Dim);
    row.setting->setInk(Ink::Dim);
    row.setting->setFont(fixedFont(font().pointSizeF() * 0.9));
    auto *grid = new QGridLayout(row.widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(1);
    grid->addWidget(row.kind, 0, 0);
    grid->addWidget(row.countdown, 0, 1);
    grid->addWidget(row.value, 0, 2);
    grid->addWidget(row.rule, 1, 0, 1, 3);
    grid->addWidget(row.setting, 2, 0, 1, 3);
    grid->setColumnStretch(2, 1);
    m_layout->addWidget(row.widget);
    return row;
}

void TimerList::showTimers(const std::vector<ShownTimer> &timers, Instant now)
{
    while (m_rows.size() < timers.size())
        m_rows.push_back(addRow());
    for (size_t i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        row.widget->setVisible(i < timers.size());
        if (i >= timers.size())
            continue;
        const ShownTimer &timer = timers[i];
        row.kind->setText(shownWord(timer.kind));
        row.countdown->setText(shownCountdown(timer.effectiveDue - now));
        QString value = tr("of %1").arg(shownDuration(timer.value));
        if (timer.clamped)
            value = tr("%1, cut to the deadline").arg(value);
        row.value->setText(value);
        row.rule->setText(tr("%1; %2").arg(shownWord(timer.resets), shownWord(timer.kills)));
        row.setting->setText(timer.variable.isEmpty() ? QString(timer.setting)
                                                      : tr("%1   %2").arg(QString(timer.setting), QString(timer.variable)));
        row.setting->setVisible(!timer.setting.isEmpty());
    }
}

} // namespace Waitscope
