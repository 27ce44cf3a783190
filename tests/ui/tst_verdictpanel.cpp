// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tracewriting.h"
#include "ui/models/spanfacts.h"
#include "ui/panels/facttable.h"
#include "ui/panels/inspector.h"
#include "ui/panels/readout.h"
#include "ui/panels/runsbar.h"
#include "ui/panels/taskchips.h"
#include "ui/panels/verdictpanel.h"
#include "ui/style/theme.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

struct Connecting {
    TraceStore store;
    TraceWriting w{store};
    SpanId task = w.begin(0, SpanKind::Task, Layer::Task, {}, {}, u"one"_s);
    SpanId exec = w.begin(0, SpanKind::Exec, Layer::Exec, task);
    SpanId request = w.begin(0, SpanKind::Request, Layer::Stream, exec, {}, u"10.0.0.9"_s);
    SpanId phase = w.phase(0, Phase::Connect, request);
    TimerId timer = w.arm(0, request, TimerKind::Connect, 30);
};

QString textsOf(QWidget &widget)
{
    QStringList texts;
    for (const Readout *readout : widget.findChildren<Readout *>()) {
        if (readout->isVisibleTo(&widget) && !readout->text().isEmpty())
            texts << readout->text();
    }
    return texts.join(u'|').replace(QChar(0x00a0), u' ').replace(QChar(0x2007), u' ');
}

int paintsOf(QWidget &widget)
{
    int sum = 0;
    for (const Readout *readout : widget.findChildren<Readout *>())
        sum += readout->paints();
    return sum;
}

} // namespace

class tst_VerdictPanel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }
    void emptyPanel();
    void sentenceLadderAndTimer();
    void agesAreAlwaysThere();
    void countdownTicksAtOneDecimal();
    void onlyWhatChangedRepaints();
    void noTimerIsSaid();
    void forecast();
    void forecastOfAnotherTaskIsLeftAside();
    void taskOfTheSelection();
    void firstOpenTask();
    void chips();
    void chipsStayWhereTheyAre();
    void manyTasks();
    void endedTask();
    void longSentenceIsNotCut();
    void rungChoosesItsSpan();
    void rowsModel();
    void inspectorOfARequest();
    void inspectorOfNothing();
    void inspectorCopies();
    void inspectorFollowsTheStore();
    void triesAreSiblings();
    void timeThatWasSpent();
    void runsBar();
};

void tst_VerdictPanel::emptyPanel()
{
    VerdictPanel panel;
    QCOMPARE(panel.sentence(), u"Nothing runs yet"_s);
    TraceStore store;
    panel.setStore(&store);
    panel.refresh(at(1));
    QCOMPARE(panel.sentence(), u"Nothing runs yet"_s);
    QCOMPARE(panel.task(), SpanId{});
}

void tst_VerdictPanel::sentenceLadderAndTimer()
{
    Connecting trace;
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(12.4));
    QCOMPARE(panel.sentence(), u"Held by the stream layer: connecting to 10.0.0.9, 12.4 s of 30 s; nothing has been sent"_s);
    const QString texts = textsOf(panel);
    QVERIFY2(texts.contains(u"holds it"_s), qUtf8Printable(texts));
    QVERIFY2(texts.contains(u"17.6 s|of 30 s"_s), qUtf8Printable(texts));
    QVERIFY2(texts.contains(u"nothing resets it"_s), qUtf8Printable(texts));
}

void tst_VerdictPanel::agesAreAlwaysThere()
{
    Connecting trace;
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(1));
    QCOMPARE(panel.lastByteText(), u"No byte has come"_s);
    QCOMPARE(panel.lastDataText(), u"No data has come"_s);
    trace.w.mark(2, trace.request, MarkKind::Data, 10);
    trace.w.mark(5, trace.request, MarkKind::Ping, 10);
    panel.refresh(at(7.5));
    QCOMPARE(panel.lastByteText().replace(QChar(0x00a0), u' '), u"Last byte 2.5 s ago"_s);
    QCOMPARE(panel.lastDataText().replace(QChar(0x00a0), u' '), u"Last data 5.5 s ago"_s);
}

void tst_VerdictPanel::countdownTicksAtOneDecimal()
{
    Connecting trace;
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(10));
    QVERIFY(textsOf(panel).contains(u"20.0 s|of 30 s"_s));
    panel.refresh(at(10.1));
    QVERIFY(textsOf(panel).contains(u"19.9 s|of 30 s"_s));
    panel.refresh(at(31)); // due, and nobody has said yet that it fired
    QVERIFY(textsOf(panel).contains(u"0.0 s|of 30 s"_s));
}

