// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/ending.h"

#include "analysis/callpath.h"
#include "analysis/phrases.h"
#include "rules/resettime.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class Ending
{
    Q_DECLARE_TR_FUNCTIONS(Ending)
};

namespace {

bool isGuard(TimerKind kind)
{
    return kind == TimerKind::Watchdog || kind == TimerKind::Deadline || kind == TimerKind::HardCap;
}

// "http.idle_timeout_s (1800 s)" of a timer; empty where no setting stands behind it.
QString settingOf(const ShownTimer &timer)
{
    return timer.setting.isEmpty() ? QString() : Ending::tr("%1 (%2)").arg(QString(timer.setting), saidLength(timer.value));
}

QString nameOf(TimerKind kind)
{
    switch (kind) {
    case TimerKind::Connect:
        return Ending::tr("the connect timer");
    case TimerKind::Write:
        return Ending::tr("the write timer");
    case TimerKind::Pool:
        return Ending::tr("the pool timer");
    case TimerKind::FirstByte:
        return Ending::tr("the first-byte timer");
    case TimerKind::Read:
        return Ending::tr("the read timer");
    case TimerKind::Idle:
        return Ending::tr("the idle timer");
    case TimerKind::DataStall:
        return Ending::tr("the data stall timer");
    case TimerKind::Total:
        return Ending::tr("the total timer");
    case TimerKind::Deadline:
        return Ending::tr("its deadline");
    case TimerKind::Watchdog:
        return Ending::tr("its watchdog");
    case TimerKind::BackoffEnd:
        return Ending::tr("the end of a sleep");
    case TimerKind::HardCap:
        return Ending::tr("its hard cap");
    }
    Q_UNREACHABLE();
}

// What a failure says of itself: "HTTP 503, ConnectTimeout", as far as it is known.
QString failureOf(const std::vector<SpanInfo> &path)
{
    QStringList parts;
    // The outermost span that knows says what came out; the request says what it was.
    const auto withStatus = std::find_if(path.begin(), path.end(), [](const SpanInfo &s) { return s.status > 0; });
    if (withStatus != path.end())
        parts << Ending::tr("HTTP %1").arg(withStatus->status);
    const auto request = std::find_if(path.rbegin(), path.rend(), [](const SpanInfo &s) { return !s.type.isEmpty(); });
    if (request != path.rend())
        parts << request->type;
    return parts.join(u", "_s);
}

std::optional<ShownTimer> guardThatFired(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    std::optional<ShownTimer> last = lastFiring(store, path);
    return last && isGuard(last->kind) ? last : std::nullopt;
}

double hintOf(const std::vector<SpanInfo> &path)
{
    double hint = 0;
    for (const SpanInfo &span : path)
        hint = std::max(hint, span.hintSeconds);
    return hint;
}

// Of a request as it was handed over.
qint64 bytesOf(const TraceStore &store, SpanId request)
{
    qint64 bytes = store.traffic(request).sentBytes;
    for (const ShownMark &mark : store.marksOf(request)) {
        if (mark.kind == MarkKind::SendBegan)
            bytes = std::max(bytes, mark.value);
    }
    return bytes;
}

QString waitAdvice(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now)
{
    const double hint = hintOf(path);
    if (hint <= 0)
        return Ending::tr("Wait a minute, or send fewer calls at once; then try again. The server named no time.");
    const SpanInfo &last = path.back();
    const Instant until = after(last.isOpen() ? now : last.end, fromSeconds(hint));
    const QString asked = saidLength(fromSeconds(hint));
    if (until <= now)
        return Ending::tr("Try again: the %1 that the server asked for are over.").arg(asked);
    const TraceHeader &header = store.header();
    if (header.clock == ClockKind::Real && header.startUtc.isValid()) {
        const QDateTime wall = header.startUtc.addMSecs(until.time_since_epoch().count() / 1'000'000).toLocalTime();
        return Ending::tr("Wait until %1 (%2 more; the server asked for %3), then try again.")
            .arg(wall.toString(u"HH:mm:ss"_s), saidLeft(until - now), asked);
    }
    return Ending::tr("Wait until +%1 (%2 more; the server asked for %3), then try again.")
        .arg(saidLength(until.time_since_epoch()), saidLeft(until - now), asked);
}

QString transportAdvice(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    const std::optional<ShownTimer> fired = lastFiring(store, path);
    const auto request
        = std::find_if(path.rbegin(), path.rend(), [](const SpanInfo &s) { return s.kind == SpanKind::Request; });
    const QString peer = request != path.rend() && !request->label.isEmpty() ? request->label : Ending::tr("the server");
    // An answer that was no failure by its status, and yet none of the API's.
    if (request != path.rend() && request->status >= 200 && request->status < 300)
        return Ending::tr("Something on the way to %1 answered with a page of its own: sign in to the network or proxy, or "
                          "correct the URL. A further try gets the same page.")
            .arg(peer);
    if (!fired || isGuard(fired->kind))
        return Ending::tr("Try again; if it stays, see whether %1 can be reached from here (address, proxy, network).")
            .arg(peer);
    const QString setting = settingOf(*fired);
    switch (fired->kind) {
    case TimerKind::Connect:
        return Ending::tr(
                   "See whether %1 can be reached from here (address, proxy, network); then try again. A slow way there "
                   "needs a larger %2.")
            .arg(peer, setting);
    case TimerKind::Pool:
        return Ending::tr("Send fewer calls at once, or raise http.pool_size or %1; then try again.").arg(setting);
    case TimerKind::FirstByte:
    case TimerKind::Read:
    case TimerKind::Idle:
    case TimerKind::DataStall:
    case TimerKind::Total:
    case TimerKind::Write:
        return Ending::tr("Try again; if the server was only slow, raise %1.").arg(setting);
    case TimerKind::Deadline:
    case TimerKind::Watchdog:
    case TimerKind::BackoffEnd:
    case TimerKind::HardCap:
        break; // not of a request
    }
    return Ending::tr("Try again.");
}

QString timeoutAdvice(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    const std::optional<ShownTimer> fired = lastFiring(store, path);
    if (fired && !settingOf(*fired).isEmpty())
        return Ending::tr("Raise %1 if it should have had more time, or let the layers below give up earlier.")
            .arg(settingOf(*fired));
    // Ended before the deadline was reached: a sleep would have crossed it.
    return Ending::tr("Raise exec.timeout_s if it should have had more time, or let the layers below give up earlier.");
}

// When a spent allowance comes back, from the server's words.
QString resetAdvice(const std::vector<SpanInfo> &path)
{
    if (const double hint = hintOf(path); hint > 0)
        return Ending::tr(" The server says that it comes back %1 after its answer.").arg(saidSpan(fromSeconds(hint)));
    for (const SpanInfo &span : path) {
        const std::optional<ResetTime> reset = resetTimeIn(span.text);
        if (reset && !reset->wallClock.isEmpty())
            return Ending::tr(" The server says that it comes back at %1 of its own time zone.").arg(reset->wallClock);
    }
    return {};
}

QString invalidAdvice(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    const SpanInfo &last = path.back();
    if (last.status != 413)
        return Ending::tr("Correct the request: the server did not accept it, and the same one fails again.");
    const qint64 bytes = bytesOf(store, last.id);
    const QString size = bytes > 0 ? saidBytes(bytes) : Ending::tr("more than it takes");
    return Ending::tr("Make the request smaller (it was %1: images, attachments, old turns), then send it once more. Its bytes "
                      "are too many, whatever its tokens; the same one fails again.")
        .arg(size);
}

QString failureAdvice(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now)
{
    switch (path.front().reason) {
    case ErrorReason::Auth:
        return Ending::tr("Check the key: the server refused it, and every further try sends the same one.");
    case ErrorReason::Authz:
        return Ending::tr("Check what the key may do: plan, quota, region or model. Trying again changes nothing.")
            + resetAdvice(path);
    case ErrorReason::RateLimit:
        return waitAdvice(store, path, now);
    case ErrorReason::Context:
        return Ending::tr("Compact the context, or use a model with a larger window. The same request fails again.");
    case ErrorReason::Policy:
        return Ending::tr(
            "Blocked by policy: the provider rejects this content. Change it; the same request is rejected again.");
    case ErrorReason::Invalid:
        return invalidAdvice(store, path);
    case ErrorReason::Provider:
        return Ending::tr("Try again: the provider had a fault of its own. If it stays, ask its status page.");
    case ErrorReason::Transport:
        return transportAdvice(store, path);
    case ErrorReason::Timeout:
        return timeoutAdvice(store, path);
    case ErrorReason::None:
    case ErrorReason::Unknown:
        return path.front().retryable ? Ending::tr("Try again; the failure is of no known kind, but was judged worth it.")
                                      : Ending::tr("Read the failure's text in the inspector: it is of no known kind, and "
                                                   "nothing says that a further try helps.");
    }
    Q_UNREACHABLE();
}

int requestsWithin(const TraceStore &store, SpanId task)
{
    return store.traffic(task).sent;
}

} // namespace

