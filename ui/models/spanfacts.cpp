// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/spanfacts.h"

#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

// The context of translations.
class SpanFacts
{
    Q_DECLARE_TR_FUNCTIONS(SpanFacts)
};

namespace {

constexpr size_t mostAttempts = 500; // around the span; a list nobody reads would only cost time

class Facts
{
public:
    // An empty value says nothing and gets no row.
    void add(const QString &name, const QString &value)
    {
        if (!value.isEmpty())
            rows.push_back({name, value});
    }
    TextRows rows;
};

QString tokens(qint64 n)
{
    return n > 0 ? shownCount(n) : QString();
}

QString moment(const TraceStore &store, Instant t)
{
    const QString wall = shownWallTime(store.header(), t);
    return wall.isEmpty() ? shownInstant(t) : SpanFacts::tr("%1   %2").arg(shownInstant(t), wall);
}

void addEnding(Facts &facts, const SpanInfo &span)
{
    facts.add(SpanFacts::tr("Outcome"), shownEnd(span));
    if (span.isOpen() || span.outcome == Outcome::Ok)
        return;
    if (span.reason != ErrorReason::None)
        facts.add(SpanFacts::tr("Classified as"), shownWord(span.reason));
    facts.add(SpanFacts::tr("By the rule"), span.rule);
    if (span.reason != ErrorReason::None)
        facts.add(SpanFacts::tr("Worth another try"), span.retryable ? SpanFacts::tr("yes") : SpanFacts::tr("no"));
    if (span.exhausted)
        facts.add(SpanFacts::tr("Exhausted"), SpanFacts::tr("this layer used up its own budget on the failure"));
    if (span.status > 0)
        facts.add(SpanFacts::tr("HTTP status"), QString::number(span.status));
    if (span.hintSeconds > 0)
        facts.add(SpanFacts::tr("Server asks to wait"), shownDuration(fromSeconds(span.hintSeconds)));
    facts.add(SpanFacts::tr("Type"), span.type);
    // An empty text is a fact worth showing: some failures say nothing.
    if (span.outcome == Outcome::Error || span.outcome == Outcome::Timeout || !span.text.isEmpty())
        facts.add(SpanFacts::tr("Text"), span.text.isEmpty() ? SpanFacts::tr("(empty)") : span.text);
}

void addTraffic(Facts &facts, const Traffic &traffic)
{
    if (traffic.sent > 0)
        facts.add(SpanFacts::tr("Requests sent"), shownCount(traffic.sent));
    if (traffic.sentBytes > 0)
        facts.add(SpanFacts::tr("Request bytes"), shownBytes(traffic.sentBytes));
    if (traffic.status > 0)
        facts.add(SpanFacts::tr("Answer"), SpanFacts::tr("HTTP %1").arg(traffic.status));
    if (traffic.lines > 0) {
        facts.add(SpanFacts::tr("Lines"),
                  SpanFacts::tr("%1 (%2 data, %3 pings), %4")
                      .arg(shownCount(traffic.lines), shownCount(traffic.dataEvents), shownCount(traffic.pings),
                           shownBytes(traffic.bytes)));
    }
    facts.add(SpanFacts::tr("Output tokens"), tokens(traffic.outputTokens));
    const auto time = [&facts](const QString &name, Instant t) {
        if (t != never)
            facts.add(name, shownInstant(t));
    };
    time(SpanFacts::tr("First byte"), traffic.firstByte);
    time(SpanFacts::tr("Last byte"), traffic.lastByte);
    time(SpanFacts::tr("Last data"), traffic.lastData);
    time(SpanFacts::tr("Committed"), traffic.committed);
    time(SpanFacts::tr("End marker"), traffic.endMarker);
}

QString counted(const SpanInfo &span)
{
    if (span.attempt <= 0)
        return {};
    return span.maxAttempts > 0 ? SpanFacts::tr("%1 of %2").arg(span.attempt).arg(span.maxAttempts)
                                : QString::number(span.attempt);
}

bool isTry(SpanKind kind)
{
    return kind == SpanKind::ExecAttempt || kind == SpanKind::SessionRun || kind == SpanKind::Request
        || kind == SpanKind::Round || kind == SpanKind::Exec;
}

// The tries that a span is one of; of a phase its request's, of a sleep those it lies between, of a task its own.
std::vector<SpanId> triesBeside(const TraceStore &store, const SpanInfo &span)
{
    SpanId parent = span.parent;
    std::optional<SpanKind> kind = span.kind;
    if (span.kind == SpanKind::Phase) {
        kind = SpanKind::Request;
        parent = store.parentOf(span.parent);
    } else if (span.kind == SpanKind::Backoff) {
        kind = store.kindOf(span.cause);
    } else if (span.kind == SpanKind::Task || span.kind == SpanKind::Exec) {
        parent = span.id;
        kind.reset(); // whatever tries stand below it
    }
    std::vector<SpanId> tries = store.childrenOf(parent);
    std::erase_if(tries, [&](SpanId id) {
        const std::optional<SpanKind> own = store.kindOf(id);
        return !own || (kind ? own != kind : !isTry(*own));
    });
    return tries;
}

// The sleep after each try, by the try's number.
Duration sleptAfter(const TraceStore &store, const SpanInfo &attempt, const std::vector<SpanInfo> &sleeps, Instant now)
{
    for (const SpanInfo &sleep : sleeps) {
        if (sleep.cause == attempt.id || (!store.kindOf(sleep.cause) && sleep.attempt == attempt.attempt))
            return sleep.length(now);
    }
    return Duration::zero();
}

} // namespace

