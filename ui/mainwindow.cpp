// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow.h"

#include "ui/panels/keysheet.h"
#include "ui/panels/problembar.h"
#include "ui/panels/runform.h"
#include "ui/panels/runsbar.h"
#include "ui/panels/simulateform.h"
#include "ui/panels/startpage.h"
#include "ui/panels/verdictpanel.h"
#include "ui/timeline/timelineview.h"
#include "ui/workspace.h"

#include <QAbstractButton>
#include <QAbstractButton>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDataStream>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr quint32 layoutMagic = 0x57534c31;

QDialog *dialogAround(QWidget *form, const QString &title, QSize size, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setWindowTitle(title);
    auto *layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    form->setParent(dialog);
    layout->addWidget(form);
    dialog->resize(size);
    return dialog;
}

} // namespace

MainWindow::MainWindow(const FormChoices &choices, QWidget *parent)
    : QMainWindow(parent)
    , m_stack(new QStackedWidget(this))
    , m_start(new StartPage(this))
    , m_workspace(new Workspace(this))
    , m_problems(new ProblemBar(this))
    , m_runsBar(new RunsBar(this))
{
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_problems);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_runsBar);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_workspace);
    setCentralWidget(centre);
    setAcceptDrops(true);
    resize(1280, 800);

    makeForms(choices);
    makeMenus();
    connect(m_start, &StartPage::runWished, this, &MainWindow::askForRun);
    connect(m_start, &StartPage::openWished, this, &MainWindow::askForFile);
    connect(m_start, &StartPage::simulateWished, this, &MainWindow::askForSimulation);
    connect(m_start, &StartPage::demoWished, this, &MainWindow::demoRequested);
    connect(m_start, &StartPage::recentWished, this, &MainWindow::openRequested);
    connect(m_workspace, &Workspace::refreshed, m_runsBar, &RunsBar::refresh);
    connect(m_workspace, &Workspace::forecastWanted, this, &MainWindow::forecastWanted);
    connect(m_runsBar, &RunsBar::stopRequested, this, &MainWindow::stopRequested);
    showStartPage();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeForms(const FormChoices &choices)
{
    m_runForm = new RunForm(choices);
    m_runDialog = dialogAround(m_runForm, tr("Run a call"), {640, 640}, this);
    connect(m_runForm, &RunForm::cancelled, m_runDialog, &QDialog::reject);
    connect(m_runForm, &RunForm::runRequested, this, [this](const RunRequest &request) {
        m_runDialog->accept();
        Q_EMIT runRequested(request);
    });
    m_simulateForm = new SimulateForm(choices);
    m_simulateDialog = dialogAround(m_simulateForm, tr("Simulate a fault"), {860, 560}, this);
    connect(m_simulateForm, &SimulateForm::cancelled, m_simulateDialog, &QDialog::reject);
    connect(m_simulateForm, &SimulateForm::simulateRequested, this, [this](const SimulateRequest &request) {
        m_simulateDialog->accept();
        Q_EMIT simulateRequested(request);
    });
}

// Keys of the timeline are shown, not bound: it takes them itself while it has the focus, and a button keeps its Space.
QAction *MainWindow::addTraceAction(QMenu *menu, const QString &text, const QString &key, std::function<void()> act)
{
    QAction *action = menu->addAction(key.isEmpty() ? text : text + u'\t' + key);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    m_traceActions << action;
    return action;
}

