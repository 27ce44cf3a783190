// SPDX-License-Identifier: GPL-3.0-or-later
// How one layer retries, as data: enough to write down every program of the comparison.
#pragma once

#include "base/vocabulary.h"

#include <optional>
#include <vector>

namespace Waitscope {

enum class JitterForm : quint8 {
    None,
    Symmetric, // d * U[1-s, 1+s]
    Shorten,   // d * U[1-s, 1]
    Lengthen,  // d * U[1, 1+s]
    Additive,  // d + U[0, s*d], added after the cap
};

// What happens with a server's hint above hintMaxS.
enum class HintAbove : quint8 { Obey, Cut, OwnBackoff, Stop };

struct HintForms {
    bool milliseconds = true; // retry-after-ms
    bool seconds = true;      // retry-after: 5, 0.5
    bool date = true;         // retry-after: Wed, 21 Oct 2025 07:28:00 GMT
    bool body = true;         // "try again in 20s", "retryDelay": where no header can be read; only `strict` looks
};

struct RetryPolicy {
    std::optional<int> maxAttempts; // tries including the first; nullopt = unlimited
    double baseS = 0;
    double factor = 2;
    std::optional<double> capS;     // of the exponential part
    JitterForm jitter = JitterForm::None;
    double jitterShare = 0;
    HintForms hintForms;
    double hintJitterShare = 0;     // max(d, hint) * U[1, 1+s]: never earlier than asked
    std::optional<double> hintMaxS;
    HintAbove hintAbove = HintAbove::Obey;
    std::vector<int> retryStatuses; // empty = the rule set decides
};

} // namespace Waitscope
