// SPDX-License-Identifier: GPL-3.0-or-later
// The field's words as enumerations, each with its spelling in files and on the command line.
// Every wordOf() has one spelling per value; fromWord() reads exactly these and nothing else.
#pragma once

#include <QLatin1StringView>
#include <QString>

#include <optional>
#include <span>

namespace Waitscope {

// Who owns a span, a timer or a sleep. From outside in.
enum class Layer : quint8 { Task, Exec, Session, Stream, Http };

enum class SpanKind : quint8 { Task, Work, Round, Exec, ExecAttempt, SessionRun, Request, Phase, Backoff, Orphan };

// A stretch of a request; HAR's names are blocked, dns, connect, ssl, send, wait, receive.
// ConnectTls is the honest fallback where connect and TLS could not be told apart.
enum class Phase : quint8 { None, Queue, Dns, Connect, Tls, ConnectTls, Send, Wait, Receive };

enum class Outcome : quint8 { Ok, Partial, Truncated, Error, Timeout, Interrupted, Abandoned };

// Why an attempt was made.
enum class Role : quint8 { First, Retry, Failover, Reconnect };

enum class ErrorReason : quint8 {
    None, Transport, RateLimit, Provider, Auth, Authz, Invalid, Context, Policy, Timeout, Unknown
};

enum class TimerKind : quint8 {
    Connect, Write, Pool, FirstByte, Read, Idle, DataStall, Total, Deadline, Watchdog, BackoffEnd, HardCap
};

// What starts a timer anew.
enum class Resets : quint8 { Nothing, Progress, AnyByte, AnyLine, DataEvent };

// What ends when a timer fires.
enum class Kills : quint8 { Nothing, Request, Call, Task, Sleep };

[[nodiscard]] QLatin1StringView wordOf(Layer);
[[nodiscard]] QLatin1StringView wordOf(SpanKind);
[[nodiscard]] QLatin1StringView wordOf(Phase);
[[nodiscard]] QLatin1StringView wordOf(Outcome);
[[nodiscard]] QLatin1StringView wordOf(Role);
[[nodiscard]] QLatin1StringView wordOf(ErrorReason);
[[nodiscard]] QLatin1StringView wordOf(TimerKind);
[[nodiscard]] QLatin1StringView wordOf(Resets);
[[nodiscard]] QLatin1StringView wordOf(Kills);

// All values of an enumeration in order, for readers, tables and tests.
template<class Enum>
[[nodiscard]] std::span<const Enum> allOf();

template<>
std::span<const Layer> allOf<Layer>();
template<>
std::span<const SpanKind> allOf<SpanKind>();
template<>
std::span<const Phase> allOf<Phase>();
template<>
std::span<const Outcome> allOf<Outcome>();
template<>
std::span<const Role> allOf<Role>();
template<>
std::span<const ErrorReason> allOf<ErrorReason>();
template<>
std::span<const TimerKind> allOf<TimerKind>();
template<>
std::span<const Resets> allOf<Resets>();
template<>
std::span<const Kills> allOf<Kills>();

template<class Enum>
[[nodiscard]] std::optional<Enum> fromWord(QStringView word)
{
    for (Enum value : allOf<Enum>()) {
        if (word == wordOf(value))
            return value;
    }
    return std::nullopt;
}

} // namespace Waitscope
