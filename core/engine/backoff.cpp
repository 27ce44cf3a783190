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

RunningSleep::RunningSleep(CallContext &context, const Sleep &what)
    : m_context(context)
    , m_due(after(context.now(), what.duration))
    , m_span(beginSleep(context, what))
    , m_timer(armSleep(context.log(), what, m_span, m_due))
{
}

std::optional<SleepEnd> RunningSleep::onWake(Wake wake)
{
    EventLog &log = m_context.log();
    switch (wake) {
    case Wake::Ready:
    case Wake::PolicyChange:
        return std::nullopt; // a sleep keeps the length it was begun with
    case Wake::Due: {
        TimerFired firing;
        firing.id = m_timer;
        firing.due = m_due;
        log.fired(firing);
        log.end(m_span);
        return SleepEnd::Slept;
    }
    case Wake::Alarm:
        log.disarm(m_timer);
        log.mark(m_span, MarkKind::AlarmEntered);
        log.end(m_span, Outcome::Error);
        return SleepEnd::Alarm;
    case Wake::Interrupt:
        log.disarm(m_timer);
        log.mark(m_span, MarkKind::Interrupted, 0, m_context.strand().interrupted()->why);
        log.end(m_span, Outcome::Interrupted);
        return SleepEnd::Interrupted;
    }
    Q_UNREACHABLE();
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
