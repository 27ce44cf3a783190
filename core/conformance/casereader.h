// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of a case and remembers the first that is missing or of the wrong type.
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>

namespace Waitscope {

class CaseReader
{
public:
    explicit CaseReader(const QJsonObject &object)
        : m_object(object)
    {
    }

    // Each gives an empty value when the field is at fault: the case is malformed then and its result is not used.
    [[nodiscard]] QString text(QLatin1StringView key);
    [[nodiscard]] std::optional<QString> textOrNull(QLatin1StringView key);
    [[nodiscard]] double number(QLatin1StringView key);
    [[nodiscard]] std::optional<double> numberOrNull(QLatin1StringView key);
    [[nodiscard]] qint64 integer(QLatin1StringView key);
    [[nodiscard]] std::optional<qint64> integerOrNull(QLatin1StringView key);
    // The same where 32 bits must do.
    [[nodiscard]] std::optional<int> intOrNull(QLatin1StringView key);
    [[nodiscard]] std::optional<bool> flagOrNull(QLatin1StringView key);
    [[nodiscard]] QJsonObject object(QLatin1StringView key);
    [[nodiscard]] QJsonValue value(QLatin1StringView key);

    // "field \"status\" is missing"; empty = all was well so far.
    [[nodiscard]] const QString &fault() const noexcept { return m_fault; }
    void blame(QLatin1StringView key, QLatin1StringView what);

private:
    QJsonObject m_object;
    QString m_fault;
};

} // namespace Waitscope
