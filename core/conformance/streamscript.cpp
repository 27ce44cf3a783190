// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/streamscript.h"

#include "engine/execerror.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

Task<CallResult> ScriptedStream::attempt(CallContext &, int n, int, SpanId)
{
    const QJsonObject entry = m_script.next();
    m_bench.record("stream"_L1, "attempt_start"_L1, numberOverall ? m_script.used() : n);
    auto call = m_bench.play(entry);
    CallResult result = co_await std::move(call);
    m_bench.record("stream"_L1, "attempt_end"_L1, labelOf(entry));
    co_return result;
}

void StreamLog::onRetry(int failedTry, int most, double seconds, const QString &errorText)
{
    const QString line = u"[%1 stream retry] attempt %2/%3 after %4s \u2014 "_s.arg(label)
                             .arg(failedTry)
                             .arg(most)
                             .arg(oneDecimal(seconds))
        + errorText;
    lines += line.split(u'\n');
}

Policy withStreamSettings(Policy policy, CaseReader &fields)
{
    const QString origin = u"case"_s;
    const auto attempts = static_cast<double>(fields.integer("max_attempts"_L1));
    policy = policy.with(Setting::StreamMaxAttempts, SettingValue::number(attempts), origin);
    policy = policy.with(Setting::StreamBackoffBase, SettingValue::number(fields.number("backoff_base_s"_L1)), origin);
    return policy.with(Setting::StreamBackoffMax, SettingValue::number(fields.number("backoff_cap_s"_L1)), origin);
}

} // namespace Waitscope
