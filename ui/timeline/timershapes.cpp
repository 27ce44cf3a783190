// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timershapes.h"

#include <algorithm>
#include <tuple>

namespace Waitscope {

bool isLine(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Deadline:
    case TimerKind::Watchdog:
    case TimerKind::HardCap:
        return true;
    case TimerKind::Connect:
    case TimerKind::Write:
    case TimerKind::Pool:
    case TimerKind::FirstByte:
    case TimerKind::Read:
    case TimerKind::Idle:
    case TimerKind::DataStall:
    case TimerKind::Total:
    case TimerKind::BackoffEnd:
        return false;
    }
    Q_UNREACHABLE();
}

TimerLine lineOf(const ShownTimer &timer, LaneId lane)
{
    TimerLine line;
    line.id = timer.id;
    line.owner = timer.owner;
    line.lane = lane;
    line.kind = timer.kind;
    line.fired = timer.state == TimerState::Fired;
    line.at = line.fired ? timer.ended : timer.effectiveDue;
    line.value = timer.value;
    return line;
}

TimerShapes armedShapes(const TraceStore &store)
{
    TimerShapes shapes;
    for (const ShownTimer &timer : store.armedTimers()) {
        const std::optional<SpanInfo> owner = store.span(timer.owner);
        if (!owner)
            continue;
        if (isLine(timer.kind)) {
            if (timer.effectiveDue != never)
                shapes.lines.push_back(lineOf(timer, owner->lane));
            continue;
        }
        TimerBar bar;
        bar.id = timer.id;
        bar.owner = timer.owner;
        bar.lane = owner->lane;
        bar.kind = timer.kind;
        bar.clamped = timer.clamped;
        bar.due = timer.effectiveDue;
        shapes.bars.push_back(bar);
    }
    const auto order = [](const TimerBar &bar) { return std::tuple(bar.lane, bar.owner, bar.due, bar.id); };
    std::sort(shapes.bars.begin(), shapes.bars.end(),
              [&](const TimerBar &a, const TimerBar &b) { return order(a) < order(b); });
    for (size_t i = 1; i < shapes.bars.size(); ++i) {
        if (shapes.bars[i].owner == shapes.bars[i - 1].owner)
            shapes.bars[i].slot = shapes.bars[i - 1].slot + 1;
    }
    std::sort(shapes.lines.begin(), shapes.lines.end(), [](const TimerLine &a, const TimerLine &b) { return a.id < b.id; });
    return shapes;
}

} // namespace Waitscope
