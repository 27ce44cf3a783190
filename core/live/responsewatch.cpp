// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/responsewatch.h"

#include <algorithm>

namespace Waitscope {

namespace {

// Longer lines are cut: only their beginning decides anything here.
constexpr qsizetype longestLine = 512;

bool isDigit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

// "HTTP/1.1 200 OK" -> 200; 0 when it is no status line.
int statusOf(const QByteArray &line) noexcept
{
    if (line.size() < 12 || !line.startsWith("HTTP/") || !isDigit(line[5]) || line[6] != '.' || !isDigit(line[7])
        || line[8] != ' ')
        return 0;
    bool isNumber = false;
    const int status = line.mid(9, 3).toInt(&isNumber);
    return isNumber && status >= 100 ? status : 0;
}

} // namespace

std::span<const char> ResponseWatch::takeLine(std::span<const char> bytes, bool &whole)
{
    const auto end = std::find(bytes.begin(), bytes.end(), '\n');
    const auto size = static_cast<qsizetype>(end - bytes.begin());
    m_line.append(bytes.data(), std::min(size, longestLine - m_line.size()));
    whole = end != bytes.end();
    return bytes.subspan(static_cast<size_t>(size) + (whole ? 1 : 0));
}

void ResponseWatch::feed(std::span<const char> bytes)
{
    while (!bytes.empty()) {
        const Stage now = stage();
        if (now == Stage::NotHttp || now == Stage::BadChunk)
            return;
        if (now == Stage::Between) {
            // Blanks and line ends between two responses belong to neither.
            const char c = bytes.front();
            if (c == '\r' || c == '\n' || c == ' ') {
                bytes = bytes.subspan(1);
                continue;
            }
            m_line.clear();
            moveTo(Stage::StatusLine);
        }
        const bool counted = now == Stage::Body && (m_framing == Framing::Length || m_framing == Framing::ChunkData);
        if (counted) {
            const auto taken = std::min(static_cast<qint64>(bytes.size()), m_left);
            m_left -= taken;
            bytes = bytes.subspan(static_cast<size_t>(taken));
            if (m_left > 0)
                continue;
            if (m_framing == Framing::Length)
                finishResponse();
            else
                m_framing = Framing::ChunkEnd;
            continue;
        }
        if (now == Stage::Body && m_framing == Framing::UntilClose)
            return;
        bool whole = false;
        bytes = takeLine(bytes, whole);
        if (stage() == Stage::StatusLine && m_line.size() >= 5 && !m_line.startsWith("HTTP/")) {
            moveTo(Stage::NotHttp);
            return;
        }
        if (whole)
            endLine();
    }
}

void ResponseWatch::endLine()
{
    if (m_line.endsWith('\r'))
        m_line.chop(1);
    switch (stage()) {
    case Stage::StatusLine:
        endStatusLine();
        break;
    case Stage::Headers:
        endHeaderLine();
        break;
    case Stage::Body:
        if (m_framing == Framing::ChunkSize)
            endChunkSize();
        else if (m_line.isEmpty())
            m_framing = Framing::ChunkSize;
        else
            moveTo(Stage::BadChunk);
        break;
    case Stage::Between:
    case Stage::NotHttp:
    case Stage::BadChunk:
        break;
    }
    if (stage() != Stage::NotHttp && stage() != Stage::BadChunk)
        m_line.clear();
}

void ResponseWatch::endStatusLine()
{
    m_status = statusOf(m_line);
    m_statusText = m_line.mid(9);
    m_chunked = false;
    m_length = -1;
    moveTo(m_status ? Stage::Headers : Stage::NotHttp);
}

void ResponseWatch::endHeaderLine()
{
    if (m_line.isEmpty()) {
        beginBody();
        return;
    }
    const qsizetype colon = m_line.indexOf(':');
    if (colon < 0)
        return;
    const QByteArray name = m_line.left(colon).trimmed().toLower();
    const QByteArray value = m_line.mid(colon + 1).trimmed().toLower();
    if (name == "transfer-encoding") {
        m_chunked = value.contains("chunked");
    } else if (name == "content-length") {
        bool isNumber = false;
        const qint64 length = value.toLongLong(&isNumber);
        if (isNumber && length >= 0)
            m_length = length;
    }
}

void ResponseWatch::beginBody()
{
    if (m_status < 200) {
        moveTo(Stage::Between); // interim: the final response follows
        return;
    }
    const bool bodiless = m_status == 204 || m_status == 304 || (!m_chunked && m_length == 0);
    moveTo(Stage::Body);
    if (bodiless) {
        finishResponse();
    } else if (m_chunked) {
        m_framing = Framing::ChunkSize;
    } else if (m_length > 0) {
        m_framing = Framing::Length;
        m_left = m_length;
    } else {
        m_framing = Framing::UntilClose;
    }
}

void ResponseWatch::endChunkSize()
{
    const qsizetype extension = m_line.indexOf(';');
    const QByteArray digits = (extension < 0 ? m_line : m_line.left(extension)).trimmed();
    bool isNumber = false;
    const qint64 size = digits.toLongLong(&isNumber, 16);
    if (!isNumber || size < 0) {
        moveTo(Stage::BadChunk);
        return;
    }
    if (size == 0) {
        finishResponse(); // all data is here; the library does not read trailers either
        return;
    }
    m_left = size;
    m_framing = Framing::ChunkData;
}

void ResponseWatch::finishResponse()
{
    m_completed.fetch_add(1, std::memory_order_acq_rel);
    moveTo(Stage::Between);
}

void ResponseWatch::feedEnd()
{
    if (stage() == Stage::Body && m_framing == Framing::UntilClose)
        finishResponse();
}

} // namespace Waitscope
