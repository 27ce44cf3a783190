// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what happened, and passes it on to whoever keeps it.
#pragma once

#include "event/eventcounter.h"
#include "event/sink.h"

namespace Waitscope {

// Without a `next` nothing but the counts is wanted, and no event is built at all.
class CountingSink final : public EventSink
{
public:
    explicit CountingSink(EventSink *next = nullptr) noexcept
        : m_next(next)
    {
    }
    void write(const Event &event) override
    {
        m_counter.count(event);
        if (m_next)
            m_next->write(event);
    }
    [[nodiscard]] EventCounter *countsOnly() noexcept override { return m_next ? nullptr : &m_counter; }
    [[nodiscard]] const RunCounts &counts() const noexcept { return m_counter.counts(); }

private:
    EventSink *m_next;
    EventCounter m_counter;
};

} // namespace Waitscope
