// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policybox.h"

#include "engine/strand.h"

namespace Waitscope {

void PolicyBox::change(Setting setting, SettingValue value, const QString &origin)
{
    const SettingInfo &info = infoOf(setting);
    PolicyChanged event;
    event.at = m_log.now();
    event.setting = info.name;
    event.from = showValue(info, m_policy->value(setting));
    event.to = showValue(info, value);
    event.origin = origin;
    m_policy = std::make_shared<const Policy>(m_policy->with(setting, std::move(value), origin));
    event.version = m_policy->version();
    m_log.write(event);
    if (info.reach == Reach::AtOnce) {
        for (Strand *strand : m_strands)
            strand->policyChanged();
    }
}

} // namespace Waitscope