void tst_VerdictPanel::onlyWhatChangedRepaints()
{
    Connecting trace;
    VerdictPanel panel;
    panel.resize(430, 700);
    panel.setStore(&trace.store);
    panel.refresh(at(10));
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QCoreApplication::processEvents();
    const int before = paintsOf(panel);
    for (int i = 0; i < 20; ++i) {
        panel.refresh(at(10.001 + i * 0.0001)); // no shown digit changes
        QCoreApplication::processEvents();
    }
    QCOMPARE(paintsOf(panel), before);
    panel.refresh(at(10.35));
    QCoreApplication::processEvents();
    const int ticked = paintsOf(panel) - before;
    // Sentence, the task's rung, the holder's rung and the countdown; what stands still does not paint.
    QVERIFY2(ticked >= 3 && ticked <= 5, qPrintable(QString::number(ticked)));
}

void tst_VerdictPanel::noTimerIsSaid()
{
    TraceStore store;
    TraceWriting w(store);
    const SpanId task = w.begin(0, SpanKind::Task, Layer::Task);
    Q_UNUSED(task)
    VerdictPanel panel;
    panel.setStore(&store);
    panel.refresh(at(1));
    bool said = false;
    for (const QLabel *label : panel.findChildren<QLabel *>())
        said |= label->isVisibleTo(&panel) && label->text().startsWith(u"No timer is armed"_s);
    QVERIFY(said);
}

void tst_VerdictPanel::forecast()
{
    Connecting trace;
    VerdictPanel panel;
    QSignalSpy wanted(&panel, &VerdictPanel::forecastWanted);
    panel.setStore(&trace.store);
    panel.refresh(at(12.4));
    QVERIFY(!wanted.isEmpty());
    QVERIFY(!textsOf(panel).contains(u"at best"_s));
    Forecast f;
    f.known = true;
    f.steps = {{at(30), u"the connect timer fires"_s}, {at(31), u"attempt 3"_s}};
    f.furtherSteps = 4;
    f.ends = at(93);
    f.reason = ErrorReason::Transport;
    f.best = fromSeconds(78);
    f.worst = fromSeconds(82);
    f.furtherRequests = 2;
    f.cap = u"Set exec.timeout_s"_s;
    panel.setForecast(trace.task, f);
    QString texts = textsOf(panel);
    QVERIFY2(texts.contains(
                 u"+17.6 s|the connect timer fires|+18.6 s|attempt 3|… 4 more steps|+80.6 s|ends: error (transport)"_s),
             qUtf8Printable(texts));
    QVERIFY2(texts.contains(u"Left: 78 s at best, 82 s at worst; 2 further requests|Set exec.timeout_s"_s),
             qUtf8Printable(texts));
    panel.refresh(at(30.4)); // a step that is over goes, the rest ticks on
    texts = textsOf(panel);
    QVERIFY2(!texts.contains(u"the connect timer fires"_s), qUtf8Printable(texts));
    QVERIFY2(texts.contains(u"+0.6 s|attempt 3"_s), qUtf8Printable(texts));
    QVERIFY2(texts.contains(u"Left: 60 s at best, 64 s at worst"_s), qUtf8Printable(texts));
}

void tst_VerdictPanel::forecastOfAnotherTaskIsLeftAside()
{
    Connecting trace;
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(1));
    Forecast f;
    f.known = true;
    panel.setForecast(SpanId{99}, f);
    QVERIFY(!textsOf(panel).contains(u"at best"_s));
}

void tst_VerdictPanel::taskOfTheSelection()
{
    Connecting trace;
    const SpanId other = trace.w.begin(1, SpanKind::Task, Layer::Task, {}, {}, u"two"_s);
    const SpanId exec = trace.w.begin(1, SpanKind::Exec, Layer::Exec, other);
    VerdictPanel panel;
    QSignalSpy shown(&panel, &VerdictPanel::taskShown);
    panel.setStore(&trace.store);
    panel.refresh(at(2));
    QCOMPARE(panel.task(), trace.task);
    panel.setSpan(exec);
    QCOMPARE(panel.task(), other);
    QCOMPARE(shown.count(), 2);
    panel.setSpan({});
    QCOMPARE(panel.task(), other); // stays while it is open
}

