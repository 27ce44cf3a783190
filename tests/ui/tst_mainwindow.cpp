// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/requestbuilder.h"
#include "policy/profile.h"
#include "support/synthetictrace.h"
#include "trace/tracestore.h"
#include "ui/mainwindow.h"
#include "ui/panels/choicebutton.h"
#include "ui/panels/inspector.h"
#include "ui/panels/keysheet.h"
#include "ui/panels/problembar.h"
#include "ui/panels/runform.h"
#include "ui/panels/runsbar.h"
#include "ui/panels/simulateform.h"
#include "ui/panels/startpage.h"
#include "ui/panels/verdictpanel.h"
#include "ui/timeline/timelineview.h"
#include "ui/workspace.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QListWidget>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

FormChoices choices()
{
    FormChoices c;
    c.apis = {u"openai-responses"_s, u"openai-chat"_s, u"anthropic-messages"_s, u"sse"_s};
    for (const Profile &profile : builtInProfiles())
        c.profiles << profile.name;
    c.jitters = {u"none"_s, u"min"_s, u"mid"_s, u"max"_s, u"random"_s};
    c.scenarios
        = {{u"503-at-once"_s, u"503 at once"_s, u"Every request is answered with a 503 at once."_s},
           {u"connect-blackhole"_s, u"No answer to the connect"_s,
            u"Nothing answers the connect: each try hangs until its connect timer fires, and every layer tries again."_s},
           {u"ping-flood"_s, u"Pings without data"_s, u"The stream stays alive by pings and says nothing."_s}};
    c.check = [](const RunRequest &request) -> std::optional<Problem> {
        CallSpec spec;
        spec.url = QUrl(request.url, QUrl::StrictMode);
        const Expected<WireRequest> built = buildRequest(spec);
        return built ? std::nullopt : std::optional(built.error());
    };
    c.mostRequests
        = [](const Policy &policy) -> std::optional<qint64> { return 6 * policy.count(Setting::StreamMaxAttempts); };
    return c;
}

// Answers the question at once, and says that it was asked.
class TestWindow final : public MainWindow
{
public:
    TestWindow()
        : MainWindow(choices())
    {
    }
    bool agrees = true;
    int asked = 0;

protected:
    void askBeforeStopping(std::function<void()> stop) override
    {
        ++asked;
        if (agrees)
            stop();
    }
};

void fillStorm(TraceStore &store, double until = 70)
{
    TraceHeader header;
    for (const char *name : {"exec.max_attempts", "session.max_attempts", "stream.max_attempts", "http.connect_timeout_s"})
        header.policy.push_back({QString::fromLatin1(name), u"6"_s, u"profile hardened"_s});
    store.setHeader(header);
    SyntheticTrace what;
    what.tasks = 6;
    what.seed = 3;
    what.failures = 0.9;
    what.until = Instant{fromSeconds(until)};
    writeSyntheticTrace(store, what);
}

Forecast someForecast(Instant now)
{
    Forecast f;
    f.known = true;
    f.steps = {{now + fromSeconds(17.6), u"the connect timer fires"_s},
               {now + fromSeconds(17.6), u"backoff 1 s (stream)"_s},
               {now + fromSeconds(18.6), u"request 3 of 3"_s},
               {now + fromSeconds(48.6), u"the connect timer fires; the stream layer gives up"_s}};
    f.furtherSteps = 12;
    f.ends = now + fromSeconds(412);
    f.reason = ErrorReason::Transport;
    f.best = fromSeconds(398);
    f.worst = fromSeconds(431);
    f.furtherRequests = 14;
    f.cap = u"exec.timeout_s = 120 with exec.propagate_deadline would end it 292 s earlier"_s;
    return f;
}

// Screenshots for people to look at go where WAITSCOPE_SCREENSHOTS says.
void keep(QWidget &widget, const QString &name)
{
    for (int i = 0; i < 3; ++i) // layouts within layouts settle one after the other
        QCoreApplication::processEvents();
    const QImage image = widget.grab().toImage();
    QVERIFY(!image.isNull());
    if (const QString folder = qEnvironmentVariable("WAITSCOPE_SCREENSHOTS"); !folder.isEmpty()) {
        QDir().mkpath(folder);
        QVERIFY(image.save(folder + u'/' + name + u".png"_s));
    }
}

} // namespace

