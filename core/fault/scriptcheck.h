// SPDX-License-Identifier: GPL-3.0-or-later
// Says what makes a script impossible to play: steps out of order, steps never reached, loops without a wait.
#pragma once

#include "fault/faultscript.h"

namespace Waitscope {

// The limits of FORMAT.md.
inline constexpr Duration longestDuration = std::chrono::hours(24 * 7);
inline constexpr Duration shortestEndlessRound = std::chrono::microseconds(100);
inline constexpr qint64 mostActions = 10'000'000; // of one script whose steps all end
inline constexpr qint64 mostTimes = 1'000'000;
inline constexpr qsizetype mostStepBytes = 1024 * 1024;
inline constexpr qsizetype mostFileBytes = 4 * 1024 * 1024;
inline constexpr qsizetype mostListEntries = 1000; // steps of a list, requests of a scenario, texts of a step
inline constexpr int deepestRepeat = 4;

struct ScriptProblem {
    QString path; // "steps[2].steps[0]"
    QString what;
    QString advice;
};

[[nodiscard]] std::optional<ScriptProblem> problemOf(const FaultScript &script);

} // namespace Waitscope
