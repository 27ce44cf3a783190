// SPDX-License-Identifier: GPL-3.0-or-later
// What one layer hands to the next: a reply, a failure, or a control signal that no judge ever sees.
#pragma once

#include "base/time.h"
#include "engine/pooledmemory.h"
#include "rules/failure.h"

#include <memory>
#include <variant>

namespace Waitscope {

// A reply that reached the consumer.
struct Reply {
    Reply() = default;
    QString text;            // bounded; only where content is kept
    QString finishReason;    // the dialect's word, "length" for a recovered partial reply
    qint64 bytes = 0;
    int dataEvents = 0;
    std::optional<qint64> inputTokens;
    std::optional<qint64> outputTokens;
    std::optional<Duration> sinceFirstContent; // from its first content to its end
    bool partial = false;    // recovered from a break after content
    QString brokenBy;        // what a partial reply broke off with: "ReadTimeout: …"
    bool truncated = false;  // `openprogram` took an end without its marker for a normal end
};

enum class InterruptCause : quint8 {
    Watchdog, // the task's budget is over (ExecInterrupt)
    Stopped,  // a person or a program stopped the run
    HardCap,  // exec's hard cap, on its way to the exec that set it
    RetryCancelled, // a session's own retry was cancelled during its sleep
};

struct Interrupted {
    InterruptCause cause = InterruptCause::Stopped;
    QString why;
};

// One pointer wide: a result passes through half a dozen coroutines on its way up. Not to be asked once it was moved from.
class CallResult
{
public:
    CallResult()
        : CallResult(Reply())
    {
    }
    CallResult(const CallResult &other)
        : m_value(std::make_unique<Value>(*other.m_value))
    {
    }
    CallResult &operator=(const CallResult &other)
    {
        m_value = std::make_unique<Value>(*other.m_value);
        return *this;
    }
    CallResult(CallResult &&) noexcept = default;
    CallResult &operator=(CallResult &&) noexcept = default;
    ~CallResult() = default;
    CallResult(Reply reply)
        : m_value(std::make_unique<Value>(std::move(reply)))
    {
    }
    CallResult(Failure &&failure)
        : m_value(std::make_unique<Value>(std::move(failure)))
    {
    }
    CallResult(const Failure &failure)
        : m_value(std::make_unique<Value>(failure))
    {
    }
    CallResult(Interrupted signal)
        : m_value(std::make_unique<Value>(std::move(signal)))
    {
    }

    [[nodiscard]] bool isReply() const noexcept { return std::holds_alternative<Reply>(m_value->any); }
    [[nodiscard]] bool isFailure() const noexcept { return std::holds_alternative<Failure>(m_value->any); }
    [[nodiscard]] bool isInterrupted() const noexcept { return std::holds_alternative<Interrupted>(m_value->any); }
    [[nodiscard]] Reply &reply() { return std::get<Reply>(m_value->any); }
    [[nodiscard]] const Reply &reply() const { return std::get<Reply>(m_value->any); }
    [[nodiscard]] Failure &failure() { return std::get<Failure>(m_value->any); }
    [[nodiscard]] const Failure &failure() const { return std::get<Failure>(m_value->any); }
    [[nodiscard]] const Interrupted &interrupted() const { return std::get<Interrupted>(m_value->any); }

private:
    struct Value {
        explicit Value(Reply &&reply)
            : any(std::move(reply))
        {
        }
        explicit Value(Failure &&failure)
            : any(std::move(failure))
        {
        }
        explicit Value(const Failure &failure)
            : any(failure)
        {
        }
        explicit Value(Interrupted &&signal)
            : any(std::move(signal))
        {
        }
        static void *operator new(std::size_t size) { return allocatePooled(size); }
        static void operator delete(void *block, std::size_t size) noexcept { freePooled(block, size); }
        std::variant<Reply, Failure, Interrupted> any;
    };
    std::unique_ptr<Value> m_value;
};

} // namespace Waitscope