void MainWindow::makeMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open a recording…"), QKeySequence::Open, this, &MainWindow::askForFile);
    m_recentMenu = file->addMenu(tr("Recent &files"));
    file->addSeparator();
    QAction *home = file->addAction(tr("Start &page"));
    connect(home, &QAction::triggered, this, &MainWindow::showStartPage);
    QAction *back = addTraceAction(file, tr("Back to the &trace"), {}, [this] {
        m_stack->setCurrentWidget(m_workspace);
        updateActions();
    });
    back->setObjectName(u"backToTrace"_s);
    file->addSeparator();
    QAction *quit = file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
    quit->setMenuRole(QAction::QuitRole);

    QMenu *run = menuBar()->addMenu(tr("&Run"));
    run->addAction(tr("&Run a call…"), QKeySequence(Qt::CTRL | Qt::Key_R), this, &MainWindow::askForRun);
    run->addAction(tr("&Simulate a fault…"), QKeySequence(Qt::CTRL | Qt::Key_T), this, &MainWindow::askForSimulation);
    m_stopAction
        = run->addAction(tr("S&top every call"), QKeySequence(Qt::CTRL | Qt::Key_Period), this, &MainWindow::stopRequested);

    QMenu *view = menuBar()->addMenu(tr("&View"));
    TimelineView *timeline = &m_workspace->timeline();
    addTraceAction(view, tr("Everything in &view"), u"F"_s, [timeline] { timeline->fit(); });
    m_followAction = addTraceAction(view, tr("F&ollow the present"), u"End"_s,
                                    [this, timeline] { timeline->shown().setFollowing(m_followAction->isChecked()); });
    m_pauseAction = addTraceAction(view, tr("&Hold the view still"), u"Space"_s, [timeline] { timeline->togglePaused(); });
    addTraceAction(view, tr("Zoom &in"), u"W"_s, [timeline] { timeline->zoomIn(); });
    addTraceAction(view, tr("Zoom o&ut"), u"S"_s, [timeline] { timeline->zoomOut(); });
    m_followAction->setCheckable(true);
    m_pauseAction->setCheckable(true);
    connect(&timeline->shown(), &Viewport::followChanged, m_followAction, &QAction::setChecked);
    connect(&timeline->shown(), &Viewport::pausedChanged, m_pauseAction, &QAction::setChecked);
    view->addSeparator();
    for (QAction *dock : m_workspace->dockActions()) {
        view->addAction(dock);
        m_traceActions << dock;
    }
    QAction *legend = addTraceAction(view, tr("&Legend"), {}, [] {});
    legend->setCheckable(true);
    legend->setChecked(true);
    connect(legend, &QAction::toggled, timeline, &TimelineView::setLegendVisible);
    addTraceAction(view, tr("&Reset the layout"), {}, [this] { m_workspace->resetLayout(); });
    view->addSeparator();
    QMenu *themes = view->addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    const std::pair<Theme, QString> choices[]
        = {{Theme::System, tr("As the &system")}, {Theme::Light, tr("&Light")}, {Theme::Dark, tr("&Dark")}};
    for (const auto &[theme, text] : choices) {
        QAction *action = themes->addAction(text);
        action->setCheckable(true);
        action->setChecked(theme == Theme::System);
        action->setData(static_cast<int>(theme));
        m_themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = theme] {
            setTheme(chosen);
            Q_EMIT themeChosen(chosen);
        });
    }

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    QAction *keys = help->addAction(tr("&Keys and signs"), this, &MainWindow::showKeys);
    keys->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(Qt::Key_F1)});
    setRecentFiles({});
}

void MainWindow::updateActions()
{
    const bool trace = isShowingTrace();
    for (QAction *action : m_traceActions)
        action->setEnabled(action->objectName() == "backToTrace"_L1 ? !trace && m_workspace->store() : trace);
    m_stopAction->setEnabled(m_state.running && !m_state.stopping);
    m_runsBar->setVisible(m_workspace->store());
}

bool MainWindow::isShowingTrace() const
{
    return m_stack->currentWidget() == m_workspace && m_workspace->store();
}

SpanId MainWindow::shownTask() const
{
    return m_workspace->verdict().task();
}

QByteArray MainWindow::layoutState() const
{
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << layoutMagic << saveGeometry() << m_workspace->dockState();
    return state;
}

bool MainWindow::restoreLayout(const QByteArray &state)
{
    QDataStream in(state);
    quint32 magic = 0;
    QByteArray geometry;
    QByteArray docks;
    in >> magic;
    if (magic != layoutMagic)
        return false;
    in >> geometry >> docks;
    return in.status() == QDataStream::Ok && restoreGeometry(geometry) && m_workspace->restoreDocks(docks);
}

