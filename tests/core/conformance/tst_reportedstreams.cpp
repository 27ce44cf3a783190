// SPDX-License-Identifier: GPL-3.0-or-later
// Publicly reported faults, layers stream and parser: their bytes through the parser, and as whole calls in virtual time.
#include "analysis/verdict.h"
#include "conformance/tracebench.h"
#include "engine/http/sendattempt.h"
#include "engine/http/streamparser.h"
#include "engine/http/wirefailure.h"
#include "support/reportedcases.h"
#include "support/scriptedwire.h"
#include "support/tracewriting.h"

#include <QElapsedTimer>

using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

using Kind = StreamItem::Kind;

PolicyPtr policyWith(const QStringList &changes = {})
{
    Policy policy;
    for (const QString &change : changes)
        policy = policy.withAssignment(change, u"test"_s).value();
    return std::make_shared<const Policy>(policy);
}

const QStringList oneTry{u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=1"_s};

// The answer's head at once; what follows is added.
WireScript streaming(WireScript rest, double headersAfter = 0)
{
    WireScript script{begins(Phase::Connect), sent(), headers(200, {{"content-type", "text/event-stream"}}, headersAfter)};
    std::ranges::move(rest, std::back_inserter(script));
    return script;
}

WireRun runOf(const WireScript &script, Api api = Api::OpenaiChat, const QStringList &changes = {})
{
    return WireRun(policyWith(changes), 1, 1, [script](const QUrl &, int, double) { return script; }, api);
}

QByteArray chatText(const QByteArray &text)
{
    return "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}

// A failure that says what is missing, or a reply that says it is a part: never a success.
void endsIncomplete(ReportedCase &subject, const WireRun &run)
{
    QCOMPARE(subject.expected("result"_L1).toString(), u"incomplete"_s);
    const TaskEnding &ending = *run.ending(0);
    QVERIFY(ending.score != Score::Ok);
    const bool saysSo = ending.result.isReply() ? ending.result.reply().partial : ending.result.failure().truncated;
    QVERIFY(saysSo);
    QCOMPARE(run.spans.endOf(SpanKind::Request).outcome, Outcome::Truncated);
}

std::vector<StreamItem> parsed(StreamParser &parser, const QByteArrayList &chunks)
{
    std::vector<StreamItem> items;
    for (const QByteArray &chunk : chunks)
        parser.feed(chunk, items);
    return items;
}

// The data of each event, ends included, as plain SSE shows it.
QJsonArray eventTexts(const std::vector<StreamItem> &items)
{
    QJsonArray texts;
    for (const StreamItem &item : items) {
        if (item.kind == Kind::Data)
            texts.append(item.text);
        else if (item.kind == Kind::End)
            texts.append(u"[DONE]"_s);
    }
    return texts;
}

QByteArrayList chunksOf(const ReportedCase &subject)
{
    QByteArrayList chunks;
    for (const QString &hex : subject.texts())
        chunks << QByteArray::fromHex(hex.toLatin1());
    return chunks;
}

void failureEventEnds(ReportedCase &subject)
{
    const QByteArray event = subject.input().toString().toUtf8();
    const WireRun run = runOf(streaming({bytes(event, 1)}), Api::OpenaiResponses, oneTry);
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(toSeconds(end.at), subject.expected("ends_at_s"_L1).toDouble());
    QVERIFY(end.text.endsWith(subject.expected("error_text"_L1).toString()));
    QCOMPARE(subject.reasonFault(end.reason), QString());
    QCOMPARE(end.retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(run.wire.alive, 0);
}

void cutInToolCall(ReportedCase &subject)
{
    const QByteArray event = subject.input().toString().toUtf8();
    const WireRun run = runOf(streaming({bytes(event), ends(WireEnd::Complete, 57.2)}, 1.7));
    endsIncomplete(subject, run);
    QCOMPARE(subject.reasonFault(run.spans.endOf(SpanKind::Request).reason), QString());
    QVERIFY(!subject.expected("execute_tool"_L1).toBool());
    QCOMPARE(run.wire.begun, 1);
}

void missingDone(ReportedCase &subject)
{
    const QByteArray event = subject.input().toString().toUtf8();
    endsIncomplete(subject, runOf(streaming({bytes(event), ends(WireEnd::Complete, 5.8)}, 0.2)));
    QCOMPARE(subject.expected("not"_L1).toString(), u"success"_s);
    // With partial recovery off it is an error.
    const WireRun run = runOf(streaming({bytes(event), ends(WireEnd::Complete)}), Api::OpenaiChat,
                              {u"stream.partial_recovery=false"_s});
    QCOMPARE(run.ending(0)->score, Score::Transport);
}

void doneWithoutReason(ReportedCase &subject)
{
    const WireRun run = runOf(streaming({bytes(subject.input().toString().toUtf8()), ends(WireEnd::Complete)}));
    QCOMPARE(subject.expected("result"_L1).toString(), u"success"_s);
    QCOMPARE(run.ending(0)->score, Score::Ok);
    QCOMPARE(subject.expected("finish"_L1).toString(), u"unspecified"_s);
    QCOMPARE(run.ending(0)->result.reply().finishReason, QString());
    QCOMPARE(run.ending(0)->result.reply().text, u"Hello"_s);
    const QString warning = subject.expected("warn"_L1).toString();
    QVERIFY(run.spans.mark(MarkKind::Note));
    QVERIFY(run.spans.mark(MarkKind::Note)->text.startsWith(warning));
    const WireRun tidy = runOf(streaming({bytes("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"
                                                "data: [DONE]\n\n")}));
    QVERIFY(!tidy.spans.mark(MarkKind::Note));
}

void overloadInStream(ReportedCase &subject)
{
    const QByteArray event = subject.input().toString().toUtf8();
    const WireRun run = runOf(streaming({bytes(event), ends(WireEnd::Complete)}), Api::AnthropicMessages);
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QVERIFY(run.spans.mark(MarkKind::Headers));
    QCOMPARE(run.spans.mark(MarkKind::Headers)->value, subject.expected("http_status_shown"_L1).toInt());
    QVERIFY(run.spans.mark(MarkKind::StreamError));
    QCOMPARE(end.status, 0);
    QCOMPARE(subject.expected("effective"_L1).toString(), u"529-like"_s);
    const Classification as529 = statusVerdict(RuleSet::Strict, 529, {});
    QCOMPARE(end.reason, as529.reason);
    QCOMPARE(end.retryable, as529.retryable);
    QCOMPARE(subject.reasonFault(end.reason), QString());
    QCOMPARE(end.retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(run.wire.begun, 3);
}

void http2Reset(ReportedCase &subject)
{
    Failure failure;
    failure.text = subject.texts().constFirst();
    const Classification verdict = classify(RuleSet::Strict, failure);
    QCOMPARE(verdict.retryable, subject.expected("retryable"_L1).toBool());
    QCOMPARE(subject.reasonFault(verdict.reason), QString());
    const WireRun run = runOf(streaming({ends(WireEnd::ResetInBody, 1.7)}, 0.3));
    const SpanEnded end = run.spans.endOf(SpanKind::Request);
    QCOMPARE(subject.expected("phase"_L1).toString(), u"stream"_s);
    QVERIFY2(end.text.startsWith(u"receive:"_s), qPrintable(end.text));
    QCOMPARE(end.retryable, verdict.retryable);
    QCOMPARE(end.reason, verdict.reason);
}

void noSecondTextBehindTheFirst(ReportedCase &subject)
{
    const QByteArray first = subject.input("attempt1_text"_L1).toString().toUtf8();
    const QByteArray second = subject.input("attempt2_text"_L1).toString().toUtf8();
    const WireRun run(policyWith(), 1, 1, [first, second](const QUrl &, int number, double) {
        return number == 1 ? streaming({bytes(chatText(first)), ends(WireEnd::ResetInBody, 9)})
                           : streaming({bytes(chatText(second) + "data: [DONE]\n\n")});
    });
    QCOMPARE(run.wire.begun, 1);
    QCOMPARE(run.ending(0)->score, Score::Partial);
    QCOMPARE(subject.expected("attempt1"_L1).toString(), u"superseded, greyed out"_s);
    QCOMPARE(run.spans.endOf(SpanKind::Request).outcome, Outcome::Truncated);
    QVERIFY(run.ending(0)->result.reply().partial);
    const QString text = run.ending(0)->result.reply().text;
    QVERIFY(text != subject.input("wrong_result"_L1).toString());
    // Without content the second try is a new answer, and its text the whole one.
    const WireRun again(policyWith(), 1, 1, [second](const QUrl &, int number, double) {
        return number == 1 ? streaming({ends(WireEnd::ResetInBody, 9)})
                           : streaming({bytes(chatText(second) + "data: [DONE]\n\n")});
    });
    QCOMPARE(again.ending(0)->result.reply().text, subject.expected("final_text"_L1).toString());
}

void interruptedArguments(ReportedCase &subject)
{
    const QByteArray event = subject.input().toString().toUtf8();
    const QByteArray whole = "data: {\"type\":\"response.function_call_arguments.delta\",\"delta\":\"{\"}\n\n";
    // The line itself is cut, and comes behind a whole one.
    endsIncomplete(subject, runOf(streaming({bytes(whole + event), ends(WireEnd::ResetInBody, 4)}), Api::OpenaiResponses));
    QVERIFY(!subject.expected("execute_tool"_L1).toBool());
    QCOMPARE(subject.expected("args_state"_L1).toString(), u"incomplete"_s);
    const auto argumentsNote = [](const QByteArray &body, Api api) {
        const WireRun run = runOf(streaming({bytes(body), ends(WireEnd::ResetInBody, 4)}), api);
        const Marked *note = run.spans.mark(MarkKind::Note);
        return note && note->text.startsWith(u"the arguments of a tool call are incomplete"_s);
    };
    QVERIFY(argumentsNote(whole + event, Api::OpenaiResponses));
    // Whole arguments in a stream that breaks later are not.
    QVERIFY(!argumentsNote(whole + "data: {\"type\":\"response.function_call_arguments.done\",\"arguments\":\"{}\"}\n\n",
                           Api::OpenaiResponses));
    const QByteArray block = "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\"}}\n\n";
    QVERIFY(argumentsNote(block, Api::AnthropicMessages));
    QVERIFY(!argumentsNote(block + "data: {\"type\":\"content_block_stop\"}\n\n", Api::AnthropicMessages));
    const QByteArray call = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"{\"}}]}}]}\n\n";
    QVERIFY(argumentsNote(call, Api::OpenaiChat));
    QVERIFY(!argumentsNote(call + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n", Api::OpenaiChat));
    // Alone it is not even content: nothing was given to anybody, and the call may be tried again.
    const WireRun alone = runOf(streaming({bytes(event), ends(WireEnd::ResetInBody, 4)}), Api::OpenaiResponses);
    QVERIFY(alone.ending(0)->score != Score::Ok);
}

void totalLimitCutsAHealthyStream(ReportedCase &subject)
{
    WireScript flowing;
    for (int second = 1; second <= 120; ++second)
        flowing.push_back(bytes(chatText("x"), 1));
    const double limit = subject.input("total_timeout_s"_L1).toDouble();
    const WireRun run = runOf(streaming(flowing), Api::OpenaiChat, {u"http.total_timeout_s=%1"_s.arg(limit)});
    QCOMPARE(run.spans.fired.size(), size_t{1});
    const auto &[armed, fired] = run.spans.fired.front();
    QCOMPARE(armed.kind, TimerKind::Total);
    QCOMPARE(toSeconds(fired.at), subject.input("cuts_at_s"_L1).toArray().first().toDouble());
    // The facts that a label would be made of.
    QVERIFY(fired.sinceLastData && *fired.sinceLastData <= std::chrono::seconds(2));
    const auto adviceOf = [](const WireRun &ended) {
        return verdictOf(ended.spans.store, ended.spans.of(SpanKind::Task).front().id, ended.ending(0)->ended).advice;
    };
    QCOMPARE(subject.expected("detect"_L1).toString(), u"client-side cut: data was flowing"_s);
    QCOMPARE(subject.expected("advice"_L1).toString(), u"total is a backstop, raise it"_s);
    const QString advice = adviceOf(run);
    QVERIFY2(advice.contains(u"Cut by this side's own total limit while data was flowing"_s), qPrintable(advice));
    QVERIFY(advice.contains(u"a total limit is a backstop, so raise http.total_timeout_s (30 s)"_s));
    // A stream that had fallen silent before is not told so.
    const WireRun quiet = runOf(streaming({bytes(chatText("x"), 1)}), Api::OpenaiChat, {u"http.total_timeout_s=30"_s});
    QVERIFY(!adviceOf(quiet).contains(u"flowing"_s));
    // By default it is a backstop of hours.
    QVERIFY(Policy().seconds(Setting::HttpTotalTimeout).value_or(0) >= 3600);
}

void asleepMeanwhile(ReportedCase &subject)
{
    QCOMPARE(subject.expected("label"_L1).toString(), u"interrupted by system sleep"_s);
    QCOMPARE(subject.expected("on_resume"_L1).toString(), u"abort in-flight sockets within 5 s"_s); // tst_livefaults, sleepEndsWhatItHasKilled
    const double asleepAt = subject.input("suspend_at_s"_L1).toDouble();
    const double asleep = subject.input("suspend_s"_L1).toDouble();
    const double idle = subject.input("idle_timeout_s"_L1).toDouble();
    const auto shown = [&](double jumpAt, double now) {
        TraceStore store;
        TraceWriting trace(store);
        const SpanId task = trace.begin(5, SpanKind::Task, Layer::Task);
        const SpanId request = trace.begin(5, SpanKind::Request, Layer::Stream, task);
        store.write(ClockJumped{at(jumpAt), fromSeconds(asleep)});
        if (now > idle) {
            trace.end(idle, request, Outcome::Error);
            trace.end(idle, task, Outcome::Error);
        }
        const Verdict verdict = verdictOf(store, task, at(now));
        return verdict.warning + verdict.advice;
    };
    const QString label = u"Interrupted by system sleep: the machine was away for 30 min"_s;
    QVERIFY2(shown(asleepAt, asleepAt).contains(label), qPrintable(shown(asleepAt, asleepAt)));
    QVERIFY(shown(asleepAt, idle + 1).contains(label));
    // Before the request began it did no harm.
    QVERIFY(!shown(4, asleepAt).contains(u"sleep"_s));
}

void pollingLosesNothing(ReportedCase &subject)
{
    const QByteArray late = chatText("late");
    const WireScript script = streaming({bytes(late, subject.input("first_event_s"_L1).toDouble()), bytes("data: [DONE]\n\n")});
    const WireRun run = runOf(script);
    QCOMPARE(subject.expected("result"_L1).toString(), u"success"_s);
    QCOMPARE(run.ending(0)->score, Score::Ok);
    QCOMPARE(run.ending(0)->result.reply().text, subject.expected("final_text"_L1).toString());
    for (const bool oneShot : {false, true}) {
        TraceBench bench(referencePolicy(), 0.5);
        ScriptedWire wire(bench.clock(), [&script](const QUrl &, int, double) { return script; });
        HttpPorts ports(wire, [] { return simulationEpoch(); });
        HttpCall call;
        call.api = Api::OpenaiChat;
        call.keepContent = true;
        call.callerSignal.emplace();
        call.callerSignal->oneShotSource = oneShot;
        auto attempt = sendAttempt(bench.context(), ports, call, 1, 1, SpanId{});
        attempt.start();
        bench.clock().run();
        const CallResult result = attempt.take();
        // What the report saw comes of a source that one cancelled read kills, and is told from an end.
        QCOMPARE(result.reply().truncated, oneShot);
        QCOMPARE(bench.now(), oneShot ? subject.input("poll_s"_L1).toDouble() : subject.input("first_event_s"_L1).toDouble());
        if (!oneShot)
            QCOMPARE(result.reply().text, subject.expected("final_text"_L1).toString());
    }
}

// --- parser ---

void bareCarriageReturns(ReportedCase &subject)
{
    StreamParser parser(Api::Sse, RuleSet::Strict, StreamParser::Keep::Content);
    QVERIFY(subject.expected("emitted_without_more_bytes"_L1).toBool());
    QCOMPARE(eventTexts(parsed(parser, chunksOf(subject))), subject.expected("events"_L1).toArray());
}

void byteOrderMark(ReportedCase &subject)
{
    StreamParser parser(Api::Sse, RuleSet::Strict, StreamParser::Keep::Content);
    QCOMPARE(eventTexts(parsed(parser, chunksOf(subject))), subject.expected("events"_L1).toArray());
    QCOMPARE(subject.expected("second_bom"_L1).toString(), u"kept as data"_s);
    // Later in the stream it is data like any other, and at its very start only one is dropped: the second one makes the
    // line's field an unknown one.
    QCOMPARE(parsed(parser, {"data: \xEF\xBB\xBFx\n\n"}).back().dataBytes, 4);
    StreamParser two(Api::Sse, RuleSet::Strict, StreamParser::Keep::Content);
    QCOMPARE(eventTexts(parsed(two, {"\xEF\xBB\xBF\xEF\xBB\xBF" "data: a\n\ndata: b\n\n"})), QJsonArray{u"b"_s});
}

void oneLongLine(ReportedCase &subject)
{
    const QByteArray prefix = subject.input("prefix"_L1).toString().toUtf8();
    const QByteArray middle(subject.input("count"_L1).toInt(), subject.input("char"_L1).toString().front().toLatin1());
    const QByteArray all = prefix + middle + subject.input("suffix"_L1).toString().toUtf8();
    const qsizetype piece = subject.input("chunk_bytes"_L1).toInt();
    QByteArrayList chunks;
    for (qsizetype at = 0; at < all.size(); at += piece)
        chunks << all.mid(at, piece);
    StreamParser parser(Api::OpenaiChat, RuleSet::Strict, StreamParser::Keep::Content);
    QElapsedTimer clock;
    clock.start();
    const std::vector<StreamItem> items = parsed(parser, chunks);
    QVERIFY(clock.elapsed() <= subject.expected("time_ms_max"_L1).toInt());
    std::vector<StreamItem> events;
    std::ranges::copy_if(items, std::back_inserter(events), [](const StreamItem &item) { return item.kind != Kind::Line; });
    QCOMPARE(static_cast<int>(events.size()), subject.expected("events"_L1).toInt());
    QCOMPARE(events[0].kind, Kind::Data);
    QCOMPARE(events[1].kind, Kind::End);
    constexpr qint64 fieldName = 6;
    QVERIFY(items.front().cut);
    QCOMPARE(items.front().bytes - fieldName, subject.expected("first_len"_L1).toInteger());
}

void untidyStream(ReportedCase &subject)
{
    const QByteArray stream = subject.input().toString().toUtf8();
    StreamParser plain(Api::Sse, RuleSet::Strict, StreamParser::Keep::Content);
    std::vector<StreamItem> items = parsed(plain, {stream});
    QCOMPARE(eventTexts(items), subject.expected("events"_L1).toArray());
    const size_t before = items.size();
    plain.finish(items);
    QVERIFY(stream.endsWith(subject.expected("discarded_tail"_L1).toString().toUtf8()));
    for (size_t i = before; i < items.size(); ++i)
        QCOMPARE(items[i].kind, Kind::Line);
    QVERIFY(!plain.sawEndMarker());
    QCOMPARE(subject.expected("bad_json_is"_L1).toString(), u"warning, counts as bytes not as data"_s);
    const WireRun warned = runOf(streaming({bytes(stream), ends(WireEnd::Complete)}));
    QVERIFY(warned.spans.mark(MarkKind::Note));
    QCOMPARE(warned.spans.mark(MarkKind::Note)->text, u"an event that is no JSON: counted as bytes, not as data"_s);
    QCOMPARE(warned.spans.mark(MarkKind::Note)->value, 8);
    StreamParser chat(Api::OpenaiChat, RuleSet::Strict);
    items = parsed(chat, {stream});
    QCOMPARE(std::ranges::count(items, Kind::Data, &StreamItem::kind), 1);
    const auto bad = std::ranges::find(items, qint64{8}, &StreamItem::dataBytes);
    QVERIFY(bad != items.end());
    QCOMPARE(bad->kind, Kind::Line);
    // What the stream calls "retry" is no retry policy of a call.
    const WireRun run = runOf(streaming({bytes("retry: 3000\n\n"), ends(WireEnd::ResetInBody)}));
    QCOMPARE(toSeconds(run.spans.of(SpanKind::Request).at(1).at), Policy().retryPolicy(Layer::Stream).baseS);
}

void errorOnly(ReportedCase &subject)
{
    StreamParser parser(Api::OpenaiChat, RuleSet::Strict);
    std::vector<StreamItem> items = parsed(parser, {subject.input().toString().toUtf8()});
    const auto error = std::ranges::find(items, Kind::Error, &StreamItem::kind);
    QVERIFY(error != items.end());
    QCOMPARE(error->errorText, subject.expected("message"_L1).toString());
    const Failure failure = streamErrorFailure(RuleSet::Strict, error->errorType, error->errorText);
    QCOMPARE(failure.retryable, std::optional(subject.expected("retryable"_L1).toBool()));
    QCOMPARE(subject.reasonFault(classify(RuleSet::Strict, failure).reason), QString());
    const WireRun run =
        runOf(streaming({bytes(subject.input().toString().toUtf8()), ends(WireEnd::Complete)}));
    QCOMPARE(run.wire.begun, 1);
    QCOMPARE(run.ending(0)->score, Score::Invalid);
}

void openBehindDone(ReportedCase &subject)
{
    const WireRun run = runOf(streaming({bytes(subject.input().toString().toUtf8())}));
    QCOMPARE(subject.expected("result"_L1).toString(), u"success"_s);
    QCOMPARE(run.ending(0)->score, Score::Ok);
    QVERIFY(1000 * toSeconds(run.ending(0)->ended) <= subject.expected("ends_at_ms_after_done_max"_L1).toDouble());
    QCOMPARE(subject.expected("connection"_L1).toString(), u"closed or drained by us"_s);
    QCOMPARE(run.wire.alive, 0);
    QCOMPARE(run.slotsHeld(), 0);
}

const std::map<QString, CaseCheck> checks{
    {u"B27"_s, failureEventEnds},
    {u"B28"_s, cutInToolCall},
    {u"B29"_s, missingDone},
    {u"B30"_s, doneWithoutReason},
    {u"B31"_s, overloadInStream},
    {u"B33"_s, http2Reset},
    {u"B34"_s, noSecondTextBehindTheFirst},
    {u"B35"_s, interruptedArguments},
    {u"B37"_s, totalLimitCutsAHealthyStream},
    {u"B40"_s, asleepMeanwhile},
    {u"B38"_s, pollingLosesNothing},
    {u"B122"_s, bareCarriageReturns},
    {u"B123"_s, byteOrderMark},
    {u"B126"_s, oneLongLine},
    {u"B127"_s, untidyStream},
    {u"B129"_s, errorOnly},
    {u"B130"_s, openBehindDone},
};

} // namespace

class TestReportedStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agrees_data() { m_cases.addRows({u"stream"_s, u"parser"_s}); }
    void agrees()
    {
        QFETCH(QString, id);
        m_cases.run(id);
    }

    // Whoever makes one more case possible raises the numbers; they never fall.
    void counts()
    {
        QVERIFY(m_cases.tally(u"stream"_s) == (CaseTally{11, 0, 0}));
        QVERIFY(m_cases.tally(u"parser"_s) == (CaseTally{6, 0, 1}));
    }

private:
    const ReportedCases m_cases{checks};
};

QTEST_GUILESS_MAIN(TestReportedStreams)
#include "tst_reportedstreams.moc"
