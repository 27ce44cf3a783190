// SPDX-License-Identifier: GPL-3.0-or-later
// Why is this call stuck, and what happens next: sentence, ages, ladder, timers and forecast of one task, never stale.
#pragma once

#include "analysis/forecast.h"
#include "analysis/verdict.h"

#include <QScrollArea>

class QLabel;

namespace Waitscope {

class ForecastList;
class LadderView;
class Readout;
class TaskChips;
class TimeSpentList;
class TimerList;

class VerdictPanel final : public QScrollArea
{
    Q_OBJECT
public:
    explicit VerdictPanel(QWidget *parent = nullptr);

    // The store outlives its use here; null shows nothing.
    void setStore(const TraceStore *store);
    // Its task is shown; none = the first open task, else the last one.
    void setSpan(SpanId span);
    [[nodiscard]] SpanId task() const noexcept { return m_task; }
    // Kept only while that task is shown.
    void setForecast(SpanId task, const Forecast &forecast);
    // Brings everything to `now`; the caller does this at most ten times a second. Only what changed repaints.
    void refresh(Instant now);

    [[nodiscard]] QSize sizeHint() const override { return {450, 640}; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString lastByteText() const;
    [[nodiscard]] QString lastDataText() const;

Q_SIGNALS:
    void taskShown(SpanId task);     // another task's verdict stands here now
    void spanChosen(SpanId span);    // by a chip or a rung
    void forecastWanted(SpanId task); // what is shown may be out of date

protected:
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] SpanId chooseTask() const;
    void showAges(const Verdict &verdict);
    QLabel *addHeading(const QString &text);

    const TraceStore *m_store = nullptr;
    SpanId m_span;
    SpanId m_task;
    Instant m_now{};
    quint64 m_revision = 0;
    bool m_hasForecast = false;

    TaskChips *m_chips = nullptr;
    Readout *m_sentence = nullptr;
    Readout *m_warning = nullptr;
    Readout *m_advice = nullptr;
    Readout *m_lastByte = nullptr;
    Readout *m_lastData = nullptr;
    QLabel *m_ladderTitle = nullptr;
    LadderView *m_ladder = nullptr;
    QLabel *m_timersTitle = nullptr;
    TimerList *m_timers = nullptr;
    QLabel *m_noTimers = nullptr;
    QLabel *m_forecastTitle = nullptr;
    ForecastList *m_forecast = nullptr;
    QLabel *m_spentTitle = nullptr;
    TimeSpentList *m_spent = nullptr;
};

} // namespace Waitscope
