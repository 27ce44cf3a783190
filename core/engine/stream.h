// SPDX-License-Identifier: GPL-3.0-or-later
// The stream layer: tries one HTTP stream again until content has reached the consumer or its budget is used up.
#pragma once

#include "engine/callcontext.h"
#include "engine/task.h"

namespace Waitscope {

// One HTTP request with its stream.
class StreamBody
{
public:
    StreamBody() = default;
    virtual ~StreamBody() = default;
    Q_DISABLE_COPY_MOVE(StreamBody)

    // `n` counts tries from 1, `most` is the budget (0 = unlimited). Failures say whether content was committed.
    [[nodiscard]] virtual Task<CallResult> attempt(CallContext &context, int n, int most, SpanId parent) = 0;
};

// Told of what the reference prints and of sleeps; nobody may ask.
class StreamListener
{
public:
    StreamListener() = default;
    virtual ~StreamListener() = default;
    Q_DISABLE_COPY_MOVE(StreamListener)

    virtual void onRetry(int failedTry, int most, double seconds, const QString &errorText) = 0;
};

struct StreamCall {
    StreamCall() = default;
    SpanId parent;
    QString label = QStringLiteral("openai-codex"); // the API's name in texts
    std::optional<QString> provider = QStringLiteral("openai-codex");
    StreamListener *listener = nullptr;
};

// Ends with a reply, with a failure that carries its verdict and, when the budget is used up, the exhausted mark; or with a
// control signal.
[[nodiscard]] Task<CallResult> runStream(CallContext &context, StreamCall call, StreamBody &body);

} // namespace Waitscope
