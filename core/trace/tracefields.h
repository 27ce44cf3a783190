// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of one line of a recording as they stand in its text, before they mean anything.
#pragma once

#include "event/header.h"

#include <QString>

#include <simdjson.h>

#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <vector>

namespace Waitscope {

// Every field this version knows, in whatever kind of line it stands.
enum class TraceKey : quint8 {
    Argument,
    Attempt,
    By,
    Cause,
    Clamped,
    Clock,
    Due,
    E,
    Exhausted,
    Format,
    From,
    Hint,
    Id,
    Kills,
    Kind,
    Label,
    Layer,
    Max,
    Name,
    Origin,
    Outcome,
    Owner,
    Parent,
    Phase,
    Policy,
    Program,
    Reason,
    Redactions,
    Resets,
    Retryable,
    Role,
    Rule,
    Scale,
    Seed,
    Setting,
    SinceByte,
    SinceData,
    Span,
    Start,
    Status,
    T,
    Text,
    Title,
    To,
    Type,
    U,
    Value,
    Variable,
    Version,
    Why,
};

[[nodiscard]] std::string_view nameOf(TraceKey key);

struct TraceToken {
    enum class Type : quint8 { Text, Integer, LargeInteger, Number, Bool, Null, Settings, Texts };
    Type type = Type::Null;
    bool flag = false;
    std::string_view text; // what stands between the quotes
    qint64 integer = 0;
    quint64 largeInteger = 0; // above the largest qint64
    double number = 0;
};

class TraceFields
{
public:
    // False for what is not one JSON object on a line; fault() says why.
    bool read(std::string_view line);
    [[nodiscard]] const QString &fault() const noexcept { return m_fault; }

    // Marks the field as understood. Null if the line does not have it.
    const TraceToken *take(TraceKey key)
    {
        const quint64 bit = quint64{1} << static_cast<int>(key);
        if (!(m_present & bit))
            return nullptr;
        m_taken |= bit;
        return &m_tokens[static_cast<size_t>(key)];
    }
    // Whether the line has fields that no take() asked for, known ones or not.
    [[nodiscard]] bool hasMore() const noexcept { return m_unknown || (m_present & ~m_taken) != 0; }

    // The lists of a header.
    [[nodiscard]] const std::vector<ShownSetting> &settings() const noexcept { return m_settings; }
    [[nodiscard]] const QStringList &texts() const noexcept { return m_texts; }

private:
    // Lines as we write them ourselves, in ASCII and without lists or fractions: nearly all of a file. False for any other
    // line, good or bad: that one is for the library to judge.
    bool readPlain(std::string_view line);
    bool readField(simdjson::ondemand::field &field);
    bool readToken(simdjson::ondemand::value &value, TraceToken &token);
    bool readSettings(simdjson::ondemand::value &value);
    bool readTexts(simdjson::ondemand::value &value);
    bool fail(QString why);
    bool fail(simdjson::error_code error);

    simdjson::ondemand::parser m_parser;
    std::array<TraceToken, 50> m_tokens;
    quint64 m_present = 0;
    quint64 m_taken = 0;
    bool m_unknown = false;
    QString m_fault;
    std::vector<ShownSetting> m_settings;
    QStringList m_texts;
};

} // namespace Waitscope
