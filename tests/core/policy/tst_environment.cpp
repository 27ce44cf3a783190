// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/environment.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
};

QTEST_GUILESS_MAIN(TestEnvironment)
#include "tst_environment.moc"
