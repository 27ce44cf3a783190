// SPDX-License-Identifier: GPL-3.0-or-later
// What response headers say about the room that a rate limit leaves, as numbers under one set of names.
//
// Source of the spellings: the providers' public API references (OpenAI: x-ratelimit-*, Anthropic: anthropic-ratelimit-*,
// IETF draft: ratelimit-*), 2026.
#pragma once

#include "engine/ports/transport.h"

#include <QDateTime>

#include <vector>

namespace Waitscope {

struct RateLimitSample {
    QString name;     // "ratelimit.requests.remaining": what is counted, then limit, remaining or reset_s
    double value = 0; // reset_s: seconds from now on, never negative
};

// In the order of the headers; what cannot be read is left out. `nowUtc` only matters where a reset is given as a date.
[[nodiscard]] std::vector<RateLimitSample> rateLimitsOf(const std::vector<WireHeader> &headers, const QDateTime &nowUtc);

} // namespace Waitscope
