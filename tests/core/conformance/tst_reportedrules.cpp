// SPDX-License-Identifier: GPL-3.0-or-later
// Publicly reported faults, layers classify and backoff: what `strict` makes of their texts, answers and headers.
#include "analysis/verdict.h"
#include "engine/http/streamparser.h"
#include "engine/http/wirefailure.h"
#include "policy/profile.h"
#include "rules/resettime.h"
#include "rules/rules.h"
#include "rules/statusintext.h"
#include "sim/simulation.h"
#include "support/reportedcases.h"
#include "support/scriptedwire.h"

#include <cmath>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

constexpr RuleSet strict = RuleSet::Strict;

const QDateTime moment(QDate(2031, 2, 3), QTime(8, 0), Qt::UTC);

Failure failureWith(const QString &text, std::optional<int> status = std::nullopt)
{
    Failure failure;
    failure.text = text;
    failure.httpStatus = status;
    return failure;
}

Classification sessionOn(const QString &text)
{
    SessionMessage message;
    message.stopReason = u"error"_s;
    message.errorMessage = text;
    return sessionVerdict(strict, message, {});
}

// The whole answer as the stream layer gets it.
Failure answered(int status, const QByteArray &body, const HeaderList &headers = {})
{
    return statusFailure(strict, status, headers, body, HintForms(), moment);
}

// A header of the case as one that was sent; numbers are written as texts there.
std::optional<double> hintOf(const QString &name, const QJsonValue &value)
{
    return retryAfter(strict, {{name, value.toString()}}, {}, moment);
}

std::optional<double> hintOf(const QJsonObject &headers, const QDateTime &now = moment)
{
    HeaderList list;
    for (auto it = headers.begin(); it != headers.end(); ++it)
        list.emplace_back(it.key(), it->toString());
    return retryAfter(strict, list, {}, now);
}

const RetryPolicy &defaultRetry(Layer layer)
{
    static const Policy policy;
    return policy.retryPolicy(layer);
}

SimulationResult simulated(std::vector<ReplyStep> replies, Api api = Api::OpenaiChat)
{
    Scenario scenario;
    scenario.name = u"reported"_s;
    for (const ReplyStep &reply : replies) {
        FaultScript script;
        script.steps.push_back(FaultStep{{}, reply});
        scenario.requests.push_back(script);
    }
    SimulationSpec spec;
    spec.scenarios = {scenario};
    spec.api = api;
    SimulatedTask task;
    task.policy = std::make_shared<const Policy>();
    spec.tasks = {task};
    return runSimulation(spec);
}

ReplyStep reply(int status, const QByteArray &body, std::vector<ScriptHeader> headers = {})
{
    ReplyStep step;
    step.head.status = status;
    step.head.headers = std::move(headers);
    step.body = body;
    return step;
}

const QByteArray healthyBody = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\n"
                               "data: [DONE]\n\n";

// What the window advises on a call whose every request ends like this.
QString adviceOn(const WireScript &script, const QString &peer = u"host"_s)
{
    const WireRun run(std::make_shared<const Policy>(), 1, 1, [script](const QUrl &, int, double) { return script; },
                      Api::OpenaiChat, peer);
    return verdictOf(run.spans.store, run.spans.of(SpanKind::Task).front().id, run.ending(0)->ended).advice;
}

QString adviceOn(int status, const QByteArray &body)
{
    return adviceOn({sent(), headers(status), bytes(body), ends(WireEnd::Complete)});
}

// Each text of the case by itself, through both decisions that know nothing but a text.
void textsAreJudged(ReportedCase &subject, bool hasReason)
{
    const QStringList texts = subject.texts();
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const Classification verdict = classify(strict, failureWith(texts.at(i)));
        const bool expected = subject.expected("retryable"_L1, i).toBool();
        QVERIFY2(verdict.retryable == expected, qPrintable(texts.at(i)));
        QVERIFY2(sessionOn(texts.at(i)).retryable == expected, qPrintable(texts.at(i)));
        if (hasReason)
            QCOMPARE(subject.reasonFault(verdict.reason, i), QString());
    }
}

