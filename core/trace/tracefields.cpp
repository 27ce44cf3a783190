// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracefields.h"

#include "trace/jsontext.h"

#include <cstring>

namespace Waitscope {

using namespace Qt::StringLiterals;
namespace ondemand = simdjson::ondemand;

namespace {

// In the order of TraceKey.
constexpr std::array<std::string_view, 50> names{
    "argument", "attempt",   "by",        "cause",      "clamped",    "clock",  "due",       "e",          "exhausted", "format",
    "from",     "hint_s",    "id",        "kills",      "kind",       "label",  "layer",     "max",        "name",      "origin",
    "outcome",  "owner",     "parent",    "phase",      "policy",     "program", "reason",   "redactions", "resets",    "retryable",
    "role",     "rule",      "scale",     "seed",       "setting",    "since_byte", "since_data", "span",  "start",     "status",
    "t",        "text",      "title",     "to",         "type",       "u",      "value",     "variable",   "version",   "why"};
static_assert(names.size() == static_cast<size_t>(TraceKey::Why) + 1);

constexpr size_t slotOf(std::string_view key)
{
    return (key.size() * 37 + static_cast<unsigned char>(key.front()) * 5 + static_cast<unsigned char>(key.back())) & 255;
}

// Open addressing: a key is in the slot of its hash or in one right behind it.
constexpr std::array<qint8, 256> makeSlots()
{
    std::array<qint8, 256> table{};
    table.fill(-1);
    for (size_t i = 0; i < names.size(); ++i) {
        size_t slot = slotOf(names[i]);
        while (table[slot] >= 0)
            slot = (slot + 1) & 255;
        table[slot] = static_cast<qint8>(i);
    }
    return table;
}
constexpr std::array<qint8, 256> keySlots = makeSlots();

std::optional<TraceKey> keyNamed(std::string_view key)
{
    if (key.empty())
        return std::nullopt;
    for (size_t slot = slotOf(key); keySlots[slot] >= 0; slot = (slot + 1) & 255) {
        if (names[static_cast<size_t>(keySlots[slot])] == key)
            return static_cast<TraceKey>(keySlots[slot]);
    }
    return std::nullopt;
}

// From the first character to before the closing quote, which is there: the line's quotes are known to be paired.
std::string_view contentOf(ondemand::raw_json_string string)
{
    const char *const begin = string.raw();
    const char *end = begin;
    while (*end != '"')
        end += *end == '\\' ? 2 : 1;
    return {begin, static_cast<size_t>(end - begin)};
}

// Deeper than any field has a reason to be; the check below calls itself.
constexpr int deepest = 64;

// Reads a value to its end, since what is skipped is not checked.
simdjson::error_code check(ondemand::value &value, int depth)
{
    if (depth > deepest)
        return simdjson::DEPTH_ERROR;
    ondemand::json_type type{};
    if (const auto error = value.type().get(type))
        return error;
    switch (type) {
    case ondemand::json_type::array: {
        ondemand::array array;
        if (const auto error = value.get_array().get(array))
            return error;
        for (auto element : array) {
            ondemand::value inner;
            if (const auto error = element.get(inner))
                return error;
            if (const auto error = check(inner, depth + 1))
                return error;
        }
        return simdjson::SUCCESS;
    }
    case ondemand::json_type::object: {
        ondemand::object object;
        if (const auto error = value.get_object().get(object))
            return error;
        for (auto element : object) {
            ondemand::field field;
            if (const auto error = std::move(element).get(field))
                return error;
            if (!fromJsonString(contentOf(field.key())))
                return simdjson::STRING_ERROR;
            if (const auto error = check(field.value(), depth + 1))
                return error;
        }
        return simdjson::SUCCESS;
    }
    case ondemand::json_type::string: {
        ondemand::raw_json_string string;
        if (const auto error = value.get_raw_json_string().get(string))
            return error;
        return fromJsonString(contentOf(string)) ? simdjson::SUCCESS : simdjson::STRING_ERROR;
    }
    case ondemand::json_type::number:
        return value.get_number().error();
    case ondemand::json_type::boolean:
        return value.get_bool().error();
    case ondemand::json_type::null:
        return value.is_null() ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
    }
    return simdjson::TAPE_ERROR;
}

} // namespace

std::string_view nameOf(TraceKey key)
{
    return names[static_cast<size_t>(key)];
}

bool TraceFields::read(std::string_view line)
{
    m_present = m_taken = 0;
    m_unknown = false;
    ondemand::document document;
    if (const auto error = m_parser.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING).get(document))
        return fail(error);
    ondemand::object object;
    if (const auto error = document.get_object().get(object))
        return error == simdjson::INCORRECT_TYPE ? fail(u"not a JSON object"_s) : fail(error);
    for (auto element : object) {
        ondemand::field field;
        if (const auto error = std::move(element).get(field))
            return fail(error);
        if (!readField(field))
            return false;
    }
    // The library has no other word for "at the end".
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS || fail(u"something stands behind the object"_s);
}

