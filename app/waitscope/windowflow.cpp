// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/windowflow.h"

#include "app/waitscope/forecastflow.h"
#include "app/waitscope/session.h"
#include "ui/mainwindow.h"
#include "ui/panels/runform.h"
#include "ui/timeline/timelineview.h"
#include "ui/timeline/viewport.h"
#include "ui/workspace.h"

#include <QApplication>
#include <QDir>
#include <QPointer>
#include <QSettings>
#include <QThread>
#include <QTimer>

#include <QCoro/QCoroTask>
#include <QCoro/QCoroThread>

#include <cstdio>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int recentFiles = 10;

void printMessage(const QString &line)
{
    std::fputs(qPrintable(u"waitscope: "_s + line + u'\n'), stderr);
}

void connectRuns(Session &session, MainWindow &window)
{
    QObject::connect(&session, &Session::storeReplaced, &window,
                     [&](const TraceStore *store, bool simulated, const QString &title) {
                         window.showStore(store, {}, simulated, title);
                     });
    QObject::connect(&session, &Session::storeChanged, &window, &MainWindow::storeChanged);
    QObject::connect(&session, &Session::stateChanged, &window, [&] {
        // The present stands still once the run has ended.
        if (session.store())
            window.workspace().setNow(session.nowFunction());
        window.setRunState(session.state());
    });
    QObject::connect(&session, &Session::problem, &window, [&window](const QString &line) {
        printMessage(line);
        window.showProblem(line);
    });
    QObject::connect(&window, &MainWindow::runRequested, &session, &Session::run);
    QObject::connect(&window, &MainWindow::simulateRequested, &session, &Session::simulate);
    QObject::connect(&window, &MainWindow::demoRequested, &session, &Session::demo);
    QObject::connect(&window, &MainWindow::stopRequested, &session, &Session::stop);
    auto *forecasts = new ForecastFlow(
        [&session](SpanId task) -> std::optional<Forecast> {
            const std::optional<SpanInfo> info = session.store() ? session.store()->span(task) : std::nullopt;
            const PolicyPtr policy = info ? session.policyOfTask(info->label) : nullptr;
            const std::function<Instant()> now = session.nowFunction();
            if (!policy || !now)
                return std::nullopt;
            return forecast(*session.store(), task, std::max(now(), session.store()->lastTime()), policy);
        },
        [&window](SpanId task, const Forecast &forecast) { window.setForecast(task, forecast); }, &window);
    QObject::connect(&window, &MainWindow::forecastWanted, forecasts, &ForecastFlow::want);
}

// Asked when the form is first shown, not at every start: a locked keychain asks for its password.
void connectKeys(Session &session, MainWindow &window)
{
    session.setSecretStore(std::make_unique<PatientSecretStore>(std::make_unique<KeychainStore>()));
    RunForm &form = window.runForm();
    QObject::connect(
        &form, &RunForm::keychainWished, &session,
        [&session, &form] {
            session.secretStore()->probe([&form](const std::optional<Problem> &why) { form.setKeychainProblem(why ? why->line() : QString()); });
        },
        Qt::SingleShotConnection);
    const auto told = [&window](const QString &done) {
        return [&window, done](const SecretAnswer &answer) { window.showProblem(answer ? done : answer.error().line()); };
    };
    QObject::connect(&form, &RunForm::storeKeyWished, &session, [&session, told](const QString &name, const QByteArray &key) {
        session.secretStore()->ask(SecretRequest(SecretRequest::Kind::Write, name, key), told(MainWindow::tr("The key is kept as %1").arg(name)));
    });
    QObject::connect(&form, &RunForm::forgetKeyWished, &session, [&session, told](const QString &name) {
        session.secretStore()->ask(SecretRequest(SecretRequest::Kind::Remove, name), told(MainWindow::tr("The key %1 is forgotten").arg(name)));
    });
}

// What outlives the program: layout, theme and recent files.
void connectSettings(Session &session, MainWindow &window, QSettings &settings)
{
    window.restoreLayout(settings.value(u"window/layout"_s).toByteArray());
    window.setRecentFiles(settings.value(u"files/recent"_s).toStringList());
    QObject::connect(&window, &MainWindow::closed, &window,
                     [&] { settings.setValue(u"window/layout"_s, window.layoutState()); });
    QObject::connect(&window, &MainWindow::themeChosen, &window,
                     [&](Theme theme) { settings.setValue(u"window/theme"_s, static_cast<int>(theme)); });
    QObject::connect(&window, &MainWindow::openRequested, &session, [&](const QString &path) {
        QStringList recent = settings.value(u"files/recent"_s).toStringList();
        recent.removeAll(path);
        recent.prepend(path);
        recent = recent.mid(0, recentFiles);
        settings.setValue(u"files/recent"_s, recent);
        window.setRecentFiles(recent);
        session.open(path);
    });
}

