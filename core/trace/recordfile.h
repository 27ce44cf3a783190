// SPDX-License-Identifier: GPL-3.0-or-later
// The file under a live recording: whole lines or nothing, whatever the disk does.
#pragma once

#include "base/problem.h"

#include <QByteArrayView>

#include <atomic>

namespace Waitscope {

class RecordFile
{
public:
    RecordFile() = default;
    ~RecordFile();
    Q_DISABLE_COPY_MOVE(RecordFile)

    // A new file, readable by its owner only. One that holds something is refused, or emptied with `overwrite`; one that
    // another recording is being written to is refused always.
    [[nodiscard]] Expected<void> open(const QString &path, bool overwrite = false);
    // One line with one system call. After a failure the file ends with the line before it.
    [[nodiscard]] Expected<void> append(QByteArrayView line);
    // Down to the disk. Also finds out whether somebody has deleted the file. May be called beside append().
    [[nodiscard]] Expected<void> sync();

    [[nodiscard]] qint64 size() const noexcept { return m_size; }
    [[nodiscard]] const QString &path() const noexcept { return m_path; }

private:
    QString m_path;
    int m_descriptor = -1;
    std::atomic<qint64> m_size = 0;
    std::atomic<qint64> m_synced = 0;
};

} // namespace Waitscope
