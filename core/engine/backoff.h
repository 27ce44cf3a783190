// SPDX-License-Identifier: GPL-3.0-or-later
// A sleep between two tries: one span, one timer, one wait; ends by time, by an alarm or by a control signal.
#pragma once

#include "engine/callcontext.h"
#include "engine/callresult.h"

namespace Waitscope {

enum class SleepEnd : quint8 { Slept, Alarm, Interrupted };

struct Sleep {
    Sleep(Layer owner, SpanId under, int after, Duration length)
        : layer(owner)
        , parent(under)
        , failedTry(after)
        , duration(length)
    {
    }
    Layer layer;
    SpanId parent;
    int failedTry;
    Duration duration;
    bool hinted = false; // the server asked for it
};

// Under way from its construction on; whoever waits until due() tells it what woke them.
class RunningSleep
{
public:
    RunningSleep(CallContext &context, const Sleep &what);

    [[nodiscard]] Instant due() const noexcept { return m_due; }
    // How it ended; nothing = it goes on.
    [[nodiscard]] std::optional<SleepEnd> onWake(Wake wake);

private:
    CallContext &m_context;
    Instant m_due;
    SpanId m_span;
    TimerId m_timer;
};

// What a sleep that was broken off is to the call: an alarm's failure, or the signal.
[[nodiscard]] CallResult brokenRest(CallContext &context, SleepEnd end);

// The failure that a swallowed watchdog is to whatever it hits.
[[nodiscard]] Failure alarmFailure(const Policy &policy);

} // namespace Waitscope
