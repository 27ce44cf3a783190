// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/markers.h"

#include <algorithm>

namespace Waitscope {

namespace {

constexpr quint8 noSymbol = 0;
constexpr char16_t gap = u' ';
constexpr quint32 endFlag = 1;

bool isIdeograph(QChar c)
{
    const QChar::Script script = c.script();
    return script == QChar::Script_Han || script == QChar::Script_Hiragana || script == QChar::Script_Katakana
        || script == QChar::Script_Hangul;
}

} // namespace

// Where the reader of whole words stands between two characters.
struct MarkerTable::Scan {
    quint32 state = 0;
    CharKind last = CharKind::Break;
    bool underscoreBefore = false; // in front of the word being read
};

QString MarkerHits::words(MarkerGroup group) const
{
    const QStringView first = m_first[static_cast<size_t>(group)];
    return first.isNull() ? QString() : QString::fromRawData(first.data(), first.size());
}

void MarkerHits::add(const MarkerHits &others) noexcept
{
    for (size_t i = 0; i < markerGroupCount; ++i) {
        if (m_first[i].isNull())
            m_first[i] = others.m_first[i];
    }
    m_any = m_any || others.m_any;
}

MarkerTable::CharKind MarkerTable::kindOf(QChar c) noexcept
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

MarkerTable::MarkerTable(Match match, std::span<const MarkerWords> groups)
    : m_match(match)
{
    addSymbols(QStringView(&gap, 1));
    for (const MarkerWords &group : groups) {
        for (const QStringView words : group.words)
            addSymbols(words);
    }
    for (char16_t u = 0; u < m_ascii.size(); ++u) {
        m_ascii[u].kind = kindOf(u);
        if (u >= 'A' && u <= 'Z')
            m_ascii[u].symbol = m_ascii[u + ('a' - 'A')].symbol;
    }
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
        const char16_t u = c.unicode();
        if (symbolOf(u) != noSymbol)
            continue;
        Q_ASSERT(m_symbolCount < 255);
        const auto symbol = static_cast<quint8>(m_symbolCount++);
        if (u < m_ascii.size())
            m_ascii[u].symbol = symbol;
        else
            m_wide.insert(std::ranges::upper_bound(m_wide, std::pair{u, symbol}), {u, symbol});
    }
}

// While the table grows, m_next holds the numbers of states; linkStates() turns them into rows.
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
            m_next[slot] = static_cast<quint32>(m_ends.size());
            m_next.resize(m_next.size() + m_symbolCount, 0);
            m_ends.emplace_back();
        }
        state = m_next[slot];
    }
    m_ends[state].push_back(static_cast<quint16>(m_markers.size()));
    m_markers.push_back({words, group, latin && !words.contains(gap)});
}

// Breadth first: a state's missing steps become those of its longest proper suffix.
void MarkerTable::linkStates()
{
    std::vector<quint32> suffix(m_ends.size(), 0);
    std::vector<quint32> queue;
    queue.reserve(m_ends.size());
    for (size_t symbol = 0; symbol < m_symbolCount; ++symbol) {
        if (m_next[symbol] != 0)
            queue.push_back(m_next[symbol]);
    }
    for (size_t i = 0; i < queue.size(); ++i) {
        const size_t state = queue[i];
        const std::vector<quint16> inherited = m_ends[suffix[state]];
        m_ends[state].insert(m_ends[state].end(), inherited.begin(), inherited.end());
        for (size_t symbol = 0; symbol < m_symbolCount; ++symbol) {
            quint32 &next = m_next[state * m_symbolCount + symbol];
            const quint32 fallback = m_next[suffix[state] * m_symbolCount + symbol];
            if (next == 0) {
                next = fallback;
            } else {
                suffix[next] = fallback;
                queue.push_back(next);
            }
        }
    }
    for (quint32 &next : m_next)
        next = (next * m_symbolCount) << 1 | (m_ends[next].empty() ? 0 : endFlag);
}

