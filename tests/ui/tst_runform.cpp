// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/requestbuilder.h"
#include "ui/panels/overriderows.h"
#include "ui/panels/runform.h"
#include "ui/panels/simulateform.h"
#include "ui/style/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

std::optional<Problem> checkAsTheCommandLine(const RunRequest &request)
{
    CallSpec spec;
    spec.url = QUrl(request.url, QUrl::StrictMode);
    const Expected<WireRequest> built = buildRequest(spec);
    return built ? std::nullopt : std::optional(built.error());
}

FormChoices choices()
{
    FormChoices c;
    c.apis = {u"openai-responses"_s, u"openai-chat"_s};
    c.profiles = {u"hardened"_s, u"legacy"_s};
    c.jitters = {u"none"_s, u"mid"_s, u"random"_s};
    c.scenarios = {{u"503-at-once"_s, u"503 at once"_s, u"Every request is refused."_s},
                   {u"connect-blackhole"_s, u"No answer to the connect"_s, u"The connect hangs."_s}};
    c.check = checkAsTheCommandLine;
    c.mostRequests = [](const Policy &policy) -> std::optional<qint64> { return policy.count(Setting::ExecMaxAttempts); };
    return c;
}

template<class T> T *named(QWidget &form, const QString &accessibleName)
{
    for (T *widget : form.findChildren<T *>()) {
        if (widget->accessibleName() == accessibleName)
            return widget;
    }
    qFatal("no such field: %s", qPrintable(accessibleName));
}

QPushButton *buttonSaying(QWidget &form, const QString &text)
{
    for (QPushButton *button : form.findChildren<QPushButton *>()) {
        if (button->text().remove(u'&') == text)
            return button;
    }
    qFatal("no such button");
}

void type(QLineEdit *line, const QString &text)
{
    line->selectAll();
    QTest::keyClicks(line, text);
}

} // namespace

class tst_RunForm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }
    void keysOfTheKeychain();
    void emptyFormSaysWhatItWants();
    void urlIsCheckedWhileTyping();
    void overridesAreCheckedWhileTyping();
    void unknownProfile();
    void submitsEverything();
    void enterSubmitsOnlyWhatIsRight();
    void requestRoundTrip();
    void overridesCanBeRemoved();
    void saysTheMostRequests();
    void everyInputHasAName();
    void tabReachesEverything();
    void simulateForm();
    void simulateFilter();
};

void tst_RunForm::emptyFormSaysWhatItWants()
{
    RunForm form(choices());
    QVERIFY(!form.problemLine().isEmpty());
    QVERIFY(!buttonSaying(form, u"Run"_s)->isEnabled());
}

void tst_RunForm::urlIsCheckedWhileTyping()
{
    RunForm form(choices());
    QLineEdit *url = named<QLineEdit>(form, u"Endpoint address"_s);
    for (const QString &bad : {u"ftp://host"_s, u"host"_s, u"http://"_s, u"http://host:0"_s, u"http://u:p@host"_s}) {
        type(url, bad);
        const std::optional<Problem> expected = checkAsTheCommandLine(form.request());
        QVERIFY(expected);
        QCOMPARE(form.problemLine(), expected->line());
        QVERIFY(!buttonSaying(form, u"Run"_s)->isEnabled());
    }
    type(url, u"http://127.0.0.1:8080"_s);
    QCOMPARE(form.problemLine(), QString());
    QVERIFY(buttonSaying(form, u"Run"_s)->isEnabled());
}

