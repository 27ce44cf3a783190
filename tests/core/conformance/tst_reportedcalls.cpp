// SPDX-License-Identifier: GPL-3.0-or-later
// Publicly reported faults, layers connect, tls, dns, pool, ttfb and retry: whole calls over a scripted wire in virtual time.
#include "analysis/verdict.h"
#include "rules/rules.h"
#include "support/reportedcases.h"
#include "support/scriptedwire.h"
#include "support/tracewriting.h"

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

// The default, which is `hardened`, with changes.
PolicyPtr policyWith(const QStringList &changes = {})
{
    Policy policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, u"test"_s).value();
    return std::make_shared<const Policy>(policy);
}

// So many tries of one layer, one of the others.
PolicyPtr onlyStreamTries(int tries)
{
    return policyWith({u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=%1"_s.arg(tries)});
}

Classification verdictOn(const QString &text)
{
    Failure failure;
    failure.text = text;
    return classify(RuleSet::Strict, failure);
}

// What every request gets.
ScriptedWire::Choice always(const WireScript &script)
{
    return [script](const QUrl &, int, double) { return script; };
}

WireScript answeredWith(int status, const QByteArray &body = {}, std::vector<WireHeader> list = {})
{
    return {begins(Phase::Connect), sent(), headers(status, std::move(list)), bytes(body), ends(WireEnd::Complete)};
}

const QByteArray healthyBody = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\n"
                               "data: [DONE]\n\n";
const WireScript silent{begins(Phase::Connect), sent()};
const WireScript resetBeforeHeaders{begins(Phase::Connect), sent(), ends(WireEnd::ResetBeforeHeaders)};

// What the window says of the n-th task, when it is over or at a moment before.
Verdict shownOf(const WireRun &run, int task = 0)
{
    return verdictOf(run.spans.store, run.spans.of(SpanKind::Task).at(static_cast<size_t>(task)).id, run.ending(task)->ended);
}

QString warnedOf(const WireRun &run, double seconds)
{
    return verdictOf(run.spans.store, run.spans.of(SpanKind::Task).front().id, at(seconds)).warning;
}

// On a network of its own, tests/app/tst_namespaces.cpp (deadIpv6BesideGoodIpv4): the black hole beside the good address.
// These are the numbers it holds a live call to.
void familiesAreRaced(ReportedCase &subject)
{
    QCOMPARE(subject.expected("connected_family"_L1).toString(), u"ipv4"_s);
    QCOMPARE(subject.expected("connect_ms_max"_L1).toInt(), 1000);
    QCOMPARE(subject.expected("attempts_used"_L1).toInt(), 1);
}

void connectLimitIsOwn(ReportedCase &subject)
{
    QCOMPARE(subject.expected("show"_L1).toString(), u"per-address wait"_s); // tst_namespaces, everyAddressHasItsResult
    QCOMPARE(subject.expected("result"_L1).toString(), u"connected or connect_timeout at 10 s, never later"_s);
    const double limit = subject.input("connect_timeout_s"_L1).toDouble();
    const PolicyPtr policy = policyWith({u"http.connect_timeout_s=%1"_s.arg(limit), u"stream.max_attempts=1"_s});
    // The first address refuses below the library's surface; it then sits for 30 s.
    const WireRun run(policy, 1, 1, always({begins(Phase::Connect), sent(false, 30)}));
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(toSeconds(end.at), limit);
    QCOMPARE(end.type, u"ConnectTimeout"_s);
    QCOMPARE(run.spans.fired.front().first.kind, TimerKind::Connect);
    QCOMPARE(run.wire.alive, 0);
}

void resetsAreTransport(ReportedCase &subject)
{
    const QString text = subject.texts().constFirst();
    QCOMPARE(verdictOn(text).retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(verdictOn(text).reason), QString());
    const WireRun run(policyWith(), 1, 1, always({begins(Phase::Connect, 0.2), ends(WireEnd::ResetBeforeHeaders, 0.2)}));
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(end.retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(end.reason), QString());
    QCOMPARE(subject.expected("after_n_identical"_L1).toString(), u"switch family or advise"_s);
    QCOMPARE(run.wire.begun, 3);
    const QString advice = shownOf(run).advice;
    QVERIFY2(advice.contains(u"last 3 tries to host failed alike before a first byte"_s), qPrintable(advice));
    QVERIFY(advice.contains(u"http.ipv4_only"_s));
    // Not after two, and not where a server answered.
    const WireRun two(onlyStreamTries(2), 1, 1, always({begins(Phase::Connect), ends(WireEnd::ResetBeforeHeaders)}));
    QVERIFY(!shownOf(two).advice.contains(u"alike"_s));
    const WireRun refused(policyWith(), 1, 1, always(answeredWith(503, "{}")));
    QVERIFY(!shownOf(refused).advice.contains(u"alike"_s));
}

void slowHandshake(ReportedCase &subject)
{
    const QString text = subject.texts().constFirst();
    QCOMPARE(verdictOn(text).retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(verdictOn(text).reason), QString());
    // Ten seconds for all of the connect; the handshake alone takes eleven.
    const WireRun run(policyWith({u"http.connect_timeout_s=10"_s}), 1, 1,
                      always({begins(Phase::Connect), begins(Phase::Tls, 1.8), sent(false, 11)}));
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(toSeconds(end.at), 10.0);
    QVERIFY2(end.text.startsWith(subject.expected("phase"_L1).toString() + u':'), qPrintable(end.text));
    QVERIFY(end.retryable);
    QVERIFY(subject.expected("bounded"_L1).toBool());
    QCOMPARE(run.wire.begun, 3);
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream})
        QVERIFY(Policy().retryPolicy(layer).maxAttempts.has_value());
}

