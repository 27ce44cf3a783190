// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/jsontext.h"

#include <charconv>
#include <cmath>

namespace Waitscope {

namespace {

void appendEscape(QByteArray &out, char16_t unit)
{
    static constexpr char digits[] = "0123456789abcdef";
    char escape[6] = {'\\', 'u', digits[unit >> 12], digits[unit >> 8 & 15], digits[unit >> 4 & 15], digits[unit & 15]};
    out.append(escape, 6);
}

void appendSpecial(QByteArray &out, char16_t unit)
{
    switch (unit) {
    case u'"':
        out.append("\\\"", 2);
        break;
    case u'\\':
        out.append("\\\\", 2);
        break;
    case u'\n':
        out.append("\\n", 2);
        break;
    case u'\r':
        out.append("\\r", 2);
        break;
    case u'\t':
        out.append("\\t", 2);
        break;
    default:
        appendEscape(out, unit);
    }
}

template<class T> void appendCharConverted(QByteArray &out, T value)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    out.append(text, end - text);
}

std::optional<char16_t> hexUnit(std::string_view digits)
{
    quint16 unit = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4)
        return std::nullopt;
    return static_cast<char16_t>(unit);
}

} // namespace

void appendJsonString(QByteArray &out, QStringView text)
{
    out.append('"');
    const char16_t *at = text.utf16();
    const char16_t *const end = at + text.size();
    while (at < end) {
        // Most text is plain ASCII: narrowed run by run.
        const char16_t *run = at;
        while (run < end && *run >= 0x20 && *run < 0x80 && *run != u'"' && *run != u'\\')
            ++run;
        if (run > at) {
            const qsizetype old = out.size();
            out.resize(old + (run - at));
            char *to = out.data() + old;
            for (const char16_t *from = at; from < run; ++from)
                *to++ = static_cast<char>(*from);
            at = run;
            continue;
        }
        const char16_t unit = *at++;
        if (unit < 0x80) {
            appendSpecial(out, unit);
        } else if (QChar::isHighSurrogate(unit) && at < end && QChar::isLowSurrogate(*at)) {
            const char32_t point = QChar::surrogateToUcs4(unit, *at++);
            const char bytes[4] = {static_cast<char>(0xf0 | point >> 18), static_cast<char>(0x80 | (point >> 12 & 63)),
                                   static_cast<char>(0x80 | (point >> 6 & 63)), static_cast<char>(0x80 | (point & 63))};
            out.append(bytes, 4);
        } else if (QChar::isSurrogate(unit)) {
            appendEscape(out, unit);
        } else if (unit < 0x800) {
            const char bytes[2] = {static_cast<char>(0xc0 | unit >> 6), static_cast<char>(0x80 | (unit & 63))};
            out.append(bytes, 2);
        } else {
            const char bytes[3] = {static_cast<char>(0xe0 | unit >> 12), static_cast<char>(0x80 | (unit >> 6 & 63)),
                                   static_cast<char>(0x80 | (unit & 63))};
            out.append(bytes, 3);
        }
    }
    out.append('"');
}

void appendInteger(QByteArray &out, qint64 value)
{
    appendCharConverted(out, value);
}

void appendInteger(QByteArray &out, quint64 value)
{
    appendCharConverted(out, value);
}

void appendNumber(QByteArray &out, double value)
{
    if (std::isfinite(value))
        appendCharConverted(out, value + 0.0); // a negative zero becomes a plain one, which reads back
    else
        out.append("null", 4);
}

std::optional<QString> fromJsonString(std::string_view raw)
{
    size_t backslash = raw.find('\\');
    if (backslash == std::string_view::npos)
        return QString::fromUtf8(raw.data(), static_cast<qsizetype>(raw.size()));
    QString text;
    text.reserve(static_cast<qsizetype>(raw.size()));
    size_t from = 0;
    for (; backslash != std::string_view::npos; backslash = raw.find('\\', from)) {
        text += QString::fromUtf8(raw.data() + from, static_cast<qsizetype>(backslash - from));
        if (backslash + 1 >= raw.size())
            return std::nullopt;
        from = backslash + 2;
        switch (raw[backslash + 1]) {
        case '"':
        case '\\':
        case '/':
            text += QLatin1Char(raw[backslash + 1]);
            break;
        case 'b':
            text += u'\b';
            break;
        case 'f':
            text += u'\f';
            break;
        case 'n':
            text += u'\n';
            break;
        case 'r':
            text += u'\r';
            break;
        case 't':
            text += u'\t';
            break;
        case 'u': {
            const std::optional<char16_t> unit = hexUnit(raw.substr(from, 4));
            if (!unit)
                return std::nullopt;
            text += QChar(*unit);
            from += 4;
            break;
        }
        default:
            return std::nullopt;
        }
    }
    text += QString::fromUtf8(raw.data() + from, static_cast<qsizetype>(raw.size() - from));
    return text;
}

} // namespace Waitscope