void verdictOnly(ReportedCase &subject)
{
    textsAreJudged(subject, false);
}

void verdictAndReason(ReportedCase &subject)
{
    textsAreJudged(subject, true);
}

// A spent allowance is that with the status it came with, too.
void quotaWithStatus(ReportedCase &subject)
{
    textsAreJudged(subject, true);
    for (const int status : {429, 503}) {
        const Failure failure = answered(status, subject.texts().constFirst().toUtf8());
        QCOMPARE(failure.retryable, std::optional(false));
        QCOMPARE(classify(strict, failure).reason, ErrorReason::Authz);
    }
}

void answerIsJudged(ReportedCase &subject)
{
    const Failure failure = answered(subject.input("status"_L1).toInt(), subject.input("body"_L1).toString().toUtf8());
    QCOMPARE(failure.retryable, std::optional(subject.expected("retryable"_L1).toBool()));
    QCOMPARE(subject.reasonFault(classify(strict, failure).reason), QString());
}

void streamIdIsNoStatus(ReportedCase &subject)
{
    textsAreJudged(subject, true);
    const QStringList texts = subject.texts();
    for (qsizetype i = 0; i < texts.size(); ++i) {
        QVERIFY(subject.expected("status"_L1, i).isNull());
        QVERIFY(!statusInText(texts.at(i)));
    }
}

void gatewayText(ReportedCase &subject)
{
    textsAreJudged(subject, true);
    // With the status it usually has, and a body that is no JSON.
    const Failure failure = answered(503, subject.texts().constFirst().toUtf8());
    QCOMPARE(failure.retryable, std::optional(true));
    QCOMPARE(subject.reasonFault(classify(strict, failure).reason), QString());
}

void overflowInJson(ReportedCase &subject)
{
    textsAreJudged(subject, true);
    // Encoded once more, as one more wrapper does.
    QString inner = subject.texts().constFirst();
    inner.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    const Classification verdict = classify(strict, failureWith(u"{\"error\":{\"message\":\"%1\"}}"_s.arg(inner)));
    QVERIFY(!verdict.retryable);
    QCOMPARE(subject.reasonFault(verdict.reason), QString());
}

void localServer(ReportedCase &subject)
{
    verdictAndReason(subject);
    const QString hint = subject.expected("hint"_L1).toString();
    const WireScript refused{begins(Phase::Connect), ends(WireEnd::Refused)};
    const QString advice = adviceOn(refused, u"127.0.0.1:5000"_s);
    QVERIFY2(advice.contains(u"Is the local server running? Nothing listens at 127.0.0.1:5000"_s), qPrintable(advice));
    QCOMPARE(hint, u"local server not running?"_s);
    QVERIFY(adviceOn(refused, u"[::1]:4000"_s).contains(u"local server"_s));
    QVERIFY(!adviceOn(refused, u"192.0.2.9:5000"_s).contains(u"local server"_s));
}

void resetIsShown(ReportedCase &subject)
{
    answerIsJudged(subject);
    const QString advice = adviceOn(subject.input("status"_L1).toInt(), subject.input("body"_L1).toString().toUtf8());
    const QString in = subject.expected("reset_in"_L1).toString();
    QVERIFY2(advice.contains(u"it comes back %1 after its answer"_s.arg(in)), qPrintable(advice));
}

void tooLargeIsNoOverflow(ReportedCase &subject)
{
    answerIsJudged(subject);
    QCOMPARE(subject.expected("remedy"_L1).toString(), u"shrink body, one retry after shrinking"_s);
    const QByteArray page = subject.input("body"_L1).toString().toUtf8();
    WireMoment handedOver = sent();
    handedOver.fact.kind = WireFact::Kind::SendBegan;
    handedOver.fact.total = subject.input("request_bytes"_L1).toInteger();
    const QString advice = adviceOn({handedOver, headers(413), bytes(page), ends(WireEnd::Complete)});
    QVERIFY2(advice.contains(u"Make the request smaller (it was 32.5 MiB"_s), qPrintable(advice));
    QVERIFY(advice.contains(u"then send it once more"_s));
    QVERIFY(!adviceOn(422, page).contains(u"smaller"_s));
    QVERIFY(classify(strict, answered(413, subject.input("body"_L1).toString().toUtf8())).reason != ErrorReason::Context);
}

