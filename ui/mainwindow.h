// SPDX-License-Identifier: GPL-3.0-or-later
// The program's window: start page and workspace, menus, forms; what a person wants leaves as signals, no engine is known here.
#pragma once

#include "analysis/forecast.h"
#include "ui/requests.h"
#include "ui/style/theme.h"

#include <QMainWindow>

class QActionGroup;
class QDialog;
class QMenu;
class QStackedWidget;

namespace Waitscope {

class ProblemBar;
class RunForm;
class RunsBar;
class SimulateForm;
class StartPage;
class Workspace;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const FormChoices &choices, QWidget *parent = nullptr);
    ~MainWindow() override;

    // Geometry and docks; the application keeps them. False when it is not a layout of this version.
    [[nodiscard]] QByteArray layoutState() const;
    bool restoreLayout(const QByteArray &state);

    void setRecentFiles(const QStringList &paths); // newest first
    void setRecordings(std::vector<OfferedRecording> recordings); // newest first
    void setRunDefaults(const RunRequest &request);
    void setSimulateDefaults(const SimulateRequest &request);

    [[nodiscard]] Workspace &workspace() const noexcept { return *m_workspace; }
    [[nodiscard]] StartPage &startPage() const noexcept { return *m_start; }
    [[nodiscard]] RunForm &runForm() const noexcept { return *m_runForm; }
    [[nodiscard]] SimulateForm &simulateForm() const noexcept { return *m_simulateForm; }
    [[nodiscard]] RunsBar &runsBar() const noexcept { return *m_runsBar; }
    [[nodiscard]] ProblemBar &problemBar() const noexcept { return *m_problems; }
    [[nodiscard]] bool isShowingTrace() const;
    [[nodiscard]] SpanId shownTask() const;

public Q_SLOTS:
    // The store outlives its use here: show another one, or null (the start page), before it goes.
    void showStore(const TraceStore *store, std::function<Instant()> now, bool simulated, const QString &title);
    void showStartPage();
    void storeChanged(); // after each batch of events
    // One line; the window stays usable, and the line until it is dismissed.
    void showProblem(const QString &line);
    // `running` false ends the ticking, and the window itself when it was only waiting for that.
    void setRunState(const RunState &state);
    void setForecast(SpanId task, const Forecast &forecast);
    void setTheme(Theme theme);

    void askForRun();
    void askForSimulation();
    void askForFile();
    void showKeys();

Q_SIGNALS:
    void runRequested(const RunRequest &request);
    void simulateRequested(const SimulateRequest &request);
    void demoRequested(const QString &name);
    void openRequested(const QString &path);
    void stopRequested();                 // every call
    void themeChosen(Theme theme);        // by the user; it is in force already
    void forecastWanted(SpanId task);     // answered by setForecast(), whenever it is there
    void closed();                        // the window is about to go; the layout can still be asked for

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

    // Calls are running: calls `stop` if the user agrees to end them, now or later.
    virtual void askBeforeStopping(std::function<void()> stop);

private:
    void makeMenus();
    void makeForms(const FormChoices &choices);
    void updateActions();
    QAction *addTraceAction(QMenu *menu, const QString &text, const QString &key, std::function<void()> act);

    QStackedWidget *m_stack = nullptr;
    StartPage *m_start = nullptr;
    Workspace *m_workspace = nullptr;
    ProblemBar *m_problems = nullptr;
    RunsBar *m_runsBar = nullptr;
    QDialog *m_runDialog = nullptr;
    RunForm *m_runForm = nullptr;
    QDialog *m_simulateDialog = nullptr;
    SimulateForm *m_simulateForm = nullptr;
    QMenu *m_recentMenu = nullptr;
    QActionGroup *m_themes = nullptr;
    QAction *m_stopAction = nullptr;
    QAction *m_followAction = nullptr;
    QAction *m_pauseAction = nullptr;
    QList<QAction *> m_traceActions; // make sense only with a trace on screen
    RunState m_state;
    bool m_closing = false; // asked and agreed; waits for the run to end
};

} // namespace Waitscope
