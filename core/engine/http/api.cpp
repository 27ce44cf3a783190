// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/api.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(Api value)
{
    switch (value) {
    case Api::OpenaiResponses:
        return "openai-responses"_L1;
    case Api::OpenaiChat:
        return "openai-chat"_L1;
    case Api::AnthropicMessages:
        return "anthropic-messages"_L1;
    case Api::Gemini:
        return "gemini"_L1;
    case Api::Ollama:
        return "ollama"_L1;
    case Api::Sse:
        return "sse"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Api> allOf<Api>()
{
    static constexpr Api values[] = {
        Api::OpenaiResponses,
        Api::OpenaiChat,
        Api::AnthropicMessages,
        Api::Gemini,
        Api::Ollama,
        Api::Sse,
    };
    return values;
}

} // namespace Waitscope