void statuses408And409(ReportedCase &subject)
{
    QCOMPARE(subject.expected("408"_L1).toString(), u"retryable"_s);
    QCOMPARE(answered(408, {}).retryable, std::optional(true));
    QVERIFY(subject.expected("409"_L1).toString().startsWith(u"by provider rule"_s));
    const QByteArray conflict = subject.input().toArray().at(1)["body"_L1].toString().toUtf8();
    const std::vector<int> listed{409};
    QCOMPARE(statusFailure(strict, 409, {}, conflict, HintForms(), moment, listed).retryable, std::optional(true));
    QCOMPARE(answered(409, conflict, {{u"x-should-retry"_s, u"true"_s}}).retryable, std::optional(true));
    const QString rule = statusVerdict(strict, 409, QString::fromUtf8(conflict), listed).rule;
    QCOMPARE(rule, u"status in the policy's list"_s);
}

void emptyErrors(ReportedCase &subject)
{
    QVERIFY(subject.expected("retryable"_L1).toString().startsWith(u"once or twice"_s));
    for (const QString &text : subject.texts()) {
        const Classification verdict = classify(strict, failureWith(text));
        QVERIFY2(verdict.retryable, qPrintable(text));
        QCOMPARE(subject.reasonFault(verdict.reason), QString());
        QVERIFY(permanentVerdict(strict, failureWith(text)).retryable);
        QVERIFY(sessionOn(text).retryable);
        QCOMPARE(sessionOn(text).reason, verdict.reason);
        // An explicit verdict is final for the layers outside.
        Failure said = failureWith(text);
        said.retryable = false;
        QVERIFY(!classify(strict, said).retryable);
        QVERIFY(!permanentVerdict(strict, said).retryable);
    }
    // For ever the same: two more tries, all of one layer.
    const SimulationResult result = simulated({reply(200, "data: {\"type\":\"error\"}\n\n")}, Api::AnthropicMessages);
    QCOMPARE(result.counts.requests, 3);
    QCOMPARE(result.counts.execAttempts, 1);
}

void oneDecision(ReportedCase &subject)
{
    const QJsonArray answers = subject.input().toArray();
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const Failure failure = answered(answers.at(i)["status"_L1].toInt(), answers.at(i)["body"_L1].toString().toUtf8());
        QCOMPARE(failure.retryable, std::optional(subject.expected("retryable"_L1, i).toBool()));
    }
    QVERIFY(subject.expected("same_in_all_layers"_L1).toBool());
    for (int status = 400; status <= 599; ++status) {
        const Failure failure = answered(status, {});
        Failure unsaid = failure;
        unsaid.retryable.reset();
        const bool stream = statusVerdict(strict, status, {}).retryable;
        QCOMPARE(failure.retryable, std::optional(stream));
        QCOMPARE(classify(strict, unsaid).retryable, stream);
        QCOMPARE(permanentVerdict(strict, unsaid).retryable, stream);
        QVERIFY2(sessionOn(unsaid.typeAndText()).retryable == stream, qPrintable(unsaid.typeAndText()));
    }
}

void noInventedStatus(ReportedCase &subject)
{
    const Failure failure = streamErrorFailure(strict, u"rate_limit_error"_s, u"rate_limit_exceeded"_s);
    QCOMPARE(subject.reasonFault(classify(strict, failure).reason), QString());
    QVERIFY(subject.expected("original_status_kept"_L1).toBool());
    QVERIFY(!failure.httpStatus);
}

