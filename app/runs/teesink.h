// SPDX-License-Identifier: GPL-3.0-or-later
// Hands every event to several sinks, in order.
#pragma once

#include "event/sink.h"

#include <vector>

namespace Waitscope {

class TeeSink final : public EventSink
{
public:
    // Null sinks are left out. All outlive the tee.
    explicit TeeSink(const std::vector<EventSink *> &sinks)
    {
        for (EventSink *sink : sinks) {
            if (sink)
                m_sinks.push_back(sink);
        }
    }
    void write(const Event &event) override
    {
        for (EventSink *sink : m_sinks)
            sink->write(event);
    }

private:
    std::vector<EventSink *> m_sinks;
};

} // namespace Waitscope
