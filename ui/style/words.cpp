// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/words.h"

#include <QCoreApplication>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)
};

namespace {

// A phase as a name on a bar; shownWord() says what goes on in it.
QString phaseName(Phase phase)
{
    switch (phase) {
    case Phase::None:
        return Words::tr("phase");
    case Phase::Queue:
        return Words::tr("queue");
    case Phase::Dns:
        return Words::tr("dns");
    case Phase::Connect:
        return Words::tr("connect");
    case Phase::Tls:
        return Words::tr("tls");
    case Phase::ConnectTls:
        return Words::tr("connect + tls");
    case Phase::Send:
        return Words::tr("send");
    case Phase::Wait:
        return Words::tr("wait");
    case Phase::Receive:
        return Words::tr("receive");
    }
    Q_UNREACHABLE();
}

} // namespace

QString shownWord(Layer layer)
{
    switch (layer) {
    case Layer::Task:
        return Words::tr("task");
    case Layer::Exec:
        return Words::tr("exec");
    case Layer::Session:
        return Words::tr("session");
    case Layer::Stream:
        return Words::tr("stream");
    case Layer::Http:
        return Words::tr("http");
    }
    Q_UNREACHABLE();
}

QString shownWord(SpanKind kind)
{
    switch (kind) {
    case SpanKind::Task:
        return Words::tr("task");
    case SpanKind::Work:
        return Words::tr("work");
    case SpanKind::Round:
        return Words::tr("round");
    case SpanKind::Exec:
        return Words::tr("exec");
    case SpanKind::ExecAttempt:
        return Words::tr("exec attempt");
    case SpanKind::SessionRun:
        return Words::tr("session run");
    case SpanKind::Request:
        return Words::tr("request");
    case SpanKind::Phase:
        return Words::tr("phase");
    case SpanKind::Backoff:
        return Words::tr("backoff");
    case SpanKind::Orphan:
        return Words::tr("orphan");
    }
    Q_UNREACHABLE();
}

QString shownWord(Phase phase)
{
    switch (phase) {
    case Phase::None:
        return Words::tr("no phase");
    case Phase::Queue:
        return Words::tr("waiting for a connection slot");
    case Phase::Dns:
        return Words::tr("looking up the name");
    case Phase::Connect:
        return Words::tr("connecting");
    case Phase::Tls:
        return Words::tr("TLS handshake");
    case Phase::ConnectTls:
        return Words::tr("connecting (TLS not separated)");
    case Phase::Send:
        return Words::tr("sending");
    case Phase::Wait:
        return Words::tr("waiting for the first byte");
    case Phase::Receive:
        return Words::tr("receiving");
    }
    Q_UNREACHABLE();
}

QString shownWord(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok:
        return Words::tr("ok");
    case Outcome::Partial:
        return Words::tr("partial");
    case Outcome::Truncated:
        return Words::tr("truncated");
    case Outcome::Error:
        return Words::tr("error");
    case Outcome::Timeout:
        return Words::tr("timeout");
    case Outcome::Interrupted:
        return Words::tr("interrupted");
    case Outcome::Abandoned:
        return Words::tr("abandoned");
    }
    Q_UNREACHABLE();
}

QString shownWord(Role role)
{
    switch (role) {
    case Role::First:
        return Words::tr("first try");
    case Role::Retry:
        return Words::tr("retry");
    case Role::Failover:
        return Words::tr("failover");
    case Role::Reconnect:
        return Words::tr("reconnect, not charged");
    }
    Q_UNREACHABLE();
}

QString shownWord(ErrorReason reason)
{
    switch (reason) {
    case ErrorReason::None:
        return Words::tr("no reason");
    case ErrorReason::Transport:
        return Words::tr("transport");
    case ErrorReason::RateLimit:
        return Words::tr("rate limit");
    case ErrorReason::Provider:
        return Words::tr("provider");
    case ErrorReason::Auth:
        return Words::tr("authentication");
    case ErrorReason::Authz:
        return Words::tr("not allowed");
    case ErrorReason::Invalid:
        return Words::tr("invalid request");
    case ErrorReason::Context:
        return Words::tr("context too long");
    case ErrorReason::Policy:
        return Words::tr("content policy");
    case ErrorReason::Timeout:
        return Words::tr("timeout");
    case ErrorReason::Unknown:
        return Words::tr("unknown");
    }
    Q_UNREACHABLE();
}

QString shownWord(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Connect:
        return Words::tr("connect");
    case TimerKind::Write:
        return Words::tr("write");
    case TimerKind::Pool:
        return Words::tr("pool");
    case TimerKind::FirstByte:
        return Words::tr("first byte");
    case TimerKind::Read:
        return Words::tr("read");
    case TimerKind::Idle:
        return Words::tr("idle");
    case TimerKind::DataStall:
        return Words::tr("data stall");
    case TimerKind::Total:
        return Words::tr("total");
    case TimerKind::Deadline:
        return Words::tr("deadline");
    case TimerKind::Watchdog:
        return Words::tr("watchdog");
    case TimerKind::BackoffEnd:
        return Words::tr("end of backoff");
    case TimerKind::HardCap:
        return Words::tr("hard cap");
    }
    Q_UNREACHABLE();
}

