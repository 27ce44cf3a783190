// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/environment.h"

#include "policy/profile.h"
#include "policy/pythonnumber.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

std::optional<QString> optionalText(const QJsonValue &value)
{
    return value.isString() ? std::optional(value.toString()) : std::nullopt;
}

// A result in the spelling of the table, so that a difference shows both sides.
QString spell(double value)
{
    if (std::isnan(value))
        return u"nan"_s;
    if (std::isinf(value))
        return value > 0 ? u"inf"_s : u"-inf"_s;
    return spellNumber(value + 0.0);
}

QString spell(const QJsonValue &expect)
{
    if (expect.isObject())
        return u"raises "_s + expect[u"raises"_s].toString();
    if (expect.isDouble())
        return spell(expect.toDouble());
    if (expect.isBool())
        return expect.toBool() ? u"true"_s : u"false"_s;
    return expect.isNull() ? u"no limit"_s : expect.toString();
}

QString spell(const EnvironmentReading &reading)
{
    if (reading.raises)
        return u"raises "_s + *reading.raises;
    if (reading.flag)
        return *reading.flag ? u"true"_s : u"false"_s;
    if (reading.noLimit)
        return u"no limit"_s;
    return reading.value ? spell(*reading.value) : reading.text.value_or(u"nothing"_s);
}

Environment one(const QString &name, const QString &text)
{
    return {{name, text, u"x.env:1"_s}};
}

// A value that the setting may have, off and auto among them.
SettingValue randomValue(const SettingInfo &info, QRandomGenerator &random)
{
    if (info.canBeOff && random.bounded(4) == 0)
        return SettingValue::off();
    if (info.canBeAuto && random.bounded(4) == 0)
        return SettingValue::derived();
    if (info.type == SettingType::Text) {
        const QStringList proxies{QString(), u"http://proxy:3128"_s, u"socks5://it's:p%40$$w@[::1]:1/#x"_s,
                                  u"https://user:a&b;c(d)*e=!~@host"_s};
        return parseValue(info, proxies[random.bounded(static_cast<int>(proxies.size()))]).value();
    }
    const double spread = random.generateDouble() * std::log10(info.maximum + 1);
    double n = std::clamp(std::pow(10, spread) - 1, info.minimum, info.maximum);
    if (info.type != SettingType::Seconds)
        n = std::round(n);
    return SettingValue::number(n);
}

Policy randomPolicy(QRandomGenerator &random)
{
    Policy policy;
    for (const SettingInfo &info : settings()) {
        if (!info.variable.isEmpty())
            policy = policy.with(info.id, randomValue(info, random), u"test"_s);
    }
    return policy;
}

QString profileText(const QString &name, EnvironmentFormat format, bool onlyDifferences)
{
    return printEnvironment(findProfile(name).value().policy, format, onlyDifferences);
}

QString withoutComments(const QString &text)
{
    QStringList lines = text.split(u'\n');
    lines.removeIf([](const QString &line) { return line.startsWith(u'#'); });
    return lines.join(u'\n');
}

} // namespace

