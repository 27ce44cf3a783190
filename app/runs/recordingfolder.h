// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of recordings that the window makes by itself: how they are named, what a crash has left, and how the folder stays
// within its limit. Only names of its own making are ever touched.
#pragma once

#include "base/problem.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace Waitscope {

inline constexpr qint64 usualRecordingLimit = qint64{512} << 20;  // bytes
inline constexpr qint64 usualFolderLimit = qint64{4} << 30;

struct FoundRecording {
    QString path;
    QDateTime made; // UTC, by its name
    qint64 bytes = 0;
    QString title;
    bool unfinished = false; // the program ended while it was recording
};

struct FolderSurvey {
    std::vector<FoundRecording> recordings; // newest first
    QStringList removed;                    // the oldest ones, to stay within the limit
};

// "<folder>/20261201-120000-000.waitscope.jsonl".
[[nodiscard]] QString recordingPath(const QString &folder, const QDateTime &nowUtc);
// What it is called while it is written: a program that is killed leaves this name behind.
[[nodiscard]] QString unfinishedPath(const QString &path);
// Gives a recording its own name; never over another file.
[[nodiscard]] Expected<void> finishRecording(const QString &path);

// Looks through the folder: unfinished recordings that nobody is writing any more get their own names, as they are; then the
// oldest are removed until all are within `mostBytes`, but none that was unfinished, and none of `spared`. Reads the first
// line of each file: not for the window's own thread.
[[nodiscard]] FolderSurvey surveyRecordings(const QString &folder, qint64 mostBytes, const QStringList &spared);

} // namespace Waitscope