TextRows spanFacts(const TraceStore &store, SpanId id, Instant now)
{
    Facts facts;
    const std::optional<SpanInfo> span = store.span(id);
    if (!span)
        return {};
    facts.add(SpanFacts::tr("Span"), shownName(*span));
    facts.add(SpanFacts::tr("Layer"), shownWord(span->layer));
    facts.add(SpanFacts::tr("Peer"), span->kind == SpanKind::Request ? span->label : QString());
    facts.add(SpanFacts::tr("Note"), span->kind == SpanKind::Backoff ? span->label : QString());
    if (isTry(span->kind) && span->role != Role::First)
        facts.add(SpanFacts::tr("Role"), shownWord(span->role));
    facts.add(SpanFacts::tr("Began"), moment(store, span->begin));
    facts.add(SpanFacts::tr("Ended"), span->isOpen() ? SpanFacts::tr("still open") : moment(store, span->end));
    facts.add(SpanFacts::tr("Took"), shownDuration(span->length(now)));
    addEnding(facts, *span);
    if (const std::optional<SpanInfo> cause = store.span(span->cause))
        facts.add(SpanFacts::tr("Because of"), SpanFacts::tr("%1, %2").arg(shownName(*cause), shownEnd(*cause)));
    addTraffic(facts, store.traffic(id));
    return facts.rows;
}

TextRows attemptFacts(const TraceStore &store, SpanId id, Instant now)
{
    const std::optional<SpanInfo> span = store.span(id);
    if (!span)
        return {};
    std::vector<SpanId> tries = triesBeside(store, *span);
    if (tries.size() > mostAttempts) {
        const auto self = std::find(tries.begin(), tries.end(), id);
        const auto first
            = std::min<qsizetype>(std::max<qsizetype>(0, (self - tries.begin()) - static_cast<qsizetype>(mostAttempts) / 2),
                                  static_cast<qsizetype>(tries.size() - mostAttempts));
        tries = std::vector<SpanId>(tries.begin() + first, tries.begin() + first + static_cast<qsizetype>(mostAttempts));
    }
    std::vector<SpanInfo> sleeps;
    if (!tries.empty()) {
        for (const SpanId sibling : store.childrenOf(store.parentOf(tries.front()))) {
            if (store.kindOf(sibling) == SpanKind::Backoff)
                sleeps.push_back(*store.span(sibling));
        }
    }
    TextRows rows;
    for (const SpanId tryId : tries) {
        const std::optional<SpanInfo> one = store.span(tryId);
        const Duration slept = sleptAfter(store, *one, sleeps, now);
        const QString mark = tryId == id ? u"▸ "_s : QString();
        rows.push_back({mark + counted(*one), shownInstant(one->begin), shownDuration(one->length(now)), shownEnd(*one),
                        one->isOpen() || one->reason == ErrorReason::None ? QString() : shownWord(one->reason),
                        slept > Duration::zero() ? shownDuration(slept) : QString(), one->text});
    }
    return rows;
}

TextRows lineFacts(const TraceStore &store, SpanId id)
{
    TextRows rows;
    if (const qint64 before = store.linesLeftOut(id); before > 0)
        rows.push_back({{}, {}, {}, SpanFacts::tr("%1 earlier lines are only in the recording").arg(shownCount(before))});
    for (const RawLine &line : store.rawLines(id)) {
        rows.push_back({shownInstant(line.at), shownWord(line.kind), shownBytes(line.bytes),
                        line.text.isEmpty() ? SpanFacts::tr("(content not kept)") : line.text});
    }
    return rows;
}

TextRows timerFacts(const TraceStore &store, SpanId id, Instant now)
{
    // Of a phase those of its request: it has none of its own.
    const SpanId owner = store.kindOf(id) == SpanKind::Phase ? store.parentOf(id) : id;
    TextRows rows;
    for (const ShownTimer &timer : store.timersOf(owner)) {
        QString what = shownWord(timer.state);
        if (timer.state == TimerState::Armed)
            what = SpanFacts::tr("fires in %1").arg(shownDuration(std::max(timer.effectiveDue - now, Duration::zero())));
        else if (timer.state == TimerState::Fired)
            what = SpanFacts::tr("fired at %1").arg(shownInstant(timer.ended));
        if (timer.clamped)
            what = SpanFacts::tr("%1, cut to the deadline").arg(what);
        rows.push_back({shownWord(timer.kind), shownDuration(timer.value), shownInstant(timer.armed), what,
                        shownWord(timer.resets), QString(timer.setting)});
    }
    return rows;
}

TextRows markFacts(const TraceStore &store, SpanId id)
{
    const SpanId owner = store.kindOf(id) == SpanKind::Phase ? store.parentOf(id) : id;
    TextRows rows;
    for (const ShownMark &mark : store.marksOf(owner))
        rows.push_back({shownInstant(mark.at), shownWord(mark.kind),
                        mark.value != 0 ? QString::number(mark.value) : QString(), mark.text});
    return rows;
}

QStringList attemptHeaders()
{
    return {SpanFacts::tr("Try"),    SpanFacts::tr("Began"),       SpanFacts::tr("Took"), SpanFacts::tr("Outcome"),
            SpanFacts::tr("Reason"), SpanFacts::tr("Slept after"), SpanFacts::tr("Text")};
}

QStringList lineHeaders()
{
    return {SpanFacts::tr("Time"), SpanFacts::tr("Sort"), SpanFacts::tr("Size"), SpanFacts::tr("Line")};
}

QStringList timerHeaders()
{
    return {SpanFacts::tr("Timer"), SpanFacts::tr("Value"), SpanFacts::tr("Armed"),
            SpanFacts::tr("State"), SpanFacts::tr("Reset"), SpanFacts::tr("Setting")};
}

QStringList markHeaders()
{
    return {SpanFacts::tr("Time"), SpanFacts::tr("What"), SpanFacts::tr("Value"), SpanFacts::tr("Text")};
}

} // namespace Waitscope