void MainWindow::setRecentFiles(const QStringList &paths)
{
    m_start->setRecentFiles(paths);
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!paths.isEmpty());
    for (const QString &path : paths) {
        // A lone & would vanish as a mnemonic.
        QAction *action = m_recentMenu->addAction(QFileInfo(path).fileName().replace(u'&', u"&&"_s));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT openRequested(path); });
    }
    m_recentMenu->setToolTipsVisible(true);
}

void MainWindow::setRecordings(std::vector<OfferedRecording> recordings)
{
    m_start->setRecordings(std::move(recordings));
}

void MainWindow::setRunDefaults(const RunRequest &request)
{
    m_runForm->setRequest(request);
}

void MainWindow::setSimulateDefaults(const SimulateRequest &request)
{
    m_simulateForm->setRequest(request);
}

void MainWindow::showStore(const TraceStore *store, std::function<Instant()> now, bool simulated, const QString &title)
{
    m_runsBar->setStore(store, simulated);
    m_workspace->setSource(store, std::move(now), simulated);
    if (!store) {
        showStartPage();
        return;
    }
    setWindowTitle(title.isEmpty() ? tr("Waitscope") : tr("%1 – Waitscope").arg(title));
    m_stack->setCurrentWidget(m_workspace);
    m_workspace->timeline().setFocus();
    updateActions();
}

void MainWindow::showStartPage()
{
    m_stack->setCurrentWidget(m_start);
    if (!m_workspace->store())
        setWindowTitle(tr("Waitscope"));
    m_start->focusFirst();
    updateActions();
}

void MainWindow::storeChanged()
{
    m_workspace->storeChanged();
}

void MainWindow::showProblem(const QString &line)
{
    m_problems->showProblem(line);
}

void MainWindow::setRunState(const RunState &state)
{
    const bool ended = m_state.running && !state.running;
    m_state = state;
    if (ended)
        m_workspace->setNow({});
    m_runsBar->setState(state);
    updateActions();
    if (m_closing && !state.running)
        close();
}

void MainWindow::setForecast(SpanId task, const Forecast &forecast)
{
    m_workspace->setForecast(task, forecast);
}

void MainWindow::setTheme(Theme theme)
{
    applyTheme(theme);
    for (QAction *action : m_themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(theme));
}

void MainWindow::askForRun()
{
    m_runDialog->open();
    m_runForm->focusFirst();
}

void MainWindow::askForSimulation()
{
    m_simulateDialog->open();
    m_simulateForm->focusFirst();
}

void MainWindow::askForFile()
{
    auto *dialog = new QFileDialog(this, tr("Open a recording"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Recordings (*.waitscope.jsonl *.jsonl)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openRequested);
    dialog->open();
}

void MainWindow::showKeys()
{
    auto *sheet = new KeySheet(this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    // Closing a second time does not wait any longer.
    if (m_state.running && !m_closing) {
        event->ignore();
        askBeforeStopping([this] {
            m_closing = true;
            if (m_state.running)
                Q_EMIT stopRequested();
            else
                close(); // it ended while the question stood
        });
        return;
    }
    event->accept();
    Q_EMIT closed();
}

void MainWindow::askBeforeStopping(std::function<void()> stop)
{
    auto *box = new QMessageBox(QMessageBox::Question, tr("Calls are running"),
                                tr("Calls are still running. Stop them and close the window?"), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->addButton(tr("&Stop and close"), QMessageBox::AcceptRole);
    box->addButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::buttonClicked, this, [box, stop = std::move(stop)](QAbstractButton *clicked) {
        if (box->buttonRole(clicked) == QMessageBox::AcceptRole)
            stop();
    });
    box->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    Q_EMIT openRequested(event->mimeData()->urls().front().toLocalFile());
}

} // namespace Waitscope
