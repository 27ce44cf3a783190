// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of a run with redaction in front of it, or nothing where none was asked for.
#pragma once

#include "policy/policy.h"
#include "trace/recorder.h"
#include "trace/redaction.h"

#include <memory>

namespace Waitscope {

// The first line of a run's recording: every setting with value and origin.
[[nodiscard]] TraceHeader headerFor(const Policy &policy, quint64 seed, const QString &title);

class Recording
{
public:
    Recording() = default;
    ~Recording();
    Q_DISABLE_COPY_MOVE(Recording)

    // `secrets` never reach the file.
    [[nodiscard]] Expected<void> open(RecorderOptions options, TraceHeader header, std::vector<KnownSecret> secrets,
                                      std::function<void(const Problem &)> onProblem = {});
    // The file is the unfinished form of this path (recordingfolder.h) and gets it when the recording is closed.
    void finishAs(const QString &path) { m_finishAs = path; }
    [[nodiscard]] const QString &finalPath() const noexcept { return m_finishAs; }
    [[nodiscard]] bool isOpen() const noexcept { return m_recorder != nullptr; }
    // Only while open.
    [[nodiscard]] EventSink &sink() noexcept { return *m_sink; }
    // Everything is on disk afterwards, or the problem says why not.
    [[nodiscard]] Expected<void> close();

private:
    std::unique_ptr<Redactor> m_redactor;
    std::unique_ptr<Recorder> m_recorder;
    std::unique_ptr<RedactingSink> m_sink;
    QString m_finishAs;
};

} // namespace Waitscope