void hungHandshakeGivesItsSlotBack(ReportedCase &subject)
{
    const double back = subject.input("server_back_s"_L1).toDouble();
    const PolicyPtr policy = policyWith({u"http.pool_size=%1"_s.arg(subject.input("pool_max"_L1).toInt()),
                                         u"http.pool_timeout_s=%1"_s.arg(subject.input("pool_timeout_s"_L1).toInt())});
    const WireRun run(policy, 6, 2, [back](const QUrl &, int, double now) {
        if (now < back)
            return WireScript{begins(Phase::Connect), begins(Phase::Tls)};
        return answeredWith(200, healthyBody);
    });
    double firstSuccess = 1e9;
    for (int i = 0; i < 6; ++i) {
        QVERIFY(run.ending(i));
        if (run.ending(i)->score == Score::Ok)
            firstSuccess = std::min(firstSuccess, toSeconds(run.ending(i)->ended));
    }
    QVERIFY(firstSuccess <= subject.expected("recovers_by_s"_L1).toDouble());
    QVERIFY(firstSuccess >= back);
    QVERIFY(subject.expected("slot_released"_L1).toBool());
    QCOMPARE(run.slotsHeld(), 0);
    QCOMPARE(run.wire.alive, 0);
}

void lookUpFailsOnce(ReportedCase &subject)
{
    const QString text = subject.texts().constFirst();
    QCOMPARE(verdictOn(text).retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(verdictOn(text).reason), QString());
    const WireRun run(policyWith(), 1, 1, [](const QUrl &, int number, double) {
        if (number == 1)
            return WireScript{begins(Phase::Dns), ends(WireEnd::NameNotFound)};
        return answeredWith(200, healthyBody);
    });
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QVERIFY2(end.text.startsWith(subject.expected("phase"_L1).toString() + u':'), qPrintable(end.text));
    QCOMPARE(subject.reasonFault(end.reason), QString());
    QCOMPARE(run.wire.begun, 2);
    QCOMPARE(run.ending(0)->score, Score::Ok);
}

