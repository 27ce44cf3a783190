// SPDX-License-Identifier: GPL-3.0-or-later
// One trace on screen: the timeline in the middle, panels in docks around it, all brought up to date together.
#pragma once

#include "analysis/forecast.h"
#include "ui/requests.h"

#include <QMainWindow>
#include <QTimer>

#include <functional>

namespace Waitscope {

class Inspector;
class TimelineView;
class VerdictPanel;

// A main window within the window: docks have a home of their own, so that the start page needs none of them.
class Workspace final : public QMainWindow
{
    Q_OBJECT
public:
    explicit Workspace(QWidget *parent = nullptr);
    ~Workspace() override;

    // The store outlives its use here. `now` is the run's nominal time; empty when nothing runs.
    void setSource(const TraceStore *store, std::function<Instant()> now, bool simulated);
    void setNow(std::function<Instant()> now);
    void storeChanged();
    void setForecast(SpanId task, const Forecast &forecast);
    // Chooses a span everywhere and brings it into view.
    void select(SpanId span);
    void resetLayout();
    // Docks only. Sizes mean something in a window that has its own: what comes before the first show is kept for it.
    [[nodiscard]] QByteArray dockState() const;
    bool restoreDocks(const QByteArray &state);

    [[nodiscard]] const TraceStore *store() const noexcept { return m_store; }
    [[nodiscard]] Instant now() const;
    [[nodiscard]] TimelineView &timeline() const noexcept { return *m_timeline; }
    [[nodiscard]] VerdictPanel &verdict() const noexcept { return *m_verdict; }
    [[nodiscard]] Inspector &inspector() const noexcept { return *m_inspector; }
    [[nodiscard]] QList<QAction *> dockActions() const;

Q_SIGNALS:
    void refreshed(Instant now);     // at most ten times a second
    void forecastWanted(SpanId task);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *panel, Qt::DockWidgetArea area);
    void refresh();
    void schedule();
    void layOutOnce();

    const TraceStore *m_store = nullptr;
    std::function<Instant()> m_now;
    QTimer m_tick;
    QByteArray m_firstLayout;
    bool m_laidOut = false;
    TimelineView *m_timeline = nullptr;
    VerdictPanel *m_verdict = nullptr;
    Inspector *m_inspector = nullptr;
    QDockWidget *m_verdictDock = nullptr;
    QDockWidget *m_inspectorDock = nullptr;
};

} // namespace Waitscope
