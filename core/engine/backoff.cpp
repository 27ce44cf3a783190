// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backoff.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

std::optional<Setting> baseSettingOf(Layer layer)
{
    switch (layer) {
    case Layer::Exec:
        return Setting::ExecBackoffBase;
    case Layer::Session:
        return Setting::SessionBackoffBase;
    case Layer::Stream:
        return Setting::StreamBackoffBase;
    case Layer::Task:
    case Layer::Http:
        return std::nullopt;
    }
    Q_UNREACHABLE();
}

SpanId beginSleep(const CallContext &context, const Sleep &what)
{
    return context.log().begin(SpanKind::Backoff, what.layer, [&](SpanBegan &span) {
        span.parent = what.parent;
        span.cause = context.cause;
        span.attempt = what.failedTry;
        if (what.hinted)
            span.label = u"as the server asked"_s;
    });
}

TimerId armSleep(EventLog &log, const Sleep &what, SpanId owner, Instant due)
{
    return log.arm(TimerKind::BackoffEnd, [&](TimerArmed &timer) {
        timer.owner = owner;
        timer.kills = Kills::Sleep;
        timer.due = due;
        timer.value = what.duration;
        if (const std::optional<Setting> setting = baseSettingOf(what.layer)) {
            timer.setting = infoOf(*setting).name;
            timer.variable = infoOf(*setting).variable;
        }
    });
}

} // namespace

Task<SleepEnd> sleep(CallContext &context, Sleep what)
{
    EventLog &log = context.log();
    const SpanId id = beginSleep(context, what);
    const Instant due = after(context.now(), what.duration);
    const TimerId timerId = armSleep(log, what, id, due);
    for (;;) {
        Wait wait(context.strand(), due);
        const Wake wake = co_await wait;
        if (wake == Wake::PolicyChange || wake == Wake::Ready)
            continue; // a sleep keeps the length it was begun with
        if (wake == Wake::Due) {
            TimerFired firing;
            firing.id = timerId;
            firing.due = due;
            log.fired(firing);
            log.end(id);
            co_return SleepEnd::Slept;
        }
        log.disarm(timerId);
        if (wake == Wake::Alarm) {
            log.mark(id, MarkKind::AlarmEntered);
            log.end(id, Outcome::Error);
            co_return SleepEnd::Alarm;
        }
        log.mark(id, MarkKind::Interrupted, 0, context.strand().interrupted()->why);
        log.end(id, Outcome::Interrupted);
        co_return SleepEnd::Interrupted;
    }
}

CallResult brokenRest(CallContext &context, SleepEnd end)
{
    if (end == SleepEnd::Alarm)
        return alarmFailure(context.policy());
    return *context.strand().interrupted();
}

Failure alarmFailure(const Policy &policy)
{
    Failure failure;
    failure.kind = FailureKind::Alarm;
    failure.type = u"SampleTimeoutError"_s;
    const std::optional<double> budget = policy.seconds(Setting::HarnessTaskTimeout);
    failure.text = u"sample timed out after %1s"_s.arg(budget.value_or(0));
    return failure;
}

} // namespace Waitscope
