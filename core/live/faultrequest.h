// SPDX-License-Identifier: GPL-3.0-or-later
// Reads HTTP/1.1 requests piece by piece, in bounded memory: bodies are counted; only their first bytes are kept.
#pragma once

#include "fault/dialectwriter.h"

#include <QByteArray>
#include <QString>
#include <QUrl>

#include <optional>

namespace Waitscope {

struct FaultRequest {
    QByteArray method;
    DialectHints dialect; // its URL: path and query
    QByteArray exec;     // X-Waitscope-Exec; empty = not given
    bool keepAlive = true;
    qint64 bodyBytes = 0;
};

class FaultRequestReader
{
public:
    enum class State : quint8 { Reading, Complete, Bad };

    struct Refusal {
        int status = 400;
        QByteArray text;
    };

    static constexpr qsizetype mostHeadBytes = 64 * 1024;
    static constexpr qint64 mostBodyBytes = 64 * 1024 * 1024;

    // Takes bytes up to the request's end and says how many. Takes none once complete or bad.
    [[nodiscard]] qsizetype feed(const QByteArray &bytes);

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] const FaultRequest &request() const noexcept { return m_request; } // valid when complete
    [[nodiscard]] const Refusal &refusal() const noexcept { return m_refusal; }      // valid when bad
    [[nodiscard]] bool hasBegun() const noexcept { return m_begun; }

    // Once true: the client waits for a "100 Continue" before it sends the body.
    [[nodiscard]] bool takeContinueWish();

private:
    enum class Part : quint8 { Head, Body, ChunkSize, ChunkBody, ChunkEnd, Trailers };

    bool takeLine(const QByteArray &bytes, qsizetype &at, QByteArray &line);
    void onHeadLine(const QByteArray &line);
    void onRequestLine(const QByteArray &line);
    void onHeader(const QByteArray &line);
    void onHeadEnd();
    void onChunkSize(const QByteArray &line);
    void addToBody(qint64 bytes);
    void refuse(int status, const QByteArray &text);

    State m_state = State::Reading;
    Part m_part = Part::Head;
    FaultRequest m_request;
    Refusal m_refusal;
    QByteArray m_line;          // an incomplete line
    qsizetype m_lineBytes = 0;  // of head or trailers so far
    qint64 m_left = 0;          // of the body or the chunk
    std::optional<qint64> m_length;
    bool m_chunked = false;
    bool m_begun = false;
    bool m_haveRequestLine = false;
    bool m_wantsContinue = false;
};

} // namespace Waitscope
