// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/vocabulary.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(Layer value)
{
    switch (value) {
    case Layer::Task:
        return "task"_L1;
    case Layer::Exec:
        return "exec"_L1;
    case Layer::Session:
        return "session"_L1;
    case Layer::Stream:
        return "stream"_L1;
    case Layer::Http:
        return "http"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Layer> allOf<Layer>()
{
    static constexpr Layer values[] = {
        Layer::Task,
        Layer::Exec,
        Layer::Session,
        Layer::Stream,
        Layer::Http,
    };
    return values;
}

QLatin1StringView wordOf(SpanKind value)
{
    switch (value) {
    case SpanKind::Task:
        return "task"_L1;
    case SpanKind::Work:
        return "work"_L1;
    case SpanKind::Round:
        return "round"_L1;
    case SpanKind::Exec:
        return "exec"_L1;
    case SpanKind::ExecAttempt:
        return "exec_attempt"_L1;
    case SpanKind::SessionRun:
        return "session_run"_L1;
    case SpanKind::Request:
        return "request"_L1;
    case SpanKind::Phase:
        return "phase"_L1;
    case SpanKind::Backoff:
        return "backoff"_L1;
    case SpanKind::Orphan:
        return "orphan"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const SpanKind> allOf<SpanKind>()
{
    static constexpr SpanKind values[] = {
        SpanKind::Task,
        SpanKind::Work,
        SpanKind::Round,
        SpanKind::Exec,
        SpanKind::ExecAttempt,
        SpanKind::SessionRun,
        SpanKind::Request,
        SpanKind::Phase,
        SpanKind::Backoff,
        SpanKind::Orphan,
    };
    return values;
}

QLatin1StringView wordOf(Phase value)
{
    switch (value) {
    case Phase::None:
        return "none"_L1;
    case Phase::Queue:
        return "queue"_L1;
    case Phase::Dns:
        return "dns"_L1;
    case Phase::Connect:
        return "connect"_L1;
    case Phase::Tls:
        return "tls"_L1;
    case Phase::ConnectTls:
        return "connect_tls"_L1;
    case Phase::Send:
        return "send"_L1;
    case Phase::Wait:
        return "wait"_L1;
    case Phase::Receive:
        return "receive"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Phase> allOf<Phase>()
{
    static constexpr Phase values[] = {
        Phase::None,
        Phase::Queue,
        Phase::Dns,
        Phase::Connect,
        Phase::Tls,
        Phase::ConnectTls,
        Phase::Send,
        Phase::Wait,
        Phase::Receive,
    };
    return values;
}

QLatin1StringView wordOf(Outcome value)
{
    switch (value) {
    case Outcome::Ok:
        return "ok"_L1;
    case Outcome::Partial:
        return "partial"_L1;
    case Outcome::Truncated:
        return "truncated"_L1;
    case Outcome::Error:
        return "error"_L1;
    case Outcome::Timeout:
        return "timeout"_L1;
    case Outcome::Interrupted:
        return "interrupted"_L1;
    case Outcome::Abandoned:
        return "abandoned"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Outcome> allOf<Outcome>()
{
    static constexpr Outcome values[] = {
        Outcome::Ok,
        Outcome::Partial,
        Outcome::Truncated,
        Outcome::Error,
        Outcome::Timeout,
        Outcome::Interrupted,
        Outcome::Abandoned,
    };
    return values;
}

QLatin1StringView wordOf(Role value)
{
    switch (value) {
    case Role::First:
        return "first"_L1;
    case Role::Retry:
        return "retry"_L1;
    case Role::Failover:
        return "failover"_L1;
    case Role::Reconnect:
        return "reconnect"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Role> allOf<Role>()
{
    static constexpr Role values[] = {
        Role::First,
        Role::Retry,
        Role::Failover,
        Role::Reconnect,
    };
    return values;
}

QLatin1StringView wordOf(ErrorReason value)
{
    switch (value) {
    case ErrorReason::None:
        return "none"_L1;
    case ErrorReason::Transport:
        return "transport"_L1;
    case ErrorReason::RateLimit:
        return "rate_limit"_L1;
    case ErrorReason::Provider:
        return "provider"_L1;
    case ErrorReason::Auth:
        return "auth"_L1;
    case ErrorReason::Authz:
        return "authz"_L1;
    case ErrorReason::Invalid:
        return "invalid"_L1;
    case ErrorReason::Context:
        return "context"_L1;
    case ErrorReason::Policy:
        return "policy"_L1;
    case ErrorReason::Timeout:
        return "timeout"_L1;
    case ErrorReason::Unknown:
        return "unknown"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const ErrorReason> allOf<ErrorReason>()
{
    static constexpr ErrorReason values[] = {
        ErrorReason::None,
        ErrorReason::Transport,
        ErrorReason::RateLimit,
        ErrorReason::Provider,
        ErrorReason::Auth,
        ErrorReason::Authz,
        ErrorReason::Invalid,
        ErrorReason::Context,
        ErrorReason::Policy,
        ErrorReason::Timeout,
        ErrorReason::Unknown,
    };
    return values;
}

QLatin1StringView wordOf(TimerKind value)
{
    switch (value) {
    case TimerKind::Connect:
        return "connect"_L1;
    case TimerKind::Write:
        return "write"_L1;
    case TimerKind::Pool:
        return "pool"_L1;
    case TimerKind::FirstByte:
        return "first_byte"_L1;
    case TimerKind::Read:
        return "read"_L1;
    case TimerKind::Idle:
        return "idle"_L1;
    case TimerKind::DataStall:
        return "data_stall"_L1;
    case TimerKind::Total:
        return "total"_L1;
    case TimerKind::Deadline:
        return "deadline"_L1;
    case TimerKind::Watchdog:
        return "watchdog"_L1;
    case TimerKind::BackoffEnd:
        return "backoff_end"_L1;
    case TimerKind::HardCap:
        return "hard_cap"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const TimerKind> allOf<TimerKind>()
{
    static constexpr TimerKind values[] = {
        TimerKind::Connect,
        TimerKind::Write,
        TimerKind::Pool,
        TimerKind::FirstByte,
        TimerKind::Read,
        TimerKind::Idle,
        TimerKind::DataStall,
        TimerKind::Total,
        TimerKind::Deadline,
        TimerKind::Watchdog,
        TimerKind::BackoffEnd,
        TimerKind::HardCap,
    };
    return values;
}

QLatin1StringView wordOf(Resets value)
{
    switch (value) {
    case Resets::Nothing:
        return "nothing"_L1;
    case Resets::Progress:
        return "progress"_L1;
    case Resets::AnyByte:
        return "any_byte"_L1;
    case Resets::AnyLine:
        return "any_line"_L1;
    case Resets::DataEvent:
        return "data_event"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Resets> allOf<Resets>()
{
    static constexpr Resets values[] = {
        Resets::Nothing,
        Resets::Progress,
        Resets::AnyByte,
        Resets::AnyLine,
        Resets::DataEvent,
    };
    return values;
}

QLatin1StringView wordOf(Kills value)
{
    switch (value) {
    case Kills::Nothing:
        return "nothing"_L1;
    case Kills::Request:
        return "request"_L1;
    case Kills::Call:
        return "call"_L1;
    case Kills::Task:
        return "task"_L1;
    case Kills::Sleep:
        return "sleep"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const Kills> allOf<Kills>()
{
    static constexpr Kills values[] = {
        Kills::Nothing,
        Kills::Request,
        Kills::Call,
        Kills::Task,
        Kills::Sleep,
    };
    return values;
}

} // namespace Waitscope
