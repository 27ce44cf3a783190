// SPDX-License-Identifier: GPL-3.0-or-later
// Keys in a keychain: one answer each, in time, whatever the keychain does; nothing of it ever in the clear.
#include "app/waitscope/secretstore.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

using namespace Waitscope;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// Answers when the test says so.
class HeldStore final : public SecretStore
{
public:
    void ask(const SecretRequest &request, std::function<void(SecretAnswer)> done) override
    {
        asked.push_back(request.name);
        answers.push_back(std::move(done));
    }
    std::vector<QString> asked;
    std::vector<std::function<void(SecretAnswer)>> answers;
};

// Answers from inside the call.
class HastyStore final : public SecretStore
{
public:
    void ask(const SecretRequest &, std::function<void(SecretAnswer)> done) override { done(std::optional<QByteArray>("k")); }
};

SecretRequest reading()
{
    return SecretRequest(SecretRequest::Kind::Read, u"work"_s);
}

} // namespace

class TestSecretStore : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersOnceAndLater();
    void timeIsUp();
    void lateAnswersAreDropped();
    void goneStoresAnswerNobody();
    void withoutADesktop();
};

void TestSecretStore::answersOnceAndLater()
{
    PatientSecretStore store(std::make_unique<HastyStore>(), 60s);
    int answers = 0;
    store.ask(reading(), [&](const SecretAnswer &answer) {
        ++answers;
        QVERIFY(answer);
        QCOMPARE(**answer, "k"_ba);
    });
    QCOMPARE(answers, 0); // not from inside the call
    QTRY_COMPARE(answers, 1);
    std::optional<Problem> problem(Problem(ProblemKind::Usage, {}, {}));
    store.probe([&](std::optional<Problem> said) { problem = std::move(said); });
    QTRY_VERIFY(!problem);
    QCOMPARE(answers, 1);
}

void TestSecretStore::timeIsUp()
{
    auto held = std::make_unique<HeldStore>();
    HeldStore &inner = *held;
    PatientSecretStore store(std::move(held), 20ms);
    std::optional<SecretAnswer> answer;
    store.ask(reading(), [&](SecretAnswer said) { answer = std::move(said); });
    QTRY_VERIFY(answer);
    QVERIFY(!*answer);
    QCOMPARE(answer->error().kind, ProblemKind::Unavailable);
    QVERIFY2(answer->error().line().startsWith(u"keychain: it did not answer within 0.02 s"_s), qPrintable(answer->error().line()));
    QCOMPARE(inner.asked, std::vector<QString>{u"work"_s});
}

void TestSecretStore::lateAnswersAreDropped()
{
    auto held = std::make_unique<HeldStore>();
    HeldStore &inner = *held;
    PatientSecretStore store(std::move(held), 1ms);
    int answers = 0;
    store.ask(reading(), [&](const SecretAnswer &) { ++answers; });
    QTRY_COMPARE(answers, 1);
    inner.answers[0](std::optional<QByteArray>("late"));
    inner.answers[0](std::optional<QByteArray>("twice"));
    QCoreApplication::processEvents();
    QCOMPARE(answers, 1);
}

void TestSecretStore::goneStoresAnswerNobody()
{
    auto held = std::make_unique<HeldStore>();
    HeldStore &inner = *held;
    auto store = std::make_unique<PatientSecretStore>(std::move(held), 60s);
    bool answered = false;
    store->ask(reading(), [&](const SecretAnswer &) { answered = true; });
    const auto late = inner.answers[0];
    late(std::optional<QByteArray>("k")); // on its way when the store goes
    store.reset();
    late(std::optional<QByteArray>("k"));
    QCoreApplication::processEvents();
    QVERIFY(!answered);
}

// As on a server: no keychain, a reason to show, and not a byte of the key on disk.
void TestSecretStore::withoutADesktop()
{
    QTemporaryDir home;
    for (const char *variable : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"})
        qputenv(variable, home.path().toUtf8());
    for (const char *variable : {"DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP", "KDE_FULL_SESSION", "DESKTOP_SESSION", "DISPLAY"})
        qunsetenv(variable);
    PatientSecretStore store(std::make_unique<KeychainStore>());
    std::optional<SecretAnswer> written;
    store.ask(SecretRequest(SecretRequest::Kind::Write, u"work"_s, "sk-very-secret-0123456789"),
              [&](SecretAnswer said) { written = std::move(said); });
    QTRY_VERIFY_WITH_TIMEOUT(written, 20'000);
    QVERIFY(!*written);
    QVERIFY(!written->error().what.isEmpty());
    QVERIFY(written->error().advice.contains(u"environment variable"_s));
    std::optional<Problem> problem;
    store.probe([&](std::optional<Problem> said) { problem = std::move(said); });
    QTRY_VERIFY_WITH_TIMEOUT(problem, 20'000);
    QDirIterator files(home.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!file.readAll().contains("very-secret"), qPrintable(file.fileName()));
    }
}

QTEST_GUILESS_MAIN(TestSecretStore)
#include "tst_secretstore.moc"
