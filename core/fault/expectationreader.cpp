// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/expectationreader.h"

#include <QJsonArray>

#include <array>

namespace Waitscope {

using namespace Qt::StringLiterals;

QLatin1StringView wordOf(CallEnd end)
{
    switch (end) {
    case CallEnd::Ok:
        return "ok"_L1;
    case CallEnd::Partial:
        return "partial"_L1;
    case CallEnd::Error:
        return "error"_L1;
    case CallEnd::Timeout:
        return "timeout"_L1;
    }
    Q_UNREACHABLE();
}

template<>
std::span<const CallEnd> allOf<CallEnd>()
{
    static constexpr CallEnd values[] = {CallEnd::Ok, CallEnd::Partial, CallEnd::Error, CallEnd::Timeout};
    return values;
}

namespace {

// What a request of its own can come to; the other outcomes belong to whole calls.
constexpr std::array requestOutcomes{Outcome::Ok, Outcome::Truncated, Outcome::Error, Outcome::Timeout};

template<class Enum>
Enum readWord(JsonFields &fields, const QString &name, std::span<const Enum> values, bool required)
{
    QStringList words;
    for (const Enum value : values)
        words << wordOf(value);
    return values[static_cast<size_t>(fields.choice(name, words, required))];
}

// One word, or a list of words where the wire leaves it open.
std::vector<Phase> readPhases(JsonFields &fields)
{
    const QString name = u"phase"_s;
    if (!fields.any(name).isArray())
        return {readWord<Phase>(fields, name, allOf<Phase>(), true)};
    std::vector<Phase> phases;
    const QJsonArray list = fields.list(name, true);
    for (const auto &value : list) {
        const std::optional<Phase> phase = fromWord<Phase>(value.toString());
        if (!phase)
            fields.fail(name, kindOf(value) + u" is not known"_s, u"give names of phases"_s);
        phases.push_back(phase.value_or(Phase::None));
    }
    return phases;
}

std::optional<ExpectedEnd> readEnd(JsonFields &owner, const QString &name, JsonProblem &problem)
{
    const QJsonValue value = owner.any(name);
    if (value.isUndefined())
        return std::nullopt;
    if (!value.isObject()) {
        owner.fail(name, u"an object is expected, found "_s + kindOf(value), u"write it in { }"_s);
        return std::nullopt;
    }
    JsonFields fields(value.toObject(), owner.pathOf(name), problem);
    ExpectedEnd end;
    end.outcome = readWord<Outcome>(fields, u"outcome"_s, requestOutcomes, true);
    end.phases = readPhases(fields);
    if (fields.has(u"timer"_s))
        end.timer = readWord<TimerKind>(fields, u"timer"_s, allOf<TimerKind>(), true);
    end.reason = readWord<ErrorReason>(fields, u"reason"_s, allOf<ErrorReason>(), false);
    end.retryable = fields.flag(u"retryable"_s);
    end.type = fields.text(u"type"_s);
    end.call = readWord<CallEnd>(fields, u"call"_s, allOf<CallEnd>(), true);
    end.note = fields.text(u"note"_s);
    fields.refuseOthers();
    return end;
}

} // namespace

Expectation readExpectation(JsonFields &owner, const QString &name, JsonProblem &problem)
{
    Expectation expectation;
    const QJsonValue value = owner.any(name);
    if (value.isUndefined())
        return expectation;
    if (!value.isObject()) {
        owner.fail(name, u"an object is expected, found "_s + kindOf(value), u"write it in { }"_s);
        return expectation;
    }
    JsonFields fields(value.toObject(), owner.pathOf(name), problem);
    expectation.strict = readEnd(fields, u"strict"_s, problem);
    expectation.openprogram = readEnd(fields, u"openprogram"_s, problem);
    fields.refuseOthers();
    return expectation;
}

} // namespace Waitscope
