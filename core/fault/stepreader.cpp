// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/stepreader.h"

#include "fault/scriptcheck.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostCount = 1'000'000;
constexpr qint64 mostTokens = 1'000'000'000;
constexpr qint64 mostLength = qint64(1) << 40;
constexpr qsizetype mostHeaders = 200;

bool isHeaderName(const QString &name)
{
    static const QString extra = u"!#$%&'*+-.^_`|~"_s;
    if (name.isEmpty() || name.size() > 128)
        return false;
    for (const QChar c : name) {
        const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
        if (!letter && !extra.contains(c))
            return false;
    }
    return true;
}

// A text, or {"date_in_s": n}.
void readHeaderValue(const QString &name, const QJsonValue &value, const QString &path, JsonProblem &problem,
                     std::vector<ScriptHeader> &headers)
{
    ScriptHeader header{name.toLatin1(), {}, std::nullopt};
    if (value.isObject()) {
        JsonFields fields(value.toObject(), path, problem);
        header.dateIn = fields.seconds(u"date_in_s"_s, true);
        fields.refuseOthers();
    } else if (value.isString()) {
        JsonFields fields(QJsonObject{{u"value"_s, value}}, path, problem);
        header.value = fields.word(u"value"_s);
    } else {
        problem.set(path, u"a text is expected, found "_s + kindOf(value),
                    u"give a text, {\"date_in_s\": seconds}, or a list of these"_s);
    }
    headers.push_back(header);
}

std::vector<ScriptHeader> readHeaders(JsonFields &step, JsonProblem &problem)
{
    std::vector<ScriptHeader> headers;
    const QJsonValue value = step.any(u"headers"_s);
    if (value.isUndefined())
        return headers;
    if (!value.isObject()) {
        step.fail(u"headers"_s, u"an object is expected, found "_s + kindOf(value), u"write {\"name\": \"value\"}"_s);
        return headers;
    }
    const QJsonObject object = value.toObject();
    if (object.size() > mostHeaders)
        step.fail(u"headers"_s, u"too many headers"_s, u"at most %1"_s.arg(mostHeaders));
    for (auto it = object.begin(); it != object.end() && !problem.isSet(); ++it) {
        const QString path = step.pathOf(u"headers"_s) + u'.' + it.key().left(128);
        if (!isHeaderName(it.key())) {
            problem.set(path, u"not a header name"_s, u"use letters, digits and hyphens; raw writes anything else"_s);
        } else if (it.key().compare("content-length"_L1, Qt::CaseInsensitive) == 0
                   || it.key().compare("transfer-encoding"_L1, Qt::CaseInsensitive) == 0) {
            problem.set(path, u"this header follows from the framing"_s, u"set framing, or write the head with raw"_s);
        } else if (it.value().isArray()) {
            const QJsonArray values = it.value().toArray();
            for (qsizetype i = 0; i < values.size() && i < mostHeaders; ++i)
                readHeaderValue(it.key(), values[i], path + u'[' + QString::number(i) + u']', problem, headers);
        } else {
            readHeaderValue(it.key(), it.value(), path, problem, headers);
        }
    }
    return headers;
}

// "chunked", "until_close", or {"length": N}.
void readFraming(JsonFields &step, JsonProblem &problem, Head &head)
{
    const QJsonValue value = step.any(u"framing"_s);
    if (value.isUndefined())
        return;
    if (value.isObject()) {
        JsonFields fields(value.toObject(), step.pathOf(u"framing"_s), problem);
        head.framing = Framing::Length;
        head.length = fields.integer(u"length"_s, 0, 0, mostLength, true);
        fields.refuseOthers();
    } else if (value.toString() == "until_close"_L1) {
        head.framing = Framing::UntilClose;
    } else if (value.toString() != "chunked"_L1) {
        step.fail(u"framing"_s, kindOf(value) + u" is not known"_s,
                  u"give \"chunked\", \"until_close\" or {\"length\": bytes}"_s);
    }
}

Head readHead(JsonFields &step, JsonProblem &problem, bool withFraming)
{
    Head head;
    head.status = static_cast<int>(step.integer(u"status"_s, 200, 100, 999));
    head.reason = step.word(u"reason"_s);
    head.headers = readHeaders(step, problem);
    if (withFraming)
        readFraming(step, problem, head);
    return head;
}

std::vector<QString> readTexts(JsonFields &step)
{
    if (!step.any(u"text"_s).isArray())
        return {step.text(u"text"_s, true)};
    std::vector<QString> texts;
    const QJsonArray list = step.list(u"text"_s, true);
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (!list[i].isString())
            step.fail(u"text[%1]"_s.arg(i), u"a text is expected, found "_s + kindOf(list[i]), u"write it in quotes"_s);
        texts.push_back(list[i].toString());
    }
    return texts;
}

