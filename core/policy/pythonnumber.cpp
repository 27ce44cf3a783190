// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/pythonnumber.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <algorithm>
#include <charconv>
#include <limits>

namespace Waitscope {

namespace {

constexpr bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Digits of every script become ASCII digits and wide blanks become blanks; nothing else beyond ASCII can be read.
std::optional<QByteArray> toAscii(QStringView text)
{
    QByteArray ascii;
    ascii.reserve(text.size());
    for (const char32_t c : text.toUcs4()) {
        if (c < 127)
            ascii += static_cast<char>(c);
        else if (QChar::isSpace(c))
            ascii += ' ';
        else if (QChar::category(c) == QChar::Number_DecimalDigit)
            ascii += static_cast<char>('0' + QChar::digitValue(c));
        else
            return std::nullopt;
    }
    qsizetype first = 0;
    qsizetype last = ascii.size();
    while (first < last && isBlank(ascii[first]))
        ++first;
    while (last > first && isBlank(ascii[last - 1]))
        --last;
    return ascii.mid(first, last - first);
}

// An underscore may only stand between two digits.
std::optional<QByteArray> withoutUnderscores(const QByteArray &text)
{
    QByteArray plain;
    plain.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            plain += text[i];
            continue;
        }
        if (i == 0 || i + 1 == text.size() || !isDigit(text[i - 1]) || !isDigit(text[i + 1]))
            return std::nullopt;
    }
    return plain;
}

// [digits][.digits][e[sign]digits] with at least one digit before the exponent.
bool isDecimal(const QByteArray &text)
{
    qsizetype i = 0;
    qsizetype mantissa = 0;
    const auto digits = [&] {
        const qsizetype start = i;
        while (i < text.size() && isDigit(text[i]))
            ++i;
        return i - start;
    };
    mantissa += digits();
    if (i < text.size() && text[i] == '.') {
        ++i;
        mantissa += digits();
    }
    if (mantissa == 0)
        return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && (text[i] == '+' || text[i] == '-'))
            ++i;
        if (digits() == 0)
            return false;
    }
    return i == text.size();
}

bool takeSign(QByteArray &text)
{
    const bool minus = text.startsWith('-');
    if (minus || text.startsWith('+'))
        text.remove(0, 1);
    return minus;
}

// The text is a decimal by isDecimal(), so what from_chars cannot hold is too large or too small. (strtod would read the
// user's decimal comma, and Qt does not tell the two apart.)
double readDecimal(const QByteArray &text)
{
    double value = 0;
    if (std::from_chars(text.begin(), text.end(), value).ec == std::errc())
        return value;
    // The power of ten of the first digit that counts.
    const qsizetype e = text.toLower().indexOf('e');
    const QByteArray mantissa = e < 0 ? text : text.left(e);
    const qsizetype point = mantissa.indexOf('.');
    const auto counts = std::ranges::find_if(mantissa, [](char c) { return c != '0' && c != '.'; });
    const double first = static_cast<double>(counts - mantissa.begin());
    const double power = (point < 0 ? static_cast<double>(mantissa.size()) : static_cast<double>(point)) - first;
    double exponent = 0;
    if (e >= 0) {
        for (const char c : text.mid(e + 1)) {
            if (isDigit(c))
                exponent = exponent * 10 + (c - '0');
        }
        if (text[e + 1] == '-')
            exponent = -exponent;
    }
    return power + exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

} // namespace

std::optional<double> pythonFloat(QStringView text)
{
    const std::optional<QByteArray> ascii = toAscii(text);
    if (!ascii)
        return std::nullopt;
    std::optional<QByteArray> number = withoutUnderscores(*ascii);
    if (!number)
        return std::nullopt;
    const double sign = takeSign(*number) ? -1.0 : 1.0;
    const QByteArray word = number->toLower();
    if (word == "inf" || word == "infinity")
        return sign * std::numeric_limits<double>::infinity();
    if (word == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (!isDecimal(*number))
        return std::nullopt;
    return sign * readDecimal(*number);
}

std::optional<double> pythonInt(QStringView text)
{
    constexpr qsizetype mostDigits = 4300;
    std::optional<QByteArray> ascii = toAscii(text);
    if (!ascii)
        return std::nullopt;
    const double sign = takeSign(*ascii) ? -1.0 : 1.0;
    const std::optional<QByteArray> digits = withoutUnderscores(*ascii);
    if (!digits || digits->isEmpty() || digits->size() > mostDigits || !std::ranges::all_of(*digits, isDigit))
        return std::nullopt;
    return sign * readDecimal(*digits);
}

QStringView pythonStrip(QStringView text)
{
    // Python also strips the four separators U+001C to U+001F, which Qt takes for control characters.
    const auto isSpace = [](QChar c) { return c.isSpace() || (c >= QChar(0x1c) && c <= QChar(0x1f)); };
    while (!text.isEmpty() && isSpace(text.front()))
        text = text.mid(1);
    while (!text.isEmpty() && isSpace(text.back()))
        text.chop(1);
    return text;
}

} // namespace Waitscope