void refusalOfAProxy(ReportedCase &subject)
{
    const int status = subject.input("status"_L1).toInt();
    const QByteArray body = subject.input("body"_L1).toString().toUtf8();
    const WireRun run(policyWith(), 1, 1,
                      always({begins(Phase::Connect), sent(), headers(status, {}, subject.input("elapsed_s"_L1).toDouble()),
                              bytes(body), ends(WireEnd::Complete)}));
    QCOMPARE(run.wire.begun, 1);
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(end.retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(end.reason), QString());
    // A success, a minute's other work, and the refusal.
    const double wait = subject.input("elapsed_s"_L1).toDouble();
    const auto third = [&](double refusedAfter) {
        return WireRun(policyWith(), 3, 1, [=](const QUrl &, int number, double) {
            if (number == 1)
                return answeredWith(200, healthyBody);
            if (number == 2)
                return WireScript{sent(), headers(400, {}, 60), ends(WireEnd::Complete)};
            return WireScript{sent(), headers(status, {}, refusedAfter), bytes(body), ends(WireEnd::Complete)};
        });
    };
    QCOMPARE(subject.expected("hint"_L1).toString(), u"same URL succeeded 60 s ago; constant 20.0 s delay"_s);
    const QString advice = shownOf(third(wait), 2).advice;
    QVERIFY2(advice.contains(u"let the same call to host pass 60 s before, and refused after 20 s"_s), qPrintable(advice));
    QVERIFY(advice.contains(u"try it once more"_s));
    // A wait that is not round says less; without the success nothing is contradicted.
    QVERIFY(!shownOf(third(3.3), 2).advice.contains(u"round"_s));
    QVERIFY(!shownOf(run).advice.contains(u"once more"_s));
}

void errorAnswersLeakNothing(ReportedCase &subject)
{
    const int places = subject.input("pool_max"_L1).toInt();
    const QUrl last(u"http://host/%1"_s.arg(places));
    const WireRun run(policyWith({u"http.pool_size=%1"_s.arg(places)}), places + 1, places + 1,
                      [last](const QUrl &url, int, double) {
                          return url == last ? answeredWith(200, healthyBody)
                                             : answeredWith(429, "{\"message\":\"rate limited\"}", {{"retry-after", "1"}});
                      });
    QCOMPARE(subject.expected("after_20x429"_L1).toString(), u"call 21 gets a connection"_s);
    QCOMPARE(run.ending(places)->score, Score::Ok);
    QCOMPARE(run.ending(0)->score, Score::RateLimit);
    QCOMPARE(run.wire.alive, subject.expected("leaked_connections"_L1).toInt());
    QCOMPARE(run.slotsHeld(), subject.expected("leaked_connections"_L1).toInt());
    QVERIFY(run.wire.mostAlive <= places);
    QCOMPARE(run.wire.begun, 3 * places + 1);
}

void deadKeptConnection(ReportedCase &subject)
{
    const WireRun run(onlyStreamTries(1), 1, 1, [](const QUrl &, int number, double) {
        if (number == 1)
            return WireScript{sent(true), ends(WireEnd::StaleConnection)};
        return answeredWith(200, healthyBody);
    });
    QCOMPARE(subject.expected("retry"_L1).toString(), u"once, immediately, fresh connection"_s);
    const std::vector<SpanBegan> requests = run.spans.of(SpanKind::Request);
    QCOMPARE(requests.size(), size_t{2});
    QCOMPARE(requests[1].role, Role::Reconnect);
    QCOMPARE(requests[1].at, run.spans.endOf(SpanKind::Request).at);
    QVERIFY(run.spans.of(SpanKind::Backoff).empty());
    QVERIFY(!subject.expected("charged_to_budget"_L1).toBool());
    QCOMPARE(requests[1].attempt, requests[0].attempt);
    QCOMPARE(run.ending(0)->score, Score::Ok);
    // Once: a second dead connection is a failure like any other.
    const WireRun twice(onlyStreamTries(1), 1, 1, always({sent(true), ends(WireEnd::StaleConnection)}));
    QCOMPARE(twice.wire.begun, 2);
    QCOMPARE(twice.ending(0)->score, Score::Transport);

    // Kept connections that idled longer and longer, until one was dead.
    TraceStore store;
    TraceWriting trace(store);
    const int limit = subject.input("server_idle_limit_s"_L1).toInt();
    double now = 0;
    quint64 last = 0;
    SpanId task;
    for (const QJsonValue &idle : subject.input("idle_before_request_s"_L1).toArray()) {
        now += idle.toDouble();
        task = trace.begin(now, SpanKind::Task, Layer::Task);
        const SpanId request = trace.begin(now, SpanKind::Request, Layer::Stream, task, {}, u"host"_s);
        const bool dead = idle.toInt() > limit;
        trace.mark(now, request, MarkKind::SendBegan, 100, u"reused connection"_s);
        trace.end(now, request, dead ? Outcome::Error : Outcome::Ok);
        last = request.value;
        if (dead)
            break;
        trace.end(now, task);
    }
    SpanBegan again;
    again.at = at(now);
    again.id = SpanId{1000};
    again.parent = task;
    again.cause = SpanId{last};
    again.kind = SpanKind::Request;
    again.layer = Layer::Stream;
    again.role = Role::Reconnect;
    again.label = u"host"_s;
    store.write(again);
    trace.end(now + 1, again.id);
    trace.end(now + 1, task);
    QCOMPARE(subject.expected("advice"_L1).toString(), u"pool idle limit < %1 s"_s.arg(limit));
    const QString advice = verdictOf(store, task, at(now + 1)).advice;
    QVERIFY2(advice.contains(u"dead after 420 s without use, others were good after 200 s: keep them no longer"_s), qPrintable(advice));
}

