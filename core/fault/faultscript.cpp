// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault/faultscript.h"

#include <algorithm>
#include <type_traits>

namespace Waitscope {

namespace {

bool hasDate(const Head &head)
{
    return std::ranges::any_of(head.headers, [](const ScriptHeader &header) { return header.dateIn.has_value(); });
}

bool haveDate(const std::vector<FaultStep> &steps)
{
    return std::ranges::any_of(steps, [](const FaultStep &step) {
        return std::visit(
            [](const auto &what) {
                using Step = std::decay_t<decltype(what)>;
                if constexpr (std::is_same_v<Step, RepeatStep>)
                    return haveDate(what.steps);
                else if constexpr (requires { what.head; })
                    return hasDate(what.head);
                else
                    return false;
            },
            step.what);
    });
}

} // namespace

bool dependsOnDate(const FaultScript &script)
{
    return haveDate(script.steps);
}

const FaultScript &scriptFor(const Scenario &scenario, qint64 requestNumber)
{
    Q_ASSERT(!scenario.requests.empty());
    qint64 last = 0; // the last request of the scripts looked at
    for (const FaultScript &script : scenario.requests) {
        last += script.times;
        if (requestNumber <= last)
            return script;
    }
    return scenario.requests.back();
}

bool endsBeforeScripts(const Scenario &scenario)
{
    switch (scenario.tls) {
    case TlsFault::Plain:
    case TlsFault::Proper:
    case TlsFault::Expired: // a client that does not care goes on
    case TlsFault::WrongHost:
    case TlsFault::SelfSigned:
        return scenario.lookup != LookupFault::None;
    case TlsFault::Hang:
    case TlsFault::Garbage:
    case TlsFault::Close:
    case TlsFault::Reset:
        return true;
    }
    Q_UNREACHABLE();
}

bool hasConnectionFaults(const Scenario &scenario)
{
    if (scenario.tls != TlsFault::Plain || scenario.isProxy)
        return true;
    return std::any_of(scenario.requests.begin(), scenario.requests.end(),
                       [](const FaultScript &script) {
                           return script.connection != ConnectionFault::Accept || script.connectAfter > Duration::zero();
                       });
}

} // namespace Waitscope
