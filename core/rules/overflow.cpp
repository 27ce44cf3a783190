// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/overflow.h"

#include "rules/pythonpattern.h"
#include "rules/rules.h"
#include "rules/strictverdict.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QString overflowWords(const QString &text)
{
    static const PythonPattern words(
        uR"(prompt is too long|input is too long for requested model|exceeds the context window)"
        uR"(|input token count.*exceeds the maximum|maximum prompt length is \d+|reduce the length of the messages)"
        uR"(|maximum context length is \d+ tokens|exceeds the limit of \d+|exceeds the available context size)"
        uR"(|greater than the context length|context window exceeds limit|exceeded model token limit)"
        uR"(|too large for model with \d+ maximum context length|model_context_window_exceeded)"
        uR"(|context[_ ]length[_ ]exceeded|too many tokens|token limit exceeded)"
        uR"(|^4(?:00|13)\s*(?:status code)?\s*\(no body\))",
        {u"too long", u"exceed", u"maximum prompt length is", u"maximum context length is",
         u"reduce the length of the messages", u"greater than the context length", u"too large for model with",
         u"too many tokens", u"(no body)"});
    return words.match(text);
}

bool isContextOverflow(RuleSet rules, const SessionMessage &message, qint64 contextWindow)
{
    if (message.stopReason == "error"_L1) {
        if (!message.errorMessage || message.errorMessage->isEmpty())
            return false;
        switch (rules) {
        case RuleSet::Openprogram:
            return !overflowWords(*message.errorMessage).isEmpty();
        case RuleSet::Strict:
            return !strictOverflowWords(*message.errorMessage).isEmpty();
        }
        Q_UNREACHABLE();
    }
    // Some servers cut the prompt silently and answer as if nothing had happened.
    if (message.stopReason != "stop"_L1 || contextWindow <= 0)
        return false;
    qint64 input = 0;
    return __builtin_add_overflow(message.usageInput, message.usageCacheRead, &input) || input > contextWindow;
}

} // namespace Waitscope
