// SPDX-License-Identifier: GPL-3.0-or-later
// The list of decision tables: how each is recognised, and the function that runs one of its cases.
#pragma once

#include "conformance/table.h"

#include <QJsonObject>
#include <QLatin1StringView>

#include <span>

namespace Waitscope {

// Fills `passed` and `difference`, or `malformed`; the runner adds the rest.
using Adapter = CaseResult (*)(const QJsonObject &);

struct TableKind {
    QLatin1StringView name;                   // the file's base name, and how reports call it
    bool (*recognises)(const QJsonObject &);  // by the shape of a case, for files of another name
    Adapter run;
};

// All of them. A new table is one file with its adapter and one line in adapters.cpp.
[[nodiscard]] std::span<const TableKind> tableKinds();

CaseResult runClassifyCase(const QJsonObject &object);
CaseResult runPermanentCase(const QJsonObject &object);
CaseResult runStatusCase(const QJsonObject &object);
CaseResult runRetryAfterCase(const QJsonObject &object);
CaseResult runSessionCase(const QJsonObject &object);
CaseResult runBackoffCase(const QJsonObject &object);
CaseResult runTimeoutsCase(const QJsonObject &object);
CaseResult runStrictCase(const QJsonObject &object);
CaseResult runExecTrace(const QJsonObject &object);
CaseResult runSessionTrace(const QJsonObject &object);
CaseResult runStreamTrace(const QJsonObject &object);
CaseResult runSseTrace(const QJsonObject &object);
CaseResult runNestedTrace(const QJsonObject &object);

} // namespace Waitscope
