// SPDX-License-Identifier: GPL-3.0-or-later
// The policy in force, as layers fetch it; changes are recorded and reach what runs where each setting says they do.
#pragma once

#include "engine/eventlog.h"
#include "policy/policy.h"

#include <vector>

namespace Waitscope {

class Strand;

class PolicyBox
{
public:
    PolicyBox(EventLog &log, PolicyPtr policy)
        : m_log(log)
        , m_policy(std::move(policy))
    {
    }
    Q_DISABLE_COPY_MOVE(PolicyBox)

    // The snapshot of this moment. Hold the pointer over a decision, fetch anew at the next point.
    [[nodiscard]] const PolicyPtr &current() const noexcept { return m_policy; }

    // Records the change and wakes what must know at once. Call with the clock at the change's own time.
    void change(Setting setting, SettingValue value, const QString &origin);

    void add(Strand &strand) { m_strands.push_back(&strand); }
    void remove(Strand &strand) { std::erase(m_strands, &strand); }

private:
    EventLog &m_log;
    PolicyPtr m_policy;
    std::vector<Strand *> m_strands;
};

} // namespace Waitscope
