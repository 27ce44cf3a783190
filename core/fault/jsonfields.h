// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one JSON object's members strictly: wrong types, ranges and unknown names become a problem with their path.
#pragma once

#include "base/problem.h"
#include "base/time.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace Waitscope {

// Shared by all objects of a file; the first problem stays, what is read afterwards is of no interest.
class JsonProblem
{
public:
    explicit JsonProblem(QString fileName)
        : m_fileName(std::move(fileName))
    {
    }

    void set(const QString &path, const QString &what, const QString &advice);
    [[nodiscard]] bool isSet() const noexcept { return m_problem.has_value(); }
    [[nodiscard]] const Problem &problem() const { return *m_problem; }

private:
    QString m_fileName;
    std::optional<Problem> m_problem;
};

// Each getter notes its name as known; refuseOthers() then names whatever is left.
class JsonFields
{
public:
    JsonFields(const QJsonObject &object, QString path, JsonProblem &problem)
        : m_object(object)
        , m_path(std::move(path))
        , m_problem(problem)
    {
    }

    [[nodiscard]] bool has(const QString &name) const { return m_object.contains(name); }
    [[nodiscard]] QString pathOf(const QString &name) const { return m_path.isEmpty() ? name : m_path + u'.' + name; }
    void fail(const QString &name, const QString &what, const QString &advice);

    [[nodiscard]] QString text(const QString &name, bool required = false);
    [[nodiscard]] QByteArray word(const QString &name); // printable ASCII without line ends, for heads
    [[nodiscard]] qint64 integer(const QString &name, qint64 fallback, qint64 least, qint64 most, bool required = false);
    [[nodiscard]] bool flag(const QString &name);
    // A number, or the word "forever" = nullopt.
    [[nodiscard]] std::optional<qint64> count(const QString &name, qint64 most);
    [[nodiscard]] Duration seconds(const QString &name, bool required = false);
    // Index of the word among the choices; 0 when absent.
    [[nodiscard]] int choice(const QString &name, const QStringList &choices, bool required = false);
    // Text under `plain`, or bytes under `coded` in base64; exactly one of them.
    [[nodiscard]] QByteArray bytes(const QString &plain, const QString &coded, bool required);
    [[nodiscard]] QJsonArray list(const QString &name, bool required);
    [[nodiscard]] QJsonValue any(const QString &name);

    void refuseOthers();

private:
    [[nodiscard]] bool missing(const QString &name, bool required, const QString &allowed);

    const QJsonObject m_object;
    QString m_path;
    JsonProblem &m_problem;
    QStringList m_known;
};

// What was found instead, for "… expected, found a string".
[[nodiscard]] QString kindOf(const QJsonValue &value);

} // namespace Waitscope
