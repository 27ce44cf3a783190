// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/seededrandom.h"

namespace Waitscope {

namespace {

// The SplitMix64 finalizer: every bit of the key moves every bit of the result.
quint64 mixed(quint64 x) noexcept
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

} // namespace

double SeededRandom::draw(const DrawKey &key)
{
    quint64 h = mixed(m_seed);
    h = mixed(h ^ key.exec);
    h = mixed(h ^ static_cast<quint64>(key.layer));
    h = mixed(h ^ static_cast<quint64>(key.attempt));
    h = mixed(h ^ key.nth);
    return static_cast<double>(h >> 11) * 0x1.0p-53;
}

} // namespace Waitscope
