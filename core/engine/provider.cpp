// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/provider.h"

#include "rules/rules.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

Message messageOf(CallContext &context, CallResult result)
{
    Message message;
    if (result.isReply()) {
        Reply &reply = result.reply();
        message.state.stopReason = reply.partial ? u"length"_s : u"stop"_s;
        message.text = reply.text;
        message.reply = std::make_shared<const Reply>(std::move(reply));
        return message;
    }
    Failure &failure = result.failure();
    message.state.stopReason = u"error"_s;
    message.state.errorMessage = failure.text.isEmpty() ? failure.type : context.typeAndText(failure);
    if (context.policy().rules() == RuleSet::Openprogram) {
        // The reference judges the text alone; status and the exception's own verdict are lost at this boundary.
        Failure textOnly;
        textOnly.type = failure.type;
        textOnly.text = failure.text;
        message.state.retryable = context.classified(textOnly).retryable;
    } else {
        message.state.retryable = failure.retryable.value_or(context.classified(failure).retryable);
    }
    message.failure = std::make_shared<const Failure>(std::move(failure));
    return message;
}

Task<AgentRunResult> StreamAgent::run(CallContext &context, int, bool, SpanId runSpan)
{
    StreamCall call = m_call;
    call.parent = runSpan;
    auto stream = runStream(context, std::move(call), m_body);
    CallResult result = co_await std::move(stream);
    AgentRunResult run;
    if (result.isInterrupted())
        run.interrupted = result.interrupted();
    else
        run.appended.push_back(messageOf(context, std::move(result)));
    co_return run;
}

Task<CallResult> HttpStreamBody::attempt(CallContext &context, int n, int most, SpanId parent)
{
    return sendAttempt(context, m_ports, *m_call, n, most, parent);
}

Task<CallResult> ProviderBody::attempt(CallContext &context, int, SpanId attemptSpan)
{
    StreamCall call = m_call;
    call.parent = attemptSpan;
    if (!context.policy().flag(Setting::SessionEnabled)) {
        auto stream = runStream(context, std::move(call), *m_stream);
        CallResult direct = co_await std::move(stream);
        co_return direct;
    }
    StreamAgent agent(std::move(call), *m_stream);
    SessionCall session;
    session.parent = attemptSpan;
    auto run = runSession(context, std::move(session), agent);
    SessionResult ended = co_await std::move(run);
    CallResult result = sessionAsCall(context.policy(), std::move(ended));
    co_return result;
}

} // namespace Waitscope
