// SPDX-License-Identifier: GPL-3.0-or-later
// Jitter of simulations and live runs: the same seed and key give the same draw, whatever else happens in between.
#pragma once

#include "engine/ports/random.h"

namespace Waitscope {

class SeededRandom final : public Random
{
public:
    explicit SeededRandom(quint64 seed) noexcept
        : m_seed(seed)
    {
    }
    [[nodiscard]] double draw(const DrawKey &key) override;

private:
    quint64 m_seed;
};

// Every draw is `u`: 0 for the shortest sleeps, 0.5 for the middle, 1 for the longest.
class FixedRandom final : public Random
{
public:
    explicit FixedRandom(double u) noexcept
        : m_u(u)
    {
    }
    [[nodiscard]] double draw(const DrawKey &) override { return m_u; }

private:
    double m_u;
};

} // namespace Waitscope
