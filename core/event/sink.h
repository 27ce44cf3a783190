// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run's events go: a queue, a store, a recorder, counters, or several of these through decorators.
#pragma once

#include "event/event.h"

namespace Waitscope {

class EventCounter;

class EventSink
{
public:
    EventSink() = default;
    virtual ~EventSink() = default;
    Q_DISABLE_COPY_MOVE(EventSink)

    // Called in the engine's thread, in order. Must not throw and must not call back into the engine.
    virtual void write(const Event &event) = 0;

    // A sink that wants numbers alone gives its counter here: it is told of what happened and no event is made.
    // Asked once, when a run begins.
    [[nodiscard]] virtual EventCounter *countsOnly() noexcept { return nullptr; }
};

} // namespace Waitscope
