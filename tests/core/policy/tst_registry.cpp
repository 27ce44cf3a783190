// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/nearness.h"
#include "policy/value.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace Waitscope;
using namespace Qt::StringLiterals;

class TestRegistry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everySettingHasItsLineInOrder()
    {
        QCOMPARE(settings().size(), static_cast<size_t>(settingCount));
        for (int i = 0; i < settingCount; ++i) {
            // A missing line is an empty one under the number of the first setting.
            QCOMPARE(static_cast<int>(settings()[static_cast<size_t>(i)].id), i);
            QVERIFY(!settings()[static_cast<size_t>(i)].name.isEmpty());
        }
    }

    void namesAreUniqueAndSayTheirLayerAndUnit()
    {
        static const QRegularExpression form(u"^(rules|(harness|exec|session|stream|http)\\.[a-z0-9]+(_[a-z0-9]+)*)$"_s);
        QSet<QString> names;
        for (const SettingInfo &info : settings()) {
            const QString name(info.name);
            QVERIFY2(form.match(name).hasMatch(), info.name.data());
            QVERIFY2(!names.contains(name), info.name.data());
            names.insert(name);
            QCOMPARE(name.endsWith(u"_s"_s), info.unit == "s"_L1);
            const QString layer = name.section(u'.', 0, 0);
            QCOMPARE(info.layer == Layer::Task ? u"task"_s : layer, QString(wordOf(info.layer)));
            QCOMPARE(settingNamed(name), std::optional(info.id));
            QCOMPARE(infoOf(info.id).name, info.name);
        }
        QVERIFY(!settingNamed(u"exec"));
        QVERIFY(!settingNamed(u""));
    }

    void defaultsAreReadAndSpelledBack()
    {
        for (const SettingInfo &info : settings()) {
            const Expected<SettingValue> value = parseValue(info, QString(info.defaultValue));
            QVERIFY2(value, value ? "" : qPrintable(value.error().line()));
            QCOMPARE(QString(info.name) + u'=' + spellValue(info, *value),
                     QString(info.name) + u'=' + QString(info.defaultValue));
        }
    }

    void everyChoiceIsReadAndSpelledBack()
    {
        for (const SettingInfo &info : settings()) {
            QStringList spellings;
            for (const QLatin1StringView word : info.words)
                spellings << QString(word);
            if (info.canBeOff)
                spellings << u"off"_s;
            if (info.canBeAuto)
                spellings << u"auto"_s;
            if (info.type == SettingType::Flag)
                spellings << u"true"_s << u"false"_s;
            const bool isNumber = info.type == SettingType::Count || info.type == SettingType::Seconds
                || info.type == SettingType::Number;
            if (isNumber)
                spellings << spellNumber(info.minimum) << spellNumber(info.maximum);
            for (const QString &spelling : spellings) {
                const Expected<SettingValue> value = parseValue(info, u" "_s + spelling + u' ');
                QVERIFY2(value, value ? "" : qPrintable(value.error().line()));
                QCOMPARE(spellValue(info, *value), spelling);
            }
        }
    }

    void rangesAreClosedAndHoldTheDefault()
    {
        for (const SettingInfo &info : settings()) {
            if (info.type == SettingType::Text)
                continue;
            QVERIFY2(info.minimum < info.maximum, info.name.data());
            QVERIFY2(info.minimum >= 0, info.name.data());
            QCOMPARE(info.type == SettingType::Word, !info.words.empty());
            if (info.type != SettingType::Count && info.type != SettingType::Seconds && info.type != SettingType::Number)
                continue;
            for (const double outside : {info.minimum - 1, info.maximum + 1}) {
                const Expected<SettingValue> value = parseValue(info, spellNumber(outside));
                QVERIFY2(!value, info.name.data());
                QVERIFY(value.error().line().startsWith(QString(info.name) + u": "_s));
                QVERIFY(value.error().line().contains(spellNumber(info.minimum) + u" to "_s + spellNumber(info.maximum)));
            }
        }
    }

    void explanationsAreOneSentenceEach()
    {
        QSet<QString> seen;
        for (const SettingInfo &info : settings()) {
            const QString text(info.explanation);
            QVERIFY2(text.size() > 20 && text.size() < 160 && text.endsWith(u'.') && !text.contains(u'\n'), info.name.data());
            QVERIFY2(!seen.contains(text), info.name.data());
            seen.insert(text);
        }
    }

    void variablesAreUniqueAndSaidInFull()
    {
        QSet<QString> seen;
        for (const SettingInfo &info : settings()) {
            QStringList names = QString(info.alsoVariables).split(u' ', Qt::SkipEmptyParts);
            if (!info.variable.isEmpty())
                names.prepend(QString(info.variable));
            QCOMPARE(info.variable.isEmpty(), names.isEmpty());
            QCOMPARE(info.readAt == ReadAt::Never, names.isEmpty());
            for (const QString &name : names) {
                QVERIFY2(!seen.contains(name), qPrintable(name));
                seen.insert(name);
                QCOMPARE(settingOfVariable(name), std::optional(info.id));
            }
            const bool hasWords = !info.variable.isEmpty() && info.type != SettingType::Text;
            for (const QLatin1StringView text : {info.whenEmpty, info.whenUnreadable, info.whenZero})
                QVERIFY2(text.isEmpty() != hasWords, info.name.data());
            // `off` of a variable has a spelling there.
            QVERIFY2(!info.exportOff.isEmpty() || info.variable.isEmpty() || !info.canBeOff, info.name.data());
        }
        QCOMPARE(seen.size(), 26);
        QVERIFY(!settingOfVariable(u""));
        QVERIFY(!settingOfVariable(u"OPENPROGRAM_JOB_WORKERS"));
    }

    // Armed timers can be moved; what exec or the task sets up at its start cannot.
    void changesReachWhatTheyGovern()
    {
        for (const SettingInfo &info : settings()) {
            const QString name(info.name);
            const bool isTimer = info.layer == Layer::Http && info.type == SettingType::Seconds;
            QCOMPARE(name + (info.reach == Reach::AtOnce ? u": at once"_s : QString()), name + (isTimer ? u": at once"_s : QString()));
            const bool isSleep = name.contains(u"backoff"_s) || name.contains(u"jitter"_s) || name.contains(u"hint_max"_s);
            if (isSleep)
                QCOMPARE(info.reach, Reach::Sleep);
        }
        for (const Setting setUp : {Setting::ExecTimeout, Setting::ExecPropagateDeadline, Setting::ExecHardCap,
                                    Setting::ExecHardCapAfter, Setting::HttpClampToDeadline, Setting::HarnessTaskTimeout})
            QCOMPARE(infoOf(setUp).reach, Reach::Exec);
    }

    // What OpenProgram does without a variable, or always, is a value that Waitscope knows.
    void whatIsUnsetIsAValue()
    {
        for (const SettingInfo &info : settings()) {
            const Expected<SettingValue> value = parseValue(info, QString(info.whenUnset));
            QVERIFY2(value, value ? "" : qPrintable(value.error().line()));
            QCOMPARE(spellValue(info, *value), QString(info.whenUnset));
        }
    }

    void similarNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("best");
        QTest::newRow("slip") << u"exec.max_atempts"_s << u"exec.max_attempts"_s;
        QTest::newRow("swapped") << u"exec.timeuot_s"_s << u"exec.timeout_s"_s;
        QTest::newRow("no unit") << u"exec.timeout"_s << u"exec.timeout_s"_s;
        QTest::newRow("no layer") << u"watchdog"_s << u"harness.watchdog"_s;
        QTest::newRow("no layer, no unit") << u"connect_timeout"_s << u"http.connect_timeout_s"_s;
        QTest::newRow("case") << u"HTTP.POOL_SIZE"_s << u"http.pool_size"_s;
        QTest::newRow("dash") << u"http.idle-timeout-s"_s << u"http.idle_timeout_s"_s;
        QTest::newRow("nothing") << u"colour of the sky"_s << QString();
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("endless") << QString(1'000'000, u'x') << QString();
    }

    void similarNames()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, best);
        const std::vector<QLatin1StringView> similar = similarSettings(name);
        QVERIFY(similar.size() <= 3);
        QCOMPARE(similar.empty() ? QString() : QString(similar.front()), best);
    }

    void editsAreCounted()
    {
        QCOMPARE(editDistance(u"", u""), 0);
        QCOMPARE(editDistance(u"", u"abc"), 3);
        QCOMPARE(editDistance(u"abc", u"abd"), 1);
        QCOMPARE(editDistance(u"abc", u"acb"), 1);
        QCOMPARE(editDistance(u"abcd", u"bcd"), 1);
        QCOMPARE(editDistance(u"kitten", u"sitting"), 3);
    }

    void textsHaveOneSpelling_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("spelled"); // "!" is refused
        const QString hints = u"exec.hint_forms"_s;
        QTest::newRow("order") << hints << u"date, ms"_s << u"ms,date"_s;
        QTest::newRow("body") << hints << u"body,seconds"_s << u"seconds,body"_s;
        QTest::newRow("twice") << hints << u"ms,ms"_s << u"ms"_s;
        QTest::newRow("none") << hints << u"none"_s << u"none"_s;
        QTest::newRow("no hints") << hints << QString() << u"!"_s;
        QTest::newRow("none and more") << hints << u"none,ms"_s << u"!"_s;
        QTest::newRow("comma") << hints << u"ms,"_s << u"!"_s;
        const QString statuses = u"stream.retry_statuses"_s;
        QTest::newRow("blanks") << statuses << u" 408 , 500 - 599 "_s << u"408,500-599"_s;
        QTest::newRow("no statuses") << statuses << u" "_s << QString();
        QTest::newRow("one") << statuses << u"500-500"_s << u"500"_s;
        QTest::newRow("signed") << statuses << u"+50"_s << u"!"_s;
        QTest::newRow("out of range") << statuses << u"600"_s << u"!"_s;
        QTest::newRow("long") << statuses << u"0500"_s << u"!"_s;
        QTest::newRow("three ends") << statuses << u"500-502-504"_s << u"!"_s;
        const QString proxy = u"http.proxy_url"_s;
        QTest::newRow("proxy") << proxy << u" http://h:1 "_s << u"http://h:1"_s;
        QTest::newRow("no scheme") << proxy << u"h:1"_s << u"!"_s;
        QTest::newRow("no host") << proxy << u"http://"_s << u"!"_s;
        QTest::newRow("line break") << proxy << u"http://h:1/\nX=1"_s << u"!"_s;
        QTest::newRow("port") << proxy << u"http://h:70000"_s << u"!"_s;
    }

    void textsHaveOneSpelling()
    {
        QFETCH(const QString, setting);
        QFETCH(const QString, written);
        QFETCH(const QString, spelled);
        const SettingInfo &info = infoOf(settingNamed(setting).value());
        const Expected<SettingValue> value = parseValue(info, written);
        QCOMPARE(value ? spellValue(info, *value) : u"!"_s, spelled);
    }

    void numbersAreSpelledShortAndExactly()
    {
        QCOMPARE(spellNumber(1'000'000), u"1000000"_s);
        QCOMPARE(spellNumber(0.1), u"0.1"_s);
        QCOMPARE(spellNumber(-0.0), u"0"_s);
        for (const double n : {0.1 + 0.2, 1e-7, 123456.789, 1.0 / 3, 999999.9999999999})
            QCOMPARE(spellNumber(n).toDouble(), n);
    }

    void passwordsAreMaskedWhereShown()
    {
        const SettingInfo &info = infoOf(Setting::HttpProxyUrl);
        const auto shown = [&](const QString &text) { return showValue(info, SettingValue::text(text)); };
        QCOMPARE(shown(u"http://me:secret@host:1"_s), u"http://***@host:1"_s);
        QCOMPARE(shown(u"http://me:sec@ret@host:1"_s), u"http://***@host:1"_s);
        QCOMPARE(shown(u"me:secret@host"_s), u"***@host"_s);
        QCOMPARE(shown(u"http://host:1"_s), u"http://host:1"_s);
        QCOMPARE(showValue(infoOf(Setting::ExecTimeout), SettingValue::off()), u"off"_s);
    }
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