void smallestLimitWins(ReportedCase &subject)
{
    const double limit = subject.expected("effective_limit_s"_L1).toDouble();
    const PolicyPtr policy = policyWith({u"http.first_byte_timeout_s=%1"_s.arg(limit), u"stream.max_attempts=1"_s,
                                         u"http.read_timeout_s=%1"_s.arg(subject.input("configured_timeout_s"_L1).toInt())});
    WireScript late = silent;
    late.push_back(headers(200, {}, 400));
    const WireRun run(policy, 1, 1, always(late));
    QCOMPARE(toSeconds(run.spans.endOf(SpanKind::Request).at), limit);
    QCOMPARE(QString(run.spans.fired.front().first.setting), u"http.first_byte_timeout_s"_s);

    // And one that nobody here has set is known by what it does.
    QCOMPARE(subject.expected("detect"_L1).toString(), u"all failures within 1% of 300 s"_s);
    const QJsonArray seen = subject.input("observed_failures_at_s"_L1).toArray();
    const PolicyPtr patient = policyWith({u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=%1"_s.arg(seen.size()),
                                          u"http.read_timeout_s=%1"_s.arg(subject.input("configured_timeout_s"_L1).toInt())});
    const auto failingAfter = [&](double stretch) {
        return shownOf(WireRun(patient, 1, 1, [&seen, stretch](const QUrl &, int n, double) {
            return WireScript{begins(Phase::Connect), sent(), ends(WireEnd::ClosedBeforeStatus, seen[n - 1].toDouble() * (n == 1 ? stretch : 1))};
        })).advice;
    };
    QVERIFY2(failingAfter(1).contains(u"all ended after about %1 s, and none of your limits says so"_s.arg(limit)), qPrintable(failingAfter(1)));
    QVERIFY2(!failingAfter(1.05).contains(u"none of your limits"_s), qPrintable(failingAfter(1.05)));
}

