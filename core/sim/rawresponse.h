// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a response from raw bytes as the network library does: for scripts that write to the wire outside any framing.
#pragma once

#include "fault/scriptplayer.h"

#include <functional>

namespace Waitscope {

class RawResponse
{
public:
    enum class Stage : quint8 {
        Head,
        Body,
        Complete, // nothing that follows is of interest
        NotHttp,
        BadChunk,
    };

    // For bytes from the beginning of a response on.
    RawResponse() = default;
    // For bytes within a body whose head was read, and of which `bodyBytes` have come; a chunk's size is due next.
    RawResponse(Framing framing, std::optional<qint64> expected, qint64 bodyBytes);

    // Called from inside feed().
    std::function<void(int status, const ScriptHeaders &headers, Framing framing)> onHead;
    std::function<void(QByteArray bytes)> onBody;

    void feed(const QByteArray &bytes);

    [[nodiscard]] Stage stage() const noexcept { return m_stage; }
    [[nodiscard]] bool headBegan() const noexcept { return m_stage != Stage::Head || m_haveStatus || !m_line.isEmpty(); }
    // The line that was no HTTP.
    [[nodiscard]] QByteArray offending() const { return m_line; }

private:
    enum class Part : quint8 { Size, Data, DataEnd };

    void endHeadLine();
    void endHead();
    void endChunkLine();
    [[nodiscard]] qsizetype takeLine(const QByteArray &bytes, qsizetype from);
    [[nodiscard]] qsizetype takeCounted(const QByteArray &bytes, qsizetype from);

    Stage m_stage = Stage::Head;
    QByteArray m_line;       // being collected; bounded
    bool m_lineEnded = false;
    bool m_haveStatus = false;
    bool m_malformed = false; // a header line was none: the library then drops them all
    int m_status = 0;
    ScriptHeaders m_headers;
    Framing m_framing = Framing::UntilClose;
    Part m_part = Part::Size;
    qint64 m_left = 0;       // of the length or of the chunk
};

} // namespace Waitscope
