// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/resultjson.h"

#include "engine/spanend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QString counted(qint64 count, const QString &what)
{
    return u"%1 %2%3"_s.arg(count).arg(what, count == 1 ? QString() : u"s"_s);
}

double elapsedOf(const TaskEnding &ending)
{
    return toSeconds(ending.ended - ending.began);
}

// What never ended, as far as was looked, takes longer than everything else.
double lengthOf(const TaskEnding &ending)
{
    return ending.finish == Finish::Ended ? elapsedOf(ending) : std::numeric_limits<double>::infinity();
}

QString wordOf(Finish finish)
{
    switch (finish) {
    case Finish::Ended:
        return u"ended"_s;
    case Finish::Hangs:
        return u"hangs"_s;
    case Finish::CutByLimit:
        return u"cut_by_limit"_s;
    }
    Q_UNREACHABLE();
}

QString scoreWord(const TaskEnding &ending)
{
    return ending.finish == Finish::Ended ? QString(wordOf(ending.score)) : wordOf(ending.finish);
}

// JSON knows no infinity: what never ends has no length.
QJsonValue jsonLength(double seconds)
{
    return std::isinf(seconds) ? QJsonValue() : QJsonValue(seconds);
}

QString shownLength(double seconds)
{
    return std::isinf(seconds) ? u"no end"_s : QString::number(seconds, 'f', 3) + u" s"_s;
}

QString messageOf(const CallResult &result)
{
    if (result.isReply())
        return result.reply().text;
    if (result.isInterrupted())
        return result.interrupted().why;
    return result.failure().text.isEmpty() ? result.failure().type : result.failure().text;
}

// The smallest value that at least this share of the sorted values does not exceed.
double percentile(const std::vector<double> &sorted, double share)
{
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

std::vector<double> sortedTimes(const std::vector<TaskEnding> &endings)
{
    std::vector<double> times;
    for (const TaskEnding &ending : endings) {
        // What never began took no time, which is not the same as being fast.
        if (ending.rounds > 0)
            times.push_back(lengthOf(ending));
    }
    std::ranges::sort(times);
    return times;
}

double successRate(const std::vector<TaskEnding> &endings)
{
    const auto good = std::ranges::count_if(endings, isSuccess);
    return endings.empty() ? 0 : static_cast<double>(good) / static_cast<double>(endings.size());
}

// From the call's beginning, all earlier tries and sleeps included: that is how long somebody waited for it.
std::optional<double> firstTokenOf(const TaskEnding &ending)
{
    const std::optional<Duration> since = ending.result.reply().sinceFirstContent;
    return since ? std::optional(toSeconds(ending.ended - ending.began - *since)) : std::nullopt;
}

// How the stream went, as far as it said.
QString replyLine(const Reply &reply, double firstToken)
{
    QString line = u"first token after %1 s, %2"_s.arg(firstToken, 0, 'f', 3).arg(counted(reply.dataEvents, u"data event"_s));
    if (reply.outputTokens)
        line += u", %1 output tokens"_s.arg(*reply.outputTokens);
    if (!reply.finishReason.isEmpty())
        line += u", finish reason "_s + reply.finishReason;
    return line;
}

} // namespace

bool isSuccess(const TaskEnding &ending)
{
    // A partial or truncated reply is something, but it is not what was asked for.
    return ending.finish == Finish::Ended && ending.score == Score::Ok;
}

QJsonObject callJson(const TaskEnding &ending, const RunCounts &counts)
{
    QJsonObject json;
    const bool ended = ending.finish == Finish::Ended;
    json["outcome"_L1] = ended ? QString(wordOf(outcomeOf(ending.result))) : u"open"_s;
    json["score"_L1] = scoreWord(ending);
    const bool failed = ending.result.isFailure();
    json["reason"_L1] = failed ? QJsonValue(QString(wordOf(ending.result.failure().reason))) : QJsonValue();
    json["retryable"_L1] = failed && ending.result.failure().retryable.value_or(false);
    json["elapsed_s"_L1] = jsonLength(lengthOf(ending));
    json["requests"_L1] = counts.requests;
    json["exec_attempts"_L1] = counts.execAttempts;
    json["session_runs"_L1] = counts.sessionRuns;
    json["backoff_s"_L1] = toSeconds(counts.backoffTotal());
    json["message"_L1] = ended ? messageOf(ending.result) : QString();
    if (ended && ending.result.isReply()) {
        const Reply &reply = ending.result.reply();
        const std::optional<double> firstToken = firstTokenOf(ending);
        json["first_token_s"_L1] = firstToken ? QJsonValue(*firstToken) : QJsonValue();
        json["data_events"_L1] = reply.dataEvents;
        json["input_tokens"_L1] = reply.inputTokens ? QJsonValue(*reply.inputTokens) : QJsonValue();
        json["output_tokens"_L1] = reply.outputTokens ? QJsonValue(*reply.outputTokens) : QJsonValue();
        json["finish_reason"_L1] = reply.finishReason.isEmpty() ? QJsonValue() : QJsonValue(reply.finishReason);
        json["broken_by"_L1] = reply.brokenBy.isEmpty() ? QJsonValue() : QJsonValue(reply.brokenBy);
    }
    if (failed) {
        const Failure &failure = ending.result.failure();
        json["http_status"_L1] = failure.httpStatus ? QJsonValue(*failure.httpStatus) : QJsonValue();
        json["retry_after_s"_L1] = failure.retryAfterS ? QJsonValue(*failure.retryAfterS) : QJsonValue();
    }
    return json;
}

