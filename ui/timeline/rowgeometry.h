// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in one row for one visible range, in device pixels from the left edge: made once, drawn and hit many times.
#pragma once

#include "trace/spanquery.h"
#include "ui/timeline/labels.h"
#include "ui/timeline/rowlayout.h"
#include "ui/timeline/timershapes.h"
#include "ui/timeline/timescale.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace Waitscope {

// A span of two pixels or more, cut to the window: edges that are cut are not drawn.
struct Bar {
    SpanId id;
    int left = 0;
    int right = 0; // one past the last pixel
    SpanClass variant = SpanClass::Good;
    Outcome outcome = Outcome::Ok;
    bool open = false;
    bool cutLeft = false;
    bool cutRight = false;
    friend bool operator==(const Bar &, const Bar &) = default;
};

// Few bars have one.
struct BarLabel {
    size_t bar = 0; // its place among the row's bars
    int x = 0;
    int width = 0;
    QString text;
    friend bool operator==(const BarLabel &, const BarLabel &) = default;
};

// All of a column as one number: two columns that look the same have the same; 0 = empty.
[[nodiscard]] constexpr quint64 bitsOf(const FoldedColumn &column) noexcept
{
    return quint64{column.good} | quint64{column.backoff} << 16 | quint64{column.bad} << 32 | quint64{column.worst} << 48
        | quint64{column.occupied} << 56;
}

enum class SignKind : quint8 { Outcome, Firing, Mark };

struct Sign {
    SignKind kind = SignKind::Outcome;
    int x = 0; // its left edge
    Outcome outcome = Outcome::Ok;
    SpanClass variant = SpanClass::Good;   // what an outcome's sign is drawn on
    MarkKind mark = MarkKind::Note;
    TimerKind timer = TimerKind::Total;
    SpanId span;
    Instant at;
    friend bool operator==(const Sign &, const Sign &) = default;
};

// A countdown bar from the present to its firing.
struct TimerRect {
    TimerId id;
    TimerKind kind = TimerKind::Total;
    int slot = 0;
    int left = 0;
    int right = 0;
    bool beyond = false; // fires outside the window
    friend bool operator==(const TimerRect &, const TimerRect &) = default;
};

// Everything that decides how a row looks, apart from the row's own lane.
struct RowContext {
    const TraceStore *store = nullptr;
    TimeScale device;   // in device pixels
    Instant to;         // its right edge
    Instant now;
    bool compact = false;
    bool frozen = false; // paused: nothing after `now` is shown, whatever the store knows by now
    double ratio = 1;    // device pixels a logical one
    int sign = 11;       // side of a sign in device pixels
};

struct RowGeometry {
    LaneStamp stamp;
    quint64 made = 0; // which view it was made for, as the picture counts them
    VisibleSpans spans;
    std::vector<Bar> bars;
    std::vector<BarLabel> labels; // in the order of their bars
    std::vector<Sign> signs;
    std::vector<TimerRect> timers;
    std::vector<TimerLine> firedLines; // of spans in view; armed ones are the store's to tell
    bool unfinished = false; // labels are to come in the next frame
    bool moves = false; // an open span grows with the time, or a countdown shrinks, even where it is too narrow for a bar yet

    // `armed` are the row's own: of spans in its lane.
    void compute(const RowContext &context, const Row &row, std::span<const TimerBar> armed, Labels &texts, int &labelBudget);

    // Where the two differ, as [left, right) in device pixels; none when they look the same.
    [[nodiscard]] std::optional<std::pair<int, int>> changedFrom(const RowGeometry &drawn, int sign) const;

private:
    void addBar(const RowContext &context, const WideSpan &span);
    void addLabel(const RowContext &context, size_t bar, Labels &texts);
    void addTimers(const RowContext &context, std::span<const TimerBar> armed);
    void addSigns(const RowContext &context, const Row &row, const Bar &bar, int textRight);
};

} // namespace Waitscope
