// SPDX-License-Identifier: GPL-3.0-or-later
// Port: the jitter's random numbers, keyed so that no draw depends on how calls interleave.
#pragma once

#include "base/vocabulary.h"

namespace Waitscope {

struct DrawKey {
    quint64 exec = 0;  // number of the exec within the run, from 1
    Layer layer = Layer::Exec;
    int attempt = 0;   // the failed try the sleep follows
    quint64 nth = 0;   // running number of draws of this layer within the exec: inner loops start over
};

class Random
{
public:
    Random() = default;
    virtual ~Random() = default;
    Q_DISABLE_COPY_MOVE(Random)

    // In [0, 1). The same key gives the same number for one seed.
    [[nodiscard]] virtual double draw(const DrawKey &key) = 0;
};

} // namespace Waitscope
