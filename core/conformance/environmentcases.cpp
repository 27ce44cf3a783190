// SPDX-License-Identifier: GPL-3.0-or-later
// The table `timeouts`: what the reference makes of its environment variables.
#include "conformance/adapters.h"
#include "conformance/comparison.h"
#include "conformance/rulecases.h"
#include "policy/environment.h"

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

QJsonValue effectiveValue(const EnvironmentReading &reading)
{
    if (reading.raises)
        return QJsonObject{{u"raises"_s, *reading.raises}};
    if (reading.noLimit)
        return QJsonValue(QJsonValue::Null);
    if (reading.flag)
        return *reading.flag;
    if (reading.text)
        return *reading.text;
    return tableNumber(reading.value);
}

QJsonValue readVariable(CaseReader &inputs)
{
    const std::optional<EnvironmentReading> reading
        = readAsOpenProgram(inputs.text("name"_L1), inputs.textOrNull("value"_L1));
    if (reading)
        return effectiveValue(*reading);
    inputs.blame("name"_L1, "is no variable of a setting"_L1);
    return {};
}

QJsonValue scaledBudgets(CaseReader &inputs)
{
    const double factor = promptScale(inputs.numberOrNull("context_tokens"_L1));
    return QJsonObject{{u"factor"_s, tableNumber(factor)},
                       {u"idle_s"_s, tableNumber(factor * inputs.number("idle_base_s"_L1))},
                       {u"stall_s"_s, tableNumber(factor * inputs.number("stall_base_s"_L1))}};
}

} // namespace

CaseResult runTimeoutsCase(const QJsonObject &object)
{
    CaseReader inputs(object);
    const QJsonValue expected = inputs.value("expect"_L1);
    const QString kind = inputs.text("kind"_L1);
    QJsonValue actual;
    if (kind == "env"_L1) {
        actual = readVariable(inputs);
    } else if (kind == "scale"_L1) {
        actual = scaledBudgets(inputs);
    } else if (kind == "read_backstop"_L1) {
        const std::optional<QString> idle = inputs.textOrNull("idle_env"_L1);
        actual = tableNumber(readBackstop(idle, inputs.textOrNull("read_env"_L1)));
    } else {
        inputs.blame("kind"_L1, "is none of env, scale, read_backstop"_L1);
    }
    return judged(inputs, expected, actual);
}

} // namespace Waitscope
