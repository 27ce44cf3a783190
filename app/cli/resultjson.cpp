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
    for (const TaskEnding &ending : endings)
        times.push_back(lengthOf(ending));
    std::ranges::sort(times);
    return times;
}

double successRate(const std::vector<TaskEnding> &endings)
{
    const auto good = std::ranges::count_if(endings, isSuccess);
    return endings.empty() ? 0 : static_cast<double>(good) / static_cast<double>(endings.size());
}

// How the stream went, as far as it said.
QString replyLine(const Reply &reply)
{
    QString line = u"first token after %1 s, %2 data events"_s.arg(toSeconds(*reply.firstContent), 0, 'f', 3).arg(reply.dataEvents);
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
        json["first_token_s"_L1] = reply.firstContent ? QJsonValue(toSeconds(*reply.firstContent)) : QJsonValue();
        json["input_tokens"_L1] = reply.inputTokens ? QJsonValue(*reply.inputTokens) : QJsonValue();
        json["output_tokens"_L1] = reply.outputTokens ? QJsonValue(*reply.outputTokens) : QJsonValue();
        json["finish_reason"_L1] = reply.finishReason.isEmpty() ? QJsonValue() : QJsonValue(reply.finishReason);
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
    lines << u"%1 requests, %2 exec attempts, %3 session runs, %4 s asleep"_s.arg(counts.requests)
                 .arg(counts.execAttempts)
                 .arg(counts.sessionRuns)
                 .arg(toSeconds(counts.backoffTotal()), 0, 'f', 3);
    if (ending.finish == Finish::Ended && ending.result.isReply() && ending.result.reply().firstContent)
        lines << replyLine(ending.result.reply());
    const QString message = messageOf(ending.result);
    if (!message.isEmpty() && ending.finish == Finish::Ended)
        lines << message;
    return lines;
}

QStringList manyLines(const std::vector<TaskEnding> &endings, const RunCounts &counts)
{
    QStringList lines;
    const std::vector<double> times = sortedTimes(endings);
    lines << u"%1 runs, %2 % succeeded, %3 requests"_s.arg(endings.size())
                 .arg(100 * successRate(endings), 0, 'f', 1)
                 .arg(counts.requests);
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