void signInPage(ReportedCase &subject)
{
    const QByteArray page = subject.input("body"_L1).toString().toUtf8();
    ReplyStep step = reply(200, page, {ScriptHeader{"Content-Type", "text/html", std::nullopt}});
    const SimulationResult result = simulated({step});
    const TaskEnding &ending = result.tasks.front();
    QVERIFY(ending.result.isFailure());
    QCOMPARE(result.counts.requests, 1);
    QCOMPARE(ending.result.failure().retryable, std::optional(subject.expected("retryable"_L1).toBool()));
    QCOMPARE(subject.reasonFault(ending.result.failure().reason), QString());
    QVERIFY(ending.result.failure().message.contains(u"a proxy or login page answered"_s));
    QVERIFY(!subject.expected("body_in_error"_L1).toBool());
    QVERIFY(!ending.result.failure().message.contains(u"Sign in"_s));
    QVERIFY(!ending.result.failure().text.contains(u"Sign in"_s));
    const QString advice = adviceOn({sent(), headers(200, {{"content-type", "text/html"}}), bytes(page), ends(WireEnd::Complete)});
    QVERIFY2(advice.startsWith(u"Something on the way to host answered with a page of its own"_s), qPrintable(advice));
}

void resetWithoutZone(ReportedCase &subject)
{
    quotaWithStatus(subject);
    const std::optional<ResetTime> reset = resetTimeIn(subject.texts().constFirst());
    QVERIFY(reset.has_value());
    QCOMPARE(reset->wallClock + u" (provider zone)"_s, subject.expected("reset_at"_L1).toString());
    QVERIFY(!reset->secondsFrom(moment));
    const QString advice = adviceOn(429, subject.texts().constFirst().toUtf8());
    QVERIFY2(advice.contains(u"it comes back at 2031-02-03 09:49:00 of its own time zone"_s), qPrintable(advice));
}

void resetWithOffset(ReportedCase &subject)
{
    quotaWithStatus(subject);
    const std::optional<ResetTime> reset = resetTimeIn(subject.texts().constFirst());
    QVERIFY(reset.has_value());
    const QString expected = subject.expected("reset_utc"_L1).toString();
    QCOMPARE(reset->at, QDateTime::fromString(expected, Qt::ISODate));
    // An hour before it, the server asks for an hour.
    const Failure failure = statusFailure(strict, 429, {}, subject.texts().constFirst().toUtf8(), HintForms(),
                                          reset->at.addSecs(-3600));
    QCOMPARE(failure.retryAfterS, std::optional(3600.0));
    QCOMPARE(failure.retryable, std::optional(false));
}

// --- backoff ---

void delayBesideAQuota(ReportedCase &subject)
{
    const QByteArray delay = subject.input("retryDelay"_L1).toString().toLatin1();
    const QByteArray body = "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"violations\":[{\"quotaId\":\""
        + subject.input("quotaId"_L1).toString().toLatin1() + "\"}]},{\"retryDelay\":\"" + delay + "\"}]}}";
    const Failure first = answered(subject.input("status"_L1).toInt(), body);
    const double least = subject.expected("delay_s_min"_L1).toDouble();
    QCOMPARE(first.retryAfterS, std::optional(least));
    QCOMPARE(first.retryable, std::optional(true));
    const int extra = subject.expected("max_extra_attempts"_L1).toInt();
    QCOMPARE(first.retriesLeft, std::optional(extra));
    QCOMPARE(subject.expected("then"_L1).toString(), u"quota"_s);
    // Whichever layer it is that tries again.
    for (const QString &tries : {u"stream.max_attempts=3"_s, u"stream.max_attempts=1"_s}) {
        Policy policy;
        for (const QString &change : {tries, u"exec.honor_exhausted=false"_s})
            policy = policy.withAssignment(change, u"test"_s).value();
        const WireRun run(std::make_shared<const Policy>(policy), 1, 1, [body](const QUrl &, int, double) {
            return WireScript{sent(), headers(429), bytes(body), ends(WireEnd::Complete)};
        });
        QCOMPARE(run.wire.begun, 1 + extra);
        QVERIFY(toSeconds(run.spans.of(SpanKind::Request).at(1).at) >= least);
        const SpanEnded last = run.spans.endOf(SpanKind::Request, static_cast<size_t>(extra));
        QCOMPARE(last.reason, ErrorReason::Authz);
        QVERIFY(!last.retryable);
        QCOMPARE(run.ending(0)->score, Score::Authz);
    }
    // A policy whose program reads no bodies takes the quota for what it is.
    const HintForms headersOnly{true, true, true, false};
    const Failure unread = statusFailure(strict, 429, {}, body, headersOnly, moment);
    QVERIFY(!unread.retryAfterS && !unread.retriesLeft);
    QCOMPARE(unread.retryable, std::optional(false));
}