void tst_VerdictPanel::firstOpenTask()
{
    Connecting trace;
    const SpanId other = trace.w.begin(1, SpanKind::Task, Layer::Task, {}, {}, u"two"_s);
    trace.w.end(2, trace.task, Outcome::Ok);
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(3));
    QCOMPARE(panel.task(), other);
    trace.w.end(4, other, Outcome::Error);
    panel.refresh(at(4));
    QCOMPARE(panel.task(), other); // its ending is worth reading
    QVERIFY(panel.sentence().startsWith(u"Failed"_s));
}

void tst_VerdictPanel::chips()
{
    Connecting trace;
    QWidget host;
    TaskChips chips(&host);
    chips.resize(800, 30);
    chips.showTasks(&trace.store, trace.task);
    QVERIFY(!chips.isVisibleTo(&host)); // one task: nothing to choose
    const SpanId other = trace.w.begin(1, SpanKind::Task, Layer::Task, {}, {}, u"two"_s);
    chips.showTasks(&trace.store, trace.task);
    QCOMPARE(chips.tasks(), (std::vector<SpanId>{trace.task, other}));
    QSignalSpy chosen(&chips, &TaskChips::taskChosen);
    for (QToolButton *button : chips.findChildren<QToolButton *>()) {
        if (button->text() == u"two"_s)
            button->click();
    }
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().value<SpanId>(), other);
}

void tst_VerdictPanel::chipsStayWhereTheyAre()
{
    TraceStore store;
    TraceWriting w(store);
    std::vector<SpanId> tasks;
    for (int i = 0; i < 8; ++i)
        tasks.push_back(w.begin(0, SpanKind::Task, Layer::Task, {}, {}, QString::number(i)));
    QWidget host;
    TaskChips chips(&host);
    chips.resize(800, 30); // room for all of them
    chips.showTasks(&store, tasks[0]);
    QCOMPARE(chips.tasks(), (std::vector<SpanId>(tasks.begin(), tasks.begin() + 6)));
    w.end(1, tasks[6]); // not shown: nothing moves
    chips.showTasks(&store, tasks[0]);
    QCOMPARE(chips.tasks(), (std::vector<SpanId>(tasks.begin(), tasks.begin() + 6)));
    w.end(2, tasks[1]); // makes room for one that is open
    chips.showTasks(&store, tasks[0]);
    QCOMPARE(chips.tasks(), (std::vector<SpanId>{tasks[0], tasks[2], tasks[3], tasks[4], tasks[5], tasks[7]}));
    chips.showTasks(&store, tasks[6]); // what is shown always has one
    QVERIFY(std::ranges::count(chips.tasks(), tasks[6]) == 1);
    host.show();
    chips.resize(120, 30);
    QCOMPARE(chips.tasks().size(), size_t(2)); // one under the other
}

void tst_VerdictPanel::manyTasks()
{
    TraceStore store;
    TraceWriting w(store);
    for (int i = 0; i < 5000; ++i)
        w.begin(0, SpanKind::Task, Layer::Task, {}, {}, QString::number(i));
    VerdictPanel panel;
    panel.setStore(&store);
    panel.refresh(at(1));
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 20; ++i)
        panel.refresh(at(1 + 0.1 * i));
    const double each = static_cast<double>(timer.elapsed()) / 20;
    // A tenth of the tick, with room for a busy machine and a build with sanitizers.
    QVERIFY2(each < 50, qPrintable(QString::number(each)));
    qInfo("%.2f ms for each refresh", each);
}

void tst_VerdictPanel::endedTask()
{
    Connecting trace;
    trace.w.end(30, trace.request, Outcome::Error);
    trace.w.end(30, trace.exec, Outcome::Error);
    SpanEnded e;
    e.at = at(30);
    e.id = trace.task;
    e.outcome = Outcome::Error;
    e.reason = ErrorReason::Auth;
    e.status = 401;
    trace.store.write(e);
    VerdictPanel panel;
    panel.setStore(&trace.store);
    panel.refresh(at(40));
    const QString texts = textsOf(panel);
    QVERIFY2(texts.contains(u"Check the key"_s), qUtf8Printable(texts));
    QVERIFY(!texts.contains(u"holds it"_s));
}

void tst_VerdictPanel::longSentenceIsNotCut()
{
    Readout readout(2, nullptr);
    readout.resize(200, 40);
    const QString text = QString(u"a long sentence that goes on and on "_s).repeated(12);
    readout.setText(text);
    const QRect needed
        = readout.fontMetrics().boundingRect(QRect(0, 0, 200, 10000), static_cast<int>(Qt::TextWordWrap), text);
    QVERIFY(readout.heightForWidth(200) >= needed.height());
    readout.setText(u"short"_s);
    QCOMPARE(readout.heightForWidth(200), 2 * readout.fontMetrics().lineSpacing());
}

