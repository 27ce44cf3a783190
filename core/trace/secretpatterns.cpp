// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/secretpatterns.h"

#include <QLatin1StringView>

#include <algorithm>
#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Header lines, settings and JSON fields; the value of the first group may have blanks in it and goes to the end of the
// line.
constexpr std::array lineNames{"authorization"_L1, "cookie"_L1};
constexpr std::array valueNames{
    "api-key"_L1,        "api_key"_L1,        "apikey"_L1,        "auth-token"_L1,        "auth_token"_L1,
    "access-token"_L1,   "access_token"_L1,   "refresh-token"_L1, "refresh_token"_L1,     "id_token"_L1,
    "security-token"_L1, "security_token"_L1, "session-token"_L1, "session_token"_L1,     "client-secret"_L1,
    "client_secret"_L1,  "secret-key"_L1,     "secret_key"_L1,    "secret-access-key"_L1, "secret_access_key"_L1,
    "private_key"_L1,    "password"_L1,       "passwd"_L1,        "csrf-token"_L1,        "csrftoken"_L1};
constexpr std::array schemes{"bearer"_L1, "basic"_L1};
constexpr std::array queryNames{"key"_L1,
                                "api_key"_L1,
                                "apikey"_L1,
                                "api-key"_L1,
                                "token"_L1,
                                "access_token"_L1,
                                "auth"_L1,
                                "sig"_L1,
                                "signature"_L1,
                                "password"_L1,
                                "secret"_L1,
                                "client_secret"_L1,
                                "x-goog-api-key"_L1,
                                "x-amz-signature"_L1,
                                "x-amz-credential"_L1,
                                "x-amz-security-token"_L1};

struct Prefix {
    QLatin1StringView text; // as it is written: keys are case-sensitive
    qsizetype atLeast;      // characters behind it
    bool dots;              // may a dot be part of it
};
constexpr std::array prefixes{
    Prefix{"sk-"_L1, 8, false},          Prefix{"sk_"_L1, 8, false},     Prefix{"AIza"_L1, 16, false},
    Prefix{"ghp_"_L1, 16, false},        Prefix{"gho_"_L1, 16, false},   Prefix{"ghs_"_L1, 16, false},
    Prefix{"github_pat_"_L1, 16, false}, Prefix{"glpat-"_L1, 16, false}, Prefix{"xoxb-"_L1, 10, false},
    Prefix{"xoxp-"_L1, 10, false},       Prefix{"hf_"_L1, 16, false},    Prefix{"gsk_"_L1, 16, false},
    Prefix{"pplx-"_L1, 16, false},       Prefix{"xai-"_L1, 16, false},   Prefix{"r8_"_L1, 16, false},
    Prefix{"AKIA"_L1, 16, false},        Prefix{"ya29."_L1, 16, true},   Prefix{"eyJ"_L1, 20, true}};

constexpr qsizetype longestGap = 16; // between a name and its value

