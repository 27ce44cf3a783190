// SPDX-License-Identifier: GPL-3.0-or-later
// How `run --json` and `simulate --json` tell a result, and how both tell it to a person.
#pragma once

#include "engine/harness.h"
#include "sim/countingsink.h"

#include <QJsonObject>

namespace Waitscope {

// Of one call: outcome, reason, retryable, elapsed_s, requests, exec_attempts, session_runs, backoff_s, message.
// Of a reply also first_token_s (from the call's beginning), data_events, input_tokens, output_tokens, finish_reason, and
// broken_by, what a partial one broke off with.
// A call that was not over when its simulation was: outcome "open", score "hangs" or "cut_by_limit", elapsed_s null.
[[nodiscard]] QJsonObject callJson(const TaskEnding &ending, const RunCounts &counts);

// Of many: also success_rate and elapsed_s as {min, p50, p90, p99, max}, of those that began; not_begun counts the others.
[[nodiscard]] QJsonObject manyJson(const std::vector<TaskEnding> &endings, const RunCounts &counts);

// A few lines for a terminal. `approximate` marks times of an accelerated run.
[[nodiscard]] QStringList callLines(const TaskEnding &ending, const RunCounts &counts, bool approximate = false);
[[nodiscard]] QStringList manyLines(const std::vector<TaskEnding> &endings, const RunCounts &counts);

[[nodiscard]] bool isSuccess(const TaskEnding &ending);

} // namespace Waitscope