void tst_VerdictPanel::rungChoosesItsSpan()
{
    Connecting trace;
    VerdictPanel panel;
    panel.resize(430, 700);
    panel.setStore(&trace.store);
    panel.refresh(at(1));
    QSignalSpy chosen(&panel, &VerdictPanel::spanChosen);
    QWidget *stream = nullptr;
    for (QWidget *widget : panel.findChildren<QWidget *>()) {
        if (widget->accessibleName() == u"stream"_s)
            stream = widget;
    }
    QVERIFY(stream);
    QTest::keyClick(stream, Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().front().value<SpanId>(), trace.phase);
}

void tst_VerdictPanel::rowsModel()
{
    RowsModel model({u"a"_s, u"b"_s});
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QRandomGenerator random(1);
    for (int i = 0; i < 200; ++i) {
        TextRows rows(random.bounded(6U));
        for (QStringList &row : rows)
            row = QStringList{QString::number(random.bounded(3)), u"x"_s};
        model.setRows(rows);
        QCOMPARE(model.rows(), rows);
        QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
    }
    model.setRows({{u"1"_s, u"x"_s}, {u"2"_s, u"x"_s}});
    QSignalSpy changed(&model, &RowsModel::dataChanged);
    model.setRows({{u"1"_s, u"x"_s}, {u"3"_s, u"x"_s}});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.front().front().toModelIndex().row(), 1);
}

void tst_VerdictPanel::inspectorOfARequest()
{
    Connecting trace;
    trace.w.mark(1, trace.request, MarkKind::SendBegan, 100);
    trace.w.mark(2, trace.request, MarkKind::Headers, 200);
    trace.w.mark(3, trace.request, MarkKind::Data, 12, u"data: {}"_s);
    SpanEnded e;
    e.at = at(4);
    e.id = trace.request;
    e.outcome = Outcome::Error;
    e.reason = ErrorReason::RateLimit;
    e.retryable = true;
    e.status = 429;
    e.type = u"HTTPStatusError"_s;
    e.rule = u"status 429"_s;
    e.hintSeconds = 20;
    trace.store.write(e);
    Inspector inspector;
    inspector.setStore(&trace.store);
    inspector.setSpan(trace.request);
    inspector.refresh(at(5));
    QHash<QString, QString> facts;
    for (const QStringList &row : inspector.facts()->rows())
        facts.insert(row[0], QString(row[1]).replace(QChar(0x00a0), u' '));
    QCOMPARE(facts.value(u"Peer"_s), u"10.0.0.9"_s);
    QCOMPARE(facts.value(u"Classified as"_s), u"rate limit"_s);
    QCOMPARE(facts.value(u"By the rule"_s), u"status 429"_s);
    QCOMPARE(facts.value(u"Worth another try"_s), u"yes"_s);
    QCOMPARE(facts.value(u"HTTP status"_s), u"429"_s);
    QCOMPARE(facts.value(u"Server asks to wait"_s), u"20 s"_s);
    QCOMPARE(facts.value(u"Text"_s), u"(empty)"_s);
    QCOMPARE(inspector.timers()->rows().size(), size_t{1});
    QCOMPARE(inspector.lines()->rows().size(), size_t{1});
    QCOMPARE(inspector.lines()->rows().front().at(3), u"data: {}"_s);
    QCOMPARE(inspector.marks()->rows().size(), size_t{2});
}

void tst_VerdictPanel::inspectorOfNothing()
{
    Inspector inspector;
    QCOMPARE(inspector.facts()->rows().front().front(), u"Nothing selected"_s);
    Connecting trace;
    inspector.setStore(&trace.store);
    inspector.setSpan(SpanId{1234});
    QCOMPARE(inspector.facts()->rows().front().front(), u"Nothing selected"_s);
}

void tst_VerdictPanel::inspectorCopies()
{
    FactTable table({u"a"_s, u"b"_s}, u"t"_s);
    table.setRows({{u"1"_s, u"x"_s}, {u"2"_s, u"y"_s}});
    QCOMPARE(table.textToCopy(), u"1\tx\n2\ty"_s);
    table.selectRow(1);
    QTest::keySequence(&table, QKeySequence::Copy);
    QCOMPARE(QGuiApplication::clipboard()->text(), u"2\ty"_s);
}

