// SPDX-License-Identifier: GPL-3.0-or-later
// Tells from successive readings of the time spent suspended whether the machine slept in between.
#pragma once

#include "base/time.h"

#include <QtGlobal>

#include <optional>

namespace Waitscope {

class SuspendGauge
{
public:
    explicit SuspendGauge(qint64 suspendedAtStartNs) noexcept
        : m_seenNs(suspendedAtStartNs)
    {
    }

    // How long the machine slept since the last reading that told of a sleep. Differences below the threshold are the
    // inaccuracy of reading two clocks; they are not lost but stay in the sum.
    [[nodiscard]] std::optional<Duration> read(qint64 suspendedNowNs) noexcept;

    static constexpr Duration threshold = std::chrono::milliseconds(20);

private:
    qint64 m_seenNs;
};

} // namespace Waitscope
