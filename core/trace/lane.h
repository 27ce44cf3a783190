// SPDX-License-Identifier: GPL-3.0-or-later
// One row of spans that do not overlap, sorted by begin and hence by end; only its last span can be open.
#pragma once

#include "trace/chunked.h"
#include "trace/lanepyramid.h"
#include "trace/spaninfo.h"

namespace Waitscope {

// What sort of row a lane is, in the order in which rows stand below each other within their parent's.
enum class LaneRow : quint8 { Task, Round, Exec, ExecAttempt, SessionRun, Request, Phase, Orphan };

struct LaneInfo {
    LaneId id;
    LaneId parent; // the lane that holds the parents of its spans
    SpanId task;   // the root span of its first span: a task, or whatever has no parent
    LaneRow row = LaneRow::Task;
    Layer layer = Layer::Task;
    int depth = 0;   // 0 for a root lane
    int sibling = 0; // 0 = first row of its sort; more where siblings overlap
    QString label;   // of its first span; may be empty
};

// What a view remembers of a lane it has drawn: enough to say exactly from when on it changed.
struct LaneStamp {
    quint32 spans = 0;
    quint32 ended = 0;
    friend bool operator==(LaneStamp, LaneStamp) noexcept = default;
};

class Lane
{
public:
    [[nodiscard]] quint32 size() const noexcept { return m_spans.size(); }
    [[nodiscard]] Instant begin(quint32 i) const noexcept { return m_begins[i]; }
    [[nodiscard]] Instant end(quint32 i) const noexcept { return m_ends[i]; }        // never = open
    [[nodiscard]] quint32 spanIndex(quint32 i) const noexcept { return m_spans[i]; } // into the store's table
    [[nodiscard]] Outcome outcome(quint32 i) const noexcept { return outcomeOfSeverity(severity(i)); }
    [[nodiscard]] int severity(quint32 i) const noexcept { return severityOf(m_tags[i]); }
    [[nodiscard]] SpanClass spanClass(quint32 i) const noexcept { return classOf(m_tags[i]); }

    // Spans that lie side by side in memory, for scans.
    struct Run {
        const Instant *begins;
        const Instant *ends;
        const quint8 *tags;
        quint32 count;
    };
    [[nodiscard]] Run runFrom(quint32 i) const noexcept;
    [[nodiscard]] static int severityOf(quint8 tag) noexcept { return tag & 7; }
    [[nodiscard]] static SpanClass classOf(quint8 tag) noexcept { return static_cast<SpanClass>(tag >> 3 & 3); }

    [[nodiscard]] bool hasOpenSpan() const noexcept { return m_ended < m_spans.size(); }
    // Whether a span that begins at `at` fits behind the last one.
    [[nodiscard]] bool isFreeAt(Instant at) const noexcept;
    [[nodiscard]] LaneStamp stamp() const noexcept { return {m_spans.size(), m_ended}; }

    // First span that ends after `t` / ends at or after `t` / begins at or after `t`; size() if none.
    [[nodiscard]] quint32 firstEndingAfter(Instant t) const noexcept;
    [[nodiscard]] quint32 firstEndingFrom(Instant t) const noexcept;
    [[nodiscard]] quint32 firstBeginningFrom(Instant t) const noexcept;
    // Positions of spans that ended otherwise than Ok, in order.
    using Positions = Chunked<quint32, 4>;
    [[nodiscard]] const Positions &failures() const noexcept { return m_failures; }
    [[nodiscard]] const LanePyramid &pyramid() const noexcept { return m_pyramid; }

    quint32 append(Instant begin, quint32 spanIndex, SpanKind kind); // its position
    void endLast(Instant end, SpanKind kind, Outcome outcome);

    [[nodiscard]] qsizetype memory() const noexcept;

private:
    // Class and severity of a span in one byte.
    [[nodiscard]] static quint8 tag(SpanClass spanClass, Outcome outcome) noexcept;

    // There can be as many lanes as spans that overlap: small when young.
    static constexpr quint32 firstChunk = 4;
    Chunked<Instant, firstChunk> m_begins;
    Chunked<Instant, firstChunk> m_ends;
    Chunked<quint32, firstChunk> m_spans;
    Chunked<quint8, firstChunk> m_tags;
    Positions m_failures;
    LanePyramid m_pyramid;
    quint32 m_ended = 0;
};

} // namespace Waitscope
