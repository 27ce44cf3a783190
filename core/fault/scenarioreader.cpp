// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/scenarioreader.h"

#include "fault/expectationreader.h"
#include "fault/jsonfields.h"
#include "fault/scriptcheck.h"
#include "fault/stepreader.h"

#include <QJsonDocument>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int formatVersion = 1;

Problem notJson(const QByteArray &json, const QJsonParseError &error, const QString &fileName)
{
    const auto offset = std::clamp<qsizetype>(error.offset, 0, json.size());
    const auto line = json.left(offset).count('\n') + 1;
    return Problem(ProblemKind::Usage, fileName + u':' + QString::number(line),
                   u"not JSON: %1 at byte %2"_s.arg(error.errorString()).arg(offset));
}

bool isName(const QString &name)
{
    constexpr qsizetype longest = 64;
    if (name.isEmpty() || name.size() > longest || name.startsWith(u'-'))
        return false;
    for (const QChar c : name) {
        if (!(c >= u'a' && c <= u'z') && !(c >= u'0' && c <= u'9') && c != u'-')
            return false;
    }
    return true;
}

StreamStyle readStyle(JsonFields &script, JsonProblem &problem)
{
    StreamStyle style;
    const QJsonValue value = script.any(u"stream"_s);
    if (value.isUndefined())
        return style;
    if (!value.isObject()) {
        script.fail(u"stream"_s, u"an object is expected, found "_s + kindOf(value), u"write it in { }"_s);
        return style;
    }
    JsonFields fields(value.toObject(), script.pathOf(u"stream"_s), problem);
    // In the order of LineEnd.
    style.lineEnd = static_cast<LineEnd>(fields.choice(u"line_end"_s, {u"lf"_s, u"crlf"_s, u"cr"_s}));
    style.byteOrderMark = fields.flag(u"byte_order_mark"_s);
    style.multiLineData = fields.flag(u"multi_line_data"_s);
    style.pieceBytes = fields.integer(u"piece_bytes"_s, 0, 1, mostStepBytes);
    style.pieceEvery = fields.seconds(u"piece_every_s"_s);
    fields.refuseOthers();
    return style;
}

FaultScript readScript(const QJsonValue &value, const QString &path, JsonProblem &problem)
{
    FaultScript script;
    if (!value.isObject()) {
        problem.set(path, u"an object is expected, found "_s + kindOf(value), u"write it in { }"_s);
        return script;
    }
    JsonFields fields(value.toObject(), path, problem);
    script.times = fields.integer(u"times"_s, 1, 1, mostTimes);
    // In the order of ConnectionFault.
    static const QStringList connections{u"accept"_s, u"refuse"_s, u"black_hole"_s, u"close"_s, u"reset"_s, u"never_read"_s};
    script.connection = static_cast<ConnectionFault>(fields.choice(u"connection"_s, connections));
    script.connectAfter = fields.seconds(u"connect_after_s"_s);
    script.style = readStyle(fields, problem);
    script.leavesStale = fields.flag(u"leaves_stale"_s);
    script.steps = readSteps(fields, u"steps"_s, script.connection == ConnectionFault::Accept, 0, problem);
    fields.refuseOthers();
    if (!problem.isSet()) {
        if (const auto found = problemOf(script))
            problem.set(path + u'.' + found->path, found->what, found->advice);
    }
    return script;
}

} // namespace

Expected<Scenario> readScenario(const QByteArray &json, const QString &fileName)
{
    if (json.size() > mostFileBytes)
        return usageProblem(fileName, u"the file is too large for a scenario"_s, u"at most %L1 bytes"_s.arg(mostFileBytes));
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected<Problem>(notJson(json, error, fileName));
    if (!document.isObject())
        return usageProblem(fileName, u"a scenario is a JSON object"_s, u"write it in { }"_s);

    JsonProblem problem(fileName);
    JsonFields fields(document.object(), {}, problem);
    Scenario scenario;
    // First, so that a later format is not blamed for names that this one does not know.
    const qint64 format = fields.integer(u"format"_s, formatVersion, 1, 1'000'000, true);
    if (!problem.isSet() && format != formatVersion) {
        fields.fail(u"format"_s, u"format %1 is newer than this program"_s.arg(format),
                    u"this one reads format %1"_s.arg(formatVersion));
    }
    scenario.name = fields.text(u"name"_s, true);
    if (!problem.isSet() && !isName(scenario.name))
        fields.fail(u"name"_s, u"not a scenario name"_s, u"use a-z, 0-9 and hyphens, at most 64 characters"_s);
    scenario.title = fields.text(u"title"_s, true);
    scenario.about = fields.text(u"about"_s);
    // In the orders of LookupFault and TlsFault.
    scenario.lookup = static_cast<LookupFault>(fields.choice(u"lookup"_s, {u"none"_s, u"not_found"_s, u"hang"_s}));
    scenario.tls = static_cast<TlsFault>(
        fields.choice(u"tls"_s, {u"plain"_s, u"proper"_s, u"hang"_s, u"garbage"_s, u"close"_s, u"reset"_s, u"expired"_s,
                                 u"wrong_host"_s, u"self_signed"_s}));
    scenario.isProxy = fields.flag(u"proxy"_s);
    if (scenario.isProxy && (scenario.tls != TlsFault::Plain || scenario.lookup != LookupFault::None)) {
        fields.fail(u"proxy"_s, u"a proxy is asked in plain http, at an address that is known"_s,
                    u"leave lookup and tls out"_s);
    }
    const bool needsScripts = !endsBeforeScripts(scenario);
    const QJsonArray requests = fields.list(u"requests"_s, needsScripts);
    for (qsizetype i = 0; i < requests.size() && !problem.isSet(); ++i)
        scenario.requests.push_back(readScript(requests[i], u"requests[%1]"_s.arg(i), problem));
    if (!needsScripts && !problem.isSet()) {
        if (!scenario.requests.empty())
            fields.fail(u"requests"_s, u"no request ever gets that far"_s, u"leave it out"_s);
        scenario.requests.push_back({});
        scenario.requests.back().steps.push_back({Duration::zero(), HangStep()});
    }
    scenario.expect = readExpectation(fields, u"expect"_s, problem);
    fields.refuseOthers();
    if (problem.isSet())
        return tl::unexpected<Problem>(problem.problem());
    return scenario;
}

} // namespace Waitscope
