// SPDX-License-Identifier: GPL-3.0-or-later
#include "conformance/adapters.h"

#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

bool hasAll(const QJsonObject &object, std::initializer_list<QLatin1StringView> keys)
{
    for (const QLatin1StringView key : keys) {
        if (!object.contains(key))
            return false;
    }
    return true;
}

bool inputHas(const QJsonObject &object, std::initializer_list<QLatin1StringView> keys)
{
    return hasAll(object["input"_L1].toObject(), keys);
}

} // namespace

std::span<const TableKind> tableKinds()
{
    static constexpr std::array kinds{
        TableKind{"classify_error"_L1,
                  [](const QJsonObject &c) { return hasAll(c, {"type_name"_L1, "http_status"_L1, "error_text"_L1}); },
                  runClassifyCase},
        TableKind{"is_permanent"_L1,
                  [](const QJsonObject &c) { return hasAll(c, {"type_name"_L1, "retryable_attr"_L1}); },
                  runPermanentCase},
        TableKind{"is_retryable_status"_L1, [](const QJsonObject &c) { return hasAll(c, {"status"_L1, "body"_L1}); },
                  runStatusCase},
        TableKind{"retry_after"_L1, [](const QJsonObject &c) { return hasAll(c, {"headers"_L1, "now"_L1}); },
                  runRetryAfterCase},
        TableKind{"session_retryable"_L1,
                  [](const QJsonObject &c) { return hasAll(c, {"stop_reason"_L1, "error_retryable"_L1}); },
                  runSessionCase},
        TableKind{"backoff"_L1, [](const QJsonObject &c) { return hasAll(c, {"fn"_L1, "attempt"_L1}); },
                  runBackoffCase},
        TableKind{"timeouts"_L1, [](const QJsonObject &c) { return hasAll(c, {"kind"_L1, "expect"_L1}); },
                  runTimeoutsCase},
        TableKind{"exec_traces"_L1, [](const QJsonObject &c) { return inputHas(c, {"calls"_L1}); }, runExecTrace},
        TableKind{"session_traces"_L1, [](const QJsonObject &c) { return inputHas(c, {"runs"_L1}); }, runSessionTrace},
        TableKind{"nested_traces"_L1, [](const QJsonObject &c) { return inputHas(c, {"stack"_L1}); }, runNestedTrace},
        TableKind{"stream_retry_traces"_L1, [](const QJsonObject &c) { return inputHas(c, {"attempts"_L1, "label"_L1}); },
                  runStreamTrace},
        TableKind{"sse_budget_traces"_L1, [](const QJsonObject &c) { return inputHas(c, {"lines"_L1}); }, runSseTrace},
        TableKind{"strict"_L1, [](const QJsonObject &c) { return hasAll(c, {"fn"_L1, "inputs"_L1, "reason"_L1}); },
                  runStrictCase},
    };
    return kinds;
}

} // namespace Waitscope