QString endingSentence(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    const SpanInfo &task = path.front();
    const QString took = saidLength(task.end - task.begin);
    const int sent = requestsWithin(store, task.id);
    const QString requests = sent == 0 ? Ending::tr("no request was sent")
        : sent == 1                    ? Ending::tr("1 request was sent")
                                       : Ending::tr("%1 requests were sent").arg(sent);
    const std::optional<ShownTimer> guard = guardThatFired(store, path);
    switch (task.outcome) {
    case Outcome::Ok:
        return Ending::tr("Done after %1; %2").arg(took, requests);
    case Outcome::Partial:
        return Ending::tr("Ended with a part of the answer after %1; %2").arg(took, requests);
    case Outcome::Truncated:
        return Ending::tr("The stream stopped without its end marker after %1; %2").arg(took, requests);
    case Outcome::Timeout:
        if (guard)
            return Ending::tr("Ended by %1 after %2; %3").arg(nameOf(guard->kind), took, requests);
        return Ending::tr("Ran out of time after %1; %2").arg(took, requests);
    case Outcome::Interrupted:
        if (guard)
            return Ending::tr("Ended by %1 after %2; %3").arg(nameOf(guard->kind), took, requests);
        return task.text.isEmpty() ? Ending::tr("Stopped after %1; %2").arg(took, requests)
                                   : Ending::tr("Stopped after %1 (%2); %3").arg(took, task.text, requests);
    case Outcome::Abandoned:
        return Ending::tr("Abandoned after %1: the caller went on, its last try may still run; %2").arg(took, requests);
    case Outcome::Error:
        break;
    }
    const QString what = failureOf(path);
    const QString reason = saidReason(task.reason);
    return Ending::tr("Failed after %1: %2; %3")
        .arg(took, what.isEmpty() ? reason : Ending::tr("%1 (%2)").arg(reason, what), requests);
}

QString adviceFor(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now)
{
    const SpanInfo &task = path.front();
    switch (task.outcome) {
    case Outcome::Ok:
        return Ending::tr("Nothing to do.");
    case Outcome::Partial:
        return Ending::tr(
            "Keep what came, or try again for the whole answer: after content has arrived nothing is fetched anew.");
    case Outcome::Truncated:
        return Ending::tr("Try again: what came may be cut off in the middle.");
    case Outcome::Interrupted: {
        const std::optional<ShownTimer> guard = guardThatFired(store, path);
        return guard ? timeoutAdvice(store, path) : Ending::tr("Try again when you like: it was stopped, it did not fail.");
    }
    case Outcome::Abandoned:
        return Ending::tr("Watch the orphan: it still holds a connection and may still cost tokens. %1")
            .arg(timeoutAdvice(store, path));
    case Outcome::Timeout:
        return timeoutAdvice(store, path);
    case Outcome::Error:
        return failureAdvice(store, path, now);
    }
    Q_UNREACHABLE();
}

} // namespace Waitscope
