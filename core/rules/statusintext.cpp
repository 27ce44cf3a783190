// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/statusintext.h"

#include <QString>

#include <algorithm>
#include <array>
#include <utility>

namespace Waitscope {

namespace {

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

bool belongsToWord(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

// What says in front of a number that it is a status.
constexpr std::array<QStringView, 13> leads{
    u"http",        u"http/1.0",    u"http/1.1",   u"http/2",     u"http/2.0",      u"http/3",      u"status",
    u"status code", u"status_code", u"statuscode", u"error code", u"response code", u"error_status",
};

// How a number goes on that is the first line of an answer.
constexpr std::array<std::pair<int, QStringView>, 27> phrases{{
    {400, u"bad request"},
    {401, u"unauthorized"},
    {402, u"payment required"},
    {403, u"forbidden"},
    {404, u"not found"},
    {405, u"method not allowed"},
    {408, u"request timeout"},
    {408, u"request time-out"},
    {409, u"conflict"},
    {413, u"payload too large"},
    {413, u"content too large"},
    {413, u"request entity too large"},
    {422, u"unprocessable"},
    {429, u"too many requests"},
    {500, u"internal server error"},
    {501, u"not implemented"},
    {502, u"bad gateway"},
    {503, u"service unavailable"},
    {503, u"service temporarily unavailable"},
    {504, u"gateway timeout"},
    {504, u"gateway time-out"},
    {520, u"web server"},
    {521, u"web server is down"},
    {522, u"connection timed out"},
    {523, u"origin is unreachable"},
    {524, u"a timeout occurred"},
    {529, u"overloaded"},
}};

// Does a longer number, a version or an identifier go on around the three digits?
bool isPartOfMore(QStringView before, QStringView after)
{
    if (!before.isEmpty() && (belongsToWord(before.back()) || before.back() == u'.'))
        return true;
    if (after.isEmpty())
        return false;
    return belongsToWord(after.front()) || (after.front() == u'.' && after.size() > 1 && isDigit(after.at(1)));
}

QStringView withoutTrailing(QStringView text, QStringView characters)
{
    while (!text.isEmpty() && characters.contains(text.back()))
        text.chop(1);
    return text;
}

bool endsWithWord(QStringView text, QStringView word)
{
    if (!text.endsWith(word, Qt::CaseInsensitive))
        return false;
    const QStringView rest = text.chopped(word.size());
    return rest.isEmpty() || !belongsToWord(rest.back());
}

bool followsLead(QStringView before)
{
    const QStringView bare = withoutTrailing(before, u" \t:=\"'([");
    if (std::ranges::any_of(leads, [bare](QStringView lead) { return endsWithWord(bare, lead); }))
        return true;
    // JSON, or a printed Python dictionary: {"code": 429}; an unquoted "code" may be a process's.
    const QStringView between = before.sliced(bare.size());
    return (between.contains(u'"') || between.contains(u'\''))
        && (endsWithWord(bare, u"code") || endsWithWord(bare, u"errorcode"));
}

bool precedesPhrase(QStringView after, int status)
{
    // A content network writes "524: A timeout occurred".
    const bool colon = after.startsWith(u':');
    if (!after.sliced(colon ? 1 : 0).startsWith(u' '))
        return false;
    const QStringView rest = after.sliced(colon ? 1 : 0).trimmed();
    return std::ranges::any_of(phrases, [rest, status](const auto &phrase) {
        return phrase.first == status && rest.startsWith(phrase.second, Qt::CaseInsensitive);
    });
}

} // namespace

std::optional<int> statusInText(QStringView text)
{
    constexpr qsizetype length = 3;
    for (qsizetype i = 0; i + length <= text.size(); ++i) {
        if (text.at(i) != u'4' && text.at(i) != u'5')
            continue;
        const QStringView number = text.sliced(i, length);
        const QStringView before = text.first(i);
        const QStringView after = text.sliced(i + length);
        if (!std::ranges::all_of(number, isDigit) || isPartOfMore(before, after))
            continue;
        const int status = number.toInt();
        const bool alone = before.trimmed().isEmpty() && after.trimmed().isEmpty();
        if (alone || followsLead(before) || precedesPhrase(after, status))
            return status;
    }
    return std::nullopt;
}

} // namespace Waitscope