quint8 MarkerTable::symbolOf(char16_t c) const noexcept
{
    if (c < m_ascii.size())
        return m_ascii[c].symbol;
    const auto found = std::ranges::lower_bound(m_wide, c, {}, &std::pair<char16_t, quint8>::first);
    return found != m_wide.end() && found->first == c ? found->second : noSymbol;
}

inline quint32 MarkerTable::step(quint32 state, quint8 symbol) const noexcept
{
    return m_next[(state >> 1) + symbol];
}

// As part of an identifier a single word says nothing ("no_timeout_set"), and neither does a phrase about a fault that
// goes on ("timed_out_jobs"). The codes of errors do go on: "rate_limit_exceeded".
void MarkerTable::collect(quint32 state, MarkerHits &hits, Joined joined) const noexcept
{
    if ((state & endFlag) == 0)
        return;
    for (const quint16 index : m_ends[(state >> 1) / m_symbolCount]) {
        const Marker &marker = m_markers[index];
        if ((marker.single && (joined.before || joined.after))
            || (marker.group == MarkerGroup::Transient && joined.after))
            continue;
        QStringView &first = hits.m_first[static_cast<size_t>(marker.group)];
        if (first.isNull())
            first = marker.words;
        hits.m_any = true;
    }
}

MarkerHits MarkerTable::find(std::initializer_list<QStringView> pieces) const noexcept
{
    MarkerHits hits;
    if (m_match == Match::Substring) {
        findSubstrings(pieces, hits);
        return hits;
    }
    const quint8 gapSymbol = symbolOf(gap);
    Scan scan;
    scan.state = step(0, gapSymbol);
    for (const QStringView piece : pieces)
        scanWords(piece, scan, hits);
    if (scan.last == CharKind::Word)
        collect(step(scan.state, gapSymbol), hits, {scan.underscoreBefore, false});
    return hits;
}

// Python's lower() sends two characters outside ASCII to ASCII ones: the Kelvin sign to k, and the dotted capital I to
// an i with a combining dot, which no marker contains.
void MarkerTable::findSubstrings(std::initializer_list<QStringView> pieces, MarkerHits &hits) const noexcept
{
    constexpr char16_t kelvinSign = 0x212a;
    quint32 state = 0;
    for (const QStringView piece : pieces) {
        for (const QChar c : piece) {
            const char16_t u = c.unicode();
            state = step(state, u == kelvinSign ? m_ascii['k'].symbol : symbolOf(u));
            collect(state, hits, {});
        }
    }
}

void MarkerTable::scanWords(QStringView piece, Scan &scan, MarkerHits &hits) const noexcept
{
    const quint8 gapSymbol = symbolOf(gap);
    const quint32 start = step(0, gapSymbol);
    for (const QChar c : piece) {
        const char16_t u = c.unicode();
        const CharKind kind = u < m_ascii.size() ? m_ascii[u].kind : kindOf(c);
        switch (kind) {
        case CharKind::Word:
            if (scan.last == CharKind::Ideograph)
                scan.state = start;
            scan.state = step(scan.state, symbolOf(u));
            break;
        case CharKind::Gap:
            if (scan.last == CharKind::Word || scan.last == CharKind::Ideograph) {
                scan.state = step(scan.state, gapSymbol);
                collect(scan.state, hits, {scan.underscoreBefore, c == u'_'});
            }
            break;
        case CharKind::Break:
            if (scan.last == CharKind::Word)
                collect(step(scan.state, gapSymbol), hits, {scan.underscoreBefore, false});
            scan.state = start;
            break;
        case CharKind::Ideograph:
            if (scan.last == CharKind::Word) {
                collect(step(scan.state, gapSymbol), hits, {scan.underscoreBefore, false});
                scan.state = start;
            }
            scan.state = step(scan.state, symbolOf(u));
            collect(scan.state, hits, {});
            break;
        }
        if (kind != CharKind::Word)
            scan.underscoreBefore = c == u'_';
        if (kind != CharKind::Gap || scan.last != CharKind::Break)
            scan.last = kind;
    }
}

} // namespace Waitscope
