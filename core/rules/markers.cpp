// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/markers.h"

#include <algorithm>

namespace Waitscope {

namespace {

enum class CharKind : quint8 { Word, Gap, Ideograph, Break };

bool isIdeograph(QChar c)
{
    const QChar::Script script = c.script();
    return script == QChar::Script_Han || script == QChar::Script_Hiragana || script == QChar::Script_Katakana
        || script == QChar::Script_Hangul;
}

CharKind kindOf(QChar c)
{
    const char16_t u = c.unicode();
    if (u < 0x80) {
        if ((u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9'))
            return CharKind::Word;
        return c.isSpace() || u == '-' || u == '_' ? CharKind::Gap : CharKind::Break;
    }
    if (c.isSpace() || (u >= 0x2010 && u <= 0x2015))
        return CharKind::Gap;
    if (c.isLetterOrNumber() || c.isMark())
        return isIdeograph(c) ? CharKind::Ideograph : CharKind::Word;
    return CharKind::Break;
}

constexpr quint8 noSymbol = 0;
constexpr char16_t gap = u' ';

} // namespace

// Where the reader of whole words stands between two characters.
struct MarkerTable::Scan {
    size_t state = 0;
    CharKind last = CharKind::Break;
    bool underscoreBefore = false; // in front of the word being read
};

QString MarkerHits::words(MarkerGroup group) const
{
    const QString *first = m_first[static_cast<size_t>(group)];
    return first ? *first : QString();
}

MarkerTable::MarkerTable(Match match, std::span<const MarkerWords> groups)
    : m_match(match)
{
    addSymbols(QStringView(&gap, 1));
    for (const MarkerWords &group : groups) {
        for (const QStringView words : group.words)
            addSymbols(words);
    }
    std::ranges::sort(m_wide);
    m_next.assign(m_symbolCount, 0);
    m_ends.resize(1);
    for (const MarkerWords &group : groups) {
        for (const QStringView words : group.words)
            addMarker(group.group, words);
    }
    linkStates();
}

void MarkerTable::addSymbols(QStringView words)
{
    for (const QChar c : words) {
        if (symbolOf(c.unicode()) != noSymbol)
            continue;
        Q_ASSERT(m_symbolCount < 255);
        const auto symbol = static_cast<quint8>(m_symbolCount++);
        if (c.unicode() < 128)
            m_ascii[c.unicode()] = symbol;
        else
            m_wide.insert(std::ranges::upper_bound(m_wide, std::pair{c.unicode(), symbol}), {c.unicode(), symbol});
    }
}

void MarkerTable::addMarker(MarkerGroup group, QStringView words)
{
    QString pattern = words.toString();
    const bool latin = kindOf(words.front()) == CharKind::Word;
    // A whole word stands between two gaps; the scripts without blanks have no such border.
    if (m_match == Match::Words && latin)
        pattern = gap + pattern + gap;
    size_t state = 0;
    for (const QChar c : std::as_const(pattern)) {
        const size_t slot = state * m_symbolCount + symbolOf(c.unicode());
        if (m_next[slot] == 0) {
            m_next[slot] = static_cast<quint16>(m_ends.size());
            m_next.resize(m_next.size() + m_symbolCount, 0);
            m_ends.emplace_back();
        }
        state = m_next[slot];
    }
    m_ends[state].push_back(static_cast<quint16>(m_markers.size()));
    m_markers.push_back({words.toString(), group, latin && !words.contains(gap)});
}

// Breadth first: a state's missing steps become those of its longest proper suffix.
void MarkerTable::linkStates()
{
    std::vector<quint16> suffix(m_ends.size(), 0);
    std::vector<quint16> queue;
    queue.reserve(m_ends.size());
    for (size_t symbol = 0; symbol < m_symbolCount; ++symbol) {
        if (m_next[symbol] != 0)
            queue.push_back(m_next[symbol]);
    }
    for (size_t i = 0; i < queue.size(); ++i) {
        const quint16 state = queue[i];
        const std::vector<quint16> &inherited = m_ends[suffix[state]];
        m_ends[state].insert(m_ends[state].end(), inherited.begin(), inherited.end());
        for (size_t symbol = 0; symbol < m_symbolCount; ++symbol) {
            quint16 &next = m_next[state * m_symbolCount + symbol];
            const quint16 fallback = m_next[suffix[state] * m_symbolCount + symbol];
            if (next == 0) {
                next = fallback;
            } else {
                suffix[next] = fallback;
                queue.push_back(next);
            }
        }
    }
}

quint8 MarkerTable::symbolOf(char16_t c) const noexcept
{
    if (c < 128)
        return m_ascii[c];
    const auto found = std::ranges::lower_bound(m_wide, c, {}, &std::pair<char16_t, quint8>::first);
    return found != m_wide.end() && found->first == c ? found->second : noSymbol;
}

void MarkerTable::collect(size_t state, MarkerHits &hits, bool inIdentifier) const noexcept
{
    for (const quint16 index : m_ends[state]) {
        const Marker &marker = m_markers[index];
        if (marker.single && inIdentifier)
            continue;
        const QString *&first = hits.m_first[static_cast<size_t>(marker.group)];
        if (!first)
            first = &marker.words;
    }
}

MarkerHits MarkerTable::find(std::initializer_list<QStringView> pieces) const noexcept
{
    MarkerHits hits;
    if (m_match == Match::Substring) {
        findSubstrings(pieces, hits);
        return hits;
    }
    Scan scan;
    scan.state = step(0, symbolOf(gap));
    for (const QStringView piece : pieces)
        scanWords(piece, scan, hits);
    if (scan.last == CharKind::Word)
        collect(step(scan.state, symbolOf(gap)), hits, scan.underscoreBefore);
    return hits;
}

// Python's lower() sends two characters outside ASCII to ASCII ones: the Kelvin sign to k, and the dotted capital I to
// an i with a combining dot, which no marker contains.
void MarkerTable::findSubstrings(std::initializer_list<QStringView> pieces, MarkerHits &hits) const noexcept
{
    constexpr char16_t kelvinSign = 0x212a;
    size_t state = 0;
    for (const QStringView piece : pieces) {
        for (const QChar c : piece) {
            char16_t u = c.unicode();
            if (u >= 'A' && u <= 'Z')
                u = static_cast<char16_t>(u + ('a' - 'A'));
            else if (u == kelvinSign)
                u = u'k';
            state = step(state, symbolOf(u));
            if (!m_ends[state].empty())
                collect(state, hits, false);
        }
    }
}

void MarkerTable::scanWords(QStringView piece, Scan &scan, MarkerHits &hits) const noexcept
{
    const quint8 gapSymbol = symbolOf(gap);
    const size_t start = step(0, gapSymbol);
    for (const QChar c : piece) {
        const CharKind kind = kindOf(c);
        switch (kind) {
        case CharKind::Gap:
            if (scan.last == CharKind::Word || scan.last == CharKind::Ideograph) {
                scan.state = step(scan.state, gapSymbol);
                collect(scan.state, hits, scan.underscoreBefore || c == u'_');
            }
            break;
        case CharKind::Break:
            if (scan.last == CharKind::Word)
                collect(step(scan.state, gapSymbol), hits, scan.underscoreBefore);
            scan.state = start;
            break;
        case CharKind::Word:
            if (scan.last == CharKind::Ideograph)
                scan.state = start;
            scan.state = step(scan.state, symbolOf(c.unicode() < 128 ? c.toLower().unicode() : c.unicode()));
            break;
        case CharKind::Ideograph:
            if (scan.last == CharKind::Word) {
                collect(step(scan.state, gapSymbol), hits, scan.underscoreBefore);
                scan.state = start;
            }
            scan.state = step(scan.state, symbolOf(c.unicode()));
            collect(scan.state, hits, false);
            break;
        }
        if (kind != CharKind::Word)
            scan.underscoreBefore = c == u'_';
        if (kind != CharKind::Gap || scan.last != CharKind::Break)
            scan.last = kind;
    }
}

} // namespace Waitscope
