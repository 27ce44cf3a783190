// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings.h"

#include "analysis/callpath.h"
#include "analysis/peerhistory.h"
#include "analysis/phrases.h"
#include "analysis/repetition.h"
#include "trace/callquery.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// The context of translations.
class Findings
{
    Q_DECLARE_TR_FUNCTIONS(Findings)
};

namespace {

constexpr size_t looksBack = 32; // requests
// What vendor SDKs wait at most where nobody says otherwise.
constexpr Duration longQuiet = 600s;

// Many events at one moment, and again after a steady gap: a buffer on the way, not the model's rhythm.
QString buffering(const TraceStore &store, const SpanInfo &request)
{
    constexpr int enough = 3;
    constexpr Duration leastGap = 1s;
    const Arrivals arrivals = store.traffic(request.id).arrivals;
    const bool onlyBursts = arrivals.bursts >= enough && arrivals.count - arrivals.bursts <= 1;
    if (!onlyBursts || arrivals.shortestGap < leastGap || arrivals.longestGap > arrivals.shortestGap * 5 / 4)
        return {};
    return Findings::tr("Buffered by a proxy: the data comes in bursts every %1, and no model writes like that. It is no stall; "
                        "keep every limit above the gap, and switch the buffering off (X-Accel-Buffering: no).")
        .arg(saidLength(arrivals.longestGap));
}

QString ownTotalLimit(const TraceStore &store, const std::vector<SpanInfo> &path)
{
    constexpr Duration flowing = 5s;
    const std::optional<ShownTimer> fired = lastFiring(store, path);
    if (!fired || fired->kind != TimerKind::Total || !fired->sinceLastData || *fired->sinceLastData > flowing)
        return {};
    return Findings::tr("Cut by this side's own total limit while data was flowing (the last came %1 before): a total limit is "
                        "a backstop, so raise %2 (%3).")
        .arg(saidAge(*fired->sinceLastData), QString(fired->setting), saidLength(fired->value));
}

QString systemSleep(const TraceStore &store, const SpanInfo &request, Instant now)
{
    constexpr Duration worthSaying = 5s;
    Duration slept{};
    const Instant end = request.isOpen() ? now : request.end;
    for (const ClockJumped &jump : store.clockJumps()) {
        if (jump.at >= request.begin && jump.at <= end && jump.by >= worthSaying)
            slept += jump.by;
    }
    if (slept == Duration::zero())
        return {};
    return Findings::tr("Interrupted by system sleep: the machine was away for %1 while this request was open, and the other "
                        "side has most likely given the connection up.")
        .arg(saidSpan(slept));
}

bool isLoopback(const QString &peer)
{
    return peer.startsWith("127."_L1) || peer.startsWith("localhost"_L1, Qt::CaseInsensitive) || peer.startsWith("[::1]"_L1);
}

QString nobodyListens(const SpanInfo &request)
{
    if (request.isOpen() || !isLoopback(request.label) || !request.text.contains("refused"_L1, Qt::CaseInsensitive))
        return {};
    return Findings::tr("Is the local server running? Nothing listens at %1, and it seldom appears by itself.").arg(request.label);
}

QString withoutLimit(const TraceStore &store, SpanId task, const SpanInfo &request, Instant now)
{
    if (!request.isOpen() || now - request.begin < longQuiet || !armedTimersOf(store, request.id).empty())
        return {};
    const std::vector<ShownMark> marks = store.marksOf(task);
    if (std::ranges::find(marks, MarkKind::Unprotected, &ShownMark::kind) != marks.end())
        return {}; // the verdict says that by itself
    return Findings::tr("No limit: this request has been open for %1, and no timer is armed that could ever end it.")
        .arg(saidSpan(now - request.begin));
}

// Trying again looks like activity; only data is progress.
QString noProgress(const TraceStore &store, const SpanInfo &task, Instant now)
{
    const Traffic traffic = store.traffic(task.id);
    const Instant since = traffic.lastData == never ? task.begin : traffic.lastData;
    if (!task.isOpen() || traffic.sent < 2 || now - since < longQuiet)
        return {};
    return Findings::tr("No data has come for %1, over %2 requests: trying again is no progress.")
        .arg(saidSpan(now - since))
        .arg(traffic.sent);
}

} // namespace

QStringList findingsOf(const TraceStore &store, const std::vector<SpanInfo> &path, Instant now)
{
    QStringList findings;
    const std::vector<SpanInfo> requests = lastRequests(store, path.front().id, looksBack);
    if (requests.empty())
        return findings;
    const SpanInfo &last = requests.back();
    findings << withoutLimit(store, path.front().id, last, now) << noProgress(store, path.front(), now) << systemSleep(store, last, now)
             << repetitionIn(store, requests) << ownTotalLimit(store, path) << buffering(store, last) << nobodyListens(last);
    if (last.role == Role::Reconnect)
        findings << idleAdvice(store, last);
    if (!last.isOpen() && last.status == 403)
        findings << contradictionOf(store, last);
    findings.removeAll(QString());
    return findings;
}

} // namespace Waitscope
