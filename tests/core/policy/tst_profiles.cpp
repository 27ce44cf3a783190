// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/profile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

Profile profileNamed(const QString &name)
{
    Expected<Profile> profile = findProfile(name);
    if (!profile)
        qFatal("%s", qPrintable(profile.error().line()));
    return *std::move(profile);
}

QByteArray profileWith(const QByteArray &settings)
{
    return "{\n\"name\": \"x\", \"title\": \"X\", \"about\": \"Y.\",\n\"settings\": {\n" + settings + "\n}\n}\n";
}

} // namespace

class TestProfiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileIsReadableAndCarriesItsOwnName()
    {
        const QStringList files = QDir(QStringLiteral(RESOURCES_DIR "/profiles")).entryList({u"*.json"_s}, QDir::Files);
        QVERIFY(files.size() >= 11);
        for (const QString &file : files) {
            const Expected<Profile> profile = readProfile(QStringLiteral(RESOURCES_DIR "/profiles/") + file);
            QVERIFY2(profile, profile ? "" : qPrintable(profile.error().line()));
            QCOMPARE(profile->name + u".json"_s, file);
            QVERIFY(!profile->title.isEmpty());
            QVERIFY(profile->about.endsWith(u'.'));
        }
        QCOMPARE(builtInProfiles().size(), static_cast<size_t>(files.size()));
        QCOMPARE(builtInProfiles().front().name, u"hardened"_s);
    }

    void hardenedIsTheDefault()
    {
        const Profile profile = profileNamed(u"hardened"_s);
        QVERIFY(profile.policy == Policy());
        QCOMPARE(profile.policy.origin(Setting::ExecMaxAttempts), u"profile hardened"_s);
        QCOMPARE(profile.policy.origin(Setting::HttpKeepalive), u"default"_s);
    }

    // Two places say what OpenProgram does: the registry, setting by setting, and its profile.
    void openProgramIsWhatTheRegistrySaysOfIt()
    {
        const Policy policy = profileNamed(u"openprogram-2026-08"_s).policy;
        for (const SettingInfo &info : settings())
            QCOMPARE(QString(info.name) + u'=' + policy.text(info.id), QString(info.name) + u'=' + QString(info.whenUnset));
    }

    void sdkDiffersInTheStreamLayerOnly()
    {
        const Policy loop = profileNamed(u"openprogram-2026-08"_s).policy;
        const Policy sdk = profileNamed(u"openprogram-2026-08-sdk"_s).policy;
        for (const SettingInfo &info : settings()) {
            if (info.layer != Layer::Stream)
                QCOMPARE(sdk.text(info.id), loop.text(info.id));
        }
        QCOMPARE(sdk.streamKind(), StreamKind::Sdk);
        QCOMPARE(sdk.retryPolicy(Layer::Stream).maxAttempts, std::optional(4));
        QCOMPARE(sdk.retryPolicy(Layer::Stream).retryStatuses.size(), size_t(103));
    }

    void legacyHasNoneOfTheFixes()
    {
        const Policy policy = profileNamed(u"legacy"_s).policy;
        QCOMPARE(policy.rules(), RuleSet::Openprogram);
        QCOMPARE(policy.watchdog(), WatchdogMode::Swallowed);
        // Two rounds take 1209 s in the known answers: no budget unless the user gives one.
        QVERIFY(!policy.seconds(Setting::HarnessTaskTimeout));
        for (const Setting fix : {Setting::HarnessAbortOnAuth, Setting::ExecHonorExhausted, Setting::ExecPropagateDeadline,
                                  Setting::HttpClampToDeadline, Setting::SessionEnabled})
            QVERIFY2(!policy.flag(fix), infoOf(fix).name.data());
        QCOMPARE(policy.hardCap(), HardCap::Off);
        QCOMPARE(policy.count(Setting::ExecMaxAttempts), 6);
        QCOMPARE(policy.retryPolicy(Layer::Session).maxAttempts, std::optional(1));
        QCOMPARE(policy.retryPolicy(Layer::Stream).maxAttempts, std::optional(3));
        QCOMPARE(policy.seconds(Setting::StreamBackoffBase), std::optional(1.0));
        QCOMPARE(policy.seconds(Setting::StreamBackoffMax), std::optional(30.0));
        QCOMPARE(policy.retryPolicy(Layer::Exec).hintMaxS, std::nullopt);
    }

    void errorRetryRepeatsInTwoLayersWithoutChance()
    {
        const Policy policy = profileNamed(u"error-retry"_s).policy;
        QCOMPARE(policy.watchdog(), WatchdogMode::Off);
        QCOMPARE(policy.rules(), RuleSet::Openprogram);
        const RetryPolicy exec = policy.retryPolicy(Layer::Exec);
        QCOMPARE(exec.maxAttempts, std::optional(3));
        QCOMPARE(exec.jitter, JitterForm::None);
        QVERIFY(!exec.hintForms.milliseconds && !exec.hintForms.seconds && !exec.hintForms.date);
        QCOMPARE(policy.retryPolicy(Layer::Session).maxAttempts, std::optional(4));
        QVERIFY(!policy.flag(Setting::SessionUseVerdict));
        QCOMPARE(policy.retryPolicy(Layer::Stream).maxAttempts, std::optional(1));
        QVERIFY(!policy.seconds(Setting::ExecTimeout));
        QVERIFY(!policy.flag(Setting::ExecPropagateDeadline));
    }

    void nullIsUnknown()
    {
        const Expected<Profile> profile =
            parseProfile(profileWith("\"http.pool_timeout_s\": null, \"exec.max_attempts\": 2"), u"x.json"_s);
        QVERIFY(profile);
        QCOMPARE(profile->unknown, std::vector<Setting>{Setting::HttpPoolTimeout});
        QCOMPARE(profile->policy.count(Setting::ExecMaxAttempts), 2);
        QCOMPARE(profile->policy.seconds(Setting::HttpPoolTimeout), std::optional(30.0));
        QCOMPARE(profile->policy.origin(Setting::HttpPoolTimeout), u"unknown in profile x"_s);
    }

    void malformed_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("line");
        const auto row = [](const char *name, const QByteArray &json, QLatin1StringView line) {
            QTest::newRow(name) << json << QString(line);
        };
        row("empty", "", "x.json:1: not JSON: "_L1);
        row("cut off", "{\n\"name\": \"x\",\n", "x.json:3: not JSON: "_L1);
        row("trailing comma", "{\n\"name\": \"x\",\n}", "x.json:3: not JSON: "_L1);
        row("binary", QByteArray("\x00\xff\xfe{", 4), "x.json:1: not JSON: "_L1);
        row("list", "[]", "x.json: not a profile; a profile is a JSON object"_L1);
        row("no name", "{\"title\": \"X\", \"about\": \"Y.\", \"settings\": {}}", "x.json: name: a text is missing here"_L1);
        row("empty name", "{\"name\": \"\", \"title\": \"X\", \"about\": \"Y.\", \"settings\": {}}",
            "x.json:1: name: the name is empty"_L1);
        row("title is a number", "{\"name\": \"x\",\n\"title\": 3, \"about\": \"Y.\", \"settings\": {}}",
            "x.json:2: title: a text is missing here"_L1);
        row("unknown key", "{\"name\": \"x\",\n\n\"titel\": \"X\"}",
            "x.json:3: titel: no profile has this key; did you mean title?"_L1);
        row("sources", "{\"name\": \"x\", \"title\": \"X\", \"about\": \"Y.\", \"sources\": [3], \"settings\": {}}",
            "x.json:1: sources: not a list of texts"_L1);
        row("no settings", "{\"name\": \"x\", \"title\": \"X\", \"about\": \"Y.\"}",
            "x.json: settings: an object of settings is missing here"_L1);
        row("unknown setting", profileWith("\"exec.max_atempts\": 2"),
            "x.json:4: \"exec.max_atempts\": no setting has this name; did you mean exec.max_attempts?"_L1);
        row("out of range", profileWith("\"exec.max_attempts\":\n0"),
            "x.json:4: exec.max_attempts: 0 is out of range; it takes a whole number from 1 to 10000, or off"_L1);
        row("wrong word", profileWith("\"exec.max_attempts\": 2,\n\"stream.kind\": \"lopp\""),
            "x.json:5: stream.kind: \"lopp\" is not a value for it; it takes one of loop, sdk, none"_L1);
        row("object as value", profileWith("\"http.keepalive\": {}"),
            "x.json:4: http.keepalive: not a value; it takes true or false"_L1);
        row("written twice", profileWith("\"exec.max_attempts\": 2,\n\"exec.max_attempts\" : 3"),
            "x.json:4: exec.max_attempts: written twice"_L1);
        row("huge number", profileWith("\"exec.timeout_s\": 1e300"),
            "x.json:4: exec.timeout_s: 1e+300 is out of range; it takes a number of seconds from 0.001 to 1000000, or "
            "off"_L1);
        row("deep", QByteArray(100'000, '['), "x.json:1: not JSON: "_L1);
    }

    void malformed()
    {
        QFETCH(const QByteArray, json);
        QFETCH(const QString, line);
        const Expected<Profile> profile = parseProfile(json, u"x.json"_s);
        QVERIFY(!profile);
        // How the parser words its own complaint is its affair.
        const QString actual = line.endsWith(u": "_s) ? profile.error().line().left(line.size()) : profile.error().line();
        QCOMPARE(actual, line);
        QCOMPARE(profile.error().kind, ProblemKind::Usage);
    }

    void absentAndUnknown()
    {
        const Expected<Profile> absent = findProfile(u"/nowhere/mine.json"_s);
        QVERIFY(!absent);
        QCOMPARE(absent.error().kind, ProblemKind::Unavailable);
        QVERIFY(absent.error().line().startsWith(u"/nowhere/mine.json: cannot be read: "_s));
        QCOMPARE(findProfile(u"hardend"_s).error().line(), u"\"hardend\": no profile has this name; did you mean hardened?"_s);
        const QString other = findProfile(u"zzzzzzzz"_s).error().line();
        QVERIFY2(other.startsWith(u"\"zzzzzzzz\": no profile has this name; there are hardened, openprogram-2026-08, "_s),
                 qPrintable(other));
    }

    void aFileByItsPath()
    {
        QTemporaryDir dir;
        QFile file(dir.filePath(u"mine.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(profileWith("\"exec.max_attempts\": 2"));
        file.close();
        const Expected<Profile> profile = findProfile(file.fileName());
        QVERIFY(profile);
        QCOMPARE(profile->policy.origin(Setting::ExecMaxAttempts), u"profile x"_s);
    }
};

QTEST_GUILESS_MAIN(TestProfiles)
#include "tst_profiles.moc"