class tst_MainWindow : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }
    void startsWithTheStartPage();
    void startPageWishes();
    void recentFiles();
    void showsAStore();
    void nullStoreGoesBack();
    void selectionReachesThePanels();
    void chosenTaskReachesTheTimeline();
    void liveRunTicks();
    void recordingDoesNotTick();
    void runStateEndsTheTicking();
    void problemsDoNotBlock();
    void formsEmit();
    void menusReachEverything();
    void layoutRoundTrip();
    void badLayoutIsRefused();
    void closingAsksAndStops();
    void closingCanBeRefused();
    void closingWithoutARunDoesNotAsk();
    void secondCloseDoesNotWait();
    void questionBeforeClosing();
    void forecastIsAskedForAndShown();
    void themeIsChosen();
    void storeMayGoAfterAnother();
    void screenshots_data();
    void screenshots();
};

void tst_MainWindow::startsWithTheStartPage()
{
    TestWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(!window.isShowingTrace());
    QVERIFY(window.startPage().isVisible());
    QVERIFY(!window.runsBar().isVisible());
    QVERIFY(!window.problemBar().isVisible());
}

void tst_MainWindow::startPageWishes()
{
    TestWindow window;
    QSignalSpy demo(&window, &MainWindow::demoRequested);
    QList<ChoiceButton *> buttons = window.startPage().findChildren<ChoiceButton *>();
    QCOMPARE(buttons.size(), 4);
    for (ChoiceButton *button : buttons) {
        QVERIFY(button->focusPolicy() & Qt::TabFocus);
        if (button->text().contains(u"connect-storm"_s))
            button->click();
    }
    QCOMPARE(demo.count(), 1);
    QCOMPARE(demo.front().front().toString(), u"connect-storm"_s);
}

void tst_MainWindow::recentFiles()
{
    TestWindow window;
    QSignalSpy open(&window, &MainWindow::openRequested);
    auto *list = window.startPage().findChild<QListWidget *>();
    QVERIFY(!list->isVisibleTo(&window));
    window.setRecentFiles({u"/data/a & b.waitscope.jsonl"_s, u"/data/c.waitscope.jsonl"_s});
    QVERIFY(list->isVisibleTo(&window));
    window.show();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(open.count(), 1);
    QCOMPARE(open.front().front().toString(), u"/data/c.waitscope.jsonl"_s);
}

void tst_MainWindow::showsAStore()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    window.showStore(&store, {}, true, u"storm"_s);
    QVERIFY(window.isShowingTrace());
    QCOMPARE(window.windowTitle(), u"storm – Waitscope"_s);
    QVERIFY(window.shownTask());
    QVERIFY(window.workspace().verdict().sentence().startsWith(u"Held by"_s));
    QVERIFY(window.runsBar().statusText().contains(u"simulated"_s));
}

void tst_MainWindow::nullStoreGoesBack()
{
    TestWindow window;
    {
        TraceStore store;
        fillStorm(store);
        window.showStore(&store, {}, false, u"x"_s);
        window.showStore(nullptr, {}, false, {});
    }
    QVERIFY(!window.isShowingTrace());
    QCOMPARE(window.windowTitle(), u"Waitscope"_s);
    window.storeChanged();
    QCoreApplication::processEvents();
}

void tst_MainWindow::selectionReachesThePanels()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    window.showStore(&store, {}, false, {});
    const SpanId last = store.roots().back();
    const SpanId inside = store.childrenOf(last).front();
    window.workspace().timeline().shown().select(inside);
    QCOMPARE(window.workspace().inspector().span(), inside);
    QCOMPARE(window.shownTask(), last);
}

void tst_MainWindow::chosenTaskReachesTheTimeline()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    window.showStore(&store, {}, false, {});
    const SpanId third = store.roots()[2];
    Q_EMIT window.workspace().verdict().spanChosen(third);
    QCOMPARE(window.workspace().timeline().shown().selection(), third);
    QCOMPARE(window.shownTask(), third);
}

void tst_MainWindow::liveRunTicks()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    Instant now = store.lastTime();
    window.show();
    window.showStore(&store, [&now] { return now; }, false, {});
    RunState running;
    running.running = true;
    window.setRunState(running);
    QSignalSpy refreshed(&window.workspace(), &Workspace::refreshed);
    const QString before = window.workspace().verdict().sentence();
    now += std::chrono::seconds(2);
    QTRY_VERIFY_WITH_TIMEOUT(window.workspace().verdict().sentence() != before, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(refreshed.count() >= 3, 20000);
}

