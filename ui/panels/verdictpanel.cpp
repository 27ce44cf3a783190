// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/verdictpanel.h"

#include "analysis/callpath.h"
#include "ui/panels/forecastlist.h"
#include "ui/panels/ladderview.h"
#include "ui/panels/readout.h"
#include "ui/panels/taskchips.h"
#include "ui/panels/timerlist.h"
#include "ui/panels/timespentlist.h"
#include "ui/style/format.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

VerdictPanel::VerdictPanel(QWidget *parent)
    : QScrollArea(parent)
{
    auto *body = new QWidget(this);
    auto *layout = new QVBoxLayout(body);
    layout->setSpacing(8);
    setWidget(body);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(300);

    m_chips = new TaskChips(body);
    layout->addWidget(m_chips);
    m_sentence = new Readout(2, body);
    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.25);
    big.setBold(true);
    m_sentence->setFont(big);
    layout->addWidget(m_sentence);
    m_warning = new Readout(1, body);
    m_warning->setInk(Ink::Alarm);
    QFont bold = font();
    bold.setBold(true);
    m_warning->setFont(bold);
    m_warning->hide();
    layout->addWidget(m_warning);
    m_advice = new Readout(1, body);
    m_advice->hide();
    layout->addWidget(m_advice);

    auto *ages = new QHBoxLayout;
    m_lastByte = new Readout(body);
    m_lastData = new Readout(body);
    for (Readout *age : {m_lastByte, m_lastData}) {
        age->setRoomFor(tr("Last data %1 ago").arg(shownAge(fromSeconds(8888))));
        ages->addWidget(age);
    }
    ages->addStretch(1);
    layout->addLayout(ages);

    m_ladderTitle = addHeading(tr("Layers, from outside in"));
    m_ladder = new LadderView(body);
    layout->addWidget(m_ladder);
    m_timersTitle = addHeading(tr("Timers, next firing first"));
    m_timers = new TimerList(body);
    layout->addWidget(m_timers);
    m_noTimers = new QLabel(tr("No timer is armed: nothing ends this wait by itself."), body);
    m_noTimers->setWordWrap(true);
    layout->addWidget(m_noTimers);
    m_forecastTitle = addHeading(tr("If nothing arrives"));
    m_forecast = new ForecastList(body);
    layout->addWidget(m_forecast);
    m_spentTitle = addHeading(tr("Where the time went"));
    m_spent = new TimeSpentList(body);
    layout->addWidget(m_spent);
    layout->addStretch(1);

    connect(m_chips, &TaskChips::taskChosen, this, &VerdictPanel::spanChosen);
    connect(m_ladder, &LadderView::spanChosen, this, &VerdictPanel::spanChosen);
    refresh({});
}

QLabel *VerdictPanel::addHeading(const QString &text)
{
    auto *label = new QLabel(text, widget());
    QFont small = label->font();
    small.setBold(true);
    small.setPointSizeF(small.pointSizeF() * 0.95);
    label->setFont(small);
    widget()->layout()->addWidget(label);
    return label;
}

QString VerdictPanel::sentence() const
{
    return m_sentence->text();
}

QString VerdictPanel::lastByteText() const
{
    return m_lastByte->text();
}

QString VerdictPanel::lastDataText() const
{
    return m_lastData->text();
}

void VerdictPanel::setStore(const TraceStore *store)
{
    m_store = store;
    m_span = {};
    m_task = {};
    m_revision = 0;
    m_hasForecast = false;
    refresh({});
}

void VerdictPanel::setSpan(SpanId span)
{
    m_span = span;
    refresh(m_now);
}

void VerdictPanel::setForecast(SpanId task, const Forecast &forecast)
{
    if (task != m_task)
        return;
    m_hasForecast = true;
    m_forecast->setForecast(forecast, m_now);
    refresh(m_now);
}

SpanId VerdictPanel::chooseTask() const
{
    if (!m_store)
        return {};
    if (const SpanId root = rootOf(*m_store, m_span))
        return root;
    // Stays with a task until it has ended and another one is open.
    if (m_store->isOpen(m_task))
        return m_task;
    const std::vector<SpanId> roots = m_store->roots();
    for (const SpanId root : roots) {
        if (m_store->isOpen(root))
            return root;
    }
    if (m_task)
        return m_task;
    return roots.empty() ? SpanId{} : roots.back();
}

void VerdictPanel::refresh(Instant now)
{
    m_now = now;
    const SpanId task = chooseTask();
    const bool another = task != m_task;
    if (another) {
        m_task = task;
        m_hasForecast = false;
    }
    m_chips->showTasks(m_store, m_task);
    Verdict verdict;
    if (m_task)
        verdict = verdictOf(*m_store, m_task, now);
    else
        verdict.sentence = tr("Nothing runs yet");
    m_sentence->setText(verdict.sentence);
    m_warning->setText(verdict.warning);
    m_warning->setVisible(!verdict.warning.isEmpty());
    m_advice->setText(verdict.advice);
    m_advice->setVisible(!verdict.advice.isEmpty());
    showAges(verdict);
    const bool open = m_task && !verdict.ended;
    m_ladder->showVerdict(verdict, m_store ? m_store->header() : TraceHeader());
    m_timers->showTimers(verdict.timers, now);
    m_noTimers->setVisible(open && verdict.timers.empty());
    for (QWidget *part : std::initializer_list<QWidget *>{m_ladderTitle, m_ladder, m_timersTitle, m_timers})
        part->setVisible(open);
    for (QWidget *part : std::initializer_list<QWidget *>{m_forecastTitle, m_forecast})
        part->setVisible(open && m_hasForecast);
    if (open && m_hasForecast)
        m_forecast->showAt(now);
    m_spentTitle->setVisible(verdict.ended);
    m_spent->setVisible(verdict.ended);
    if (verdict.ended)
        m_spent->showTask(*m_store, m_task);
    const quint64 revision = m_store ? m_store->revision() : 0;
    const bool stale = revision != m_revision;
    m_revision = revision;
    if (another)
        Q_EMIT taskShown(m_task);
    if (open && (another || stale))
        Q_EMIT forecastWanted(m_task);
}

void VerdictPanel::showAges(const Verdict &verdict)
{
    m_lastByte->setVisible(m_task.value != 0);
    m_lastData->setVisible(m_task.value != 0);
    m_lastByte->setText(verdict.sinceLastByte ? tr("Last byte %1 ago").arg(shownAge(*verdict.sinceLastByte).trimmed())
                                              : tr("No byte has come"));
    m_lastData->setText(verdict.sinceLastData ? tr("Last data %1 ago").arg(shownAge(*verdict.sinceLastData).trimmed())
                                              : tr("No data has come"));
}

void VerdictPanel::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_chips)
        m_chips->showTasks(m_store, m_task);
}

} // namespace Waitscope