void secondsAreSeconds(ReportedCase &subject)
{
    const std::optional<double> hint = hintOf(subject.input().toObject());
    const double least = subject.expected("sleep_s_min"_L1).toDouble();
    QCOMPARE(hint.value_or(0), least);
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream})
        QVERIFY(backoffAfter(defaultRetry(layer), 1, hint, 0).seconds >= least);
}

void jitterOnHintsOnlyLengthens(ReportedCase &subject)
{
    RetryPolicy policy;
    policy.baseS = 0.1;
    policy.jitter = JitterForm::Symmetric;
    policy.jitterShare = policy.hintJitterShare = subject.input("jitter"_L1).toDouble();
    const std::optional<double> hint = hintOf(u"retry-after-ms"_s, subject.input("retry-after-ms"_L1));
    const int trials = subject.input("trials"_L1).toInt();
    for (int i = 0; i < trials; ++i) {
        const double milliseconds = 1000 * backoffAfter(policy, 1, hint, static_cast<double>(i) / trials).seconds;
        QVERIFY(milliseconds >= subject.expected("min_delay_ms"_L1).toDouble());
        QVERIFY(milliseconds <= subject.expected("max_delay_ms"_L1).toDouble());
    }
}

void fractionsAreKept(ReportedCase &subject)
{
    QStringList names;
    QJsonArray values = subject.input("retry-after-ms"_L1).toArray();
    names.fill(u"retry-after-ms"_s, values.size());
    for (const QJsonValue &seconds : subject.input("retry-after"_L1).toArray()) {
        values.append(seconds);
        names << u"retry-after"_s;
    }
    QCOMPARE(subject.expected("round"_L1).toString(), u"up"_s);
    RetryPolicy policy;
    for (qsizetype i = 0; i < values.size(); ++i) {
        const std::optional<double> hint = hintOf(names.at(i), values.at(i));
        QVERIFY(hint.has_value());
        const double slept = 1000 * toSeconds(fromSeconds(backoffAfter(policy, 1, hint, 0).seconds));
        const double written = values.at(i).toString().toDouble() * (names.at(i).endsWith("-ms"_L1) ? 1 : 1000);
        QVERIFY(slept >= written);
        QCOMPARE(std::ceil(slept), subject.expected("delay_ms"_L1, i).toDouble());
    }
}

void negativeAndPastHints(ReportedCase &subject)
{
    QVERIFY(subject.expected("delay"_L1).toString().startsWith(u"own backoff"_s));
    const QJsonObject headers = subject.input().toObject();
    for (auto it = headers.begin(); it != headers.end(); ++it) {
        for (const QJsonValue &value : it->toArray()) {
            QVERIFY(!hintOf(it.key(), value));
            const QByteArray name = it.key().toLatin1();
            const SimulationResult result =
                simulated({reply(503, {}, {ScriptHeader{name, value.toString().toLatin1(), std::nullopt}}),
                           reply(200, healthyBody)});
            QCOMPARE(result.counts.requests, 2);
            QCOMPARE(result.tasks.front().score, Score::Ok);
            QCOMPARE(toSeconds(result.ended), defaultRetry(Layer::Stream).baseS);
        }
    }
}

