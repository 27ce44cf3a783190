// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/repetition.h"

#include "analysis/callpath.h"
#include "analysis/foreignlimit.h"
#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class Repetition
{
    Q_DECLARE_TR_FUNCTIONS(Repetition)
};

namespace {

constexpr int enoughLimits = 2;  // the work behind a limit is thrown away each time
constexpr int enoughFailures = 3;

bool isFailed(const SpanInfo &request)
{
    return !request.isOpen() && (request.outcome == Outcome::Error || request.outcome == Outcome::Truncated);
}

// The limit that ended a request which had been sent and had brought no content.
std::optional<ShownTimer> limitBeforeContent(const TraceStore &store, const SpanInfo &request)
{
    const Traffic traffic = store.traffic(request.id);
    if (!isFailed(request) || traffic.committed != never || traffic.lastData != never)
        return std::nullopt;
    std::optional<ShownTimer> fired = lastFiring(store, {request});
    if (!fired)
        return std::nullopt;
    switch (fired->kind) {
    case TimerKind::FirstByte:
    case TimerKind::Read:
    case TimerKind::Idle:
    case TimerKind::DataStall:
    case TimerKind::Total:
        return fired;
    case TimerKind::Connect:
    case TimerKind::Write:
    case TimerKind::Pool:
    case TimerKind::Deadline:
    case TimerKind::Watchdog:
    case TimerKind::BackoffEnd:
    case TimerKind::HardCap:
        break;
    }
    return std::nullopt;
}

QString sameLimit(const TraceStore &store, const std::vector<SpanInfo> &requests)
{
    int alike = 0;
    std::optional<ShownTimer> limit;
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
        if (request->isOpen())
            continue;
        std::optional<ShownTimer> fired = limitBeforeContent(store, *request);
        if (!fired || (limit && (fired->kind != limit->kind || fired->value != limit->value)))
            break;
        limit = std::move(fired);
        ++alike;
    }
    if (alike < enoughLimits)
        return {};
    return Repetition::tr("The last %1 tries died at the same limit before any content, %2 (%3): each new one starts the server's work "
                          "from nothing. It needs more than %3, so raise the limit or stop; the same try again ends the same.")
        .arg(alike)
        .arg(QString(limit->setting), saidLength(limit->value));
}

// How long the last failed requests took that no timer of ours ended, with the limits that stood over them.
QString strangersLimit(const TraceStore &store, const std::vector<SpanInfo> &requests)
{
    std::vector<Duration> lengths;
    std::vector<Duration> own;
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
        if (request->isOpen())
            continue;
        if (!isFailed(*request) || lastFiring(store, {*request}))
            break;
        lengths.push_back(request->end - request->begin);
        for (const ShownTimer &timer : store.timersOf(request->id))
            own.push_back(timer.value);
    }
    const std::optional<Duration> limit = foreignLimit(lengths, own);
    if (!limit)
        return {};
    return Repetition::tr("The last %1 tries all ended after about %2, and none of your limits says so: somebody on the way has "
                          "one. Look for a proxy's, a gateway's or a client library's default of %2.")
        .arg(lengths.size())
        .arg(saidLength(*limit));
}

QString sameFailure(const TraceStore &store, const std::vector<SpanInfo> &requests)
{
    int alike = 0;
    const SpanInfo *first = nullptr;
    for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
        if (request->isOpen())
            continue;
        const bool silent = isFailed(*request) && request->status == 0 && store.traffic(request->id).firstByte == never;
        if (!silent || (first && (request->type != first->type || request->text != first->text || request->label != first->label)))
            break;
        first = &*request;
        ++alike;
    }
    if (alike < enoughFailures)
        return {};
    const QString peer = first->label.isEmpty() ? Repetition::tr("the server") : first->label;
    return Repetition::tr("All of the last %1 tries to %2 failed alike before a first byte came back: another one will hardly "
                          "differ. Try another way there: the other address family (http.ipv4_only), a proxy, a network.")
        .arg(alike)
        .arg(peer);
}

} // namespace

QString repetitionIn(const TraceStore &store, const std::vector<SpanInfo> &requests)
{
    for (const auto &kind : {sameLimit, strangersLimit, sameFailure}) {
        if (QString found = kind(store, requests); !found.isEmpty())
            return found;
    }
    return {};
}

} // namespace Waitscope
