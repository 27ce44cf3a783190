// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultrequest.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool same(const QByteArray &name, QByteArrayView known)
{
    return name.compare(known, Qt::CaseInsensitive) == 0;
}

bool hasToken(const QByteArray &list, QByteArrayView token)
{
    for (const QByteArray &part : list.split(',')) {
        if (same(part.trimmed(), token))
            return true;
    }
    return false;
}

// Digits only: no sign, no blanks, no overflow.
std::optional<qint64> numberOf(const QByteArray &text, int base)
{
    constexpr qsizetype mostDigits = 15;
    if (text.isEmpty() || text.size() > mostDigits)
        return std::nullopt;
    for (const char c : text) {
        const bool digit = (c >= '0' && c <= '9') || (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
        if (!digit)
            return std::nullopt;
    }
    return text.toLongLong(nullptr, base);
}

} // namespace

void FaultRequestReader::refuse(int status, const QByteArray &text)
{
    m_state = State::Bad;
    m_refusal = {status, text};
    m_line.clear();
}

bool FaultRequestReader::takeContinueWish()
{
    return std::exchange(m_wantsContinue, false);
}

bool FaultRequestReader::takeLine(const QByteArray &bytes, qsizetype &at, QByteArray &line)
{
    const qsizetype end = bytes.indexOf('\n', at);
    const qsizetype taken = (end < 0 ? bytes.size() : end + 1) - at;
    m_lineBytes += taken;
    if (m_lineBytes > mostHeadBytes) {
        refuse(431, "the head of the request is too large\n");
        return false;
    }
    m_line += bytes.mid(at, taken);
    at += taken;
    if (end < 0)
        return false;
    line = std::exchange(m_line, {});
    line.chop(1);
    if (line.endsWith('\r'))
        line.chop(1);
    return true;
}

qsizetype FaultRequestReader::feed(const QByteArray &bytes)
{
    qsizetype at = 0;
    QByteArray line;
    while (m_state == State::Reading && at < bytes.size()) {
        m_begun = true;
        switch (m_part) {
        case Part::Head:
            if (takeLine(bytes, at, line))
                onHeadLine(line);
            break;
        case Part::ChunkSize:
            if (takeLine(bytes, at, line))
                onChunkSize(line);
            break;
        case Part::ChunkEnd:
            if (takeLine(bytes, at, line)) {
                if (!line.isEmpty())
                    refuse(400, "a chunk of the request is longer than its size says\n");
                m_part = Part::ChunkSize;
                m_lineBytes = 0;
            }
            break;
        case Part::Trailers:
            if (takeLine(bytes, at, line) && line.isEmpty())
                m_state = State::Complete;
            break;
        case Part::Body:
        case Part::ChunkBody: {
            const qsizetype taken = static_cast<qsizetype>(std::min<qint64>(m_left, bytes.size() - at));
            QByteArray &start = m_request.dialect.bodyStart;
            start += bytes.mid(at, std::min(taken, dialectBodyBytes - start.size()));
            at += taken;
            m_left -= taken;
            if (m_left > 0)
                break;
            if (m_part == Part::ChunkBody)
                m_part = Part::ChunkEnd;
            else
                m_state = State::Complete;
            break;
        }
        }
    }
    return at;
}

void FaultRequestReader::onHeadLine(const QByteArray &line)
{
    if (!m_haveRequestLine) {
        if (!line.isEmpty()) // blank lines between requests are customary slips
            onRequestLine(line);
    } else if (line.isEmpty()) {
        onHeadEnd();
    } else {
        onHeader(line);
    }
}

void FaultRequestReader::onRequestLine(const QByteArray &line)
{
    m_haveRequestLine = true;
    const QByteArrayList words = line.split(' ');
    if (words.size() != 3 || words[0].isEmpty() || !words[2].startsWith("HTTP/")) {
        refuse(400, "this is not an HTTP request\n");
    } else if (words[2] != "HTTP/1.1") {
        refuse(505, "only HTTP/1.1 is spoken here\n");
    } else {
        m_request.method = words[0];
        // Also takes the absolute form that proxies' clients use.
        m_request.dialect.url = QUrl::fromEncoded(words[1], QUrl::TolerantMode);
        if (!m_request.dialect.url.isValid())
            refuse(400, "the request's target cannot be read\n");
    }
}

void FaultRequestReader::onHeader(const QByteArray &line)
{
    const qsizetype colon = line.indexOf(':');
    const QByteArray name = line.left(colon);
    const QByteArray value = line.mid(colon + 1).trimmed();
    if (colon <= 0 || name.contains(' ') || name.contains('\t')) {
        refuse(400, "a header line cannot be read\n");
    } else if (same(name, "content-length")) {
        const auto length = numberOf(value, 10);
        if (!length || (m_length && *m_length != *length))
            refuse(400, "the Content-Length cannot be read\n");
        m_length = length;
    } else if (same(name, "transfer-encoding")) {
        m_chunked = true;
        if (!same(value, "chunked"))
            refuse(501, "the only transfer coding known here is chunked\n");
    } else if (same(name, "connection")) {
        if (hasToken(value, "close"))
            m_request.keepAlive = false;
    } else if (same(name, "expect")) {
        m_wantsContinue = same(value, "100-continue");
        if (!m_wantsContinue)
            refuse(417, "the only expectation known here is 100-continue\n");
    } else if (same(name, "x-waitscope-exec")) {
        constexpr qsizetype longest = 128;
        m_request.exec = value.left(longest);
    } else if (same(name, "anthropic-version")) {
        m_request.dialect.anthropicHeader = true;
    } else if (same(name, "accept")) {
        m_request.dialect.wantsLines = hasToken(value, "application/x-ndjson");
    }
}

void FaultRequestReader::onHeadEnd()
{
    m_lineBytes = 0;
    if (m_chunked && m_length) {
        refuse(400, "Content-Length and chunked exclude each other\n");
    } else if (m_chunked) {
        m_part = Part::ChunkSize;
    } else if (m_length.value_or(0) > 0) {
        m_part = Part::Body;
        addToBody(*m_length);
    } else {
        m_wantsContinue = false;
        m_state = State::Complete;
    }
}

void FaultRequestReader::onChunkSize(const QByteArray &line)
{
    m_lineBytes = 0;
    const qsizetype extension = line.indexOf(';');
    const auto size = numberOf((extension < 0 ? line : line.left(extension)).trimmed(), 16);
    if (!size) {
        refuse(400, "a chunk size of the request cannot be read\n");
    } else if (*size == 0) {
        m_part = Part::Trailers;
    } else {
        m_part = Part::ChunkBody;
        addToBody(*size);
    }
}

void FaultRequestReader::addToBody(qint64 bytes)
{
    m_left = bytes;
    m_request.bodyBytes += bytes;
    if (m_request.bodyBytes > mostBodyBytes)
        refuse(413, "the body of the request is too large\n");
}

} // namespace Waitscope