void unreadableHints(ReportedCase &subject)
{
    const QJsonObject valid = subject.expected("valid"_L1).toObject();
    QVERIFY(subject.expected("everything_else"_L1).toString().startsWith(u"ignored"_s));
    QCOMPARE(subject.expected("never"_L1).toString(), u"0, NaN, infinite"_s);
    for (const QJsonValue &value : subject.input("retry-after"_L1).toArray()) {
        const std::optional<double> hint = hintOf(u"retry-after"_s, value);
        QVERIFY2(hint.has_value() == valid.contains(value.toString()), qPrintable(value.toString()));
        if (hint)
            QCOMPARE(*hint, valid[value.toString()].toDouble());
        const WireRun run(std::make_shared<const Policy>(), 1, 1, [value](const QUrl &, int number, double) {
            if (number > 1)
                return WireScript{sent(), headers(200), bytes(healthyBody), ends(WireEnd::Complete)};
            return WireScript{sent(), headers(429, {{"Retry-After", value.toString().toUtf8()}}), ends(WireEnd::Complete)};
        });
        const Marked *note = run.spans.mark(MarkKind::Note);
        QCOMPARE(note != nullptr, !hint.has_value());
        if (note)
            QVERIFY2(note->text.startsWith(u"retry-after"_s) && note->text.contains(u"passed over"_s), qPrintable(note->text));
        for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream}) {
            const double seconds = backoffAfter(defaultRetry(layer), 1, hint, 0).seconds;
            QVERIFY(seconds > 0 && std::isfinite(seconds));
        }
    }
}

void zeroMillisecondsDecide(ReportedCase &subject)
{
    QCOMPARE(subject.expected("hint_used"_L1).toString(), u"retry-after-ms"_s);
    const std::optional<double> hint = hintOf(subject.input().toObject());
    QCOMPARE(hint.value_or(0), subject.expected("hint_s"_L1).toDouble());
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream})
        QVERIFY(backoffAfter(defaultRetry(layer), 1, hint, 0.5).seconds < 3);
}

void capForPeople(ReportedCase &subject)
{
    RetryPolicy policy;
    policy.baseS = subject.input("base_s"_L1).toDouble();
    policy.factor = subject.input("factor"_L1).toDouble();
    policy.capS = subject.input("cap_s"_L1).toDouble();
    const int attempt = subject.input("attempt"_L1).toInt();
    QCOMPARE(backoffAfter(policy, attempt, std::nullopt, 0).seconds, subject.expected("uncapped_delay_s"_L1).toDouble());
    const double cap = subject.expected("default_cap_s"_L1).toDouble();
    QCOMPARE(defaultRetry(Layer::Stream).capS, std::optional(cap));
    // The outer layers need no cap: their tries end before their pauses come to that.
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream}) {
        const int most = defaultRetry(layer).maxAttempts.value_or(1'000'000);
        QVERIFY(backoffAfter(defaultRetry(layer), most - 1, std::nullopt, 0.5).seconds <= cap);
    }
}

void hintTooLong(ReportedCase &subject)
{
    QCOMPARE(subject.expected("action"_L1).toString(), u"stop and show"_s);
    QCOMPARE(subject.expected("never"_L1).toString(), u"silent sleep"_s);
    const std::optional<double> hint = hintOf(subject.input().toObject());
    for (const Layer layer : {Layer::Exec, Layer::Session, Layer::Stream})
        QVERIFY(backoffAfter(defaultRetry(layer), 1, hint, 0.5).stop);
    const QByteArray value = subject.input("retry-after"_L1).toString().toLatin1();
    const SimulationResult result = simulated({reply(429, {}, {ScriptHeader{"Retry-After", value, std::nullopt}})});
    QCOMPARE(toSeconds(result.ended), 0.0);
    QCOMPARE(result.counts.requests, 1);
    QCOMPARE(result.tasks.front().score, Score::RateLimit);
    QCOMPARE(result.tasks.front().result.failure().retryAfterS, std::optional(value.toDouble()));
    QCOMPARE(result.tasks.front().result.failure().retryable, std::optional(true));
}

