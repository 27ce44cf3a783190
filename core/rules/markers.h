// SPDX-License-Identifier: GPL-3.0-or-later
// Finds all marker words of a rule set in one pass over a text, without allocating.
#pragma once

#include <QString>

#include <array>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace Waitscope {

enum class MarkerGroup : quint8 {
    Quota,         // a spent allowance
    PerMinute,     // a unit that turns a quota into a passing limit
    Auth,
    Authz,
    Image,         // a broken image, or another request that can never be right
    Context,
    Overflow,      // the prompt itself is too long: compaction's job
    Policy,
    RateLimit,
    Provider,
    Transient,     // words of a passing transport fault
    TransportName, // the class name of one
    Gateway,       // a gateway's words about what lies behind it
    Certificate,
    Page,          // a page of something on the way, in our own words
    NeverFits,     // larger than a whole minute's limit
    Deadline,      // the caller's own
};

inline constexpr size_t markerGroupCount = static_cast<size_t>(MarkerGroup::Deadline) + 1;

struct MarkerWords {
    MarkerGroup group;
    std::vector<QStringView> words; // lower case; of string literals, which verdicts then carry without copying
};

// What was found: for each group the first marker in the text.
class MarkerHits
{
public:
    [[nodiscard]] bool has(MarkerGroup group) const noexcept { return !m_first[static_cast<size_t>(group)].isNull(); }
    [[nodiscard]] bool any() const noexcept { return m_any; }
    // Empty where the group was not found.
    [[nodiscard]] QString words(MarkerGroup group) const;
    // Takes over what another table found in groups that are empty here.
    void add(const MarkerHits &others) noexcept;

private:
    friend class MarkerTable;
    std::array<QStringView, markerGroupCount> m_first;
    bool m_any = false;
};

// An Aho-Corasick automaton, built once per rule set and never changed.
class MarkerTable
{
public:
    enum class Match : quint8 {
        Substring, // anywhere in the lower-cased text, as `"marker" in text.lower()` has it in Python
        Words,     // whole words; blanks, line breaks, hyphens and underscores between them are all one gap
    };

    MarkerTable(Match match, std::span<const MarkerWords> groups);
    MarkerTable(const MarkerTable &) = delete;
    MarkerTable &operator=(const MarkerTable &) = delete;

    // The pieces are read as if they stood one behind the other.
    [[nodiscard]] MarkerHits find(std::initializer_list<QStringView> pieces) const noexcept;

private:
    struct Marker {
        QStringView words;
        MarkerGroup group;
        bool single = false; // one Latin word
    };
    enum class CharKind : quint8 { Word, Gap, Ideograph, Break };
    struct AsciiClass {
        quint8 symbol = 0; // 0 = in no marker
        CharKind kind = CharKind::Break;
    };
    // Underscores around the last word read: it is part of an identifier.
    struct Joined {
        bool before = false;
        bool after = false;
    };
    struct Scan;

    [[nodiscard]] static CharKind kindOf(QChar c) noexcept;
    void addSymbols(QStringView words);
    void addMarker(MarkerGroup group, QStringView words);
    void linkStates();
    [[nodiscard]] quint8 symbolOf(char16_t c) const noexcept;
    // A state's row in m_next, with the lowest bit set where a marker ends.
    [[nodiscard]] quint32 step(quint32 state, quint8 symbol) const noexcept;
    void collect(quint32 state, MarkerHits &hits, Joined joined) const noexcept;
    void findSubstrings(std::initializer_list<QStringView> pieces, MarkerHits &hits) const noexcept;
    void scanWords(QStringView piece, Scan &scan, MarkerHits &hits) const noexcept;

    Match m_match;
    std::array<AsciiClass, 128> m_ascii;
    std::vector<std::pair<char16_t, quint8>> m_wide; // sorted
    quint32 m_symbolCount = 1;
    std::vector<quint32> m_next;                     // states x symbols
    std::vector<std::vector<quint16>> m_ends;        // markers that end in a state, by its number
    std::vector<Marker> m_markers;
};

} // namespace Waitscope
