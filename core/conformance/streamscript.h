// SPDX-License-Identifier: GPL-3.0-or-later
// The stream layer over scripted attempts, as stream_retry_traces and nested_traces use it.
#pragma once

#include "conformance/tracebench.h"
#include "engine/stream.h"

namespace Waitscope {

class ScriptedStream final : public StreamBody
{
public:
    ScriptedStream(TraceBench &bench, AttemptScript &script)
        : m_bench(bench)
        , m_script(script)
    {
    }
    [[nodiscard]] Task<CallResult> attempt(CallContext &context, int n, int most, SpanId parent) override;
    // Number attempts over the whole run instead of within one loop.
    bool numberOverall = false;

private:
    TraceBench &m_bench;
    AttemptScript &m_script;
};

// The lines the reference prints to standard output.
class StreamLog final : public StreamListener
{
public:
    void onRetry(int failedTry, int most, double seconds, const QString &errorText) override;
    QString label;
    QStringList lines;
};

// max_attempts, backoff_base_s and backoff_cap_s of a case.
[[nodiscard]] Policy withStreamSettings(Policy policy, CaseReader &fields);

} // namespace Waitscope
