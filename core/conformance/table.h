// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a decision table: every case through the code, one result a case, with what differs in words.
#pragma once

#include "base/problem.h"

#include <QString>

#include <vector>

namespace Waitscope {

struct CaseResult {
    QString id;
    bool passed = false;
    QString difference;      // "retryable: expected true, got false"; empty when passed
    QString knownDifference; // the reason why this case is declared to differ; empty = it is not
    QString malformed;       // what is wrong with the case itself; it then counts for nothing
};

struct TableReport {
    QString file;
    QString table; // "classify_error"
    std::vector<CaseResult> results;

    [[nodiscard]] int passed() const;
    // Cases that differ and are not declared to.
    [[nodiscard]] int failed() const;
    [[nodiscard]] int knownDifferences() const;
};

// The problem names the file and, where one is at fault, the case.
[[nodiscard]] Expected<TableReport> runTable(const QString &path);

} // namespace Waitscope
