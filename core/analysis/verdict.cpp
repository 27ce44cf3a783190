// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict.h"

#include "analysis/callpath.h"
#include "analysis/ending.h"
#include "analysis/findings.h"
#include "analysis/holding.h"
#include "analysis/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class VerdictWords
{
    Q_DECLARE_TR_FUNCTIONS(VerdictWords)
};

namespace {

std::optional<ShownMark> lastMark(const TraceStore &store, SpanId span, MarkKind kind)
{
    const std::vector<ShownMark> marks = store.marksOf(span);
    const auto it = std::find_if(marks.rbegin(), marks.rend(), [kind](const ShownMark &mark) { return mark.kind == kind; });
    return it == marks.rend() ? std::nullopt : std::optional(*it);
}

// Who took the alarm for one more failure. Only asked once an alarm is known to be lost: it looks at the whole task.
std::optional<ShownMark> swallowing(const TraceStore &store, SpanId task)
{
    std::vector<SpanId> pending{task};
    while (!pending.empty()) {
        const SpanId id = pending.back();
        pending.pop_back();
        if (std::optional<ShownMark> mark = lastMark(store, id, MarkKind::AlarmSwallowed))
            return mark;
        const std::vector<SpanId> children = store.childrenOf(id);
        pending.insert(pending.end(), children.begin(), children.end());
    }
    return std::nullopt;
}

QString lostProtection(const TraceStore &store, SpanId task, Instant now, const std::vector<ShownTimer> &timers)
{
    const std::optional<ShownMark> lost = lastMark(store, task, MarkKind::Unprotected);
    if (!lost)
        return {};
    QString budget = saidLength(lost->at.time_since_epoch());
    for (const ShownTimer &timer : store.timersOf(task)) {
        if (timer.kind == TimerKind::Watchdog && timer.state == TimerState::Fired)
            budget = saidLength(timer.value);
    }
    QString what;
    if (lastMark(store, task, MarkKind::AlarmUndelivered)) {
        what = VerdictWords::tr("its watchdog fired at %1 and reached nobody: the call runs on a thread of its own")
                   .arg(budget);
    } else if (const std::optional<ShownMark> by = swallowing(store, task)) {
        const std::optional<Layer> layer = fromWord<Layer>(by->text);
        what = VerdictWords::tr("its watchdog fired at %1 and was swallowed by the %2 layer")
                   .arg(budget, layer ? saidLayer(*layer) : by->text);
    } else {
        what = VerdictWords::tr("its watchdog fired at %1 and is spent").arg(budget);
    }
    const auto guard = std::find_if(timers.begin(), timers.end(), [](const ShownTimer &timer) {
        return timer.kills == Kills::Call || timer.kills == Kills::Task;
    });
    if (guard == timers.end())
        return VerdictWords::tr("Unprotected: %1; nothing limits this task any more").arg(what);
    return VerdictWords::tr("Without its watchdog: %1; what limits it now is %2, %3 left")
        .arg(what, QString(guard->setting), saidLeft(guard->effectiveDue - now));
}

std::optional<Duration> ageOf(Instant t, Instant now)
{
    return t == never ? std::nullopt : std::optional(std::max(now - t, Duration::zero()));
}

} // namespace

Verdict verdictOf(const TraceStore &store, SpanId task, Instant now)
{
    Verdict verdict;
    verdict.task = rootOf(store, task);
    const std::optional<SpanInfo> root = store.span(verdict.task);
    if (!root) {
        verdict.sentence = VerdictWords::tr("Nothing is known of this task yet");
        return verdict;
    }
    const Traffic traffic = store.traffic(root->id);
    verdict.sinceLastByte = ageOf(traffic.lastByte, now);
    verdict.sinceLastData = ageOf(traffic.lastData, now);
    if (!root->isOpen()) {
        const std::vector<SpanInfo> path = lastPath(store, root->id);
        verdict.ended = true;
        verdict.sentence = endingSentence(store, path);
        verdict.advice = (QStringList(adviceFor(store, path, now)) + findingsOf(store, path, now)).join(u' ');
        return verdict;
    }
    const std::vector<SpanInfo> path = openPath(store, root->id);
    verdict.timers = armedTimersOf(store, root->kind == SpanKind::Orphan ? root->cause : root->id);
    verdict.holder = path.back().id;
    verdict.rungs = rungsOf(store, path, verdict.timers, now);
    verdict.sentence = VerdictWords::tr("Held by the %1 layer: %2")
                           .arg(saidLayer(rungLayer(path.back())), holdingClause(store, path, now));
    verdict.warning = lostProtection(store, root->id, now, verdict.timers);
    if (root->kind == SpanKind::Orphan)
        verdict.warning = VerdictWords::tr("Abandoned: nobody waits for this call any more, but it still runs");
    const SpanId tried = root->kind == SpanKind::Orphan ? root->cause : root->id;
    const QString findings = findingsOf(store, lastPath(store, tried), now).join(u' ');
    if (!findings.isEmpty())
        verdict.warning += verdict.warning.isEmpty() ? findings : u". "_s + findings;
    return verdict;
}

} // namespace Waitscope