void noLimitAtAll(ReportedCase &subject)
{
    QCOMPARE(subject.expected("effective_timeout"_L1).toString(), u"warn: infinite"_s);
    SimulationSpec spec;
    Scenario scenario;
    scenario.name = u"reset-then-silent"_s;
    FaultScript reset;
    reset.steps = {FaultStep{{}, ResetStep()}};
    FaultScript hang;
    hang.steps = {FaultStep{{}, HangStep()}};
    scenario.requests = {reset, hang};
    spec.scenarios = {scenario};
    SimulatedTask task;
    task.policy = policyWith({u"http.read_timeout_s=off"_s, u"harness.task_timeout_s=off"_s});
    spec.tasks = {task};
    SimulationResult result = runSimulation(spec);
    QCOMPARE(result.counts.requests, 2);
    QCOMPARE(result.tasks.front().finish, Finish::Hangs);
    // Not set is not the same as no limit.
    spec.tasks.front().policy = policyWith({u"harness.task_timeout_s=off"_s});
    result = runSimulation(spec);
    QCOMPARE(result.tasks.front().finish, Finish::Ended);

    const PolicyPtr unlimited = policyWith({u"http.read_timeout_s=off"_s, u"harness.task_timeout_s=off"_s});
    const WireRun run(unlimited, 1, 1, [](const QUrl &, int number, double) { return number == 1 ? resetBeforeHeaders : silent; });
    QVERIFY(!run.ending(0));
    const double opened = toSeconds(run.spans.of(SpanKind::Request).at(1).at);
    const double flaggedAfter = subject.expected("open_attempt_flagged_after_s"_L1).toDouble();
    QVERIFY(!warnedOf(run, opened + flaggedAfter - 1).contains(u"No limit"_s));
    const QString warning = warnedOf(run, opened + flaggedAfter);
    QVERIFY2(warning.contains(u"No limit: this request has been open for 10 min"_s), qPrintable(warning));
    // With a limit it is only slow.
    const WireRun limited(policyWith(), 1, 1, always(silent));
    QVERIFY(!warnedOf(limited, 1000).contains(u"No limit"_s));
}

// Each try dies at the same limit, and throws away what the server has done.
void livelock(ReportedCase &subject)
{
    const int tries = static_cast<int>(subject.input("attempt_durations_s"_L1).toArray().size());
    const double limit = subject.input("stall_timeout_s"_L1).toDouble();
    const PolicyPtr policy = policyWith({u"http.data_stall_timeout_s=%1"_s.arg(limit), u"stream.max_attempts=%1"_s.arg(tries)});
    WireScript prefill = silent;
    prefill.push_back(headers(200, {{"content-type", "text/event-stream"}}));
    const WireRun run(policy, 1, 1, always(prefill));
    QCOMPARE(run.wire.begun, tries);
    QVERIFY(subject.expected("detect"_L1).toString().startsWith(u"livelock"_s));
    QCOMPARE(subject.expected("next"_L1).toString(), u"raise limit or stop, not retry identical"_s);
    const QString advice = shownOf(run).advice;
    QVERIFY2(advice.contains(u"The last %1 tries died at the same limit before any content, http.data_stall_timeout_s (180 s)"_s.arg(tries)),
             qPrintable(advice));
    QVERIFY(advice.contains(u"raise the limit or stop"_s));
    // Two are enough, one is not.
    for (const int most : {1, 2})
        QCOMPARE(shownOf(WireRun(policyWith({u"http.data_stall_timeout_s=180"_s, u"stream.max_attempts=%1"_s.arg(most)}), 1, 1,
                                 always(prefill)))
                     .advice.contains(u"same limit"_s),
                 most == 2);
    // Content shows that the server got that far.
    WireScript talking = prefill;
    talking.push_back(bytes("data: {\"choices\":[{\"delta\":{\"reasoning\":\"x\"}}]}\n\n"));
    const WireRun other(policy, 1, 1, always(talking));
    QVERIFY(!shownOf(other).advice.contains(u"same limit"_s));
}

void burstsAreNoStall(ReportedCase &subject)
{
    QCOMPARE(subject.expected("not"_L1).toString(), u"stall"_s);
    WireScript script{begins(Phase::Connect), sent()};
    double before = 0;
    bool headersSent = false;
    for (const QJsonValue &value : subject.input("chunk_arrivals_s"_L1).toArray()) {
        const double wait = value.toDouble() - before;
        before = value.toDouble();
        if (!std::exchange(headersSent, true)) {
            script.push_back(headers(200, {}, wait));
            script.push_back(bytes("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n"));
        } else {
            script.push_back(bytes("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", wait));
        }
    }
    script.push_back(bytes("data: [DONE]\n\n"));
    // Limits only a little above the gap between two bursts.
    const WireRun run(policyWith({u"http.idle_timeout_s=17"_s, u"http.data_stall_timeout_s=17"_s}), 1, 1, always(script));
    QVERIFY(run.spans.fired.empty());
    QCOMPARE(run.ending(0)->score, Score::Ok);
    QCOMPARE(toSeconds(run.ending(0)->ended), 49.5);
    QCOMPARE(subject.expected("detect"_L1).toString(), u"proxy buffering"_s);
    const QString advice = shownOf(run).advice;
    QVERIFY2(advice.contains(u"Buffered by a proxy: the data comes in bursts every 16.5 s"_s), qPrintable(advice));
    // A model's own rhythm is not, and neither are bursts without one.
    for (const QList<double> &gaps : {QList<double>{2, 2, 2, 2}, QList<double>{0, 0, 2, 0, 0, 9, 0, 0, 30, 0, 0}}) {
        WireScript spoken{begins(Phase::Connect), sent(), headers(200)};
        for (const double gap : gaps)
            spoken.push_back(bytes("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", gap));
        spoken.push_back(bytes("data: [DONE]\n\n"));
        QVERIFY(!shownOf(WireRun(policyWith(), 1, 1, always(spoken))).advice.contains(u"Buffered"_s));
    }
}