bool isLetterOrDigit(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

bool isToken(QChar c)
{
    return isLetterOrDigit(c) || c == u'_' || c == u'-';
}

bool isCredential(QChar c)
{
    return isToken(c) || c == u'.' || c == u'~' || c == u'+' || c == u'/' || c == u'=';
}

bool isQuote(QChar c)
{
    return c == u'"' || c == u'\'' || c == u'`';
}

bool endsLine(QChar c)
{
    return c == u'\n' || c == u'\r' || isQuote(c) || c == u'\\';
}

bool endsValue(QChar c)
{
    return endsLine(c) || c.isSpace() || c == u',' || c == u'&' || c == u';' || c == u')' || c == u'}' || c == u']'
        || c == u'<' || c == u'>';
}

// A name or key may follow anything but a letter or digit, and an escape that ends in one: %3D, \n.
bool canBeginAt(QStringView text, qsizetype at)
{
    return at == 0 || !isLetterOrDigit(text[at - 1]) || (at >= 2 && text[at - 2] == u'\\')
        || (at >= 3 && text[at - 3] == u'%');
}

bool standsAt(QStringView text, qsizetype at, QLatin1StringView word)
{
    return text.mid(at, word.size()).compare(word, Qt::CaseInsensitive) == 0;
}

template<class Words> qsizetype lengthOfWordAt(QStringView text, qsizetype at, const Words &words)
{
    if (at >= text.size())
        return 0;
    const char16_t first = text[at].unicode() | 0x20; // words begin with a letter
    qsizetype longest = 0;
    for (const QLatin1StringView word : words) {
        if (word.front().unicode() == first && word.size() > longest && standsAt(text, at, word))
            longest = word.size();
    }
    return longest;
}

template<class Ends> qsizetype endOf(QStringView text, qsizetype at, Ends ends)
{
    while (at < text.size() && !ends(text[at]))
        ++at;
    return at;
}

std::optional<TextRange> valueRange(QStringView text, qsizetype from, qsizetype to)
{
    if (to <= from || text.mid(from).startsWith("[redacted]"_L1))
        return std::nullopt;
    return TextRange{from, to};
}

// Past what stands between a name and its value: ` : `, `": "`, `\": \"`, `=`, `', '`, `': b'`, `%3D`. Nothing if it is
// no such thing.
std::optional<qsizetype> pastGap(QStringView text, qsizetype at, bool quotedName)
{
    bool assigned = false;
    bool quoted = false;
    const qsizetype end = std::min(text.size(), at + longestGap);
    while (at < end) {
        const QChar c = text[at];
        if (c == u':' || c == u'=') {
            assigned = true;
        } else if (isQuote(c)) {
            quoted = true;
        } else if (c == u',' && quoted && quotedName) { // a pair
            assigned = true;
        } else if (c == u'%' && (standsAt(text, at, "%3a"_L1) || standsAt(text, at, "%3d"_L1))) {
            assigned = true;
            at += 2;
        } else if (c == u'%' && (standsAt(text, at, "%20"_L1) || standsAt(text, at, "%22"_L1))) {
            at += 2;
        } else if (c == u'b' && at + 1 < end && isQuote(text[at + 1])) {
            // Python's bytes.
        } else if (c != u' ' && c != u'\t' && c != u'\\' && c != u'>') {
            break;
        }
        ++at;
    }
    return assigned ? std::optional(at) : std::nullopt;
}

std::optional<TextRange> namedValueAt(QStringView text, qsizetype at)
{
    qsizetype length = lengthOfWordAt(text, at, lineNames);
    const bool wholeLine = length > 0;
    if (!wholeLine)
        length = lengthOfWordAt(text, at, valueNames);
    if (length == 0 || (at + length < text.size() && isToken(text[at + length])))
        return std::nullopt;
    const std::optional<qsizetype> from = pastGap(text, at + length, at > 0 && isQuote(text[at - 1]));
    if (!from)
        return std::nullopt;
    // A quoted value goes to its quote, with blanks and commas.
    const bool quoted = *from > 0 && isQuote(text[*from - 1]);
    return valueRange(text, *from, wholeLine || quoted ? endOf(text, *from, endsLine) : endOf(text, *from, endsValue));
}

// Whether "Basic …" is followed by base64 rather than by a word of the language.
bool looksEncoded(QStringView value)
{
    return std::any_of(value.begin() + 1, value.end(), [](QChar c) { return !(c >= u'a' && c <= u'z'); });
}

std::optional<TextRange> schemeValueAt(QStringView text, qsizetype at)
{
    const qsizetype length = lengthOfWordAt(text, at, schemes);
    qsizetype from = at + length;
    if (length == 0 || from >= text.size())
        return std::nullopt;
    while (from < text.size() && (text[from] == u' ' || text[from] == u'\t' || text[from] == u'+'))
        ++from;
    if (standsAt(text, from, "%20"_L1))
        from += 3;
    if (from == at + length)
        return std::nullopt;
    const qsizetype to = endOf(text, from, [](QChar c) { return !isCredential(c); });
    const QStringView value = text.mid(from, to - from);
    const bool isBasic = standsAt(text, at, "basic"_L1);
    if (value.size() < 8 || (isBasic && !looksEncoded(value)) || value.compare("authentication"_L1, Qt::CaseInsensitive) == 0
        || value.compare("authorization"_L1, Qt::CaseInsensitive) == 0)
        return std::nullopt;
    return valueRange(text, from, to);
}

std::optional<TextRange> prefixedKeyAt(QStringView text, qsizetype at)
{
    for (const Prefix &prefix : prefixes) {
        if (text[at] != prefix.text.front() || !text.mid(at).startsWith(prefix.text))
            continue;
        const qsizetype from = at + prefix.text.size();
        const qsizetype to = endOf(text, from, [&](QChar c) { return !isToken(c) && !(prefix.dots && c == u'.'); });
        if (to - from >= prefix.atLeast)
            return TextRange{at, to};
    }
    return std::nullopt;
}

// `at` is behind ? or &.
std::optional<TextRange> queryValueAt(QStringView text, qsizetype at)
{
    const qsizetype length = lengthOfWordAt(text, at, queryNames);
    if (length == 0 || at + length >= text.size() || text[at + length] != u'=')
        return std::nullopt;
    const qsizetype from = at + length + 1;
    return valueRange(text, from, endOf(text, from, [](QChar c) { return endsValue(c) || c == u'#'; }));
}

// `at` is behind "://": user and password up to the last @ of the authority.
std::optional<TextRange> userInfoAt(QStringView text, qsizetype at)
{
    const qsizetype end = endOf(text, at, [](QChar c) {
        return endsLine(c) || c.isSpace() || c == u'/' || c == u'?' || c == u'#' || c == u'<' || c == u'>';
    });
    const qsizetype sign = text.mid(at, end - at).lastIndexOf(u'@');
    return sign > 0 ? valueRange(text, at, at + sign) : std::nullopt;
}

// The first letters of everything above, small; most of a text is passed over by this.
constexpr auto firstLetters = [] {
    std::array<bool, 128> first{};
    const auto add = [&](char letter) {
        first[static_cast<size_t>(letter)] = true;
        if (letter >= 'a' && letter <= 'z')
            first[static_cast<size_t>(letter - 'a' + 'A')] = true;
    };
    for (const QLatin1StringView word : lineNames)
        add(word.data()[0]);
    for (const QLatin1StringView word : valueNames)
        add(word.data()[0]);
    for (const QLatin1StringView word : schemes)
        add(word.data()[0]);
    for (const Prefix &prefix : prefixes)
        add(prefix.text.data()[0]);
    return first;
}();

std::optional<TextRange> patternAt(QStringView text, qsizetype at)
{
    const char16_t c = text[at].unicode();
    if (c >= 128)
        return std::nullopt;
    if (c == u'?' || c == u'&')
        return queryValueAt(text, standsAt(text, at, "&amp;"_L1) ? at + 5 : at + 1);
    if (c == u':')
        return text.mid(at, 3) == "://"_L1 ? userInfoAt(text, at + 3) : std::nullopt;
    if (!firstLetters[c] || !canBeginAt(text, at))
        return std::nullopt;
    if (const std::optional<TextRange> key = prefixedKeyAt(text, at))
        return key;
    if (const std::optional<TextRange> value = namedValueAt(text, at))
        return value;
    return schemeValueAt(text, at);
}

} // namespace

void findSecretPatterns(QStringView text, std::vector<TextRange> &found)
{
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (const std::optional<TextRange> range = patternAt(text, at)) {
            found.push_back(*range);
            at = range->to - 1;
        }
    }
}

} // namespace Waitscope
