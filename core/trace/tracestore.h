// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has done so far, in the form that views and analysis read; it belongs to the thread that reads it.
#pragma once

#include "event/header.h"
#include "event/sink.h"
#include "trace/lane.h"
#include "trace/spaninfo.h"

#include <memory>
#include <span>
#include <vector>

namespace Waitscope {

// How much a store keeps of what can grow without end. What is left out is still in the recording.
struct StoreLimits {
    int linesPerCall = 128; // raw lines in a call's tail
    qsizetype lineCharsPerCall = 16384;
    int endedCallsWithLines = 32; // calls that have ended and still keep their tail
    int problems = 1000;
    // So many tasks get rows of their own; later ones go into rows that have become free.
    int tasksWithOwnRows = 64;
};

class TraceStore final : public EventSink
{
public:
    explicit TraceStore(StoreLimits limits = {});
    ~TraceStore() override;

    void setHeader(TraceHeader header);
    [[nodiscard]] const TraceHeader &header() const noexcept;

    // Events that cannot be (unknown ids, time running backwards, a second end) are noted in problems() and otherwise
    // taken as far as they make sense.
    void write(const Event &event) override;

    // Grows with every event.
    [[nodiscard]] quint64 revision() const noexcept;
    [[nodiscard]] Instant firstTime() const noexcept; // Instant{} while empty
    [[nodiscard]] Instant lastTime() const noexcept;

    // Spans. All take ids from events; an unknown id gives nothing.
    [[nodiscard]] quint32 spanCount() const noexcept;
    [[nodiscard]] qint64 requestCount() const noexcept; // begun; how many were sent is the traffic's affair
    [[nodiscard]] SpanId spanAtIndex(quint32 index) const noexcept; // in order of arrival, from 0
    [[nodiscard]] std::optional<SpanInfo> span(SpanId id) const;
    [[nodiscard]] SpanId parentOf(SpanId id) const noexcept;
    [[nodiscard]] SpanId causeOf(SpanId id) const noexcept;
    [[nodiscard]] std::optional<SpanKind> kindOf(SpanId id) const noexcept;
    [[nodiscard]] bool isOpen(SpanId id) const noexcept;
    [[nodiscard]] std::vector<SpanId> childrenOf(SpanId id) const; // in order of arrival
    [[nodiscard]] std::vector<SpanId> roots() const;               // spans without a (known) parent
    [[nodiscard]] std::vector<SpanId> effectsOf(SpanId id) const;  // spans that name it as their cause
    [[nodiscard]] std::vector<SpanId> openSpans() const;           // outermost first

    // Lanes. An id is good for the store's lifetime; the order changes only by inserting new ones.
    [[nodiscard]] quint32 laneCount() const noexcept;
    [[nodiscard]] std::span<const LaneId> laneOrder() const; // top to bottom; valid until the next event
    [[nodiscard]] LaneInfo laneInfo(LaneId id) const;
    [[nodiscard]] const Lane &lane(LaneId id) const; // an unknown id gives an empty lane
    [[nodiscard]] LaneStamp stamp(LaneId id) const { return lane(id).stamp(); }
    // From when on the lane looks different than it did at `drawn`; never = not at all.
    [[nodiscard]] Instant changedFrom(LaneId id, LaneStamp drawn) const;

    // Timers, marks and traffic.
    [[nodiscard]] std::vector<ShownTimer> timersOf(SpanId owner) const; // in order of arming
    // In order of arming: of all spans, or only of those within `about` and above it.
    [[nodiscard]] std::vector<ShownTimer> armedTimers(SpanId about = {}) const;
    [[nodiscard]] std::vector<ShownMark>
    marksOf(SpanId span) const; // without lines, data, pings, progress: these are counted
    // Of a request; of anything above it summed over its requests up to now (nothing for a span that had none).
    [[nodiscard]] Traffic traffic(SpanId span) const;
    // The last raw lines of the call (exec) that `span` belongs to, oldest first; linesLeftOut() more came before them.
    [[nodiscard]] std::vector<RawLine> rawLines(SpanId span) const;
    [[nodiscard]] qint64 linesLeftOut(SpanId span) const;
    // The exec a span belongs to: itself or the nearest one above; none if there is none.
    [[nodiscard]] SpanId callOf(SpanId span) const noexcept;

    [[nodiscard]] std::vector<ShownDraw> drawsOf(SpanId span) const;
    [[nodiscard]] std::vector<ShownDraw> draws() const;
    [[nodiscard]] std::vector<ShownCounter> counters() const;
    [[nodiscard]] const std::vector<PolicyChanged> &policyChanges() const noexcept;
    [[nodiscard]] const std::vector<CommandGiven> &commands() const noexcept;
    [[nodiscard]] const std::vector<ClockJumped> &clockJumps() const noexcept;

    [[nodiscard]] const std::vector<StoreProblem> &problems() const noexcept; // the first StoreLimits::problems
    [[nodiscard]] quint64 problemCount() const noexcept;

    [[nodiscard]] qsizetype memory() const noexcept; // bytes held, without the header's strings

private:
    struct Tables; // what it is made of; only this layer knows
    std::unique_ptr<Tables> d;
};

} // namespace Waitscope
