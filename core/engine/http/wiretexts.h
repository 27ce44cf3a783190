// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of failures on the wire: as OpenProgram's HTTP client words them, and as a person would.
#pragma once

#include "engine/http/wirefailure.h"

namespace Waitscope {

// httpx's current wording; empty where the client raises without a text.
[[nodiscard]] QString clientText(WireEnd end, const WireFailureContext &context);
[[nodiscard]] QString clientText(TimerKind kind, double seconds);

// One line: "phase: what happened, what had been sent or received".
[[nodiscard]] QString plainText(WireEnd end, const WireFailureContext &context);
[[nodiscard]] QString plainText(TimerKind kind, Phase phase, double seconds, const WireFailureContext &context);

// "<status> <reason>" when a proxy answered CONNECT with an error; empty when it gave no answer.
[[nodiscard]] QString proxyAnswer(const WireFailureContext &context);

[[nodiscard]] bool isCertificateFault(const WireFailureContext &context);

} // namespace Waitscope
