// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario must come to under each rule set, written into its file: tests hold the engine to it, people read it.
#pragma once

#include "base/vocabulary.h"

#include <QString>

#include <optional>
#include <vector>

namespace Waitscope {

// What a whole call comes to in the end.
enum class CallEnd : quint8 { Ok, Partial, Error, Timeout };

[[nodiscard]] QLatin1StringView wordOf(CallEnd);
template<>
std::span<const CallEnd> allOf<CallEnd>();

// Of the scenario's first request, with the profile's own settings and without a deadline.
struct ExpectedEnd {
    Outcome outcome = Outcome::Ok; // Ok, Truncated, Error or Timeout
    std::vector<Phase> phases;     // the last one it was in: on real wires any of these, simulated the first; never empty
    std::optional<TimerKind> timer; // the one that ended it
    ErrorReason reason = ErrorReason::None;
    bool retryable = false;
    QString type;                  // "ReadTimeout"; empty where nothing is raised
    CallEnd call = CallEnd::Ok;    // the call that the request is the first one of
    QString note;                  // where the expectation is one of this program rather than of the wire
};

struct Expectation {
    std::optional<ExpectedEnd> strict;      // profile `hardened`
    std::optional<ExpectedEnd> openprogram; // profile `openprogram-2026-08`
};

} // namespace Waitscope
