// SPDX-License-Identifier: GPL-3.0-or-later
// The last raw lines of each call, bounded for a call and over all calls: what an inspector shows without the file.
#pragma once

#include "trace/spaninfo.h"

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace Waitscope {

struct StoreLimits;

class LineTails
{
public:
    explicit LineTails(const StoreLimits &limits);

    // `call` is the table index of the span the tail belongs to.
    void add(quint32 call, RawLine line);
    // Its tail stays until enough later calls have ended.
    void callEnded(quint32 call);

    [[nodiscard]] std::vector<RawLine> lines(quint32 call) const;
    [[nodiscard]] qint64 leftOut(quint32 call) const;
    [[nodiscard]] qsizetype memory() const noexcept;

private:
    // A thousand streams have a tail each: what most lines do not have takes no room.
    struct Line {
        Instant at;
        SpanId span;
        quint32 bytes; // no line is longer
        MarkKind kind;
    };
    struct Tail {
        void dropFirst();

        std::deque<Line> lines;
        std::unique_ptr<std::deque<QString>> texts; // one for each line, or none at all: content may not be kept
        qsizetype chars = 0;
        qint64 leftOut = 0;
    };
    int m_lineLimit;
    qsizetype m_charLimit;
    int m_endedLimit;
    std::unordered_map<quint32, Tail> m_tails;
    std::deque<quint32> m_ended;
};

} // namespace Waitscope