void tst_MainWindow::recordingDoesNotTick()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    window.show();
    window.showStore(&store, {}, false, {});
    // However many changes there are, they are looked at together.
    QSignalSpy refreshed(&window.workspace(), &Workspace::refreshed);
    for (int i = 0; i < 100; ++i)
        window.storeChanged();
    QTRY_COMPARE_WITH_TIMEOUT(refreshed.count(), 1, 20000);
    // Three ticks' time: a window that has nothing to tell does nothing.
    QTest::qWait(300);
    QCOMPARE(refreshed.count(), 1);
}

void tst_MainWindow::runStateEndsTheTicking()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    window.show();
    window.showStore(&store, [&store] { return store.lastTime(); }, false, {});
    RunState state;
    state.running = true;
    window.setRunState(state);
    window.setRunState({});
    QSignalSpy refreshed(&window.workspace(), &Workspace::refreshed);
    QTest::qWait(400); // some ticks' time
    QVERIFY2(refreshed.count() <= 1, qPrintable(QString::number(refreshed.count())));
}

void tst_MainWindow::problemsDoNotBlock()
{
    TestWindow window;
    window.show();
    window.showProblem(u"x.jsonl:3: not JSON"_s);
    QVERIFY(window.problemBar().isVisible());
    QCOMPARE(window.problemBar().text(), u"x.jsonl:3: not JSON"_s);
    QVERIFY(!QApplication::activeModalWidget());
    window.problemBar().findChild<QToolButton *>()->click();
    QVERIFY(!window.problemBar().isVisible());
}

