// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a stream's events, pings, errors and end in the shapes of the API the request was made for.
#pragma once

#include "fault/faultscript.h"

#include <QLatin1StringView>
#include <QUrl>

#include <span>

namespace Waitscope {

[[nodiscard]] QLatin1StringView wordOf(ServedDialect dialect); // as `--api` spells it: "openai-chat"
[[nodiscard]] std::span<const ServedDialect> servedDialects();

// What tells in which API's words a client expects its answer.
struct DialectHints {
    QUrl url;
    QByteArray bodyStart;         // the first bytes of the request's body
    bool anthropicHeader = false; // it has an anthropic-version
    bool wantsLines = false;      // it accepts application/x-ndjson
};

// How much of a body is looked at.
inline constexpr qsizetype dialectBodyBytes = 4096;

// By `?dialect=<word>` if given and known, else by the path's end, else by headers and body; plain SSE when nothing fits.
[[nodiscard]] ServedDialect dialectOf(const DialectHints &hints);

[[nodiscard]] QByteArray contentTypeOf(ServedDialect dialect);

// One stream. Every function returns complete blocks for the wire; equal calls give equal bytes (ids and dates are fixed).
class DialectWriter
{
public:
    explicit DialectWriter(ServedDialect dialect)
        : m_dialect(dialect)
    {
    }

    // A data event; the first one is preceded by what the dialect opens a stream with.
    [[nodiscard]] QByteArray event(const QString &text);
    [[nodiscard]] QByteArray ping() const;
    [[nodiscard]] QByteArray error(const QString &type, const QString &text);
    [[nodiscard]] QByteArray end(const EndMarkerStep &marker);

    [[nodiscard]] qint64 eventCount() const noexcept { return m_events; }

private:
    [[nodiscard]] QByteArray opening();

    ServedDialect m_dialect;
    bool m_opened = false;
    qint64 m_events = 0;
    qint64 m_sequence = 0; // OpenAI responses number their events
    QString m_text;        // what the closing events repeat; bounded
};

} // namespace Waitscope
