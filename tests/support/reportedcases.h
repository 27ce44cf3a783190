// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/cases/public-bugs.json with the book of which part of their `expect` a test has asked for.
#pragma once

#include "base/vocabulary.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include <map>

namespace Waitscope {

// tests/data/cases/reading.json: what the cases' reason words mean here, how prose was read, and what is not possible yet.
class CaseReading
{
public:
    explicit CaseReading(const QJsonObject &file)
    {
        using namespace Qt::StringLiterals;
        for (const QJsonValue &value : file["reasons"_L1].toArray()) {
            QSet<QString> &means = m_reasons[value["word"_L1].toString()];
            for (const QJsonValue &word : value["means"_L1].toArray())
                means.insert(word.toString());
            noteFault(value, "why"_L1);
        }
        for (const QJsonValue &value : file["notYet"_L1].toArray()) {
            m_notYet[value["id"_L1].toString()].insert(value["key"_L1].toString());
            noteFault(value, "because"_L1);
        }
        for (const QJsonValue &value : file["readings"_L1].toArray()) {
            m_read[value["id"_L1].toString()].insert(value["key"_L1].toString());
            noteFault(value, "as"_L1);
        }
    }

    [[nodiscard]] QSet<QString> notYet(const QString &id) const { return m_notYet.value(id); }
    [[nodiscard]] QSet<QString> read(const QString &id) const { return m_read.value(id); }
    [[nodiscard]] QSet<QString> reasons(const QString &word) const { return m_reasons.value(word); }
    // Entries without their sentence.
    [[nodiscard]] const QStringList &faults() const { return m_faults; }

private:
    void noteFault(const QJsonValue &entry, QLatin1StringView sentence)
    {
        if (entry[sentence].toString().size() < 20)
            m_faults << QString::fromUtf8(QJsonDocument(entry.toObject()).toJson(QJsonDocument::Compact));
    }

    QMap<QString, QSet<QString>> m_reasons;
    QMap<QString, QSet<QString>> m_notYet;
    QMap<QString, QSet<QString>> m_read;
    QStringList m_faults;
};

class ReportedCase
{
public:
    ReportedCase(QJsonObject object, const CaseReading &reading)
        : m_object(std::move(object))
        , m_reading(reading)
    {
    }

    [[nodiscard]] QString id() const { return m_object[QLatin1StringView("id")].toString(); }
    [[nodiscard]] QJsonValue input() const { return m_object[QLatin1StringView("input")]; }
    [[nodiscard]] QJsonValue input(QLatin1StringView key) const { return input()[key]; }
    // One text, or a list of them.
    [[nodiscard]] QStringList texts() const
    {
        QStringList list;
        if (input().isString())
            list << input().toString();
        for (const QJsonValue &text : input().toArray())
            list << text.toString();
        return list;
    }

    // Whoever asks for it has to check it.
    [[nodiscard]] QJsonValue expected(QLatin1StringView key)
    {
        m_asked.insert(QString(key));
        return expectation()[key];
    }
    // The same of the n-th input, where there are several.
    [[nodiscard]] QJsonValue expected(QLatin1StringView key, qsizetype n)
    {
        const QJsonValue value = expected(key);
        return value.isArray() ? value.toArray().at(n) : value;
    }
    // Empty when `got` is what the case's word stands for.
    [[nodiscard]] QString reasonFault(ErrorReason got, qsizetype n = 0)
    {
        const QString word = expected(QLatin1StringView("reason"), n).toString();
        if (m_reading.reasons(word).contains(QString(wordOf(got))))
            return {};
        return QStringLiteral("the case says %1, the rules say %2").arg(word, QString(wordOf(got)));
    }

    // Keys that were neither asked for nor are in the list of what is not possible yet; and entries of the lists that
    // name no key.
    [[nodiscard]] QStringList unaccounted() const
    {
        const QStringList names = expectation().keys();
        const QSet<QString> keys(names.begin(), names.end());
        const QSet<QString> known = m_asked + m_reading.notYet(id());
        const QSet<QString> strays = (known + m_reading.read(id())) - keys;
        return (keys - known + strays).values();
    }
    [[nodiscard]] bool isWhole() const { return m_reading.notYet(id()).isEmpty(); }

private:
    [[nodiscard]] QJsonObject expectation() const { return m_object[QLatin1StringView("expect")].toObject(); }

    QJsonObject m_object;
    const CaseReading &m_reading;
    QSet<QString> m_asked;
};

using CaseCheck = void (*)(ReportedCase &);

// How many cases of a layer are tested as a whole, in part, and not at all.
struct CaseTally {
    int whole = 0;
    int part = 0;
    int open = 0;

    friend bool operator==(const CaseTally &, const CaseTally &) = default;
};

class ReportedCases
{
public:
    explicit ReportedCases(std::map<QString, CaseCheck> checks)
        : m_checks(std::move(checks))
        , m_reading(fileNamed(QStringLiteral("reading.json")))
    {
        const QJsonArray cases = fileNamed(QStringLiteral("public-bugs.json"))[QLatin1StringView("cases")].toArray();
        for (const QJsonValue &value : cases)
            m_cases[value[QLatin1StringView("id")].toString()] = value.toObject();
    }

    [[nodiscard]] const CaseReading &reading() const { return m_reading; }

    void addRows(const QStringList &layers) const
    {
        QTest::addColumn<QString>("id");
        for (const auto &[id, object] : m_cases) {
            if (layers.contains(layerOf(object)))
                QTest::newRow(qPrintable(id)) << id;
        }
    }

    void run(const QString &id) const
    {
        ReportedCase subject(m_cases.at(id), m_reading);
        if (const auto check = m_checks.find(id); check != m_checks.end())
            check->second(subject);
        if (!QTest::currentTestFailed())
            QCOMPARE(subject.unaccounted(), QStringList());
    }

    [[nodiscard]] CaseTally tally(const QString &layer) const
    {
        CaseTally tally;
        for (const auto &[id, object] : m_cases) {
            if (layerOf(object) != layer)
                continue;
            if (!m_checks.contains(id))
                ++tally.open;
            else if (ReportedCase(object, m_reading).isWhole())
                ++tally.whole;
            else
                ++tally.part;
        }
        return tally;
    }

private:
    [[nodiscard]] static QString layerOf(const QJsonObject &object) { return object[QLatin1StringView("layer")].toString(); }
    // An unreadable file has no cases, and the tally says so.
    [[nodiscard]] static QJsonObject fileNamed(const QString &name)
    {
        QFile file(QStringLiteral(TEST_DATA_DIR "/cases/") + name);
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    }

    std::map<QString, CaseCheck> m_checks;
    CaseReading m_reading;
    std::map<QString, QJsonObject> m_cases;
};

} // namespace Waitscope
