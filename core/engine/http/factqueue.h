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
    void onFact(WireFact fact) override
    {
        m_facts.push_back(std::move(fact));
        if (m_wait)
            m_wait->ready();
    }

    // Who is woken by the next fact; nullptr = nobody waits.
    void wake(Wait *wait) noexcept { m_wait = wait; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_next == m_facts.size(); }
    [[nodiscard]] const WireFact &front() const noexcept { return m_facts[m_next]; }
    [[nodiscard]] WireFact take()
    {
        WireFact fact = std::move(m_facts[m_next++]);
        if (isEmpty()) {
            m_facts.clear();
            m_next = 0;
        }
        return fact;
    }

private:
    std::vector<WireFact> m_facts;
    size_t m_next = 0;
    Wait *m_wait = nullptr;
};

} // namespace Waitscope
