// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up traces that look like real ones: nested retry storms of exec, session and stream with backoffs, phases and timers.
#pragma once

#include "event/sink.h"

#include <QString>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <unordered_map>
#include <vector>

namespace Waitscope {

struct SyntheticTrace {
    int tasks = 4;
    int execs = 2; // in each task, one after the other
    quint64 seed = 1;
    int workers = 64;        // tasks at the same time; the others wait for a free worker
    double failures = 0.65;  // share of requests that fail
    Instant until = never;   // the run is looked at at this moment: later events have not happened yet
    quint64 maxSpans = 0;    // 0 = no limit; else no new span begins after so many
};

// One worker's tasks, told one task at a time. Ids are its own; they are numbered anew when the workers' events are merged.
class SyntheticWorker
{
public:
    SyntheticWorker(const SyntheticTrace &what, int number)
        : m_what(what)
        , m_random(what.seed * 7919 + static_cast<quint64>(number))
        , m_now(std::chrono::milliseconds(150 * number + static_cast<int>(100 * chance())))
        , m_nextTask(number)
    {
    }

    std::deque<Event> pending;

    // False when there are no more tasks for it.
    bool tellTask()
    {
        if (m_nextTask >= m_what.tasks)
            return false;
        const int number = m_nextTask + 1;
        m_nextTask += std::max(1, m_what.workers);
        runTask(number);
        m_now += seconds(0.2 + chance());
        return true;
    }

private:
    enum class Stop { None, Deadline, Watchdog };

    double chance() { return static_cast<double>(m_random() >> 11) * 0x1p-53; }
    static Duration seconds(double s) { return fromSeconds(s); }
    double spread(double low, double high) { return low + (high - low) * chance(); }

    template<class E>
    void tell(E event)
    {
        event.at = Instant{m_now};
        pending.push_back(std::move(event));
    }
    SpanId begin(SpanKind kind, Layer layer, SpanId parent, int attempt = 0, int most = 0, QString label = {})
    {
        SpanBegan span;
        span.id = SpanId{++m_spans};
        span.parent = parent;
        span.cause = std::exchange(m_cause, SpanId{});
        span.kind = kind;
        span.layer = layer;
        span.role = attempt > 1 ? Role::Retry : Role::First;
        span.attempt = attempt;
        span.maxAttempts = most;
        span.label = std::move(label);
        tell(span);
        return span.id;
    }
    void end(SpanId id, Outcome outcome = Outcome::Ok, const QString &type = {}, const QString &text = {})
    {
        SpanEnded ended;
        ended.id = id;
        ended.outcome = outcome;
        ended.type = type;
        ended.text = text;
        if (outcome == Outcome::Error || outcome == Outcome::Timeout) {
            ended.reason = outcome == Outcome::Timeout ? ErrorReason::Timeout : ErrorReason::Transport;
            ended.retryable = outcome == Outcome::Error;
            ended.rule = QStringLiteral("type in the transport set");
        }
        tell(ended);
    }
    TimerId arm(TimerKind kind, SpanId owner, double value, Resets resets, Kills kills, QLatin1StringView setting = {})
    {
        TimerArmed timer;
        timer.id = TimerId{++m_timers};
        timer.owner = owner;
        timer.kind = kind;
        timer.resets = resets;
        timer.kills = kills;
        timer.value = seconds(value);
        timer.due = Instant{m_now} + timer.value;
        timer.setting = setting;
        m_due[timer.id] = timer.due;
        tell(timer);
        return timer.id;
    }
    void fire(TimerId id)
    {
        TimerFired fired;
        fired.id = id;
        fired.due = m_due[id];
        tell(fired);
    }
    void disarm(TimerId id)
    {
        TimerDisarmed gone;
        gone.id = id;
        tell(gone);
    }
    void mark(SpanId span, MarkKind kind, qint64 value = 0, QString text = {})
    {
        Marked marked;
        marked.span = span;
        marked.kind = kind;
        marked.value = value;
        marked.text = std::move(text);
        tell(marked);
    }

