// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/jsontext.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <utility>
#include <vector>

namespace Waitscope {

namespace {

constexpr int deepest = 512;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Beyond the range of a double: zero or infinity.
double doubleOf(const char *start, const char *end)
{
    double number = 0;
    if (std::from_chars(start, end, number).ec == std::errc())
        return number;
    // from_chars does not tell too large from too small; a stream does, and is needed once in a blue moon.
    std::istringstream slow(std::string(start, end));
    slow.imbue(std::locale::classic());
    slow >> number;
    return slow.fail() ? std::copysign(std::numeric_limits<double>::infinity(), number) : number;
}

class JsonText
{
public:
    JsonText(QByteArrayView text, JsonReading reading)
        : m_at(text.begin())
        , m_end(text.end())
        , m_reading(reading)
    {
    }

    std::optional<QJsonValue> read()
    {
        QJsonValue value;
        skipBlanks();
        if (!readValue(value, 0))
            return std::nullopt;
        skipBlanks();
        if (m_at != m_end)
            return std::nullopt;
        return value;
    }

private:
    using Member = std::pair<QString, QJsonValue>;

    void skipBlanks()
    {
        while (m_at != m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r'))
            ++m_at;
    }

    bool takeChar(char wanted)
    {
        if (m_at == m_end || *m_at != wanted)
            return false;
        ++m_at;
        return true;
    }

    bool takeWord(QByteArrayView word)
    {
        if (!QByteArrayView(m_at, m_end).startsWith(word))
            return false;
        m_at += word.size();
        return true;
    }

    bool readValue(QJsonValue &value, int depth)
    {
        if (m_at == m_end || depth > deepest)
            return false;
        switch (*m_at) {
        case '{':
            return readObject(value, depth);
        case '[':
            return readArray(value, depth);
        case '"': {
            QString text;
            if (!readString(text))
                return false;
            value = text;
            return true;
        }
        case 't':
            value = true;
            return takeWord("true");
        case 'f':
            value = false;
            return takeWord("false");
        case 'n':
            value = QJsonValue(QJsonValue::Null);
            return takeWord("null");
        default:
            break;
        }
        if (m_reading == JsonReading::Python && readPythonWord(value))
            return true;
        return readNumber(value);
    }

    bool readPythonWord(QJsonValue &value)
    {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (takeWord("NaN"))
            value = std::numeric_limits<double>::quiet_NaN();
        else if (takeWord("Infinity"))
            value = infinity;
        else if (takeWord("-Infinity"))
            value = -infinity;
        else
            return false;
        return true;
    }

    bool readNumber(QJsonValue &value)
    {
        const char *const start = m_at;
        takeChar('-');
        if (!takeChar('0') && !takeDigits())
            return false;
        bool whole = true;
        // A point or an exponent without digits is no part of the number; what follows the value then refuses it.
        const char *mark = m_at;
        if (takeChar('.')) {
            if (takeDigits())
                whole = false;
            else
                m_at = mark;
        }
        mark = m_at;
        if (takeChar('e') || takeChar('E')) {
            if (!takeChar('+'))
                takeChar('-');
            if (takeDigits())
                whole = false;
            else
                m_at = mark;
        }
        if (qint64 integer = 0; whole && std::from_chars(start, m_at, integer).ec == std::errc())
            value = integer;
        else
            value = doubleOf(start, m_at);
        return true;
    }

    bool takeDigits()
    {
        const char *const start = m_at;
        while (m_at != m_end && isDigit(*m_at))
            ++m_at;
        return m_at != start;
    }

    bool readString(QString &text)
    {
        ++m_at; // the quote
        const char *start = m_at;
        while (m_at != m_end) {
            const char c = *m_at;
            if (c == '"') {
                const QByteArrayView piece(start, m_at++);
                if (text.isEmpty())
                    text = QString::fromUtf8(piece);
                else
                    text += QString::fromUtf8(piece);
                return true;
            }
            if (static_cast<uchar>(c) < 0x20)
                return false;
            ++m_at;
            if (c != '\\')
                continue;
            text += QString::fromUtf8(QByteArrayView(start, m_at - 1));
            if (!readEscape(text))
                return false;
            start = m_at;
        }
        return false;
    }

    bool readEscape(QString &text)
    {
        static constexpr char names[] = "\"\\/bfnrt";
        static constexpr char meanings[] = "\"\\/\b\f\n\r\t";
        if (m_at == m_end)
            return false;
        const char c = *m_at++;
        if (c == 'u')
            return readCodeUnit(text);
        const char *const name = std::find(std::begin(names), std::end(names) - 1, c);
        if (name == std::end(names) - 1)
            return false;
        text += QLatin1Char(meanings[name - names]);
        return true;
    }

    bool readCodeUnit(QString &text)
    {
        quint16 unit = 0;
        if (m_end - m_at < 4)
            return false;
        const std::from_chars_result end = std::from_chars(m_at, m_at + 4, unit, 16);
        if (end.ec != std::errc() || end.ptr != m_at + 4)
            return false;
        m_at += 4;
        text += QChar(unit);
        return true;
    }

    bool readArray(QJsonValue &value, int depth)
    {
        ++m_at;
        QJsonArray array;
        skipBlanks();
        bool more = !takeChar(']');
        while (more) {
            QJsonValue element;
            skipBlanks();
            if (!readValue(element, depth + 1))
                return false;
            array.append(element);
            skipBlanks();
            more = takeChar(',');
            if (!more && !takeChar(']'))
                return false;
        }
        value = array;
        return true;
    }

    bool readObject(QJsonValue &value, int depth)
    {
        ++m_at;
        std::vector<Member> members;
        skipBlanks();
        bool more = !takeChar('}');
        while (more) {
            Member member;
            skipBlanks();
            if (m_at == m_end || *m_at != '"' || !readString(member.first))
                return false;
            skipBlanks();
            if (!takeChar(':'))
                return false;
            skipBlanks();
            if (!readValue(member.second, depth + 1))
                return false;
            members.push_back(std::move(member));
            skipBlanks();
            more = takeChar(',');
            if (!more && !takeChar('}'))
                return false;
        }
        value = objectOf(members);
        return true;
    }

    // QJsonObject keeps its keys sorted and moves what lies behind an insertion: many unsorted keys would take too long.
    static QJsonObject objectOf(std::vector<Member> &members)
    {
        constexpr size_t few = 32;
        if (members.size() > few)
            std::stable_sort(members.begin(), members.end(),
                             [](const Member &a, const Member &b) { return a.first < b.first; });
        QJsonObject object;
        for (const auto &[key, value] : members)
            object.insert(key, value);
        return object;
    }

    const char *m_at;
    const char *m_end;
    JsonReading m_reading;
};

} // namespace

std::optional<QJsonValue> readJson(QByteArrayView text, JsonReading reading)
{
    // Nearly every event is an object. Qt builds it three times as fast as can be done through QJsonObject's public side.
    if (reading == JsonReading::Standard && (text.startsWith('{') || text.startsWith('['))) {
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), text.size()));
        if (document.isObject())
            return document.object();
        if (document.isArray())
            return document.array();
    }
    return JsonText(text, reading).read();
}

} // namespace Waitscope
