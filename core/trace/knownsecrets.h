// SPDX-License-Identifier: GPL-3.0-or-later
// Finds given values in a text, however they are written there: plain, escaped, percent-encoded, within base64.
#pragma once

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace Waitscope {

struct TextRange {
    qsizetype from = 0;
    qsizetype to = 0;
};

class KnownSecrets
{
public:
    // Empty values are passed over.
    void add(const QString &value);
    // Appends every place of every value, overlapping ones too.
    void find(QStringView text, std::vector<TextRange> &found) const;

private:
    struct Needle {
        std::vector<char32_t> points;
        char16_t first = 0;     // unit of the plain form
        bool wholeWord = false; // so short that it stands in other words too
        bool base64 = false;    // the whole base64 run around it goes
    };
    void addNeedle(const QString &value, bool base64);
    void addBase64(const QByteArray &value);
    [[nodiscard]] static std::optional<TextRange> matchAt(const Needle &needle, QStringView text, qsizetype at);

    std::vector<Needle> m_needles;
    std::array<bool, 128> m_firsts{}; // ASCII characters that a form can begin with
    bool m_firstsBeyond = false;      // and whether any other can
};

} // namespace Waitscope