bool TraceFields::readField(ondemand::field &field)
{
    const std::string_view name = contentOf(field.key());
    const std::optional<TraceKey> key = keyNamed(name);
    if (!key) {
        m_unknown = true;
        if (!fromJsonString(name))
            return fail(simdjson::STRING_ERROR);
        const auto error = check(field.value(), 0);
        return error == simdjson::SUCCESS || fail(error);
    }
    const quint64 bit = quint64{1} << static_cast<int>(*key);
    if (m_present & bit)
        return fail(u"field \"%1\" stands twice"_s.arg(QLatin1StringView(name.data(), static_cast<qsizetype>(name.size()))));
    m_present |= bit;
    TraceToken &token = m_tokens[static_cast<size_t>(*key)];
    if (*key == TraceKey::Policy) {
        token.type = TraceToken::Type::Settings;
        return readSettings(field.value());
    }
    if (*key == TraceKey::Redactions) {
        token.type = TraceToken::Type::Texts;
        return readTexts(field.value());
    }
    return readToken(field.value(), token);
}

bool TraceFields::readToken(ondemand::value &value, TraceToken &token)
{
    ondemand::json_type type{};
    if (const auto error = value.type().get(type))
        return fail(error);
    switch (type) {
    case ondemand::json_type::string: {
        ondemand::raw_json_string string;
        if (const auto error = value.get_raw_json_string().get(string))
            return fail(error);
        token.type = TraceToken::Type::Text;
        token.text = contentOf(string);
        return true;
    }
    case ondemand::json_type::number: {
        ondemand::number number;
        if (const auto error = value.get_number().get(number))
            return fail(error == simdjson::NUMBER_ERROR ? u"a number is malformed or out of range"_s
                                                        : QString::fromUtf8(simdjson::error_message(error)));
        if (number.is_int64()) {
            token.type = TraceToken::Type::Integer;
            token.integer = number.get_int64();
        } else if (number.is_uint64()) {
            token.type = TraceToken::Type::LargeInteger;
            token.largeInteger = number.get_uint64();
        } else {
            token.type = TraceToken::Type::Number;
            token.number = number.get_double();
        }
        return true;
    }
    case ondemand::json_type::boolean:
        token.type = TraceToken::Type::Bool;
        if (const auto error = value.get_bool().get(token.flag))
            return fail(error);
        return true;
    case ondemand::json_type::null:
        token.type = TraceToken::Type::Null;
        return value.is_null() || fail(simdjson::N_ATOM_ERROR);
    case ondemand::json_type::array:
    case ondemand::json_type::object:
        return fail(u"a field holds a list or object where one value belongs"_s);
    }
    return fail(simdjson::TAPE_ERROR);
}

bool TraceFields::readSettings(ondemand::value &value)
{
    m_settings.clear();
    ondemand::array rows;
    if (const auto error = value.get_array().get(rows))
        return fail(error);
    for (auto element : rows) {
        ondemand::value row;
        if (const auto error = element.get(row))
            return fail(error);
        if (!readTexts(row))
            return false;
        if (m_texts.size() < 3)
            return fail(u"a setting of the policy is not [name, value, origin]"_s);
        m_unknown = m_unknown || m_texts.size() > 3;
        m_settings.push_back({m_texts[0], m_texts[1], m_texts[2]});
    }
    m_texts.clear();
    return true;
}

bool TraceFields::readTexts(ondemand::value &value)
{
    m_texts.clear();
    ondemand::array texts;
    if (const auto error = value.get_array().get(texts))
        return fail(error);
    for (auto element : texts) {
        ondemand::raw_json_string string;
        if (const auto error = element.get_raw_json_string().get(string))
            return fail(error);
        const std::optional<QString> text = fromJsonString(contentOf(string));
        if (!text)
            return fail(simdjson::STRING_ERROR);
        m_texts.append(*text);
    }
    return true;
}

bool TraceFields::fail(QString why)
{
    m_fault = std::move(why);
    return false;
}

bool TraceFields::fail(simdjson::error_code error)
{
    if (error == simdjson::UTF8_ERROR)
        return fail(u"not valid UTF-8"_s);
    if (error == simdjson::DEPTH_ERROR)
        return fail(u"nested too deep"_s);
    return fail(u"not valid JSON (%1)"_s.arg(QString::fromUtf8(simdjson::error_message(error))));
}

} // namespace Waitscope
