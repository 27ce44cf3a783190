// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 240
// What a form says about a mistake is what the command line says about it, to the letter; and a pasted key goes nowhere.
#include "app/waitscope/session.h"
#include "ui/panels/runform.h"
#include "ui/panels/simulateform.h"

#include <QLabel>
#include <QProcess>
#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

QString commandLineSays(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(WAITSCOPE_CLI), arguments);
    if (!process.waitForFinished(120'000) || process.exitCode() != 2)
        return u"(exit code %1)"_s.arg(process.exitCode());
    return QString::fromUtf8(process.readAllStandardError()).trimmed().remove(u"waitscope-cli: "_s);
}

RunRequest good()
{
    RunRequest request;
    request.url = u"http://127.0.0.1:1"_s;
    request.api = u"openai-chat"_s;
    request.profile = u"hardened"_s;
    return request;
}

} // namespace

class TestFormErrors : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sameWords_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("profile");
        const auto url = [](const char *name, const QString &text) { QTest::newRow(name) << text << QString() << QString() << QString(); };
        url("empty", {});
        url("no scheme", u"host"_s);
        url("no host", u"http://"_s);
        url("not http", u"ftp://10.0.0.9"_s);
        url("port", u"http://host:99999/"_s);
        url("port 0", u"http://host:0"_s);
        url("escape", u"http://host/%zz"_s);
        url("blank inside", u"http://ho st/"_s);
        url("password", u"http://u:p@host"_s);
        const auto key = [](const char *name, const QString &text) { QTest::newRow(name) << QString() << text << QString() << QString(); };
        key("variable not set", u"WAITSCOPE_TEST_UNSET"_s);
        key("a key, not its variable", u"sk-proj-0123456789abcdef"_s);
        key("two words", u"MY KEY"_s);
        const auto set = [](const char *name, const QString &text) { QTest::newRow(name) << QString() << QString() << text << QString(); };
        set("unknown setting", u"foo.bar=1"_s);
        set("misspelt setting", u"exec.max_attempt=1"_s);
        set("out of range", u"exec.max_attempts=-4"_s);
        set("not a number", u"exec.timeout_s=soon"_s);
        set("no value", u"exec.timeout_s="_s);
        QTest::newRow("profile") << QString() << QString() << QString() << u"hardend"_s;
    }
    void sameWords()
    {
        QFETCH(QString, url);
        QFETCH(QString, key);
        QFETCH(QString, set);
        QFETCH(QString, profile);
        RunRequest request = good();
        if (key.isEmpty() && set.isEmpty() && profile.isEmpty())
            request.url = url;
        request.keyVariable = key;
        if (!set.isEmpty())
            request.overrides << set;
        if (!profile.isEmpty())
            request.profile = profile;
        RunForm form(Session::choices());
        form.setRequest(good());
        QCOMPARE(form.problemLine(), QString());
        form.setRequest(request);

        QStringList arguments{u"run"_s, u"--url"_s, request.url, u"--profile"_s, request.profile};
        if (!key.isEmpty())
            arguments << u"--key-env"_s << key;
        if (!set.isEmpty())
            arguments << u"--set"_s << set;
        QVERIFY(!form.problemLine().isEmpty());
        QCOMPARE(form.problemLine(), commandLineSays(arguments));
        for (const QLabel *label : form.findChildren<QLabel *>())
            QVERIFY(!label->text().contains(u"sk-proj"_s));
        // The form takes what is right as soon as it is.
        form.setRequest(good());
        QCOMPARE(form.problemLine(), QString());

        if (set.isEmpty() && profile.isEmpty())
            return;
        SimulateForm simulate(Session::choices());
        SimulateRequest fault = simulate.request();
        fault.profile = request.profile;
        fault.overrides = request.overrides;
        simulate.setRequest(fault);
        QStringList again{u"simulate"_s, u"--scenario"_s, fault.scenario, u"--profile"_s, fault.profile};
        if (!set.isEmpty())
            again << u"--set"_s << set;
        QCOMPARE(simulate.problemLine(), commandLineSays(again));
    }
};

QTEST_MAIN(TestFormErrors)
#include "tst_formerrors.moc"