void tst_RunForm::overridesAreCheckedWhileTyping()
{
    RunForm form(choices());
    type(named<QLineEdit>(form, u"Endpoint address"_s), u"https://host"_s);
    auto *rows = form.findChild<OverrideRows *>();
    rows->addRow();
    QLineEdit *value = named<QLineEdit>(form, u"Value"_s);
    QComboBox *key = named<QComboBox>(form, u"Setting"_s);
    type(key->lineEdit(), u"exec.max_attempt"_s);
    QCOMPARE(form.problemLine(), Policy().withAssignment(u"exec.max_attempt=", {}).error().line());
    QVERIFY(form.problemLine().contains(u"exec.max_attempts"_s)); // did you mean
    type(key->lineEdit(), u"exec.max_attempts"_s);
    type(value, u"many"_s);
    QCOMPARE(form.problemLine(), Policy().withAssignment(u"exec.max_attempts=many", {}).error().line());
    type(value, u"2"_s);
    QCOMPARE(form.problemLine(), QString());
    QCOMPARE(form.request().overrides, QStringList{u"exec.max_attempts=2"_s});
}

void tst_RunForm::unknownProfile()
{
    RunForm form(choices());
    type(named<QLineEdit>(form, u"Endpoint address"_s), u"https://host"_s);
    named<QComboBox>(form, u"Profile"_s)->setCurrentText(u"hardend"_s);
    QVERIFY2(form.problemLine().contains(u"hardend"_s), qUtf8Printable(form.problemLine()));
}

void tst_RunForm::submitsEverything()
{
    RunForm form(choices());
    QSignalSpy spy(&form, &RunForm::runRequested);
    type(named<QLineEdit>(form, u"Endpoint address"_s), u" https://host/v1 "_s);
    named<QComboBox>(form, u"API"_s)->setCurrentText(u"openai-chat"_s);
    type(named<QLineEdit>(form, u"Model"_s), u"m"_s);
    QTest::keyClicks(named<QPlainTextEdit>(form, u"Prompt"_s), u"Say hello"_s);
    type(named<QLineEdit>(form, u"Name of the environment variable that holds the key"_s), u"MY_KEY"_s);
    named<QSpinBox>(form, u"Number of calls"_s)->setValue(12);
    named<QSpinBox>(form, u"Calls at once"_s)->setValue(3);
    named<QComboBox>(form, u"Profile"_s)->setCurrentText(u"legacy"_s);
    buttonSaying(form, u"Run"_s)->click();
    QCOMPARE(spy.count(), 1);
    const auto request = spy.front().front().value<RunRequest>();
    QCOMPARE(request.url, u"https://host/v1"_s);
    QCOMPARE(request.api, u"openai-chat"_s);
    QCOMPARE(request.model, u"m"_s);
    QCOMPARE(request.prompt, u"Say hello"_s);
    QCOMPARE(request.keyVariable, u"MY_KEY"_s);
    QCOMPARE(request.count, 12);
    QCOMPARE(request.concurrency, 3);
    QCOMPARE(request.profile, u"legacy"_s);
}

