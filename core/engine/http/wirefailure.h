// SPDX-License-Identifier: GPL-3.0-or-later
// What a fault on the wire, a timer, a status or an error event is called: type, text and verdict in the rule set's words.
#pragma once

#include "engine/ports/transport.h"
#include "policy/policy.h"
#include "rules/rules.h"

namespace Waitscope {

// What was known of the exchange when it broke.
struct WireFailureContext {
    WireFailureContext() = default;

    Phase phase = Phase::None;
    int status = 0;                      // 0 = none was seen
    bool headersSeen = false;
    qint64 sentBytes = 0;                // of the request
    qint64 totalBytes = 0;               // of the request; 0 = not known
    qint64 receivedBytes = 0;            // of the body
    std::optional<qint64> expectedBytes; // Content-Length
    QString text; // what library or kernel said; BadStatusLine, BadChunk: the bytes that were no HTTP, as Latin-1
};

// A body that ended by itself (`Complete`) is a failure only for `strict`, and only when its completion marker is missing.
[[nodiscard]] Failure failureOf(RuleSet rules, WireEnd end, const WireFailureContext &context);

// `valueSeconds` is what the timer was armed with. A deadline sets Failure::timedOutByDeadline.
[[nodiscard]] Failure timerFailure(RuleSet rules, TimerKind kind, Phase phase, double valueSeconds,
                                   const WireFailureContext &context = {});

// A status of 400 or above, as ProviderStreamError with an explicit verdict and the server's hint. `retryStatuses` is
// RetryPolicy::retryStatuses; under `strict` the server's x-should-retry goes before both.
[[nodiscard]] Failure statusFailure(RuleSet rules, int status, const HeaderList &headers, const QByteArray &body,
                                    const HintForms &forms, const QDateTime &nowUtc,
                                    std::span<const int> retryStatuses = {});

// The same from a hint that was read before.
[[nodiscard]] Failure statusFailure(RuleSet rules, int status, const HeaderList &headers, const QByteArray &body,
                                    const HintReading &hint, const QDateTime &nowUtc, std::span<const int> retryStatuses);

// `strict`: a 2xx answer whose body begins like a page of HTML is no stream, whatever its type; what begins otherwise is
// read, for some servers mislabel their streams. Nothing of the page is kept: it may carry secrets.
[[nodiscard]] bool isPage(QByteArrayView contentType, QByteArrayView bodyBegin);
[[nodiscard]] Failure pageFailure(int status);

// An error event inside a stream, from StreamItem::errorType and errorText; ProviderStreamError with an explicit verdict.
[[nodiscard]] Failure streamErrorFailure(RuleSet rules, const QString &type, const QString &text, const HintForms &forms = {});

} // namespace Waitscope
