// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/linereader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace Waitscope {

namespace {

constexpr char byteOrderMark[] = {'\xEF', '\xBB', '\xBF'};
constexpr int markLength = 3;

const char *find(const char *from, const char *end, char wanted)
{
    const void *at = from == end ? nullptr : std::memchr(from, wanted, static_cast<size_t>(end - from));
    return at ? static_cast<const char *>(at) : end;
}

} // namespace

LineReader::LineReader(qsizetype longest, Bom bom)
    : m_longest(longest)
    , m_bom(bom)
    , m_bomSeen(bom == Bom::Keep ? markLength : 0)
{
}

void LineReader::feed(QByteArrayView chunk, std::vector<Line> &lines)
{
    chunk = withoutBom(chunk);
    const char *at = chunk.begin();
    const char *const end = chunk.end();
    if (m_dropLineFeed && at != end) {
        m_dropLineFeed = false;
        if (*at == '\n')
            ++at;
    }
    // Each is looked for again only after it was passed: a chunk is searched once for either, whatever its lines end with.
    const char *lineFeed = find(at, end, '\n');
    const char *carriageReturn = find(at, end, '\r');
    while (true) {
        const char *stop = std::min(lineFeed, carriageReturn);
        keep(QByteArrayView(at, stop));
        if (stop == end)
            return;
        endLine(lines);
        at = stop + 1;
        if (stop == lineFeed) {
            lineFeed = find(at, end, '\n');
            continue;
        }
        if (at == end) {
            m_dropLineFeed = true;
            return;
        }
        if (lineFeed == at) {
            ++at;
            lineFeed = find(at, end, '\n');
        }
        carriageReturn = find(at, end, '\r');
    }
}

void LineReader::finish(std::vector<Line> &lines)
{
    if (m_bomSeen < markLength)
        keep(QByteArrayView(byteOrderMark, m_bomSeen));
    if (m_size > 0)
        endLine(lines);
    m_bomSeen = m_bom == Bom::Keep ? markLength : 0;
    m_dropLineFeed = false;
}

// The part of the chunk that belongs to lines. What looked like the mark and was none belongs to the first line.
QByteArrayView LineReader::withoutBom(QByteArrayView chunk)
{
    while (m_bomSeen < markLength && !chunk.isEmpty()) {
        if (chunk.front() != byteOrderMark[m_bomSeen]) {
            keep(QByteArrayView(byteOrderMark, m_bomSeen));
            m_bomSeen = markLength;
            break;
        }
        ++m_bomSeen;
        chunk = chunk.sliced(1);
    }
    return chunk;
}

void LineReader::keep(QByteArrayView piece)
{
    m_size += piece.size();
    const qsizetype room = m_longest - m_kept.size();
    if (room > 0)
        m_kept.append(piece.first(std::min(room, piece.size())));
}

void LineReader::endLine(std::vector<Line> &lines)
{
    Line line;
    line.bytes = std::exchange(m_kept, {});
    line.size = std::exchange(m_size, 0);
    line.cut = line.size > line.bytes.size();
    lines.push_back(std::move(line));
}

} // namespace Waitscope
