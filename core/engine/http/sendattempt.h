// SPDX-License-Identifier: GPL-3.0-or-later
// The http layer: one request with its stream, from the pool's queue to the end of the body, and every timer over it.
#pragma once

#include "base/ids.h"
#include "engine/http/api.h"
#include "engine/http/pool.h"
#include "engine/ports/transport.h"
#include "engine/callresult.h"
#include "engine/task.h"

#include <QDateTime>

#include <functional>

namespace Waitscope {

// What a request needs besides its call: one set a run.
struct HttpPorts {
    HttpPorts(Transport &wire, std::function<QDateTime()> utc)
        : transport(wire)
        , nowUtc(std::move(utc))
    {
    }
    Q_DISABLE_COPY_MOVE(HttpPorts)

    Transport &transport;
    ConnectionPool pool;
    std::function<QDateTime()> nowUtc; // only for HTTP dates in hints
};

class CallContext;

// Whoever gets the data events. It may take its time; meanwhile nothing is read, and `openprogram`'s budgets run on.
class StreamConsumer
{
public:
    StreamConsumer() = default;
    virtual ~StreamConsumer() = default;
    Q_DISABLE_COPY_MOVE(StreamConsumer)

    [[nodiscard]] virtual Task<> take(QByteArray line) = 0;
};

// The reference's cancel signal (`openprogram` only): its mere presence makes the reader poll every quarter second by
// cancelling the pending read; a one-shot line source dies of that and the stream ends as if it were complete.
struct CallerSignal {
    CallerSignal() = default;
    std::optional<Instant> setAt;
    bool oneShotSource = false;
};

struct HttpCall {
    HttpCall() = default;
    WireRequest request;
    Api api = Api::OpenaiChat;
    bool keepContent = false; // raw lines and texts go into the trace
    QString peer;             // for labels: "127.0.0.1:8080"
    StreamConsumer *consumer = nullptr;
    std::optional<CallerSignal> callerSignal;
};

// `n` of `most` tries of the stream layer. A stale kept-alive connection is replaced once, as a visible request of its own
// with the role reconnect that is charged to no budget.
// The call outlives the attempt.
[[nodiscard]] Task<CallResult> sendAttempt(CallContext &context, HttpPorts &ports, const HttpCall &call, int n, int most,
                                           SpanId parent);

} // namespace Waitscope