int layersThatSlept(const SpanMemory &spans)
{
    QSet<int> layers;
    for (const SpanBegan &pause : spans.of(SpanKind::Backoff))
        layers.insert(static_cast<int>(pause.layer));
    return static_cast<int>(layers.size());
}

void oneLayerOwnsRetries(ReportedCase &subject)
{
    const int outer = subject.input("router_retries"_L1).toInt() + 1;
    const int inner = subject.input("sdk_retries"_L1).toInt() + 1;
    const auto tries = [](int exec, int stream, const QString &honour) {
        return policyWith({u"exec.max_attempts=%1"_s.arg(exec), u"stream.max_attempts=%1"_s.arg(stream),
                           u"session.enabled=false"_s, u"exec.honor_exhausted="_s + honour});
    };
    const ScriptedWire::Choice limited = always(answeredWith(429, "{}"));
    const WireRun one(tries(outer, 1, u"false"_s), 1, 1, limited);
    QCOMPARE(one.wire.begun, subject.expected("server_requests"_L1).toInt());
    QCOMPARE(layersThatSlept(one.spans), subject.expected("owner_layers"_L1).toInt());
    // One above the other they multiply only where the inner one's mark is not honoured.
    QCOMPARE(WireRun(tries(outer, inner, u"false"_s), 1, 1, limited).wire.begun,
             subject.input("requests_seen_by_server"_L1).toInt());
    const WireRun stacked(tries(outer, inner, u"true"_s), 1, 1, limited);
    QCOMPARE(stacked.wire.begun, inner);
    QCOMPARE(layersThatSlept(stacked.spans), subject.expected("owner_layers"_L1).toInt());
}

void stackInHours(ReportedCase &subject)
{
    QVERIFY(subject.expected("worst_case_h_shown"_L1).toBool());
    const int sdk = subject.input("sdk"_L1).toInt();
    const int decorator = subject.input("decorator"_L1).toInt();
    const int wrapper = subject.input("wrapper"_L1).toInt();
    const double limit = subject.input("per_request_timeout_s"_L1).toDouble();
    SimulationSpec spec;
    Scenario scenario;
    scenario.name = u"silent"_s;
    FaultScript hang;
    hang.steps = {FaultStep{{}, HangStep()}};
    scenario.requests = {hang};
    spec.scenarios = {scenario};
    SimulatedTask task;
    task.policy = policyWith({u"stream.max_attempts=%1"_s.arg(sdk), u"session.max_attempts=%1"_s.arg(decorator),
                              u"exec.max_attempts=%1"_s.arg(wrapper), u"http.read_timeout_s=%1"_s.arg(limit),
                              u"stream.backoff_base_s=0"_s, u"session.backoff_base_s=0"_s, u"exec.backoff_base_s=0"_s,
                              u"exec.honor_exhausted=false"_s, u"session.carry_verdict=none"_s,
                              u"harness.task_timeout_s=off"_s});
    spec.tasks = {task};
    const SimulationResult result = runSimulation(spec);
    QCOMPARE(result.counts.requests, qint64{sdk} * decorator * wrapper);
    QCOMPARE(toSeconds(result.ended) / 3600, 60.0);
    QVERIFY(!result.wasCut);

    // A day later its tries have not made it look busy: what counts is the age of the last data of any of them.
    QCOMPARE(subject.expected("watchdog_feeds_on"_L1).toString(), u"last data byte of any call"_s);
    const WireRun run(task.policy, 1, 1, [](const QUrl &, int number, double) {
        WireMoment handedOver = sent();
        handedOver.fact.kind = WireFact::Kind::SendBegan;
        WireScript script{begins(Phase::Connect), handedOver, sent()};
        if (number == 1) {
            script.push_back(headers(200, {}, 100));
            script.push_back(bytes("data: {\"choices\":[{\"delta\":{\"reasoning\":\"x\"}}]}\n\n"));
        }
        return script;
    });
    QVERIFY(!run.ending(0));
    const Verdict later = verdictOf(run.spans.store, run.spans.of(SpanKind::Task).front().id, at(86400));
    QVERIFY(later.sinceLastData.has_value());
    QCOMPARE(toSeconds(*later.sinceLastData), 86400.0 - 100);
    QVERIFY2(later.warning.contains(u"No data has come for 23 h 58 min"_s), qPrintable(later.warning));
    QVERIFY(!warnedOf(run, 500).contains(u"No data"_s));
}