ReplyStep readReply(JsonFields &step, JsonProblem &problem)
{
    ReplyStep reply{readHead(step, problem, false), step.bytes(u"body"_s, u"body_base64"_s, false)};
    if (!problem.isSet() && reply.head.status < 200)
        step.fail(u"status"_s, u"an informational status is not a whole reply"_s, u"use a head step for it"_s);
    if (!problem.isSet() && !reply.body.isEmpty() && (reply.head.status == 204 || reply.head.status == 304))
        step.fail(u"body"_s, u"a reply with this status has no body"_s, u"remove it, or use raw"_s);
    for (const ScriptHeader &header : reply.head.headers) {
        if (header.name.compare("content-type", Qt::CaseInsensitive) == 0)
            return reply;
    }
    // What servers say of such bodies; the stream's content type would be wrong here.
    const bool json = reply.body.startsWith('{') || reply.body.startsWith('[');
    if (!reply.body.isEmpty())
        reply.head.headers.push_back({"Content-Type", json ? "application/json" : "text/plain; charset=utf-8", {}});
    return reply;
}

FaultStep readStep(const QJsonValue &value, const QString &path, int depth, JsonProblem &problem)
{
    FaultStep step;
    if (!value.isObject()) {
        problem.set(path, u"an object is expected, found "_s + kindOf(value), u"write {\"do\": …}"_s);
        return step;
    }
    JsonFields fields(value.toObject(), path, problem);
    enum Kind { Wait, Head, HeadDrip, Reply, Events, Ping, ErrorEvent, EndMarker, Body, Drip, Raw, EndBody, Hang, Close, Reset, Repeat };
    static const QStringList kinds{u"wait"_s,       u"head"_s,       u"head_drip"_s, u"reply"_s, u"events"_s, u"ping"_s,
                                   u"error_event"_s, u"end_marker"_s, u"body"_s,      u"drip"_s,  u"raw"_s,    u"end_body"_s,
                                   u"hang"_s,       u"close"_s,      u"reset"_s,     u"repeat"_s};
    const auto kind = static_cast<Kind>(fields.choice(u"do"_s, kinds, true));
    if (problem.isSet())
        return step;
    step.after = fields.seconds(u"after_s"_s);
    switch (kind) {
    case Wait:
        step.what = WaitStep{fields.seconds(u"for_s"_s, true)};
        break;
    case Head:
        step.what = HeadStep{readHead(fields, problem, true)};
        break;
    case HeadDrip: {
        HeadDripStep drip{readHead(fields, problem, true), {}};
        drip.every = fields.seconds(u"every_s"_s, true);
        step.what = drip;
        break;
    }
    case Reply:
        step.what = readReply(fields, problem);
        break;
    case Events: {
        EventsStep events{fields.count(u"count"_s, mostCount), fields.seconds(u"every_s"_s), {}};
        events.texts = readTexts(fields);
        step.what = events;
        break;
    }
    case Ping:
        step.what = PingStep{fields.count(u"count"_s, mostCount), fields.seconds(u"every_s"_s)};
        break;
    case ErrorEvent:
        step.what = ErrorEventStep{fields.text(u"type"_s, true), fields.text(u"text"_s)};
        break;
    case EndMarker: {
        EndMarkerStep end;
        end.inputTokens = static_cast<int>(fields.integer(u"input_tokens"_s, 0, 0, mostTokens));
        if (const qint64 tokens = fields.integer(u"output_tokens"_s, -1, 0, mostTokens); tokens >= 0)
            end.outputTokens = static_cast<int>(tokens);
        end.cutByLength = fields.choice(u"finish"_s, {u"stop"_s, u"length"_s}) == 1;
        step.what = end;
        break;
    }
    case Body:
        step.what = BodyStep{fields.bytes(u"text"_s, u"base64"_s, true)};
        break;
    case Drip: {
        DripStep drip{fields.bytes(u"text"_s, u"base64"_s, true), {}};
        drip.every = fields.seconds(u"every_s"_s, true);
        step.what = drip;
        break;
    }
    case Raw:
        step.what = RawStep{fields.bytes(u"text"_s, u"base64"_s, true)};
        break;
    case EndBody:
        step.what = EndBodyStep{};
        break;
    case Hang:
        step.what = HangStep{};
        break;
    case Close:
        step.what = CloseStep{};
        break;
    case Reset:
        step.what = ResetStep{};
        break;
    case Repeat:
        step.what = RepeatStep{fields.count(u"count"_s, mostCount), readSteps(fields, u"steps"_s, true, depth + 1, problem)};
        break;
    }
    fields.refuseOthers();
    return step;
}

} // namespace

std::vector<FaultStep> readSteps(JsonFields &owner, const QString &name, bool required, int depth, JsonProblem &problem)
{
    std::vector<FaultStep> steps;
    const QJsonArray list = owner.list(name, required);
    if (depth > deepestRepeat) {
        owner.fail(name, u"repeats are nested too deep"_s, u"at most %1 inside each other"_s.arg(deepestRepeat));
        return steps;
    }
    for (qsizetype i = 0; i < list.size() && !problem.isSet(); ++i)
        steps.push_back(readStep(list[i], owner.pathOf(name) + u'[' + QString::number(i) + u']', depth, problem));
    return steps;
}

} // namespace Waitscope
