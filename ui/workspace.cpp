// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace.h"

#include "ui/panels/inspector.h"
#include "ui/panels/verdictpanel.h"
#include "ui/timeline/timelineview.h"

#include <QDockWidget>
#include <QLayout>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Ten times a second is what an eye can read; one decimal of a second changes as often.
constexpr std::chrono::milliseconds tick{100};
constexpr int layoutVersion = 2;
// What the inspector keeps of a low window: its tabs and a few rows.
constexpr int inspectorLeast = 170;

} // namespace

Workspace::Workspace(QWidget *parent)
    : QMainWindow(parent, Qt::Widget)
    , m_timeline(new TimelineView(this))
    , m_verdict(new VerdictPanel(this))
    , m_inspector(new Inspector(this))
{
    setCentralWidget(m_timeline);
    m_timeline->setAccessibleName(tr("Timeline"));
    setDockNestingEnabled(true);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_verdictDock = addDock(u"verdict"_s, tr("Verdict"), m_verdict, Qt::RightDockWidgetArea);
    m_inspectorDock = addDock(u"inspector"_s, tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    resetLayout();

    m_tick.setInterval(tick);
    connect(&m_tick, &QTimer::timeout, this, &Workspace::refresh);
    connect(&m_timeline->shown(), &Viewport::selectionChanged, this, [this](SpanId span) {
        m_verdict->setSpan(span);
        m_inspector->setSpan(span);
    });
    connect(m_timeline, &TimelineView::spanActivated, this, [this](SpanId span) {
        m_inspector->setSpan(span);
        m_inspectorDock->show();
        m_inspectorDock->raise();
    });
    connect(m_verdict, &VerdictPanel::spanChosen, this, &Workspace::select);
    connect(m_verdict, &VerdictPanel::forecastWanted, this, &Workspace::forecastWanted);
}

Workspace::~Workspace()
{
    // The panels hear of nothing more while they go one by one.
    m_timeline->shown().disconnect(this);
}

QDockWidget *Workspace::addDock(const QString &name, const QString &title, QWidget *panel, Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name); // layouts are saved by it
    dock->setWidget(panel);
    addDockWidget(area, dock);
    return dock;
}

void Workspace::resetLayout()
{
    for (QDockWidget *dock : {m_verdictDock, m_inspectorDock}) {
        dock->setFloating(false);
        dock->show();
    }
    // Both beside the timeline: its rows need all the height there is.
    addDockWidget(Qt::RightDockWidgetArea, m_verdictDock);
    splitDockWidget(m_verdictDock, m_inspectorDock, Qt::Vertical);
    resizeDocks({m_verdictDock}, {m_verdict->sizeHint().width()}, Qt::Horizontal);
    if (height() <= inspectorLeast)
        return; // not at its own size yet
    const int verdict = std::min(m_verdict->sizeHint().height(), height() - inspectorLeast);
    resizeDocks({m_verdictDock, m_inspectorDock}, {verdict, height() - verdict}, Qt::Vertical);
}

QByteArray Workspace::dockState() const
{
    return m_firstLayout.isEmpty() ? saveState(layoutVersion) : m_firstLayout;
}

bool Workspace::restoreDocks(const QByteArray &state)
{
    if (!restoreState(state, layoutVersion))
        return false;
    if (!m_laidOut)
        m_firstLayout = state;
    return true;
}

// As soon as it is seen at its own size: a page gets that before or after it is shown, as it comes.
void Workspace::layOutOnce()
{
    if (m_laidOut || !isVisible() || (parentWidget() && size() != parentWidget()->size()))
        return;
    m_laidOut = true;
    if (m_firstLayout.isEmpty())
        resetLayout();
    else
        restoreState(std::exchange(m_firstLayout, {}), layoutVersion);
    layout()->activate();
    m_timeline->fit(); // what it fitted before was another width
}

QList<QAction *> Workspace::dockActions() const
{
    return {m_verdictDock->toggleViewAction(), m_inspectorDock->toggleViewAction()};
}

void Workspace::setSource(const TraceStore *store, std::function<Instant()> now, bool simulated)
{
    // Nothing may look at the old store any more once this returns.
    m_store = store;
    m_now = std::move(now);
    m_timeline->setSimulated(simulated);
    m_timeline->setNow(m_now);
    m_timeline->setStore(store);
    m_verdict->setStore(store);
    m_inspector->setStore(store);
    refresh();
    schedule();
}

void Workspace::setNow(std::function<Instant()> now)
{
    m_now = std::move(now);
    m_timeline->setNow(m_now);
    refresh();
    schedule();
}

Instant Workspace::now() const
{
    if (!m_store)
        return {};
    return m_now ? std::max(m_now(), m_store->lastTime()) : m_store->lastTime();
}

void Workspace::storeChanged()
{
    m_timeline->storeChanged();
    schedule();
}

void Workspace::schedule()
{
    // While a run is live the tick goes on; else it ticks once for however many changes there are.
    m_tick.setSingleShot(!m_now);
    if (m_store && isVisible() && !m_tick.isActive())
        m_tick.start();
}

void Workspace::refresh()
{
    const Instant present = now();
    m_verdict->refresh(present);
    // With nothing selected it goes along with the verdict.
    if (!m_timeline->shown().selection())
        m_inspector->setSpan(m_verdict->task());
    m_inspector->refresh(present);
    Q_EMIT refreshed(present);
    if (!m_now)
        m_tick.stop();
}

void Workspace::setForecast(SpanId task, const Forecast &forecast)
{
    m_verdict->setForecast(task, forecast);
}

void Workspace::select(SpanId span)
{
    m_timeline->shown().select(span);
    m_timeline->reveal(span);
}

void Workspace::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    layOutOnce();
    refresh();
    schedule();
}

void Workspace::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    layOutOnce();
}

void Workspace::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    m_tick.stop();
}

} // namespace Waitscope