void retriesEnd(ReportedCase &subject)
{
    QVERIFY(subject.expected("max_attempts_finite"_L1).toBool());
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream})
        QVERIFY(Policy().retryPolicy(layer).maxAttempts.has_value());
    QCOMPARE(subject.expected("terminal_event"_L1).toString(), u"emitted exactly once"_s);
    const WireRun run(policyWith(), 1, 1, always(answeredWith(429, "{\"error\":\"overloaded\"}")));
    for (const SpanKind kind : {SpanKind::Exec, SpanKind::Task}) {
        const std::vector<SpanBegan> spans = run.spans.of(kind);
        QCOMPARE(spans.size(), size_t{1});
        QCOMPARE(run.spans.ended.at(spans.front().id.value).size(), size_t{1});
    }
    const Failure &last = run.ending(0)->result.failure();
    QCOMPARE(last.reason, ErrorReason::RateLimit);
    QVERIFY(last.message.contains(u"overloaded"_s));
}

void firstPauseIsTheBase(ReportedCase &subject)
{
    RetryPolicy policy;
    policy.baseS = subject.input("base_ms"_L1).toDouble() / 1000;
    policy.factor = subject.input("factor"_L1).toDouble();
    const RetryPolicy session = Policy().retryPolicy(Layer::Session);
    const qsizetype count = subject.input("attempt_index"_L1).toArray().size();
    for (qsizetype i = 0; i < count; ++i) {
        const double expected = subject.expected("delays_ms_before_jitter"_L1, i).toDouble() / 1000;
        const int failedTry = static_cast<int>(i) + 1;
        QCOMPARE(backoffAfter(policy, failedTry, std::nullopt, 0.5).seconds, expected);
        QCOMPARE(backoffAfter(session, failedTry, std::nullopt, 0.5).seconds, expected);
    }
}

void wireRequestsAreNested(ReportedCase &subject)
{
    const QJsonArray hidden = subject.input("hidden"_L1).toArray();
    const PolicyPtr policy = policyWith({u"http.read_timeout_s=%1"_s.arg(hidden.first().toInt()), u"stream.backoff_base_s=0"_s,
                                         u"stream.max_attempts=%1"_s.arg(hidden.size())});
    const WireRun run(policy, 1, 1, always(silent));
    const std::vector<SpanBegan> requests = run.spans.of(SpanKind::Request);
    QCOMPARE(static_cast<int>(requests.size()), subject.expected("attempts_shown"_L1).toInt());
    QCOMPARE(run.spans.of(SpanKind::ExecAttempt).size(), size_t{1});
    for (const SpanBegan &request : requests)
        QCOMPARE(request.parent, requests.front().parent);
    QCOMPARE(toSeconds(run.ending(0)->ended), 1800.0);
    QCOMPARE(subject.expected("fix"_L1).toString(), u"sdk retries 0, header timeout 120 s, stall 180 s"_s);
    const PolicyPtr fixed = policyWith({u"http.first_byte_timeout_s=120"_s, u"http.data_stall_timeout_s=180"_s,
                                        u"stream.max_attempts=1"_s, u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s});
    const WireRun once(fixed, 1, 1, always(silent));
    QCOMPARE(once.wire.begun, 1);
    QCOMPARE(toSeconds(once.ending(0)->ended), 120.0);
}

