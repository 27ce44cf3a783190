// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/tracefields.h"

#include "trace/jsontext.h"

#include <algorithm>
#include <cstring>

namespace Waitscope {

using namespace Qt::StringLiterals;
namespace ondemand = simdjson::ondemand;

namespace {

// In the order of TraceKey.
constexpr std::array<std::string_view, 50> names{
    "argument", "attempt", "by",     "cause", "clamped", "clock",      "due",        "e",          "exhausted", "format",
    "from",     "hint_s",  "id",     "kills", "kind",    "label",      "layer",      "max",        "name",      "origin",
    "outcome",  "owner",   "parent", "phase", "policy",  "program",    "reason",     "redactions", "resets",    "retryable",
    "role",     "rule",    "scale",  "seed",  "setting", "since_byte", "since_data", "span",       "start",     "status",
    "t",        "text",    "title",  "to",    "type",    "u",          "value",      "variable",   "version",   "why"};
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

// The first byte from `at` on that is not plain text: a quote, a backslash, a control or no ASCII. `end` is readable.
const char *plainEnd(const char *at, const char *end)
{
    constexpr quint64 ones = 0x0101010101010101;
    constexpr quint64 tops = ones * 0x80;
    for (; at < end; at += 8) {
        // Eight at a time; what stands behind `end` is readable (TraceLineReader::padding).
        quint64 bytes = 0;
        std::memcpy(&bytes, at, sizeof bytes);
        const quint64 quotes = bytes ^ ones * '"';
        const quint64 backslashes = bytes ^ ones * '\\';
        const quint64 special
            = ((bytes - ones * 0x20) & ~bytes) | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes) | bytes;
        if (special & tops)
            break;
    }
    while (at < end && *at >= 0x20 && *at != '"' && *at != '\\')
        ++at;
    return std::min(at, end);
}

// Behind a whole number of at most 18 digits; null if it is anything else.
const char *readWhole(const char *at, const char *end, qint64 &value)
{
    const bool negative = *at == '-';
    at += negative ? 1 : 0;
    const char *const first = at;
    value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; ++at) {
        if (at - first == 18)
            return nullptr;
        value = value * 10 + (*at - '0');
    }
    if (at == first || (*first == '0' && at - first > 1))
        return nullptr;
    value = negative ? -value : value;
    return at;
}

// Behind a value without lists, fractions, null and anything but ASCII; null if it is anything else.
const char *readPlainToken(const char *at, const char *end, TraceToken &token)
{
    if (*at == '"') {
        const char *const from = ++at;
        for (at = plainEnd(at, end); at < end && *at == '\\'; at = plainEnd(at + 2, end)) {
            if (at + 2 >= end || at[1] < 0x20)
                return nullptr;
        }
        if (at >= end || *at != '"')
            return nullptr;
        token.type = TraceToken::Type::Text;
        token.text = {from, static_cast<size_t>(at - from)};
        return at + 1;
    }
    const std::string_view rest(at, static_cast<size_t>(end - at));
    if (rest.starts_with("true")) {
        token.type = TraceToken::Type::Bool;
        token.flag = true;
        return at + 4;
    }
    token.type = TraceToken::Type::Integer;
    return readWhole(at, end, token.integer);
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

bool TraceFields::readPlain(std::string_view line)
{
    const char *at = line.data();
    const char *const end = at + line.size();
    if (line.size() < 2 || *at != '{')
        return false;
    do {
        if (*++at != '"')
            return false;
        const char *const name = ++at;
        at = plainEnd(at, end);
        if (at + 2 >= end || at[0] != '"' || at[1] != ':')
            return false;
        const std::optional<TraceKey> key = keyNamed({name, static_cast<size_t>(at - name)});
        const quint64 bit = key ? quint64{1} << static_cast<int>(*key) : 0;
        if (!key || *key == TraceKey::Policy || *key == TraceKey::Redactions || (m_present & bit))
            return false;
        m_present |= bit;
        at = readPlainToken(at + 2, end, m_tokens[static_cast<size_t>(*key)]);
    } while (at && at < end && *at == ',');
    return at && at + 1 == end && *at == '}';
}

bool TraceFields::read(std::string_view line)
{
    m_present = m_taken = 0;
    m_unknown = false;
    if (readPlain(line))
        return true;
    m_present = 0;
    ondemand::document document;
    if (const auto error
        = m_parser.iterate(line.data(), line.size(), line.size() + simdjson::SIMDJSON_PADDING).get(document))
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