class TestEnvironment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void timeoutsTable_data()
    {
        QTest::addColumn<QJsonObject>("input");
        QFile file(QStringLiteral(TEST_DATA_DIR "/vectors/timeouts.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray cases = QJsonDocument::fromJson(file.readAll())[u"cases"_s].toArray();
        QCOMPARE(cases.size(), 530);
        for (const QJsonValue &one : cases)
            QTest::newRow(qPrintable(one[u"id"_s].toString())) << one.toObject();
    }

    void timeoutsTable()
    {
        QFETCH(const QJsonObject, input);
        const QString kind = input[u"kind"_s].toString();
        const QJsonValue expect = input[u"expect"_s];
        if (kind == u"env"_s) {
            const QString name = input[u"name"_s].toString();
            const auto reading = readAsOpenProgram(name, optionalText(input[u"value"_s]));
            QVERIFY(reading);
            QCOMPARE(spell(*reading), spell(expect));
            const ReadAt readAt = infoOf(settingOfVariable(name).value()).readAt;
            QCOMPARE(readAt, input[u"read_at"_s] == u"import"_s ? ReadAt::Start : ReadAt::PerUse);
        } else if (kind == u"read_backstop"_s) {
            QCOMPARE(spell(readBackstop(optionalText(input[u"idle_env"_s]), optionalText(input[u"read_env"_s]))),
                     spell(expect));
        } else {
            QCOMPARE(kind, u"scale"_s);
            const QJsonValue tokens = input[u"context_tokens"_s];
            const double factor = promptScale(tokens.isDouble() ? std::optional(tokens.toDouble()) : std::nullopt);
            QCOMPARE(factor, expect[u"factor"_s].toDouble());
            QCOMPARE(input[u"idle_base_s"_s].toDouble() * factor, expect[u"idle_s"_s].toDouble());
            QCOMPARE(input[u"stall_base_s"_s].toDouble() * factor, expect[u"stall_s"_s].toDouble());
        }
    }

    void sdkVariablesAreReadAlike()
    {
        for (const auto name : {"OPENPROGRAM_OPENAI_MAX_RETRIES"_L1, "OPENPROGRAM_ANTHROPIC_MAX_RETRIES"_L1,
                                "OPENPROGRAM_GOOGLE_MAX_RETRIES"_L1, "OPENPROGRAM_BEDROCK_MAX_RETRIES"_L1}) {
            QCOMPARE(spell(*readAsOpenProgram(QString(name), std::nullopt)), u"3"_s);
            QCOMPARE(spell(*readAsOpenProgram(QString(name), u" 1_0 "_s)), u"10"_s);
            QCOMPARE(spell(*readAsOpenProgram(QString(name), u"1.0"_s)), u"raises ValueError"_s);
        }
        QVERIFY(!readAsOpenProgram(u"OPENPROGRAM_JOB_WORKERS", u"3"_s));
        QVERIFY(!readAsOpenProgram(u"", u"3"_s));
    }

    void flagWords()
    {
        const auto keepalive = [](const QString &text) { return *readAsOpenProgram(u"OPENPROGRAM_TCP_KEEPALIVE", text)->flag; };
        const auto partial = [](const QString &text) { return *readAsOpenProgram(u"OPENPROGRAM_PARTIAL_RECOVERY", text)->flag; };
        for (const QString &on : {u"1"_s, u"true"_s, u"yes"_s, u"on"_s, u" ON\n"_s})
            QVERIFY2(keepalive(on) && partial(on), qPrintable(on));
        for (const QString &off : {u"0"_s, u"false"_s, u"no"_s, u"off"_s, u" OFF\n"_s})
            QVERIFY2(!keepalive(off) && !partial(off), qPrintable(off));
    }

    void promptScaleStepsAreOpenBelow_data()
    {
        QTest::addColumn<double>("tokens");
        QTest::addColumn<double>("factor");
        QTest::newRow("50000") << 50'000.0 << 1.0;
        QTest::newRow("50001") << 50'001.0 << 1.25;
        QTest::newRow("100000") << 100'000.0 << 1.25;
        QTest::newRow("100001") << 100'001.0 << 1.5;
        QTest::newRow("200000") << 200'000.0 << 1.5;
        QTest::newRow("200001") << 200'001.0 << 2.0;
    }

    void promptScaleStepsAreOpenBelow()
    {
        QFETCH(const double, tokens);
        QTEST(promptScale(tokens), "factor");
    }

    // What float() and int() of Python 3.11 answer; "-" is ValueError.
    void pythonNumbers_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("asFloat");
        QTest::addColumn<QString>("asInt");
        const auto row = [](const char *name, const QString &text, QLatin1StringView asFloat, QLatin1StringView asInt) {
            QTest::newRow(name) << text << QString(asFloat) << QString(asInt);
        };
        row("plain", u"12"_s, "12"_L1, "12"_L1);
        row("blanks", u" \t12\n\v\f\r"_s, "12"_L1, "12"_L1);
        row("separator", u"\u001c12"_s, "-"_L1, "-"_L1);
        row("wide blanks", u"\u00a0\u300012\u2028\u0085"_s, "12"_L1, "12"_L1);
        row("zero width", u"\u200b12"_s, "-"_L1, "-"_L1);
        row("arabic", u"\u0661\u0662"_s, "12"_L1, "12"_L1);
        row("mathematical", u"\U0001d7cf\U0001d7d0"_s, "12"_L1, "12"_L1);
        row("superscript", u"\u00b9"_s, "-"_L1, "-"_L1);
        row("lone surrogate", QString(QChar(0xd835)) + u'1', "-"_L1, "-"_L1);
        row("underscore", u"1_2"_s, "12"_L1, "12"_L1);
        row("two underscores", u"1__2"_s, "-"_L1, "-"_L1);
        row("leading underscore", u"_12"_s, "-"_L1, "-"_L1);
        row("underscore after sign", u"+_12"_s, "-"_L1, "-"_L1);
        row("underscore at point", u"1_.2"_s, "-"_L1, "-"_L1);
        row("underscore in exponent", u"1e1_0"_s, "10000000000"_L1, "-"_L1);
        row("sign and blank", u"- 1"_s, "-"_L1, "-"_L1);
        row("two signs", u"--1"_s, "-"_L1, "-"_L1);
        row("half", u".5"_s, "0.5"_L1, "-"_L1);
        row("open", u"5."_s, "5"_L1, "-"_L1);
        row("point", u"."_s, "-"_L1, "-"_L1);
        row("no mantissa", u"e5"_s, "-"_L1, "-"_L1);
        row("no exponent", u"1e"_s, "-"_L1, "-"_L1);
        row("hex", u"0x10"_s, "-"_L1, "-"_L1);
        row("too large", u"1e400"_s, "inf"_L1, "-"_L1);
        row("too large, written out", QString(400, u'9'), "inf"_L1, "inf"_L1);
        row("too small", u"-1e-400"_s, "0"_L1, "-"_L1);
        row("small, written out", u"0."_s + QString(400, u'0') + u"1e400"_s, "0.1"_L1, "-"_L1);
        row("huge exponent of nothing", u"0e99999999999999999999"_s, "0"_L1, "-"_L1);
        row("inf", u"-INF"_s, "-inf"_L1, "-"_L1);
        row("infinity", u"Infinity"_s, "inf"_L1, "-"_L1);
        row("nan", u"+nAn"_s, "nan"_L1, "-"_L1);
        row("infinit", u"infinit"_s, "-"_L1, "-"_L1);
        row("nul", QString(QChar(0)) + u'1', "-"_L1, "-"_L1);
        row("empty", QString(), "-"_L1, "-"_L1);
        row("4300 digits", QString(4300, u'0'), "0"_L1, "0"_L1);
        row("4301 digits", QString(4301, u'0'), "0"_L1, "-"_L1);
    }

    void pythonNumbers()
    {
        QFETCH(const QString, text);
        const auto spelled = [](std::optional<double> n) { return n ? spell(*n) : u"-"_s; };
        QTEST(spelled(pythonFloat(text)), "asFloat");
        QTEST(spelled(pythonInt(text)), "asInt");
    }

    void dotenvForms_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("value");
        QTest::newRow("bare") << QByteArray("X=a b") << u"a b"_s;
        QTest::newRow("export") << QByteArray("  export\tX=1  ") << u"1"_s;
        QTest::newRow("blanks around =") << QByteArray("X = 1") << u"1"_s;
        QTest::newRow("empty") << QByteArray("X=") << QString();
        QTest::newRow("empty, comment") << QByteArray("X= # none") << QString();
        QTest::newRow("comment") << QByteArray("X=1 # one") << u"1"_s;
        QTest::newRow("# in a word") << QByteArray("X=a#b") << u"a#b"_s;
        QTest::newRow("single") << QByteArray("X='a # $b `c` \\'") << u"a # $b `c` \\"_s;
        QTest::newRow("double") << QByteArray("X=\"a \\\" \\$b \\\\ \\n\"") << u"a \" $b \\ \\n"_s;
        QTest::newRow("joined") << QByteArray("X='it'\\''s'") << u"it's"_s;
        QTest::newRow("quoted, comment") << QByteArray("X='1' # one") << u"1"_s;
        QTest::newRow("dollar alone") << QByteArray("X=5$") << u"5$"_s;
        QTest::newRow("= inside") << QByteArray("X=a=b") << u"a=b"_s;
        QTest::newRow("CRLF") << QByteArray("X=1\r") << u"1"_s;
        QTest::newRow("BOM") << QByteArray("\xef\xbb\xbfX=1") << u"1"_s;
        QTest::newRow("UTF-8") << QByteArray("X=\xe5\xa5\xbd") << u"\u597d"_s;
    }

    void dotenvForms()
    {
        QFETCH(const QByteArray, line);
        const Expected<Environment> variables = parseDotenv(line + "\n# end\n\n", u"x.env"_s);
        QVERIFY2(variables, variables ? "" : qPrintable(variables.error().line()));
        QCOMPARE(variables->size(), size_t(1));
        QCOMPARE(variables->front().name, u"X"_s);
        QCOMPARE(variables->front().where, u"x.env:1"_s);
        QTEST(variables->front().text, "value");
    }

    void dotenvFaults_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("problem");
        const QString expansion = u"the value asks a shell to put something in; write it out, or put it between single quotes"_s;
        QTest::newRow("no =") << QByteArray("unset X") << u"no = on this line; a line is NAME=VALUE, a comment or blank"_s;
        QTest::newRow("no name") << QByteArray("=1") << u"no name of a variable before =; a name has letters, digits and _"_s;
        QTest::newRow("digit") << QByteArray("1X=1") << u"no name of a variable before =; a name has letters, digits and _"_s;
        QTest::newRow("words") << QByteArray("export A X=1")
                               << u"no name of a variable before =; a name has letters, digits and _"_s;
        QTest::newRow("single") << QByteArray("X='1") << u"the quote is not closed on its line"_s;
        QTest::newRow("double") << QByteArray("X=\"1\\\"") << u"the quote is not closed on its line"_s;
        QTest::newRow("behind") << QByteArray("X='1' 2")
                                << u"something stands behind the closing quote; put the whole value between quotes"_s;
        QTest::newRow("variable") << QByteArray("X=$HOME") << expansion;
        QTest::newRow("braces") << QByteArray("X=\"${HOME}\"") << expansion;
        QTest::newRow("command") << QByteArray("X=$(rm)") << expansion;
        QTest::newRow("backtick") << QByteArray("X=`rm`") << expansion;
        QTest::newRow("bytes") << QByteArray("X=\xff\xfe") << u"not UTF-8 text"_s;
        QTest::newRow("nul") << QByteArray("X=1\x00", 4) << u"not UTF-8 text"_s;
    }

    void dotenvFaults()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const QString, problem);
        const Expected<Environment> variables = parseDotenv("A=1\n\n" + line, u"x.env"_s);
        QVERIFY(!variables);
        QCOMPARE(variables.error().line(), u"x.env:3: "_s + problem);
    }

    void absentFileIsUnavailable()
    {
        const Expected<Environment> variables = readDotenv(u"/nowhere/x.env"_s);
        QVERIFY(!variables);
        QCOMPARE(variables.error().kind, ProblemKind::Unavailable);
    }

    void variablesBecomeSettings_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("assignment");
        const auto row = [](QLatin1StringView name, const QString &text, QLatin1StringView assignment) {
            QTest::addRow("%s=%s", name.data(), qPrintable(text)) << u"OPENPROGRAM_"_s + name << text << QString(assignment);
        };
        row("MAX_RETRIES"_L1, u"0"_s, "exec.max_attempts=1"_L1);
        row("MAX_RETRIES"_L1, u"1_000"_s, "exec.max_attempts=1000"_L1);
        row("MAX_RETRIES"_L1, QString(), "exec.max_attempts=6"_L1);
        row("EXEC_TIMEOUT_S"_L1, u"0"_s, "exec.timeout_s=off"_L1);
        row("EXEC_TIMEOUT_S"_L1, u"-5"_s, "exec.timeout_s=off"_L1);
        row("EXEC_TIMEOUT_S"_L1, u"inf"_s, "exec.timeout_s=off"_L1);
        row("EXEC_TIMEOUT_S"_L1, u"60"_s, "exec.timeout_s=60"_L1);
        row("HTTPX_CONNECT_TIMEOUT_S"_L1, u"2000000"_s, "http.connect_timeout_s=off"_L1);
        row("HTTPX_CONNECT_TIMEOUT_S"_L1, u"inf"_s, "http.connect_timeout_s=off"_L1);
        row("HTTPX_CONNECT_TIMEOUT_S"_L1, u"-0"_s, "http.connect_timeout_s=0"_L1);
        row("HTTPX_READ_TIMEOUT_S"_L1, QString(), "http.read_timeout_s=auto"_L1);
        row("HTTPX_READ_TIMEOUT_S"_L1, u"12"_s, "http.read_timeout_s=12"_L1);
        row("TCP_KEEPALIVE"_L1, QString(), "http.keepalive=false"_L1);
        row("TCP_KEEPCNT"_L1, u"5.9"_s, "http.keepalive_count=5"_L1);
        row("PARTIAL_RECOVERY"_L1, u" OFF "_s, "stream.partial_recovery=false"_L1);
        row("FORCE_IPV4"_L1, u"yes"_s, "http.ipv4_only=true"_L1);
        row("PROVIDER_STREAM_RETRIES"_L1, u"1000000"_s, "stream.max_attempts=off"_L1);
        row("PROVIDER_STREAM_BACKOFF_MAX_S"_L1, u"inf"_s, "stream.backoff_max_s=off"_L1);
        row("GOOGLE_MAX_RETRIES"_L1, u"7"_s, "stream.sdk_max_retries=7"_L1);
        row("PROXY_URL"_L1, u" http://p:1 "_s, "http.proxy_url=http://p:1"_L1);
        row("JOB_WORKERS"_L1, u"7"_s, "exec.max_attempts=6"_L1);
    }

    void variablesBecomeSettings()
    {
        QFETCH(const QString, variable);
        QFETCH(const QString, text);
        QFETCH(const QString, assignment);
        const Expected<Policy> policy = withEnvironment(Policy(), one(variable, text), u"environment"_s);
        QVERIFY2(policy, policy ? "" : qPrintable(policy.error().line()));
        const QString name = assignment.section(u'=', 0, 0);
        const Setting setting = settingNamed(name).value();
        QCOMPARE(name + u'=' + policy->text(setting), assignment);
        QCOMPARE(policy->origin(setting), settingOfVariable(variable) ? u"environment"_s : u"default"_s);
    }

    void badVariables_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("inForce"); // what applyEnvironment() goes on with
        const auto row = [](QLatin1StringView name, QLatin1StringView text, QLatin1StringView line, QLatin1StringView inForce) {
            QTest::addRow("%s=%s", name.data(), text.data())
                << u"OPENPROGRAM_"_s + name << QString(text)
                << u"x.env:1: OPENPROGRAM_"_s + name + u" \""_s + text + u"\" "_s + line << QString(inForce);
        };
        row("MAX_RETRIES"_L1, "six"_L1, "cannot be read; OpenProgram would use 6"_L1, "6"_L1);
        row("EXEC_TIMEOUT_S"_L1, "60s"_L1, "cannot be read; OpenProgram would use off"_L1, "off"_L1);
        row("HTTPX_READ_TIMEOUT_S"_L1, "off"_L1, "cannot be read; OpenProgram would use auto"_L1, "auto"_L1);
        row("HTTPX_CONNECT_TIMEOUT_S"_L1, "-5"_L1, "is out of range; in OpenProgram: every request fails at once"_L1, "0"_L1);
        row("HTTPX_CONNECT_TIMEOUT_S"_L1, "nan"_L1,
            "is not a number that a clock can count to; it takes a number of seconds from 0 to 1000000, or off"_L1, "30"_L1);
        row("PROVIDER_STREAM_RETRIES"_L1, ""_L1, "makes OpenProgram raise ValueError; it would not start"_L1, "3"_L1);
        row("PROVIDER_STREAM_RETRIES"_L1, "0"_L1,
            "is out of range; in OpenProgram: every call reports success without sending a request"_L1, "1"_L1);
        row("PROVIDER_STREAM_BACKOFF_S"_L1, "2s"_L1, "makes OpenProgram raise ValueError; it would not start"_L1, "1"_L1);
        row("PROVIDER_STREAM_BACKOFF_S"_L1, "1e9"_L1,
            "is out of range; it takes a number of seconds from 0 to 1000000"_L1, "1000000"_L1);
        row("RETRY_BACKOFF_BASE"_L1, "-1"_L1,
            "is out of range; in OpenProgram: the first sleep raises ValueError and ends the exec"_L1, "0"_L1);
        row("OPENAI_MAX_RETRIES"_L1, "3.0"_L1, "makes OpenProgram raise ValueError; every call would fail"_L1, "3"_L1);
        row("TCP_KEEPIDLE_S"_L1, "inf"_L1, "makes OpenProgram raise OverflowError; every call would fail"_L1, "30"_L1);
        row("TCP_KEEPIDLE_S"_L1, "0"_L1, "is out of range; in OpenProgram: is handed to the socket as it is"_L1, "1"_L1);
        row("TCP_KEEPALIVE"_L1, "maybe"_L1, "cannot be read; OpenProgram would use false"_L1, "false"_L1);
        row("PARTIAL_RECOVERY"_L1, "maybe"_L1, "cannot be read; OpenProgram would use true"_L1, "true"_L1);
    }

    void badVariables()
    {
        QFETCH(const QString, variable);
        QFETCH(const QString, text);
        const Expected<Policy> strict = withEnvironment(Policy(), one(variable, text), u"environment"_s);
        QVERIFY(!strict);
        QTEST(strict.error().line(), "line");
        const EnvironmentResult lenient = applyEnvironment(Policy(), one(variable, text), u"environment"_s);
        QCOMPARE(lenient.problems.size(), size_t(1));
        QTEST(lenient.policy.text(settingOfVariable(variable).value()), "inForce");
    }

    void aProxysPasswordIsInNoProblem()
    {
        const Expected<Policy> policy =
            withEnvironment(Policy(), one(u"OPENPROGRAM_PROXY_URL"_s, u"ftp://me:secret@host"_s), u"environment"_s);
        QVERIFY(!policy);
        QVERIFY(!policy.error().line().contains(u"secret"_s));
        QVERIFY(policy.error().line().contains(u"ftp://***@host"_s));
    }

    void laterLinesAndBetterVariablesWin()
    {
        const Environment variables{{u"OPENPROGRAM_OPENAI_MAX_RETRIES"_s, u"5"_s, {}},
                                    {u"OPENPROGRAM_ANTHROPIC_MAX_RETRIES"_s, u"bad, but overruled"_s, {}},
                                    {u"OPENPROGRAM_MAX_RETRIES"_s, u"bad, but overruled"_s, {}},
                                    {u"OPENPROGRAM_MAX_RETRIES"_s, u"2"_s, {}},
                                    {u"OPENPROGRAM_PROXY_URL"_s, u"http://own:1"_s, {}},
                                    {u"HTTPS_PROXY"_s, u"http://general:1"_s, {}}};
        const Expected<Policy> policy = withEnvironment(Policy(), variables, u"environment"_s);
        QVERIFY2(policy, policy ? "" : qPrintable(policy.error().line()));
        QCOMPARE(policy->count(Setting::StreamSdkMaxRetries), 5);
        QCOMPARE(policy->count(Setting::ExecMaxAttempts), 2);
        QCOMPARE(policy->text(Setting::HttpProxyUrl), u"http://own:1"_s);
    }

    void misspeltVariablesAreNamed()
    {
        const Environment variables{{u"OPENPROGRAM_MAX_RETRYS"_s, u"3"_s, u"x.env:4"_s},
                                    {u"OPENPROGRAM_JOB_WORKERS"_s, u"3"_s, {}},
                                    {u"OPENPROGRAM_MAX_RETRIES"_s, u"3"_s, {}},
                                    {u"MAX_RETRYS"_s, u"3"_s, {}}};
        const std::vector<Problem> problems = misspeltVariables(variables);
        QCOMPARE(problems.size(), size_t(1));
        QCOMPARE(problems.front().line(), u"x.env:4: OPENPROGRAM_MAX_RETRYS: no setting of OpenProgram has this name; did you "
                                          "mean MAX_RETRIES? (after OPENPROGRAM_)"_s);
    }

    void processVariablesAreFound()
    {
        qputenv("OPENPROGRAM_MAX_RETRIES", "4");
        qputenv("XOPENPROGRAM_MAX_RETRIES", "5");
        const Expected<Policy> policy = withEnvironment(Policy(), processEnvironment(), u"environment"_s);
        qunsetenv("OPENPROGRAM_MAX_RETRIES");
        qunsetenv("XOPENPROGRAM_MAX_RETRIES");
        QVERIFY(policy);
        QCOMPARE(policy->count(Setting::ExecMaxAttempts), 4);
    }

    void whatOpenProgramDoesAnywayNeedsNoVariable()
    {
        for (const EnvironmentFormat format : allOf<EnvironmentFormat>()) {
            const QString text = profileText(u"openprogram-2026-08"_s, format, true);
            if (format == EnvironmentFormat::K8s)
                QCOMPARE(text, u"env: []\n"_s);
            else
                QCOMPARE(text, format == EnvironmentFormat::Json ? u"{\n}\n"_s : QString());
        }
    }

    void onlyDifferencesOfHardened()
    {
        const QString sh = profileText(u"hardened"_s, EnvironmentFormat::Sh, true);
        QCOMPARE(withoutComments(sh), u"export OPENPROGRAM_PROVIDER_STREAM_RETRIES=3\n"
                                      "export OPENPROGRAM_PROVIDER_STREAM_BACKOFF_S=1\n"_s);
        QVERIFY(sh.contains(u"# session.carry_verdict = everywhere: OpenProgram has no variable for it, and has none\n"_s));
        QVERIFY(!sh.contains(u"exec.jitter "_s));
    }

    void everyFormatQuotesAsItMust_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("proxy");
        QTest::addColumn<QString>("text");
        const auto row = [](EnvironmentFormat format, const QString &proxy, const QString &text) {
            QTest::addRow("%s %s", wordOf(format).data(), qPrintable(proxy)) << static_cast<int>(format) << proxy << text;
        };
        const QString odd = u"http://it's:$x@host"_s;
        row(EnvironmentFormat::Sh, u"http://p:1"_s, u"export OPENPROGRAM_PROXY_URL=http://p:1"_s);
        row(EnvironmentFormat::Sh, odd, u"export OPENPROGRAM_PROXY_URL='http://it'\\''s:$x@host'"_s);
        row(EnvironmentFormat::Sh, QString(), u"export OPENPROGRAM_PROXY_URL=''"_s);
        row(EnvironmentFormat::Dotenv, u"http://p:1/#f"_s, u"OPENPROGRAM_PROXY_URL='http://p:1/#f'"_s);
        row(EnvironmentFormat::Dotenv, odd, u"OPENPROGRAM_PROXY_URL=\"http://it's:\\$x@host\""_s);
        row(EnvironmentFormat::Dotenv, QString(), u"OPENPROGRAM_PROXY_URL="_s);
        row(EnvironmentFormat::Powershell, odd, u"$env:OPENPROGRAM_PROXY_URL = 'http://it''s:$x@host'"_s);
        row(EnvironmentFormat::Docker, odd, u"OPENPROGRAM_PROXY_URL="_s + odd);
        row(EnvironmentFormat::K8s, odd, u"  - name: OPENPROGRAM_PROXY_URL\n    value: \"http://it's:$x@host\""_s);
        row(EnvironmentFormat::Json, odd, u"    \"OPENPROGRAM_PROXY_URL\": \"http://it's:$x@host\","_s);
    }

    void everyFormatQuotesAsItMust()
    {
        QFETCH(const int, format);
        QFETCH(const QString, proxy);
        QFETCH(const QString, text);
        const Policy policy = Policy().with(Setting::HttpProxyUrl, SettingValue::text(proxy), u"test"_s);
        const QString printed = printEnvironment(policy, static_cast<EnvironmentFormat>(format), false);
        QVERIFY2(printed.contains(u'\n' + text + u'\n'), qPrintable(printed));
    }

    void offIsNeverZeroWhereZeroIsNoTime()
    {
        Policy policy;
        for (const SettingInfo &info : settings()) {
            if (info.canBeOff)
                policy = policy.with(info.id, SettingValue::off(), u"test"_s);
        }
        for (const EnvironmentVariable &variable : toEnvironment(policy, false)) {
            const EnvironmentReading reading = readAsOpenProgram(variable.name, variable.text).value();
            const SettingInfo &info = infoOf(settingNamed(variable.where).value());
            if (info.canBeOff)
                QVERIFY2(reading.noLimit || reading.value.value() > info.maximum, qPrintable(variable.name));
        }
    }

    void printedAndReadBack()
    {
        QRandomGenerator random(20260823);
        const Policy openProgram = findProfile(u"openprogram-2026-08"_s).value().policy;
        for (int i = 0; i < 300; ++i) {
            const Policy policy = randomPolicy(random);
            for (const auto format : {EnvironmentFormat::Sh, EnvironmentFormat::Dotenv}) {
                const QByteArray text = printEnvironment(policy, format, false).toUtf8();
                const Expected<Environment> variables = parseDotenv(text, u"x.env"_s);
                QVERIFY2(variables, variables ? "" : qPrintable(variables.error().line()));
                const Expected<Policy> back = withEnvironment(Policy(), *variables, u"environment"_s);
                QVERIFY2(back, back ? "" : qPrintable(back.error().line()));
                for (const SettingInfo &info : settings())
                    QCOMPARE(back->text(info.id), policy.text(info.id));
            }
            // What is left out is what OpenProgram does without it.
            const Expected<Policy> back = withEnvironment(openProgram, toEnvironment(policy, true), u"environment"_s);
            QVERIFY(back);
            for (const SettingInfo &info : settings()) {
                if (!info.variable.isEmpty())
                    QCOMPARE(back->text(info.id), policy.text(info.id));
            }
        }
    }

    // A real shell is the judge of what is quoted for it.
    void aShellReadsTheSame()
    {
        const QString shell = QStandardPaths::findExecutable(u"sh"_s);
        if (shell.isEmpty())
            QSKIP("no sh here");
        QTemporaryDir dir;
        QRandomGenerator random(7);
        for (int i = 0; i < 10; ++i) {
            const Policy policy = randomPolicy(random);
            QFile file(dir.filePath(u"x.sh"_s));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(printEnvironment(policy, EnvironmentFormat::Sh, false).toUtf8());
            file.close();
            QString script = u". \"$0\""_s;
            QStringList texts;
            for (const EnvironmentVariable &variable : toEnvironment(policy, false)) {
                script += u"; printf '%s\\n' \"$"_s + variable.name + u'"';
                texts << variable.text;
            }
            QProcess process;
            process.start(shell, {u"-c"_s, script, file.fileName()});
            QVERIFY(process.waitForFinished());
            QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()), texts.join(u'\n') + u'\n');
            QCOMPARE(process.readAllStandardError(), QByteArray());
        }
    }
};

QTEST_GUILESS_MAIN(TestEnvironment)
#include "tst_environment.moc"