void tst_VerdictPanel::inspectorFollowsTheStore()
{
    Connecting trace;
    Inspector inspector;
    inspector.setStore(&trace.store);
    inspector.setSpan(trace.request);
    inspector.refresh(at(1));
    QCOMPARE(inspector.marks()->rows().size(), size_t{0});
    QVERIFY(!inspector.isTabEnabled(inspector.indexOf(inspector.marks())));
    trace.w.mark(2, trace.request, MarkKind::Note, 0, u"hm"_s);
    inspector.refresh(at(2));
    QCOMPARE(inspector.marks()->rows().size(), size_t{1});
}

void tst_VerdictPanel::triesAreSiblings()
{
    TraceStore store;
    TraceWriting w(store);
    const SpanId task = w.begin(0, SpanKind::Task, Layer::Task);
    const SpanId run = w.begin(0, SpanKind::SessionRun, Layer::Session, task);
    const SpanId first = w.begin(0, SpanKind::Request, Layer::Stream, run);
    w.end(30, first, Outcome::Error);
    const SpanId nap = w.begin(30, SpanKind::Backoff, Layer::Stream, run, first);
    w.end(31, nap);
    const SpanId second = w.begin(31, SpanKind::Request, Layer::Stream, run, first);
    const SpanId phase = w.phase(31, Phase::Connect, second);
    const TextRows rows = attemptFacts(store, second, at(40));
    QCOMPARE(rows.size(), size_t{2});
    QCOMPARE(QString(rows[0][5]).replace(QChar(0x00a0), u' '), u"1 s"_s);
    QVERIFY(rows[1][0].startsWith(u'▸'));
    QCOMPARE(attemptFacts(store, phase, at(40)).size(), size_t{2});
    QCOMPARE(attemptFacts(store, nap, at(40)).size(), size_t{2});
    QCOMPARE(attemptFacts(store, task, at(40)).size(), size_t{1}); // its session run
    for (const QStringList &row : rows)
        QCOMPARE(row.size(), attemptHeaders().size());
}

void tst_VerdictPanel::timeThatWasSpent()
{
    TraceStore store;
    TraceWriting w(store);
    const SpanId task = w.begin(0, SpanKind::Task, Layer::Task);
    const SpanId request = w.begin(0, SpanKind::Request, Layer::Stream, task);
    const SpanId phase = w.phase(0, Phase::Connect, request);
    w.end(30, phase, Outcome::Error);
    w.end(30, request, Outcome::Error);
    const SpanId nap = w.begin(30, SpanKind::Backoff, Layer::Exec, task, request);
    w.end(40, nap);
    VerdictPanel panel;
    panel.setStore(&store);
    panel.refresh(at(40));
    QVERIFY(!textsOf(panel).contains(u"75 %"_s)); // only of what has ended
    w.end(40, task, Outcome::Error);
    panel.refresh(at(50));
    const QString texts = textsOf(panel);
    QVERIFY2(texts.contains(u"connecting|30 s|75 %|sleeping, exec layer|10 s|25 %"_s), qUtf8Printable(texts));
}

void tst_VerdictPanel::runsBar()
{
    Connecting trace;
    trace.w.mark(1, trace.request, MarkKind::SendBegan, 10);
    RunsBar bar;
    bar.setStore(&trace.store, false);
    RunState state;
    state.running = true;
    state.tasks = 12;
    state.scale = 30;
    state.recordingPath = u"/tmp/x.waitscope.jsonl"_s;
    bar.setState(state);
    bar.refresh(at(20));
    const QString text = bar.statusText().replace(QChar(0x00a0), u' ');
    QCOMPARE(text, u"Running: 0 of 12 done, 1 open  ·  1 request  ·  ≈ 20.0 s, accelerated ×30"_s);
    trace.w.begin(20, SpanKind::Request, Layer::Stream, trace.exec);
    bar.refresh(at(21));
    QVERIFY(bar.statusText().contains(u"2 requests, 1 sent"_s));
    Connecting unsent;
    RunsBar other;
    other.setStore(&unsent.store, false);
    other.refresh(at(2));
    QVERIFY(other.statusText().contains(u"1 request, none sent"_s));
    QVERIFY(textsOf(bar).contains(u"x.waitscope.jsonl"_s));
    QSignalSpy stop(&bar, &RunsBar::stopRequested);
    auto *button = bar.findChild<QPushButton *>();
    QVERIFY(button->isVisibleTo(&bar));
    button->click();
    QCOMPARE(stop.count(), 1);
    state.stopping = true;
    bar.setState(state);
    QVERIFY(!button->isEnabled());
    bar.setState({});
    QVERIFY(!button->isVisibleTo(&bar));
}

QTEST_MAIN(tst_VerdictPanel)
#include "tst_verdictpanel.moc"