// The user's state folder as the desktop's base-directory rules say.
QString recordingFolder()
{
    const QString given = qEnvironmentVariable("XDG_STATE_HOME");
    const QString base = QDir::isAbsolutePath(given) ? given : QDir::homePath() + u"/.local/state"_s;
    return base + u"/waitscope"_s;
}

qint64 limitFrom(const QSettings &settings, const QString &name, qint64 usual)
{
    bool isNumber = false;
    const qint64 mebibytes = settings.value(name).toLongLong(&isNumber);
    return isNumber && mebibytes > 0 && mebibytes < (qint64{1} << 30) ? mebibytes << 20 : usual;
}

// The folder may be large and its disk slow: the window does not wait.
QCoro::Task<> offerRecordings(QPointer<MainWindow> window, QString folder, qint64 mostBytes, QStringList spared)
{
    const auto survey = std::make_shared<FolderSurvey>();
    const std::unique_ptr<QThread> thread(
        QThread::create([survey, folder, mostBytes, spared] { *survey = surveyRecordings(folder, mostBytes, spared); }));
    thread->start();
    co_await qCoro(thread.get()).waitForFinished();
    thread->wait();
    if (!window)
        co_return;
    std::vector<OfferedRecording> offered;
    int unfinished = 0;
    for (const FoundRecording &found : survey->recordings) {
        offered.push_back({found.path, found.title, found.made, found.bytes, found.unfinished});
        unfinished += found.unfinished ? 1 : 0;
    }
    window->setRecordings(std::move(offered));
    if (unfinished > 0)
        window->showProblem(MainWindow::tr("The last run was not ended: its recording stands first on the start page"));
    if (!survey->removed.isEmpty()) {
        window->showProblem(MainWindow::tr("%1 of the oldest recordings were removed from %2, which may hold %3 MiB")
                                .arg(survey->removed.size())
                                .arg(folder)
                                .arg(mostBytes >> 20));
    }
}

} // namespace

int runWindow(const WindowOptions &options)
{
    if (const Expected<Demo> demo = demoNamed(options.demo); !options.demo.isEmpty() && !demo) {
        printMessage(demo.error().line());
        return 2;
    }
    QSettings settings;
    Session session;
    MainWindow window(Session::choices());
    const bool pictureOnly = !options.screenshot.isEmpty();
    connectRuns(session, window);
    connectKeys(session, window);
    if (!pictureOnly) {
        connectSettings(session, window, settings);
        if (QDir().mkpath(recordingFolder())) {
            session.setRecordingFolder(recordingFolder(), limitFrom(settings, u"recordings/limitMiB"_s, usualRecordingLimit));
            auto flow = offerRecordings(&window, recordingFolder(), limitFrom(settings, u"recordings/folderLimitMiB"_s, usualFolderLimit),
                                        settings.value(u"files/recent"_s).toStringList());
        } else
            window.showProblem(u"%1: cannot be made; nothing is recorded"_s.arg(recordingFolder()));
    }
    Theme theme = themeFromWord(options.theme).value_or(Theme::System);
    if (theme == Theme::System && !pictureOnly)
        theme = static_cast<Theme>(settings.value(u"window/theme"_s, 0).toInt());
    window.setTheme(theme);
    window.resize(options.size);
    window.show();

    if (!options.demo.isEmpty())
        session.demo(options.demo);
    else if (!options.files.isEmpty())
        session.open(options.files.front());
    for (const QString &other : options.files.mid(options.demo.isEmpty() ? 1 : 0)) {
        const QString line = u"%1: is not opened: one run is shown at a time"_s.arg(other);
        printMessage(line);
        window.showProblem(line);
    }

    const auto takePicture = [&, taken = std::make_shared<bool>(false)] {
        if (std::exchange(*taken, true))
            return;
        // Timeline and panels of the same moment: the latter are otherwise up to a tenth of a second behind.
        window.workspace().setNow(session.nowFunction());
        window.storeChanged();
        QApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        const bool saved = window.grab().save(options.screenshot);
        if (!saved)
            printMessage(u"%1: cannot be written"_s.arg(options.screenshot));
        for (const QString &line : session.summary(window.workspace().timeline().shown().now()))
            std::fputs(qPrintable(line + u'\n'), stdout);
        // A picture of nothing is no success for whoever asked for a recording's.
        const bool empty = !options.files.isEmpty() && (!session.store() || session.store()->spanCount() == 0);
        QApplication::exit(saved && !empty ? 0 : 3);
    };
    if (pictureOnly) {
        if (options.after || !(session.isRunning() || session.isOpening()))
            QTimer::singleShot(options.after.value_or(std::chrono::milliseconds(500)), &window, takePicture);
        else
            QObject::connect(
                &session, &Session::stateChanged, &window,
                [&session, takePicture] {
                    if (!session.isRunning() && !session.isOpening())
                        takePicture();
                },
                Qt::QueuedConnection);
    }
    return QApplication::exec();
}

} // namespace Waitscope