void serversOwnClock(ReportedCase &subject)
{
    QJsonObject headers = subject.input().toObject();
    const QDateTime local = QDateTime::fromString(headers.take("local_clock"_L1).toString(), Qt::ISODate);
    QVERIFY(local.isValid());
    QCOMPARE(hintOf(headers, local).value_or(0), subject.expected("delay_s"_L1).toDouble());
    HeaderList list;
    for (auto it = headers.begin(); it != headers.end(); ++it)
        list.emplace_back(it.key(), it->toString());
    const HintReading reading = readHint(strict, list, {}, local);
    const double skew = subject.expected("skew_s"_L1).toDouble();
    QCOMPARE(reading.skewS, std::optional(skew));
    QCOMPARE(reading.note, u"the server's clock is %1 s ahead of this machine's"_s.arg(skew));
    // Clocks that agree are not worth a line.
    QVERIFY(readHint(strict, list, {}, local.addSecs(static_cast<qint64>(skew) - 2)).note.isEmpty());
}

void cappedHint(ReportedCase &subject)
{
    RetryPolicy policy;
    policy.baseS = 2;
    policy.hintJitterShare = 0.25;
    policy.hintMaxS = subject.input("cap_s"_L1).toDouble();
    policy.hintAbove = HintAbove::Stop;
    constexpr double asked = 1200;
    QCOMPARE(subject.expected("note"_L1).toString(), u"a cap below the hint is an early retry"_s);
    QVERIFY(backoffAfter(policy, 1, asked, 0.5).stop);
    policy.hintMaxS = asked;
    QCOMPARE(subject.expected("jitter"_L1).toString(), u"positive only, bounded"_s);
    QVERIFY(!subject.expected("undercut"_L1).toBool());
    QSet<double> waits;
    const qsizetype workers = subject.input("waits_s"_L1).toArray().size();
    for (qsizetype i = 0; i < workers; ++i) {
        const double seconds = backoffAfter(policy, 1, asked, static_cast<double>(i) / static_cast<double>(workers)).seconds;
        QVERIFY(seconds >= asked && seconds <= asked * 1.25);
        waits.insert(seconds);
    }
    QCOMPARE(waits.size(), workers);
}

const std::map<QString, CaseCheck> checks{
    {u"B55"_s, secondsAreSeconds},
    {u"B56"_s, jitterOnHintsOnlyLengthens},
    {u"B57"_s, fractionsAreKept},
    {u"B58"_s, negativeAndPastHints},
    {u"B59"_s, unreadableHints},
    {u"B61"_s, zeroMillisecondsDecide},
    {u"B64"_s, capForPeople},
    {u"B65"_s, hintTooLong},
    {u"B67"_s, serversOwnClock},
    {u"B69"_s, cappedHint},
    {u"B70"_s, delayBesideAQuota},
    {u"B71"_s, verdictOnly},
    {u"B72"_s, verdictOnly},
    {u"B74"_s, localServer},
    {u"B75"_s, streamIdIsNoStatus},
    {u"B76"_s, verdictAndReason},
    {u"B78"_s, gatewayText},
    {u"B80"_s, overflowInJson},
    {u"B82"_s, tooLargeIsNoOverflow},
    {u"B85"_s, statuses408And409},
    {u"B87"_s, resetWithoutZone},
    {u"B88"_s, verdictAndReason},
    {u"B90"_s, resetWithOffset},
    {u"B92"_s, resetIsShown},
    {u"B94"_s, emptyErrors},
    {u"B95"_s, oneDecision},
    {u"B96"_s, noInventedStatus},
    {u"B98"_s, signInPage},
};

} // namespace

class TestReportedRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agrees_data() { m_cases.addRows({u"classify"_s, u"backoff"_s}); }
    void agrees()
    {
        QFETCH(QString, id);
        m_cases.run(id);
    }

    // Whoever makes one more case possible raises the numbers; they never fall.
    void counts()
    {
        QCOMPARE(m_cases.reading().faults(), QStringList());
        QVERIFY(m_cases.tally(u"classify"_s) == (CaseTally{17, 0, 0}));
        QVERIFY(m_cases.tally(u"backoff"_s) == (CaseTally{11, 0, 0}));
    }

private:
    const ReportedCases m_cases{checks};
};

QTEST_GUILESS_MAIN(TestReportedRules)
#include "tst_reportedrules.moc"