void tst_RunForm::enterSubmitsOnlyWhatIsRight()
{
    RunForm form(choices());
    QSignalSpy spy(&form, &RunForm::runRequested);
    QLineEdit *url = named<QLineEdit>(form, u"Endpoint address"_s);
    type(url, u"ftp://host"_s);
    QTest::keyClick(url, Qt::Key_Return);
    QCOMPARE(spy.count(), 0);
    type(url, u"http://host"_s);
    QTest::keyClick(url, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
}

void tst_RunForm::requestRoundTrip()
{
    RunForm form(choices());
    RunRequest request;
    request.url = u"https://host"_s;
    request.api = u"openai-chat"_s;
    request.model = u"m"_s;
    request.prompt = u"p\nq"_s;
    request.keyVariable = u"K"_s;
    request.count = 4;
    request.concurrency = 2;
    request.profile = u"legacy"_s;
    request.overrides = QStringList{u"exec.timeout_s=60"_s, u"http.idle_timeout_s=off"_s};
    form.setRequest(request);
    const RunRequest back = form.request();
    QCOMPARE(back.url, request.url);
    QCOMPARE(back.api, request.api);
    QCOMPARE(back.prompt, request.prompt);
    QCOMPARE(back.keyVariable, request.keyVariable);
    QCOMPARE(back.count, request.count);
    QCOMPARE(back.profile, request.profile);
    QCOMPARE(back.overrides, request.overrides);
    QCOMPARE(form.problemLine(), QString());
}

void tst_RunForm::overridesCanBeRemoved()
{
    OverrideRows rows;
    rows.setAssignments({u"exec.timeout_s=60"_s, u"exec.max_attempts=no"_s});
    QVERIFY(rows.problem());
    QSignalSpy changed(&rows, &OverrideRows::changed);
    for (QToolButton *button : rows.findChildren<QToolButton *>()) {
        if (button->accessibleName().startsWith(u"Remove"_s) && changed.isEmpty())
            QTest::mouseClick(button, Qt::LeftButton);
    }
    QCOMPARE(rows.assignments(), QStringList{u"exec.max_attempts=no"_s});
    rows.setAssignments({});
    QCOMPARE(rows.assignments(), QStringList());
    QVERIFY(!rows.problem());
}

void tst_RunForm::saysTheMostRequests()
{
    RunForm form(choices());
    type(named<QLineEdit>(form, u"Endpoint address"_s), u"https://host"_s);
    named<QSpinBox>(form, u"Number of calls"_s)->setValue(10);
    const QString said = named<QLabel>(form, u"What is wrong"_s)->text();
    QVERIFY2(said.contains(u"60"_s), qUtf8Printable(said)); // hardened: six attempts
}

void tst_RunForm::everyInputHasAName()
{
    RunForm run(choices());
    run.findChild<OverrideRows *>()->addRow();
    SimulateForm simulate(choices());
    for (QWidget *form : std::initializer_list<QWidget *>{&run, &simulate}) {
        for (QWidget *input : form->findChildren<QWidget *>()) {
            const bool isInput = qobject_cast<QSpinBox *>(input) || qobject_cast<QComboBox *>(input)
                || qobject_cast<QPlainTextEdit *>(input) || qobject_cast<QListWidget *>(input)
                || (qobject_cast<QLineEdit *>(input) && !qobject_cast<QComboBox *>(input->parentWidget())
                    && !qobject_cast<QSpinBox *>(input->parentWidget()));
            if (isInput)
                QVERIFY2(!input->accessibleName().isEmpty(), input->metaObject()->className());
        }
    }
}

void tst_RunForm::tabReachesEverything()
{
    RunForm form(choices());
    form.setRequest([] {
        RunRequest r;
        r.url = u"https://host"_s;
        return r;
    }());
    form.resize(640, 640);
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    form.activateWindow();
    named<QLineEdit>(form, u"Endpoint address"_s)->setFocus();
    QSet<QString> reached;
    for (int i = 0; i < 20; ++i) {
        if (QWidget *focus = form.focusWidget()) {
            QWidget *owner = focus->accessibleName().isEmpty() && focus->parentWidget() ? focus->parentWidget() : focus;
            reached << (owner->accessibleName().isEmpty() ? QString::fromLatin1(focus->metaObject()->className())
                                                          : owner->accessibleName());
        }
        QTest::keyClick(form.focusWidget() ? form.focusWidget() : &form, Qt::Key_Tab);
    }
    for (const QString &field : {u"Endpoint address"_s, u"API"_s, u"Model"_s, u"Prompt"_s, u"Number of calls"_s,
                                 u"Calls at once"_s, u"Profile"_s, u"QPushButton"_s, u"QToolButton"_s})
        QVERIFY2(reached.contains(field), qUtf8Printable(field));
}

void tst_RunForm::simulateForm()
{
    SimulateForm form(choices());
    QSignalSpy spy(&form, &SimulateForm::simulateRequested);
    QCOMPARE(form.problemLine(), QString());
    SimulateRequest request;
    request.scenario = u"connect-blackhole"_s;
    request.profile = u"legacy"_s;
    request.jitter = u"random"_s;
    request.tasks = 7;
    request.concurrency = 2;
    request.overrides = QStringList{u"exec.max_attempts=1"_s};
    form.setRequest(request);
    QVERIFY(std::ranges::any_of(form.findChildren<QLabel *>(),
                                [](const QLabel *label) { return label->text().contains(u"The connect hangs."_s); }));
    buttonSaying(form, u"Simulate"_s)->click();
    QCOMPARE(spy.count(), 1);
    const auto sent = spy.front().front().value<SimulateRequest>();
    QCOMPARE(sent.scenario, request.scenario);
    QCOMPARE(sent.profile, request.profile);
    QCOMPARE(sent.jitter, request.jitter);
    QCOMPARE(sent.tasks, 7);
    QCOMPARE(sent.concurrency, 2);
    QCOMPARE(sent.overrides, request.overrides);
    form.findChild<OverrideRows *>()->setAssignments({u"no.such=1"_s});
    QVERIFY(!form.problemLine().isEmpty());
    QVERIFY(!buttonSaying(form, u"Simulate"_s)->isEnabled());
}

void tst_RunForm::simulateFilter()
{
    SimulateForm form(choices());
    QLineEdit *filter = named<QLineEdit>(form, u"Find a fault"_s);
    type(filter, u"hangs"_s); // by what it is about
    QCOMPARE(form.request().scenario, u"connect-blackhole"_s);
    type(filter, u"nothing like it"_s);
    QVERIFY(!form.problemLine().isEmpty());
    QVERIFY(!buttonSaying(form, u"Simulate"_s)->isEnabled());
    filter->clear();
    QCOMPARE(form.findChild<QListWidget *>()->count(), 2);
}

void tst_RunForm::keysOfTheKeychain()
{
    RunForm form(choices());
    auto *source = named<QComboBox>(form, u"Where the key comes from"_s);
    const auto isOffered = [source] { return source->model()->flags(source->model()->index(1, 0)).testFlag(Qt::ItemIsEnabled); };
    QVERIFY(!isOffered()); // nobody has said that there is one
    form.setKeychainProblem(u"no service answers"_s);
    QVERIFY(!isOffered());
    QVERIFY(source->model()->index(1, 0).data(Qt::ToolTipRole).toString().contains(u"no service answers"_s));
    form.setKeychainProblem({});
    QVERIFY(isOffered());
    form.show();
    auto *secret = named<QLineEdit>(form, u"The key, to be stored in the keychain"_s);
    QVERIFY(!secret->isVisible());
    source->setCurrentIndex(1);
    QVERIFY(secret->isVisible());
    QCOMPARE(secret->echoMode(), QLineEdit::Password);
    QPushButton *store = buttonSaying(form, u"Store"_s);
    QPushButton *forget = buttonSaying(form, u"Forget"_s);
    QVERIFY(!store->isEnabled() && !forget->isEnabled());
    type(named<QLineEdit>(form, u"Name of the key in the keychain"_s), u"work"_s);
    type(secret, u"sk-typed"_s);
    QSignalSpy stored(&form, &RunForm::storeKeyWished);
    store->click();
    QCOMPARE(stored.size(), 1);
    QCOMPARE(stored[0][0].toString(), u"work"_s);
    QCOMPARE(stored[0][1].toByteArray(), "sk-typed"_ba);
    QVERIFY(secret->text().isEmpty()); // it stands nowhere any more
    QCOMPARE(form.request().keyName, u"work"_s);
    QVERIFY(form.request().keyVariable.isEmpty());
    QSignalSpy forgotten(&form, &RunForm::forgetKeyWished);
    forget->click();
    QCOMPARE(forgotten.size(), 1);
    RunRequest again;
    again.keyName = u"home"_s;
    form.setRequest(again);
    QCOMPARE(form.request().keyName, u"home"_s);
    // A keychain that has gone leaves the variable.
    form.setKeychainProblem(u"it was locked"_s);
    QVERIFY(form.request().keyName.isEmpty());
}

QTEST_MAIN(tst_RunForm)
#include "tst_runform.moc"
