// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/rawresponse.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

namespace {

constexpr qsizetype longestLine = 64 * 1024;
constexpr QByteArrayView protocol("HTTP/");

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// "HTTP/1.1 200 OK" -> 200; 0 when it is no status line.
int statusOf(const QByteArray &line)
{
    if (line.size() < 12 || !line.startsWith(protocol) || !isDigit(line[5]) || line[6] != '.' || !isDigit(line[7])
        || line[8] != ' ')
        return 0;
    const int status = line.mid(9, 3).toInt();
    return status >= 100 ? status : 0;
}

} // namespace

RawResponse::RawResponse(Framing framing, std::optional<qint64> expected, qint64 bodyBytes)
    : m_stage(Stage::Body)
    , m_haveStatus(true)
    , m_framing(framing)
    , m_left(framing == Framing::Length ? std::max<qint64>(0, expected.value_or(0) - bodyBytes) : 0)
{
}

void RawResponse::feed(const QByteArray &bytes)
{
    qsizetype at = 0;
    while (at < bytes.size() && (m_stage == Stage::Head || m_stage == Stage::Body)) {
        if (m_stage == Stage::Head) {
            at = takeLine(bytes, at);
            const bool judged = !m_haveStatus && m_line.size() >= protocol.size();
            if (judged && !m_line.startsWith(protocol))
                m_stage = Stage::NotHttp;
            else if (m_lineEnded)
                endHeadLine();
        } else if (m_framing == Framing::UntilClose) {
            onBody(bytes.mid(at));
            return;
        } else if (m_framing == Framing::Length || m_part == Part::Data) {
            at = takeCounted(bytes, at);
        } else {
            at = takeLine(bytes, at);
            if (m_lineEnded)
                endChunkLine();
        }
    }
}

qsizetype RawResponse::takeLine(const QByteArray &bytes, qsizetype from)
{
    if (std::exchange(m_lineEnded, false))
        m_line.clear();
    const qsizetype end = bytes.indexOf('\n', from);
    const qsizetype stop = end < 0 ? bytes.size() : end;
    m_line += bytes.mid(from, std::min(stop - from, longestLine - m_line.size()));
    if (end < 0)
        return stop;
    m_lineEnded = true;
    if (m_line.endsWith('\r'))
        m_line.chop(1);
    return end + 1;
}

qsizetype RawResponse::takeCounted(const QByteArray &bytes, qsizetype from)
{
    const qsizetype taken = static_cast<qsizetype>(std::min<qint64>(m_left, bytes.size() - from));
    m_left -= taken;
    if (taken > 0)
        onBody(bytes.mid(from, taken));
    if (m_left == 0) {
        if (m_framing == Framing::Length)
            m_stage = Stage::Complete;
        else
            m_part = Part::DataEnd;
    }
    return from + taken;
}

void RawResponse::endHeadLine()
{
    if (!m_haveStatus) {
        m_status = statusOf(m_line);
        m_haveStatus = m_status != 0;
        if (!m_haveStatus)
            m_stage = Stage::NotHttp;
        return;
    }
    if (m_line.isEmpty()) {
        endHead();
        return;
    }
    const qsizetype colon = m_line.indexOf(':');
    if (colon <= 0)
        m_malformed = true;
    else
        m_headers.emplace_back(m_line.left(colon).trimmed(), m_line.mid(colon + 1).trimmed());
}

void RawResponse::endHead()
{
    if (m_malformed)
        m_headers.clear();
    m_framing = Framing::UntilClose;
    m_left = 0;
    for (const auto &[name, value] : m_headers) {
        bool isNumber = false;
        const qint64 length = value.toLongLong(&isNumber);
        if (name.compare("transfer-encoding", Qt::CaseInsensitive) == 0 && value.toLower().contains("chunked")) {
            m_framing = Framing::Chunked;
        } else if (name.compare("content-length", Qt::CaseInsensitive) == 0 && isNumber && length >= 0
                   && m_framing != Framing::Chunked) {
            m_framing = Framing::Length;
            m_left = length;
        }
    }
    const bool bodiless = m_status == 204 || m_status == 304 || (m_framing == Framing::Length && m_left == 0);
    m_stage = bodiless ? Stage::Complete : Stage::Body;
    onHead(m_status, m_headers, m_framing);
    if (m_status >= 200)
        return;
    m_stage = Stage::Head; // the final answer follows
    m_haveStatus = m_malformed = false;
    m_headers.clear();
}

void RawResponse::endChunkLine()
{
    if (m_part == Part::DataEnd) {
        if (m_line.isEmpty())
            m_part = Part::Size;
        else
            m_stage = Stage::BadChunk;
        return;
    }
    const qsizetype extension = m_line.indexOf(';');
    bool isNumber = false;
    m_left = (extension < 0 ? m_line : m_line.left(extension)).trimmed().toLongLong(&isNumber, 16);
    if (!isNumber || m_left < 0)
        m_stage = Stage::BadChunk;
    else if (m_left == 0)
        m_stage = Stage::Complete; // all data is here; the library does not read trailers either
    else
        m_part = Part::Data;
}

} // namespace Waitscope
