// SPDX-License-Identifier: GPL-3.0-or-later
// First requests of many calls against what the virtual clock and the scenario's file say of them.
#pragma once

#include "policy/policy.h"
#include "support/firstrequests.h"

#include <QHash>

namespace WaitscopeTest {

using namespace Waitscope;
using namespace Qt::StringLiterals;

// One try in every layer, and the limits in the way of accelerated time out of it.
inline QStringList oneTry(const SeenEnd &seen)
{
    QStringList changes{u"exec.max_attempts=1"_s, u"session.max_attempts=1"_s, u"stream.max_attempts=1"_s, u"stream.sdk_max_retries=0"_s};
    static const std::pair<TimerKind, QString> limits[] = {
        {TimerKind::Connect, u"http.connect_timeout_s"_s}, {TimerKind::Write, u"http.write_timeout_s"_s},
        {TimerKind::Pool, u"http.pool_timeout_s"_s},       {TimerKind::FirstByte, u"http.first_byte_timeout_s"_s},
        {TimerKind::Read, u"http.read_timeout_s"_s},       {TimerKind::Idle, u"http.idle_timeout_s"_s},
        {TimerKind::DataStall, u"http.data_stall_timeout_s"_s}, {TimerKind::Total, u"http.total_timeout_s"_s},
    };
    for (const auto &[kind, setting] : limits) {
        if (seen.what.timer != kind)
            changes << setting + u"=off"_s;
    }
    return changes;
}

inline QString problemOf(const std::vector<SeenEnd> &seen, const SeenEnd &wanted, const ExpectedEnd &written, int calls)
{
    if (seen.size() != static_cast<size_t>(calls))
        return u"%1 first requests of %2 calls"_s.arg(seen.size()).arg(calls);
    QHash<QString, int> wrong;
    for (const SeenEnd &end : seen) {
        ExpectedEnd exact = wanted.what;
        exact.phases = written.phases;
        const bool isWritten = end.what.outcome == written.outcome && std::ranges::find(written.phases, end.what.phases.at(0)) != written.phases.end();
        if (!end.ended || !isWritten || !meets(end.what, exact))
            ++wrong[lineOf(end.what)];
    }
    QString text;
    for (auto it = wrong.cbegin(); it != wrong.cend(); ++it)
        text += u"\n%1 times: %2"_s.arg(it.value()).arg(it.key());
    return text.isEmpty() ? text : u"expected: "_s + lineOf(wanted.what) + text;
}

} // namespace WaitscopeTest
