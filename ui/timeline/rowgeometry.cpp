// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/rowgeometry.h"

#include "ui/style/glyphs.h"

#include <algorithm>
#include <cmath>

namespace Waitscope {

namespace {

// Widths in logical pixels from which on a bar carries something.
constexpr double labelled = 26;
constexpr double signedFailure = 15;
constexpr double signedSuccess = 60;
constexpr double looked = 20; // timers and marks are asked for
constexpr int padding = 4;    // logical pixels between a bar's edge and its label

bool isContainer(LaneRow sort)
{
    switch (sort) {
    case LaneRow::Task:
    case LaneRow::Round:
    case LaneRow::Exec:
    case LaneRow::ExecAttempt:
    case LaneRow::SessionRun:
    case LaneRow::Request:
    case LaneRow::Orphan:
        return true;
    case LaneRow::Phase:
        return false;
    }
    Q_UNREACHABLE();
}

int pixel(double x, int width)
{
    return static_cast<int>(std::lround(std::clamp(x, -1.0, width + 1.0)));
}

} // namespace

void RowGeometry::compute(const RowContext &context, const Row &row, std::span<const TimerBar> armed, Labels &texts,
                          int &labelBudget)
{
    const TraceStore &store = *context.store;
    stamp = store.stamp(row.lane);
    bars.clear();
    labels.clear();
    signs.clear();
    timers.clear();
    firedLines.clear();
    unfinished = false;
    findVisible(store, row.lane, {context.device.from(), context.to, context.device.width(), context.now}, spans);
    for (const WideSpan &span : spans.wide)
        addBar(context, span);
    if (context.frozen) {
        const int edge = pixel(context.device.xOf(context.now), context.device.width());
        if (edge < context.device.width())
            std::fill(spans.columns.begin() + std::max(0, edge), spans.columns.end(), FoldedColumn());
        // How an open span ended is not known yet.
        for (const Bar &bar : bars) {
            for (int x = bar.open ? bar.left : bar.right; x < bar.right; ++x)
                spans.columns[static_cast<size_t>(x)].worst = 0;
        }
    }
    for (size_t i = 0; i < bars.size(); ++i) {
        const double width = (bars[i].right - bars[i].left) / context.ratio;
        if (width < signedFailure)
            continue;
        int textRight = bars[i].left;
        if (width >= labelled && static_cast<int>(labels.size()) < labelBudget) {
            addLabel(context, i, texts);
            if (!labels.empty() && labels.back().bar == i)
                textRight = labels.back().x + labels.back().width;
        }
        addSigns(context, row, bars[i], textRight);
    }
    labelBudget -= static_cast<int>(labels.size());
    addTimers(context, armed);
    const Lane &lane = store.lane(row.lane);
    moves = !timers.empty() || (lane.hasOpenSpan() && lane.begin(lane.size() - 1) < context.to);
}

void RowGeometry::addTimers(const RowContext &context, std::span<const TimerBar> armed)
{
    const int width = context.device.width();
    const int left = pixel(context.device.xOf(context.now), width);
    for (const TimerBar &timer : armed) {
        const int right = pixel(context.device.xOf(timer.due), width);
        if (right <= 0 || left >= width || right <= left)
            continue;
        timers.push_back({timer.id, timer.kind, timer.slot, std::max(left, 0), std::min(right, width), right > width});
    }
}

void RowGeometry::addBar(const RowContext &context, const WideSpan &span)
{
    Instant end = span.end;
    bool open = span.open;
    if (context.frozen && end > context.now) {
        if (span.begin >= context.now)
            return;
        end = context.now;
        open = true;
    }
    const int width = context.device.width();
    const double left = context.device.xOf(span.begin);
    const double right = context.device.xOf(end);
    if (right - left < 1)
        return;
    Bar bar;
    bar.id = span.id;
    bar.left = pixel(left, width);
    bar.right = std::max(bar.left + 1, pixel(right, width));
    // Narrower ones stay in the columns: at that width an edge says less than a share.
    if (bar.right - bar.left < 2 || bar.right <= 0 || bar.left >= width)
        return;
    bar.variant = open ? (span.spanClass == SpanClass::Backoff ? SpanClass::Backoff : SpanClass::Good) : span.spanClass;
    bar.outcome = open ? Outcome::Ok : span.outcome;
    bar.open = open;
    bar.cutLeft = bar.left < 0;
    bar.cutRight = bar.right > width;
    bar.left = std::max(bar.left, 0);
    bar.right = std::min(bar.right, width);
    bars.push_back(bar);
}

void RowGeometry::addLabel(const RowContext &context, size_t index, Labels &texts)
{
    const Bar &bar = bars[index];
    const int pad = static_cast<int>(std::lround(padding * context.ratio));
    int room = bar.right - bar.left - 2 * pad;
    if (bar.variant == SpanClass::Bad || bar.outcome == Outcome::Partial)
        room -= context.sign + pad; // the sign of a failure goes before words
    Labels::Fitting fitting = texts.fitting(*context.store, bar.id, !bar.open, room);
    unfinished = unfinished || fitting.later;
    if (!fitting.text.isEmpty())
        labels.push_back({index, bar.left + pad, fitting.width, std::move(fitting.text)});
}

void RowGeometry::addSigns(const RowContext &context, const Row &row, const Bar &bar, int textRight)
{
    const double width = (bar.right - bar.left) / context.ratio;
    const int pad = static_cast<int>(std::lround(padding * context.ratio));
    if (!bar.open && !bar.cutRight && bar.variant != SpanClass::Backoff) {
        const bool wanted = bar.outcome == Outcome::Ok ? isContainer(row.sort) && width >= signedSuccess : width >= signedFailure;
        const int x = bar.right - context.sign - std::min(pad, std::max(1, (bar.right - bar.left - context.sign) / 2));
        if (wanted && x >= textRight)
            signs.push_back({SignKind::Outcome, x, bar.outcome, bar.variant, MarkKind::Note, TimerKind::Total, bar.id, never});
    }
    if (width < looked || !(isContainer(row.sort) || bar.variant == SpanClass::Backoff))
        return;
    const auto place = [&](Instant at) { return pixel(context.device.xOf(at), context.device.width()); };
    const auto inView = [&](Instant at) {
        return at >= context.device.from() && at < context.to && !(context.frozen && at > context.now);
    };
    for (const ShownTimer &timer : context.store->timersOf(bar.id)) {
        if (timer.state != TimerState::Fired || !inView(timer.ended))
            continue;
        if (isLine(timer.kind)) {
            firedLines.push_back(lineOf(timer, row.lane));
        } else if (timer.kind != TimerKind::BackoffEnd) {
            // It ends what it kills: the sign stands before that edge, and before the outcome's where both share the bar.
            const int x = place(timer.ended) - (context.compact ? 2 * context.sign + pad : context.sign);
            if (x >= bar.left)
                signs.push_back({SignKind::Firing, x, Outcome::Ok, bar.variant, MarkKind::Note, timer.kind, bar.id, timer.ended});
        }
    }
    // The latest first: what came at the same moment stands to its left, so that all of it reads from left to right and
    // none is hidden by another or by a line at that moment.
    const std::vector<ShownMark> marks = context.store->marksOf(bar.id);
    int free = context.device.width();
    for (auto it = marks.rbegin(); it != marks.rend(); ++it) {
        const ShownMark &mark = *it;
        // Narrow rows keep their words: only what went wrong stands over them.
        const bool wanted = isShownMark(mark.kind) && !(context.compact && mark.kind == MarkKind::Committed);
        if (wanted && inView(mark.at)) {
            const int before = std::min(place(mark.at), free) - context.sign - pad;
            // What came as soon as the span began stands in it, if there is room, not before it.
            const int x = bar.left + context.sign <= free ? std::max(before, bar.left) : before;
            free = x + pad / 2;
            signs.push_back({SignKind::Mark, x, Outcome::Ok, bar.variant, mark.kind,
                             TimerKind::Total, bar.id, mark.at});
        }
    }
}

std::optional<std::pair<int, int>> RowGeometry::changedFrom(const RowGeometry &drawn, int sign) const
{
    const auto width = static_cast<int>(spans.columns.size());
    if (spans.columns.size() != drawn.spans.columns.size())
        return std::pair(0, width);
    int from = width;
    int to = 0;
    const auto touch = [&](int left, int right) {
        from = std::min(from, left);
        to = std::max(to, right);
    };
    for (size_t x = 0; x < spans.columns.size(); ++x) {
        if (bitsOf(spans.columns[x]) != bitsOf(drawn.spans.columns[x]))
            touch(static_cast<int>(x), static_cast<int>(x) + 1);
    }
    for (size_t i = 0; i < std::max(bars.size(), drawn.bars.size()); ++i) {
        const Bar *is = i < bars.size() ? &bars[i] : nullptr;
        const Bar *was = i < drawn.bars.size() ? &drawn.bars[i] : nullptr;
        if (is && was && *is == *was)
            continue;
        if (is && was) {
            // What an open bar grew by is in the columns.
            Bar same = *was;
            same.right = is->right;
            same.cutRight = is->cutRight;
            if (same == *is)
                continue;
        }
        for (const Bar *bar : {is, was}) {
            if (bar)
                touch(bar->left, bar->right);
        }
    }
    for (size_t i = 0; i < std::max(labels.size(), drawn.labels.size()); ++i) {
        if (i < labels.size() && i < drawn.labels.size() && labels[i] == drawn.labels[i])
            continue;
        for (const RowGeometry *row : {this, &drawn}) {
            if (i < row->labels.size())
                touch(row->labels[i].x - 2, row->labels[i].x + row->labels[i].width + 2);
        }
    }
    for (size_t i = 0; i < std::max(signs.size(), drawn.signs.size()); ++i) {
        if (i < signs.size() && i < drawn.signs.size() && signs[i] == drawn.signs[i])
            continue;
        for (const std::vector<Sign> *all : {&signs, &drawn.signs}) {
            if (i < all->size())
                touch((*all)[i].x - 2, (*all)[i].x + sign + 2);
        }
    }
    for (size_t i = 0; i < std::max(timers.size(), drawn.timers.size()); ++i) {
        if (i < timers.size() && i < drawn.timers.size() && timers[i] == drawn.timers[i])
            continue;
        for (const std::vector<TimerRect> *all : {&timers, &drawn.timers}) {
            if (i < all->size())
                touch((*all)[i].left, (*all)[i].right);
        }
    }
    if (from >= to)
        return std::nullopt;
    return std::pair(std::max(0, from), std::min(width, to));
}

} // namespace Waitscope