    // Time passes, but not beyond what limits the call; says whether a limit was met.
    bool pass(double s)
    {
        if (m_stop != Stop::None)
            return false;
        const Duration wanted = m_now + seconds(s);
        m_now = std::min({wanted, m_deadline, m_watchdog});
        if (m_now < wanted)
            m_stop = m_watchdog <= m_deadline ? Stop::Watchdog : Stop::Deadline;
        return m_stop == Stop::None;
    }
    [[nodiscard]] Outcome stopped() const { return m_stop == Stop::Deadline ? Outcome::Timeout : Outcome::Interrupted; }

    void runTask(int number)
    {
        m_stop = Stop::None;
        m_deadline = Duration::max();
        const bool swallowed = number % 4 == 2;
        const double budget = swallowed ? 60 : 900;
        const SpanId task = begin(SpanKind::Task, Layer::Task, {}, 0, 0, QStringLiteral("task-%1").arg(number));
        const TimerId watchdog = arm(TimerKind::Watchdog, task, budget, Resets::Nothing, swallowed ? Kills::Request : Kills::Task,
                                     QLatin1StringView("harness.task_timeout_s"));
        m_task = task;
        m_watchdogTimer = watchdog;
        m_watchdog = swallowed ? Duration::max() : m_now + seconds(budget);
        m_alarm = swallowed ? m_now + seconds(budget) : Duration::max();
        Outcome outcome = Outcome::Ok;
        for (int i = 1; i <= m_what.execs && m_stop != Stop::Watchdog; ++i) {
            outcome = runExec(task, i);
            if (m_stop == Stop::Deadline)
                m_stop = Stop::None;
            m_deadline = Duration::max();
            pass(spread(0.05, 0.4));
        }
        if (m_stop == Stop::Watchdog)
            fire(watchdog);
        else if (m_watchdogTimer)
            disarm(watchdog);
        end(task, m_stop == Stop::Watchdog ? Outcome::Interrupted : outcome);
    }

    Outcome runExec(SpanId task, int number)
    {
        const SpanId exec = begin(SpanKind::Exec, Layer::Exec, task, number);
        TimerId deadline;
        const double limit = 180;
        if (chance() < 0.5) {
            deadline = arm(TimerKind::Deadline, exec, limit, Resets::Nothing, Kills::Call, QLatin1StringView("exec.timeout_s"));
            m_deadline = m_now + seconds(limit);
        }
        Outcome outcome = Outcome::Error;
        const int most = 6;
        for (int n = 1; n <= most && outcome != Outcome::Ok && m_stop == Stop::None; ++n) {
            const SpanId attempt = begin(SpanKind::ExecAttempt, Layer::Exec, exec, n, most);
            outcome = runSession(attempt);
            end(attempt, outcome, outcome == Outcome::Error ? QStringLiteral("RuntimeError") : QString());
            m_cause = attempt;
            if (outcome == Outcome::Error && n < most)
                backoff(Layer::Exec, exec, n, 1.5 * (1 << (n - 1)) * spread(0.75, 1.25));
        }
        m_cause = {};
        if (m_stop != Stop::None)
            outcome = stopped();
        if (deadline)
            m_stop == Stop::Deadline ? fire(deadline) : disarm(deadline);
        end(exec, outcome, outcome == Outcome::Ok ? QString() : QStringLiteral("LlmError"),
            outcome == Outcome::Ok ? QString() : QStringLiteral("LLM call failed after several attempts"));
        return outcome;
    }

    Outcome runSession(SpanId attempt)
    {
        Outcome outcome = Outcome::Error;
        const int most = 4;
        for (int n = 1; n <= most && outcome == Outcome::Error && m_stop == Stop::None; ++n) {
            const SpanId run = begin(SpanKind::SessionRun, Layer::Session, attempt, n, most);
            outcome = runStream(run);
            end(run, outcome, outcome == Outcome::Error ? QStringLiteral("ProviderStreamError") : QString());
            m_cause = run;
            if (outcome == Outcome::Error && n < most)
                backoff(Layer::Session, attempt, n, 2 * (1 << (n - 1)));
        }
        return m_stop != Stop::None ? stopped() : outcome;
    }