void atMostOneRequest(ReportedCase &subject)
{
    const int tries = subject.input("max_retries"_L1).toInt() + 1;
    const WireRun run(onlyStreamTries(tries), 1, 1, always(resetBeforeHeaders));
    QCOMPARE(run.wire.begun, subject.expected("requests"_L1).toInt());
    QCOMPARE(subject.expected("result"_L1).toString(), u"error at once"_s);
    QCOMPARE(run.ending(0)->score, Score::Transport);
    QCOMPARE(toSeconds(run.ending(0)->ended), 0.0);
}

void serverSaysNo(ReportedCase &subject)
{
    const QByteArray body = "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"Internal server error\"}}";
    const int status = subject.input("status"_L1).toInt();
    const QByteArray word = subject.input("x-should-retry"_L1).toString().toLatin1();
    const WireRun run(policyWith(), 1, 1, always(answeredWith(status, body, {{"x-should-retry", word}})));
    QCOMPARE(run.wire.begun, 1);
    QCOMPARE(run.spans.endOf(SpanKind::Request).retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(run.spans.endOf(SpanKind::Request).rule, subject.expected("decided_by"_L1).toString());
    QVERIFY(WireRun(policyWith(), 1, 1, always(answeredWith(status, body))).wire.begun > 1);
    QVERIFY(WireRun(policyWith(), 1, 1, always(answeredWith(400, body, {{"x-should-retry", "true"}}))).wire.begun > 1);
}

const std::map<QString, CaseCheck> checks{
    {u"B01"_s, familiesAreRaced},
    {u"B02"_s, connectLimitIsOwn},
    {u"B03"_s, resetsAreTransport},
    {u"B07"_s, slowHandshake},
    {u"B08"_s, hungHandshakeGivesItsSlotBack},
    {u"B11"_s, lookUpFailsOnce},
    {u"B12"_s, refusalOfAProxy},
    {u"B14"_s, errorAnswersLeakNothing},
    {u"B16"_s, deadKeptConnection},
    {u"B18"_s, smallestLimitWins},
    {u"B19"_s, livelock},
    {u"B20"_s, noLimitAtAll},
    {u"B22"_s, burstsAreNoStall},
    {u"B44"_s, oneLayerOwnsRetries},
    {u"B45"_s, stackInHours},
    {u"B46"_s, retriesEnd},
    {u"B47"_s, firstPauseIsTheBase},
    {u"B48"_s, wireRequestsAreNested},
    {u"B50"_s, atMostOneRequest},
    {u"B51"_s, serverSaysNo},
};

} // namespace

class TestReportedCalls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agrees_data()
    {
        m_cases.addRows({u"connect"_s, u"tls"_s, u"dns"_s, u"pool"_s, u"ttfb"_s, u"retry"_s});
    }
    void agrees()
    {
        QFETCH(QString, id);
        m_cases.run(id);
    }

    // Whoever makes one more case possible raises the numbers; they never fall.
    void counts()
    {
        QVERIFY(m_cases.tally(u"connect"_s) == (CaseTally{3, 0, 0}));
        QVERIFY(m_cases.tally(u"tls"_s) == (CaseTally{2, 0, 0}));
        QVERIFY(m_cases.tally(u"dns"_s) == (CaseTally{2, 0, 0}));
        QVERIFY(m_cases.tally(u"pool"_s) == (CaseTally{2, 0, 0}));
        QVERIFY(m_cases.tally(u"ttfb"_s) == (CaseTally{4, 0, 0}));
        QVERIFY(m_cases.tally(u"retry"_s) == (CaseTally{7, 0, 0}));
    }

private:
    const ReportedCases m_cases{checks};
};

QTEST_GUILESS_MAIN(TestReportedCalls)
#include "tst_reportedcalls.moc"