QJsonObject manyJson(const std::vector<TaskEnding> &endings, const RunCounts &counts)
{
    QJsonObject json;
    const std::vector<double> times = sortedTimes(endings);
    QJsonObject elapsed;
    if (!times.empty()) {
        elapsed["min"_L1] = jsonLength(times.front());
        elapsed["p50"_L1] = jsonLength(percentile(times, 0.50));
        elapsed["p90"_L1] = jsonLength(percentile(times, 0.90));
        elapsed["p99"_L1] = jsonLength(percentile(times, 0.99));
        elapsed["max"_L1] = jsonLength(times.back());
    }
    json["elapsed_s"_L1] = elapsed;
    json["runs"_L1] = static_cast<qint64>(endings.size());
    json["not_begun"_L1] = static_cast<qint64>(std::ranges::count(endings, 0, &TaskEnding::rounds));
    json["success_rate"_L1] = successRate(endings);
    json["requests"_L1] = counts.requests;
    json["exec_attempts"_L1] = counts.execAttempts;
    json["session_runs"_L1] = counts.sessionRuns;
    json["backoff_s"_L1] = toSeconds(counts.backoffTotal());
    QJsonObject scores;
    for (const TaskEnding &ending : endings) {
        const QString word = scoreWord(ending);
        scores[word] = scores[word].toInteger() + 1;
    }
    json["scores"_L1] = scores;
    return json;
}

QStringList callLines(const TaskEnding &ending, const RunCounts &counts, bool approximate)
{
    const QString seconds = QString::number(elapsedOf(ending), 'f', 3);
    QStringList lines;
    switch (ending.finish) {
    case Finish::Ended:
        lines << u"%1 after %2%3 s"_s.arg(wordOf(ending.score), approximate ? u"\u2248 "_s : QString(), seconds);
        break;
    case Finish::Hangs:
        lines << u"hangs for ever: after %1 s nothing is armed that could end it"_s.arg(seconds);
        break;
    case Finish::CutByLimit:
        lines << u"still running after %1 s, where the simulation was stopped (--limit)"_s.arg(seconds);
        break;
    }
    lines << u"%1, %2, %3, %4 s asleep"_s.arg(counted(counts.requests, u"request"_s),
                                              counted(counts.execAttempts, u"exec attempt"_s),
                                              counted(counts.sessionRuns, u"session run"_s))
                 .arg(toSeconds(counts.backoffTotal()), 0, 'f', 3);
    if (ending.finish == Finish::Ended && ending.result.isReply()) {
        const Reply &reply = ending.result.reply();
        if (const std::optional<double> firstToken = firstTokenOf(ending))
            lines << replyLine(reply, *firstToken);
        else if (!reply.partial)
            lines << u"the answer holds no data event of this API"_s;
        if (!reply.brokenBy.isEmpty())
            lines << u"broke off: "_s + reply.brokenBy;
    }
    const QString message = messageOf(ending.result);
    if (!message.isEmpty() && ending.finish == Finish::Ended)
        lines << message;
    return lines;
}

QStringList manyLines(const std::vector<TaskEnding> &endings, const RunCounts &counts)
{
    QStringList lines;
    const std::vector<double> times = sortedTimes(endings);
    lines << u"%1, %2 % succeeded, %3"_s.arg(counted(static_cast<qint64>(endings.size()), u"run"_s))
                 .arg(100 * successRate(endings), 0, 'f', 1)
                 .arg(counted(counts.requests, u"request"_s));
    if (const auto missing = std::ranges::count(endings, 0, &TaskEnding::rounds); missing > 0)
        lines << u"%1 of them never began"_s.arg(missing);
    if (!times.empty()) {
        lines << u"elapsed: min %1, p50 %2, p90 %3, p99 %4, max %5"_s.arg(shownLength(times.front()),
                                                                        shownLength(percentile(times, 0.50)),
                                                                        shownLength(percentile(times, 0.90)),
                                                                        shownLength(percentile(times, 0.99)),
                                                                        shownLength(times.back()));
    }
    std::map<QString, int> scores;
    for (const TaskEnding &ending : endings)
        ++scores[scoreWord(ending)];
    for (const auto &[score, count] : scores)
        lines << u"  %1: %2"_s.arg(score).arg(count);
    return lines;
}

} // namespace Waitscope