    Outcome runStream(SpanId run)
    {
        Outcome outcome = Outcome::Error;
        const int most = 3;
        for (int n = 1; n <= most && outcome == Outcome::Error && m_stop == Stop::None; ++n) {
            outcome = runRequest(run, n, most);
            if (outcome == Outcome::Error && n < most)
                backoff(Layer::Stream, run, n, (1 << (n - 1)) * spread(0.75, 1.25));
        }
        return m_stop != Stop::None ? stopped() : outcome;
    }

    void backoff(Layer layer, SpanId parent, int tried, double length)
    {
        if (m_stop != Stop::None)
            return;
        const SpanId id = begin(SpanKind::Backoff, layer, parent, tried);
        const TimerId timer = arm(TimerKind::BackoffEnd, id, length, Resets::Nothing, Kills::Sleep);
        if (pass(length)) {
            fire(timer);
            end(id);
        } else {
            disarm(timer);
            end(id, Outcome::Interrupted);
        }
        m_cause = id;
    }

    // Runs one phase; false when the call was cut in it.
    bool phase(Phase kind, SpanId request, double length)
    {
        SpanBegan span;
        span.id = SpanId{++m_spans};
        span.parent = request;
        span.kind = SpanKind::Phase;
        span.layer = Layer::Http;
        span.phase = kind;
        tell(span);
        if (kind != Phase::Receive) {
            const bool through = pass(length);
            end(span.id, through ? Outcome::Ok : stopped());
            return through;
        }
        const int lines = std::clamp(static_cast<int>(length * 2), 2, 40);
        for (int i = 0; i < lines; ++i) {
            if (!pass(length / lines)) {
                end(span.id, stopped());
                return false;
            }
            if (i == 0)
                mark(request, MarkKind::Committed);
            mark(request, chance() < 0.8 ? MarkKind::Data : MarkKind::Ping, 40 + static_cast<qint64>(200 * chance()));
        }
        end(span.id);
        return true;
    }

    Outcome runRequest(SpanId run, int n, int most)
    {
        const SpanId request = begin(SpanKind::Request, Layer::Stream, run, n, most, QStringLiteral("127.0.0.1:8080"));
        const bool fails = chance() < m_what.failures;
        const double how = chance();
        const TimerId connect = arm(TimerKind::Connect, request, 30, Resets::Nothing, Kills::Request,
                                    QLatin1StringView("http.connect_timeout_s"));
        if (fails && how < 0.3) { // nobody answers
            const bool through = phase(Phase::Connect, request, 30);
            through ? fire(connect) : disarm(connect);
            return cut(request, through, QStringLiteral("ConnectTimeout"), {});
        }
        bool through = phase(Phase::Dns, request, spread(0.002, 0.03)) && phase(Phase::Connect, request, spread(0.02, 0.4))
            && phase(Phase::Tls, request, spread(0.03, 0.2));
        disarm(connect);
        if (!through)
            return cut(request, false, {}, {});
        mark(request, MarkKind::SendBegan);
        if (fails && how < 0.5) { // refused at once
            phase(Phase::Send, request, 0.01);
            through = phase(Phase::Wait, request, spread(0.05, 0.5));
            mark(request, MarkKind::Headers, 503);
            return cut(request, through, QStringLiteral("HTTPStatusError"), QStringLiteral("503 Service Unavailable"));
        }
        const TimerId read = arm(TimerKind::Read, request, 90, Resets::AnyByte, Kills::Request,
                                 QLatin1StringView("http.read_timeout_s"));
        through = phase(Phase::Send, request, spread(0.01, 0.1)) && phase(Phase::Wait, request, spread(0.3, 6));
        if (!through) {
            disarm(read);
            return cut(request, false, {}, {});
        }
        mark(request, MarkKind::Headers, 200);
        const TimerId idle = arm(TimerKind::Idle, request, 45, Resets::AnyLine, Kills::Request,
                                 QLatin1StringView("http.idle_timeout_s"));
        const TimerId stall = arm(TimerKind::DataStall, request, 60, Resets::DataEvent, Kills::Request,
                                  QLatin1StringView("http.data_stall_timeout_s"));
        const TimerId total = arm(TimerKind::Total, request, 600, Resets::Nothing, Kills::Request,
                                  QLatin1StringView("http.total_timeout_s"));
        through = phase(Phase::Receive, request, fails ? spread(0.5, 4) : spread(1, 12));
        for (const TimerId timer : {read, idle, stall, total})
            disarm(timer);
        if (through && m_now >= m_alarm) { // the alarm surfaces as an ordinary failure and is spent
            m_alarm = Duration::max();
            fire(std::exchange(m_watchdogTimer, TimerId{}));
            mark(request, MarkKind::AlarmEntered);
            mark(request, MarkKind::AlarmSwallowed, 0, QStringLiteral("stream"));
            mark(m_task, MarkKind::Unprotected);
            return cut(request, true, QStringLiteral("SampleTimeoutError"), QStringLiteral("sample timed out after 60s"));
        }
        if (!fails && through) {
            end(request);
            m_cause = request;
            return Outcome::Ok;
        }
        return cut(request, through, QStringLiteral("ReadError"), {});
    }

