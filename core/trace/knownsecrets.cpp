// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/knownsecrets.h"

#include <QByteArray>
#include <QList>
#include <QVarLengthArray>

#include <algorithm>

namespace Waitscope {

namespace {

using Places = QVarLengthArray<qsizetype, 8>;

bool isWord(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

bool isBase64(QChar c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'+' || c == u'/'
        || c == u'-' || c == u'_' || c == u'=';
}

std::optional<uint> hexAt(QStringView text, qsizetype at, qsizetype digits)
{
    if (at + digits > text.size())
        return std::nullopt;
    bool ok = false;
    const uint value = text.mid(at, digits).toUInt(&ok, 16);
    // toUInt() takes signs and blanks too.
    const auto isHex = [](QChar c) { return c.isDigit() || (c.toLower() >= u'a' && c.toLower() <= u'f'); };
    const QStringView part = text.mid(at, digits);
    return ok && std::all_of(part.begin(), part.end(), isHex) ? std::optional(value) : std::nullopt;
}

void addPlace(Places &places, qsizetype place)
{
    if (!places.contains(place))
        places.append(place);
}

// Behind the UTF-8 bytes of `point` as %XX, or as %25XX where it was encoded twice.
std::optional<qsizetype> pastPercent(QStringView text, qsizetype at, char32_t point, bool twice)
{
    const QByteArray bytes = QString::fromUcs4(&point, 1).toUtf8();
    for (const char byte : bytes) {
        if (at >= text.size() || text[at] != u'%' || (twice && text.mid(at + 1, 2) != u"25"))
            return std::nullopt;
        at += twice ? 3 : 1;
        if (hexAt(text, at, 2) != static_cast<uchar>(byte))
            return std::nullopt;
        at += 2;
    }
    return at;
}

// Behind `point` as \uXXXX, as a pair of these, or as \xXX; `at` is behind the backslashes.
std::optional<qsizetype> pastEscape(QStringView text, qsizetype at, char32_t point)
{
    if (at < text.size() && text[at] == u'x' && point < 256 && hexAt(text, at + 1, 2) == point)
        return at + 3;
    const QString units = QString::fromUcs4(&point, 1);
    for (const QChar unit : units) {
        while (unit != units[0] && at < text.size() && text[at] == u'\\')
            ++at;
        if (at >= text.size() || text[at] != u'u' || hexAt(text, at + 1, 4) != unit.unicode())
            return std::nullopt;
        at += 5;
    }
    return at;
}

char16_t shortEscapeOf(char32_t point)
{
    switch (point) {
    case U'\n':
        return u'n';
    case U'\r':
        return u'r';
    case U'\t':
        return u't';
    case U'\b':
        return u'b';
    case U'\f':
        return u'f';
    case U'"':
    case U'\'':
    case U'/':
        return static_cast<char16_t>(point);
    default:
        return 0;
    }
}

// All places behind one character of the secret that stands at `at` in any of its spellings.
void addPlacesBehind(Places &places, QStringView text, qsizetype at, char32_t point)
{
    const QChar c = text[at];
    if (point > 0xffff) {
        if (text.mid(at, 2) == QString::fromUcs4(&point, 1))
            addPlace(places, at + 2);
    } else if (c.unicode() == point || (point == U' ' && c == u'+')) {
        addPlace(places, at + 1);
    }
    if (c == u'%') {
        for (const bool twice : {false, true}) {
            if (const auto behind = pastPercent(text, at, point, twice))
                addPlace(places, *behind);
        }
    }
    if (c != u'\\')
        return;
    // Four times escaped makes fifteen; a longer row is looked at again from further on.
    constexpr qsizetype longestRow = 16;
    qsizetype behind = at;
    while (behind < text.size() && behind - at < longestRow && text[behind] == u'\\')
        ++behind;
    if (point == U'\\') {
        // Escaped once or twice.
        for (const qsizetype length : {2, 4}) {
            if (behind - at >= length)
                addPlace(places, at + length);
        }
    }
    if (const auto past = pastEscape(text, behind, point))
        addPlace(places, *past);
    const char16_t letter = shortEscapeOf(point);
    if (letter != 0 && behind < text.size() && text[behind] == letter)
        addPlace(places, behind + 1);
}

} // namespace

void KnownSecrets::add(const QString &value)
{
    // A value read from a file or a variable often has a blank or an end of line that is no part of it.
    for (const QString &form : {value, value.trimmed()}) {
        if (form.isEmpty())
            continue;
        addNeedle(form, false);
        const QByteArray utf8 = form.toUtf8();
        addBase64(utf8);
        if (utf8.size() != form.size()) // as the bytes of a file look one by one
            addNeedle(QString::fromLatin1(utf8), false);
        if (form == value.trimmed())
            break;
    }
}

void KnownSecrets::addNeedle(const QString &value, bool base64)
{
    Needle needle;
    const QList<uint> points = value.toUcs4();
    needle.points.assign(points.begin(), points.end());
    needle.wholeWord = !base64 && points.size() < 6;
    needle.base64 = base64;
    const auto same = [&](const Needle &other) { return other.points == needle.points; };
    if (std::any_of(m_needles.begin(), m_needles.end(), same))
        return;
    needle.first = value.front().unicode();
    for (const char16_t c : {needle.first, u'%', u'\\', needle.first == u' ' ? u'+' : needle.first}) {
        if (c < 128)
            m_firsts[c] = true;
        else
            m_firstsBeyond = true;
    }
    m_needles.push_back(std::move(needle));
}

void KnownSecrets::addBase64(const QByteArray &value)
{
    // What stands before it in the encoded text shifts it by 0 to 2 bytes; the characters that no neighbour touches are
    // looked for.
    for (qsizetype shift = 0; shift < 3; ++shift) {
        const QByteArray shifted = QByteArray(shift, 'x') + value;
        const qsizetype first = (shift * 8 + 5) / 6;
        const qsizetype last = shifted.size() * 8 / 6;
        if (last - first < 6)
            continue;
        for (const auto alphabet : {QByteArray::Base64Encoding, QByteArray::Base64UrlEncoding})
            addNeedle(QString::fromLatin1(shifted.toBase64(alphabet).mid(first, last - first)), true);
    }
}

std::optional<TextRange> KnownSecrets::matchAt(const Needle &needle, QStringView text, qsizetype at)
{
    Places places{at};
    for (const char32_t point : needle.points) {
        Places next;
        for (const qsizetype place : places) {
            if (place < text.size())
                addPlacesBehind(next, text, place, point);
        }
        if (next.isEmpty())
            return std::nullopt;
        places = std::move(next);
    }
    TextRange range{at, *std::max_element(places.begin(), places.end())};
    if (needle.wholeWord && ((at > 0 && isWord(text[at - 1])) || (range.to < text.size() && isWord(text[range.to]))))
        return std::nullopt;
    if (needle.base64) {
        while (range.from > 0 && isBase64(text[range.from - 1]) && text[range.from - 1] != u'=') // which only ends one
            --range.from;
        while (range.to < text.size() && isBase64(text[range.to]))
            ++range.to;
    }
    return range;
}

void KnownSecrets::find(QStringView text, std::vector<TextRange> &found) const
{
    if (m_needles.empty())
        return;
    qsizetype base64Until = 0; // of a base64 run everything is gone at once
    for (qsizetype at = 0; at < text.size(); ++at) {
        const char16_t c = text[at].unicode();
        if (c < 128 ? !m_firsts[c] : !m_firstsBeyond)
            continue;
        for (const Needle &needle : m_needles) {
            const bool mayBegin = c == needle.first || c == u'%' || c == u'\\' || (c == u'+' && needle.first == u' ');
            if (!mayBegin || (needle.base64 && at < base64Until))
                continue;
            if (const std::optional<TextRange> range = matchAt(needle, text, at)) {
                found.push_back(*range);
                if (needle.base64)
                    base64Until = range->to;
            }
        }
    }
}

} // namespace Waitscope