QString shownWord(Resets resets)
{
    switch (resets) {
    case Resets::Nothing:
        return Words::tr("nothing resets it");
    case Resets::Progress:
        return Words::tr("reset by progress");
    case Resets::AnyByte:
        return Words::tr("reset by any byte");
    case Resets::AnyLine:
        return Words::tr("reset by any line");
    case Resets::DataEvent:
        return Words::tr("reset by data only");
    }
    Q_UNREACHABLE();
}

QString shownWord(Kills kills)
{
    switch (kills) {
    case Kills::Nothing:
        return Words::tr("ends nothing");
    case Kills::Request:
        return Words::tr("ends the request");
    case Kills::Call:
        return Words::tr("ends the call");
    case Kills::Task:
        return Words::tr("ends the task");
    case Kills::Sleep:
        return Words::tr("ends the sleep");
    }
    Q_UNREACHABLE();
}

QString shownWord(TimerState state)
{
    switch (state) {
    case TimerState::Armed:
        return Words::tr("armed");
    case TimerState::Fired:
        return Words::tr("fired");
    case TimerState::Disarmed:
        return Words::tr("disarmed");
    case TimerState::Replaced:
        return Words::tr("replaced");
    case TimerState::Dropped:
        return Words::tr("dropped with its owner");
    }
    Q_UNREACHABLE();
}

QString shownWord(MarkKind kind)
{
    switch (kind) {
    case MarkKind::Headers:
        return Words::tr("response headers");
    case MarkKind::Line:
        return Words::tr("line");
    case MarkKind::Data:
        return Words::tr("data");
    case MarkKind::Ping:
        return Words::tr("ping");
    case MarkKind::StreamError:
        return Words::tr("error inside the stream");
    case MarkKind::EndMarker:
        return Words::tr("end marker");
    case MarkKind::Committed:
        return Words::tr("first content delivered");
    case MarkKind::Progress:
        return Words::tr("request bytes sent");
    case MarkKind::SendBegan:
        return Words::tr("sending began");
    case MarkKind::Trying:
        return Words::tr("trying an address");
    case MarkKind::AddressFailed:
        return Words::tr("address failed");
    case MarkKind::Connected:
        return Words::tr("connected");
    case MarkKind::ResendRefused:
        return Words::tr("silent re-send refused");
    case MarkKind::Usage:
        return Words::tr("token usage");
    case MarkKind::AlarmEntered:
        return Words::tr("alarm surfaced as an ordinary failure");
    case MarkKind::AlarmSwallowed:
        return Words::tr("alarm swallowed by a retry");
    case MarkKind::AlarmUndelivered:
        return Words::tr("alarm reached nobody");
    case MarkKind::Unprotected:
        return Words::tr("nothing limits this task any more");
    case MarkKind::Interrupted:
        return Words::tr("interrupted");
    case MarkKind::Retrying:
        return Words::tr("trying again");
    case MarkKind::GaveUp:
        return Words::tr("gave up");
    case MarkKind::Note:
        return Words::tr("note");
    }
    Q_UNREACHABLE();
}

QString shownWord(LaneRow row)
{
    switch (row) {
    case LaneRow::Task:
        return Words::tr("task");
    case LaneRow::Round:
        return Words::tr("rounds");
    case LaneRow::Exec:
        return Words::tr("execs");
    case LaneRow::ExecAttempt:
        return Words::tr("exec attempts");
    case LaneRow::SessionRun:
        return Words::tr("session runs");
    case LaneRow::Request:
        return Words::tr("requests");
    case LaneRow::Phase:
        return Words::tr("phases");
    case LaneRow::Orphan:
        return Words::tr("orphans");
    }
    Q_UNREACHABLE();
}

QString shownAttempt(int attempt, int maxAttempts)
{
    if (attempt <= 0)
        return {};
    return maxAttempts > 0 ? Words::tr("attempt %1 of %2").arg(attempt).arg(maxAttempts) : Words::tr("attempt %1").arg(attempt);
}

QString shownName(const SpanInfo &span)
{
    const QString kind = span.kind == SpanKind::Phase ? phaseName(span.phase) : shownWord(span.kind);
    switch (span.kind) {
    case SpanKind::Task:
    case SpanKind::Work:
    case SpanKind::Orphan:
        return span.label.isEmpty() ? kind : span.label;
    case SpanKind::Exec:
    case SpanKind::Round: {
        const QString numbered = span.attempt > 0 ? Words::tr("%1 %2").arg(kind).arg(span.attempt) : kind;
        return span.label.isEmpty() ? numbered : Words::tr("%1: %2").arg(numbered, span.label);
    }
    case SpanKind::ExecAttempt:
    case SpanKind::SessionRun:
    case SpanKind::Request: {
        if (span.attempt <= 0)
            return kind;
        return span.maxAttempts > 0 ? Words::tr("%1 %2 of %3").arg(kind).arg(span.attempt).arg(span.maxAttempts)
                                    : Words::tr("%1 %2").arg(kind).arg(span.attempt);
    }
    case SpanKind::Phase:
        return kind;
    case SpanKind::Backoff:
        return span.attempt > 0 ? Words::tr("backoff after try %1").arg(span.attempt) : kind;
    }
    Q_UNREACHABLE();
}

QString shownEnd(const SpanInfo &span)
{
    if (span.isOpen())
        return Words::tr("open");
    const QString what = shownWord(span.outcome);
    QString how = span.type;
    if (how.isEmpty() && span.status > 0)
        how = Words::tr("HTTP %1").arg(span.status);
    return how.isEmpty() ? what : Words::tr("%1: %2").arg(what, how);
}

} // namespace Waitscope