    Outcome cut(SpanId request, bool byItself, const QString &type, const QString &text)
    {
        const Outcome outcome = byItself ? Outcome::Error : stopped();
        end(request, outcome, byItself ? type : QString(), text);
        m_cause = request;
        return outcome;
    }

    const SyntheticTrace &m_what;
    std::mt19937_64 m_random;
    Duration m_now;
    int m_nextTask;
    quint64 m_spans = 0;
    quint64 m_timers = 0;
    std::map<TimerId, Instant> m_due;
    SpanId m_cause;
    SpanId m_task;
    TimerId m_watchdogTimer;
    Duration m_deadline = Duration::max();
    Duration m_watchdog = Duration::max();
    Duration m_alarm = Duration::max();
    Stop m_stop = Stop::None;
};

struct SyntheticResult {
    quint64 events = 0;
    quint64 spans = 0;
    Instant last;
};

// Writes the events in the order of their times. Equal parameters give equal events.
inline SyntheticResult writeSyntheticTrace(EventSink &sink, const SyntheticTrace &what)
{
    struct Numbers {
        std::unordered_map<quint64, quint64> spans;
        std::unordered_map<quint64, quint64> timers;
    };
    std::vector<std::unique_ptr<SyntheticWorker>> workers;
    std::vector<Numbers> numbers;
    for (int i = 0; i < std::min(what.workers, what.tasks); ++i) {
        workers.push_back(std::make_unique<SyntheticWorker>(what, i));
        numbers.emplace_back();
    }
    SyntheticResult result;
    quint64 timers = 0;
    using Head = std::pair<Instant, size_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    const auto push = [&](size_t i) {
        if (!workers[i]->pending.empty() || workers[i]->tellTask())
            heads.push({timeOf(workers[i]->pending.front()), i});
    };
    for (size_t i = 0; i < workers.size(); ++i)
        push(i);
    while (!heads.empty()) {
        const auto [at, i] = heads.top();
        heads.pop();
        if (at > what.until)
            break;
        Event event = std::move(workers[i]->pending.front());
        workers[i]->pending.pop_front();
        const auto span = [&, &known = numbers[i].spans](SpanId id) { return id ? SpanId{known[id.value]} : SpanId{}; };
        const auto timer = [&, &known = numbers[i].timers](TimerId id) { return TimerId{known[id.value]}; };
        if (auto *began = std::get_if<SpanBegan>(&event)) {
            if (what.maxSpans > 0 && result.spans >= what.maxSpans)
                break;
            numbers[i].spans[began->id.value] = ++result.spans;
            began->id = span(began->id);
            began->parent = span(began->parent);
            began->cause = span(began->cause);
        } else if (auto *ended = std::get_if<SpanEnded>(&event)) {
            ended->id = span(ended->id);
        } else if (auto *marked = std::get_if<Marked>(&event)) {
            marked->span = span(marked->span);
        } else if (auto *armed = std::get_if<TimerArmed>(&event)) {
            numbers[i].timers[armed->id.value] = ++timers;
            armed->id = timer(armed->id);
            armed->owner = span(armed->owner);
        } else if (auto *fired = std::get_if<TimerFired>(&event)) {
            fired->id = timer(fired->id);
        } else if (auto *disarmed = std::get_if<TimerDisarmed>(&event)) {
            disarmed->id = timer(disarmed->id);
        }
        sink.write(event);
        ++result.events;
        result.last = at;
        push(i);
    }
    return result;
}

} // namespace Waitscope
