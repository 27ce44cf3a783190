// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes in, lines out: LF, CR and CRLF, however the network cut them into pieces.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <vector>

namespace Waitscope {

struct Line {
    QByteArray bytes; // without its end; at most the reader's bound
    qint64 size = 0;  // as it came, cut-off bytes included
    bool cut = false; // longer than the bound: `bytes` is only its beginning
};

// A line is out as soon as its end is known: a CR at the end of a chunk ends it at once, and an LF that follows is dropped.
// Holds at most one line of `longest` bytes. Lines are bytes, so a UTF-8 sequence split between chunks needs no care.
class LineReader
{
public:
    static constexpr qsizetype defaultLongest = 1'048'576;

    enum class Bom : quint8 { Drop, Keep }; // a byte order mark at the very start

    explicit LineReader(qsizetype longest = defaultLongest, Bom bom = Bom::Drop);

    void feed(QByteArrayView chunk, std::vector<Line> &lines);
    // The unterminated rest, if any. The reader may be fed again afterwards: as a new stream.
    void finish(std::vector<Line> &lines);

private:
    [[nodiscard]] QByteArrayView withoutBom(QByteArrayView chunk);
    void keep(QByteArrayView piece);
    void endLine(std::vector<Line> &lines);

    qsizetype m_longest;
    Bom m_bom;
    int m_bomSeen = 0;           // bytes of the mark matched so far; 3 = past it
    QByteArray m_kept;           // the beginning of the line that has not ended
    qint64 m_size = 0;           // of that line
    bool m_dropLineFeed = false; // the previous chunk ended with a CR
};

} // namespace Waitscope
