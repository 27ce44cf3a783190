// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/suspendgauge.h"

namespace Waitscope {

std::optional<Duration> SuspendGauge::read(qint64 suspendedNowNs) noexcept
{
    const Duration slept{suspendedNowNs - m_seenNs};
    if (slept < threshold)
        return std::nullopt;
    m_seenNs = suspendedNowNs;
    return slept;
}

} // namespace Waitscope
