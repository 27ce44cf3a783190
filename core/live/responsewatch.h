// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the raw bytes of an HTTP/1 connection far enough to say where in a response the peer stopped.
//
// QNetworkAccessManager hides this: it calls some truncated bodies a success and gives one error for everything that ends
// before the headers are complete. The watch never changes what is delivered; it is only asked how a response ended.
// One thread feeds it; any thread may ask, and gets what was fed up to then.
#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <atomic>
#include <span>

namespace Waitscope {

class ResponseWatch
{
public:
    enum class Stage : quint8 {
        Between,       // nothing of a (further) response has come
        StatusLine,
        Headers,
        Body,
        NotHttp,       // the status line is none; nothing is followed any more
        BadChunk,      // a chunk's size is no number or its data has no end; nothing is followed any more
    };

    void feed(std::span<const char> bytes);
    // The peer closed properly: the end of a body without any length.
    void feedEnd();

    [[nodiscard]] Stage stage() const noexcept { return m_stage.load(std::memory_order_acquire); }
    // Complete final responses so far on this connection; an interim one (1xx) is none.
    [[nodiscard]] quint32 completed() const noexcept { return m_completed.load(std::memory_order_acquire); }
    // The line that was no HTTP. Only once the stage is NotHttp or BadChunk, for then it does not change any more.
    [[nodiscard]] QByteArray offending() const { return m_line; }
    // "502 Bad Gateway" of the latest response, interim ones too. Only once nothing is read from the connection any more.
    [[nodiscard]] QByteArray statusText() const { return m_statusText; }

private:
    // How the present body ends, and what of its framing comes next.
    enum class Framing : quint8 { Length, UntilClose, ChunkSize, ChunkData, ChunkEnd };

    [[nodiscard]] std::span<const char> takeLine(std::span<const char> bytes, bool &whole);
    void endLine();
    void endStatusLine();
    void endHeaderLine();
    void beginBody();
    void endChunkSize();
    void finishResponse();
    void moveTo(Stage stage) noexcept { m_stage.store(stage, std::memory_order_release); }

    std::atomic<Stage> m_stage = Stage::Between;
    std::atomic<quint32> m_completed = 0;
    QByteArray m_line;    // the line being collected, bounded
    int m_status = 0;
    QByteArray m_statusText;
    bool m_chunked = false;
    qint64 m_length = -1; // Content-Length; -1 = none given
    Framing m_framing = Framing::Length;
    qint64 m_left = 0;    // of the length or of the chunk
};

} // namespace Waitscope