void tst_MainWindow::formsEmit()
{
    TestWindow window;
    window.show();
    QSignalSpy run(&window, &MainWindow::runRequested);
    RunRequest request;
    request.url = u"http://127.0.0.1:1"_s;
    request.profile = u"hardened"_s;
    window.setRunDefaults(request);
    window.askForRun();
    QVERIFY(window.runForm().isVisible());
    QVERIFY(QTest::qWaitForWindowActive(window.runForm().window()));
    QTest::keyClick(&window.runForm(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(run.count(), 1);
    QVERIFY(!window.runForm().isVisible());
    QSignalSpy simulate(&window, &MainWindow::simulateRequested);
    window.askForSimulation();
    QVERIFY(QTest::qWaitForWindowActive(window.simulateForm().window()));
    QTest::keyClick(&window.simulateForm(), Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(simulate.count(), 1);
    window.askForRun();
    QTest::keyClick(&window.runForm(), Qt::Key_Escape);
    QTRY_VERIFY(!window.runForm().isVisible());
}

void tst_MainWindow::menusReachEverything()
{
    TestWindow window;
    QSet<QString> shortcuts;
    QStringList texts;
    for (const QAction *action : window.findChildren<QAction *>()) {
        for (const QKeySequence &key : action->shortcuts())
            shortcuts << key.toString();
        texts << action->text().remove(u'&');
    }
    for (const QString &key : {u"Ctrl+O"_s, u"Ctrl+Q"_s, u"Ctrl+R"_s, u"Ctrl+T"_s, u"Ctrl+."_s, u"?"_s})
        QVERIFY2(shortcuts.contains(key), qUtf8Printable(key));
    for (const QString &text : {u"Everything in view\tF"_s, u"Follow the present\tEnd"_s, u"Hold the view still\tSpace"_s,
                                u"Legend"_s, u"Light"_s, u"Dark"_s, u"As the system"_s, u"Verdict"_s, u"Inspector"_s})
        QVERIFY2(texts.contains(text), qUtf8Printable(text));
}

void tst_MainWindow::layoutRoundTrip()
{
    TestWindow one;
    one.resize(1000, 700);
    auto *dock = one.workspace().findChild<QDockWidget *>(u"inspector"_s);
    one.workspace().addDockWidget(Qt::LeftDockWidgetArea, dock);
    one.workspace().findChild<QDockWidget *>(u"verdict"_s)->hide();
    const QByteArray state = one.layoutState();
    TestWindow two;
    QVERIFY(two.restoreLayout(state));
    QCOMPARE(two.size(), QSize(1000, 700));
    QCOMPARE(two.workspace().dockWidgetArea(two.workspace().findChild<QDockWidget *>(u"inspector"_s)),
             Qt::LeftDockWidgetArea);
    QVERIFY(two.workspace().findChild<QDockWidget *>(u"verdict"_s)->isHidden());
    two.workspace().resetLayout();
    QVERIFY(!two.workspace().findChild<QDockWidget *>(u"verdict"_s)->isHidden());
}

void tst_MainWindow::badLayoutIsRefused()
{
    TestWindow window;
    const QByteArray good = window.layoutState();
    QVERIFY(!window.restoreLayout({}));
    QVERIFY(!window.restoreLayout("nonsense"));
    QVERIFY(!window.restoreLayout(good.left(good.size() / 2)));
    QVERIFY(window.restoreLayout(good));
}

void tst_MainWindow::closingAsksAndStops()
{
    TraceStore store;
    TestWindow window;
    window.show();
    window.showStore(&store, {}, false, {});
    RunState state;
    state.running = true;
    window.setRunState(state);
    QSignalSpy stop(&window, &MainWindow::stopRequested);
    QSignalSpy closed(&window, &MainWindow::closed);
    window.close();
    QCOMPARE(window.asked, 1);
    QCOMPARE(stop.count(), 1);
    QVERIFY(window.isVisible()); // until it is told
    window.setRunState({});
    QVERIFY(!window.isVisible());
    QCOMPARE(closed.count(), 1);
}

void tst_MainWindow::closingCanBeRefused()
{
    TestWindow window;
    window.agrees = false;
    window.show();
    RunState state;
    state.running = true;
    window.setRunState(state);
    QSignalSpy stop(&window, &MainWindow::stopRequested);
    window.close();
    QCOMPARE(window.asked, 1);
    QCOMPARE(stop.count(), 0);
    window.setRunState({});
    QVERIFY(window.isVisible());
}

void tst_MainWindow::closingWithoutARunDoesNotAsk()
{
    TestWindow window;
    window.show();
    window.close();
    QCOMPARE(window.asked, 0);
    QVERIFY(!window.isVisible());
}

void tst_MainWindow::secondCloseDoesNotWait()
{
    TestWindow window;
    window.show();
    RunState state;
    state.running = true;
    window.setRunState(state);
    window.close();
    window.close();
    QCOMPARE(window.asked, 1);
    QVERIFY(!window.isVisible());
}

void tst_MainWindow::questionBeforeClosing()
{
    MainWindow window(choices());
    window.show();
    RunState state;
    state.running = true;
    window.setRunState(state);
    QSignalSpy stop(&window, &MainWindow::stopRequested);
    for (const bool agree : {false, true}) {
        window.close();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box && box->isVisible()); // and nobody waits for it: we are here
        for (QAbstractButton *button : box->buttons()) {
            if ((box->buttonRole(button) == QMessageBox::AcceptRole) == agree)
                button->click();
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCOMPARE(stop.count(), agree ? 1 : 0);
        QVERIFY(window.isVisible());
    }
    window.setRunState({});
    QVERIFY(!window.isVisible());
}

void tst_MainWindow::forecastIsAskedForAndShown()
{
    TraceStore store;
    fillStorm(store);
    TestWindow window;
    QSignalSpy wanted(&window, &MainWindow::forecastWanted);
    window.showStore(&store, {}, false, {});
    QVERIFY(!wanted.isEmpty());
    QCOMPARE(wanted.back().front().value<SpanId>(), window.shownTask());
    window.setForecast(window.shownTask(), someForecast(store.lastTime()));
}

void tst_MainWindow::themeIsChosen()
{
    TestWindow window;
    window.show();
    QSignalSpy chosen(&window, &MainWindow::themeChosen);
    for (QAction *action : window.findChildren<QAction *>()) {
        if (action->text() == u"&Dark"_s)
            action->trigger();
    }
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().value<Theme>(), Theme::Dark);
    QTRY_COMPARE(schemeOf(window.palette()), Scheme::Dark);
}

void tst_MainWindow::storeMayGoAfterAnother()
{
    TestWindow window;
    window.show();
    auto first = std::make_unique<TraceStore>();
    fillStorm(*first);
    window.showStore(first.get(), {}, false, {});
    window.workspace().timeline().shown().select(first->roots().front());
    TraceStore second;
    fillStorm(second, 10);
    window.showStore(&second, {}, false, {});
    first.reset();
    window.storeChanged();
    window.grab();
    // Nothing is selected: it goes along with the verdict, on the second store.
    QVERIFY(!window.workspace().timeline().shown().selection());
    QCOMPARE(window.workspace().inspector().span(), window.workspace().verdict().task());
}

void tst_MainWindow::screenshots_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light-1280x800") << false << QSize(1280, 800);
    QTest::newRow("dark-1280x800") << true << QSize(1280, 800);
    QTest::newRow("light-1920x1080") << false << QSize(1920, 1080);
    QTest::newRow("dark-1920x1080") << true << QSize(1920, 1080);
}

void tst_MainWindow::screenshots()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    const QString tag = QString::fromLatin1(QTest::currentDataTag());
    TraceStore store;
    fillStorm(store);
    TraceStore alarmed; // a watchdog has been swallowed
    fillStorm(alarmed, 150);
    TraceStore later;
    fillStorm(later, 400);
    TestWindow window;
    window.setTheme(dark ? Theme::Dark : Theme::Light);
    window.resize(size);
    window.setRecentFiles(
        {u"/home/me/.local/state/waitscope/2026-08-03T101500.waitscope.jsonl"_s, u"/home/me/runs/storm.waitscope.jsonl"_s});
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    keep(window, u"start-"_s + tag);

    RunRequest request;
    request.url = u"ftp://10.0.0.9"_s;
    request.prompt = u"Say hello."_s;
    request.overrides = QStringList{u"exec.timeout_s=60"_s, u"stream.max_attempts=many"_s};
    window.setRunDefaults(request);
    window.askForRun();
    keep(*window.runForm().window(), u"run-"_s + tag);
    window.runForm().window()->close();
    SimulateRequest simulate;
    simulate.scenario = u"connect-blackhole"_s;
    window.setSimulateDefaults(simulate);
    window.askForSimulation();
    keep(*window.simulateForm().window(), u"simulate-"_s + tag);
    window.simulateForm().window()->close();

    Instant now = store.lastTime() + fromSeconds(2.4);
    window.showStore(
        &store, [&now] { return now; }, false, u"connect-storm"_s);
    RunState state;
    state.running = true;
    state.tasks = 12;
    state.scale = 30;
    state.recordingPath = u"/home/me/.local/state/waitscope/2026-08-03T101500.waitscope.jsonl"_s;
    window.setRunState(state);
    window.setForecast(window.shownTask(), someForecast(now));
    keep(window, u"storm-"_s + tag);
    SpanId request3;
    for (quint32 i = 0; i < store.spanCount(); ++i) {
        const std::optional<SpanInfo> span = store.span(store.spanAtIndex(i));
        if (span->kind == SpanKind::Request && span->attempt == 2 && !span->isOpen() && span->outcome == Outcome::Error)
            request3 = span->id;
    }
    window.workspace().select(request3);
    window.showProblem(u"/home/me/x.waitscope.jsonl:17: not JSON; the line was left out"_s);
    keep(window, u"selected-"_s + tag);

    window.problemBar().hide();
    SpanId unprotected;
    SpanId ended;
    for (const SpanId root : alarmed.roots()) {
        const std::vector<ShownMark> marks = alarmed.marksOf(root);
        if (alarmed.isOpen(root)
            && std::ranges::any_of(marks, [](const ShownMark &mark) { return mark.kind == MarkKind::Unprotected; }))
            unprotected = root;
    }
    QVERIFY(unprotected);
    for (const SpanId root : later.roots()) {
        if (!later.isOpen(root) && later.span(root)->outcome != Outcome::Ok)
            ended = root;
    }
    window.setRunState({});
    window.showStore(&alarmed, {}, true, u"connect-storm"_s);
    window.workspace().select(unprotected);
    QVERIFY(window.workspace().verdict().sentence().startsWith(u"Held by"_s));
    keep(window, u"unprotected-"_s + tag);
    window.showStore(&later, {}, true, u"connect-storm"_s);
    window.workspace().select(ended);
    keep(window, u"ended-"_s + tag);
    KeySheet keys(&window);
    keep(keys, u"keys-"_s + tag);
}

QTEST_MAIN(tst_MainWindow)
#include "tst_mainwindow.moc"
