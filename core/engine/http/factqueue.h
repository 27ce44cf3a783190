// SPDX-License-Identifier: GPL-3.0-or-later
// Facts of one exchange between the transport that reports them and the attempt that handles them.
#pragma once

#include "engine/ports/transport.h"
#include "engine/strand.h"

#include <vector>

namespace Waitscope {

class FactQueue final : public WireListener
{
public:
    void onFact(WireFact &&fact) override
    {
        if (isEmpty())
            m_first = std::move(fact);
        else
            m_more.push_back(std::move(fact));
        if (m_wait)
            m_wait->ready();
    }

    // Who is woken by the next fact; nullptr = nobody waits.
    void wake(Wait *wait) noexcept { m_wait = wait; }
    [[nodiscard]] bool isEmpty() const noexcept { return !m_first && m_next == m_more.size(); }
    [[nodiscard]] const WireFact &front() const noexcept { return m_first ? *m_first : m_more[m_next]; }
    [[nodiscard]] WireFact take()
    {
        if (m_first) {
            WireFact fact = *std::move(m_first);
            m_first.reset();
            return fact;
        }
        WireFact fact = std::move(m_more[m_next++]);
        if (m_next == m_more.size()) {
            m_more.clear();
            m_next = 0;
        }
        return fact;
    }

private:
    // Nearly always there is one at most.
    std::optional<WireFact> m_first;
    std::vector<WireFact> m_more;
    size_t m_next = 0;
    Wait *m_wait = nullptr;
};

} // namespace Waitscope
