// SPDX-License-Identifier: GPL-3.0-or-later
// A recording's lines: header and events to JSON text, and a file that takes its name only when it is complete (FORMAT.md).
#pragma once

#include "base/problem.h"
#include "event/event.h"
#include "event/header.h"

#include <QByteArray>
#include <QSaveFile>

#include <memory>

namespace Waitscope {

// Both append one line with its '\n'. The text is canonical: reading it and writing it again gives the same bytes.
void appendHeaderLine(QByteArray &out, const TraceHeader &header);
void appendEventLine(QByteArray &out, const Event &event);
// The last line of a recording that had to stop before its run did.
void appendStoppedLine(QByteArray &out, const QString &why);

// For whole recordings at once; a live one goes through Recorder. Nothing is at `path` before commit() has succeeded.
class TraceFile
{
public:
    // `rawHeader` is the header as it was read, where it holds more than `header` does.
    [[nodiscard]] static Expected<std::unique_ptr<TraceFile>> create(const QString &path, const TraceHeader &header,
                                                                     QByteArrayView rawHeader = {});

    void write(const Event &event);
    void writeRaw(QByteArrayView line); // a line kept as it was read, with or without '\n'
    [[nodiscard]] Expected<void> commit();

private:
    explicit TraceFile(const QString &path);
    void flush();

    QSaveFile m_file;
    QByteArray m_buffer;
};

} // namespace Waitscope
