// SPDX-License-Identifier: GPL-3.0-or-later
// The APIs a call can be made to, as `--api` spells them.
#pragma once

#include "base/vocabulary.h"

namespace Waitscope {

enum class Api : quint8 { OpenaiResponses, OpenaiChat, AnthropicMessages, Gemini, Ollama, Sse };

[[nodiscard]] QLatin1StringView wordOf(Api);
template<>
std::span<const Api> allOf<Api>();

} // namespace Waitscope
