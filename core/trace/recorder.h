// SPDX-License-Identifier: GPL-3.0-or-later
// Writes events to a recording while they happen: one line, one write; a kill leaves every complete line readable.
#pragma once

#include "base/problem.h"
#include "event/header.h"
#include "event/sink.h"

#include <QByteArray>

#include <functional>
#include <memory>

namespace Waitscope {

struct RecorderOptions {
    QString path;
    bool overwrite = false;                      // a file that holds something is refused otherwise
    qint64 sizeLimit = 0;                        // bytes; 0 = none. The recording stops there and says so in its last line.
    qsizetype queueLimit = 8 << 20;              // bytes waiting for the disk before write() waits for it
    Duration patience = std::chrono::seconds(5); // real time; a disk that stands still longer ends the recording
    Duration syncEvery = std::chrono::seconds(1);
};

// The file is readable by its owner only, and locked against a second recording. When recording has to stop (disk full, file gone, size limit) the
// run goes on, the file ends with a complete line, and the problem is told once. No event in the middle is ever left out.
class Recorder final : public EventSink
{
public:
    // `onProblem` is called at most once, from whichever thread finds out; it must not call back into the recorder.
    [[nodiscard]] static Expected<std::unique_ptr<Recorder>> open(RecorderOptions options, const TraceHeader &header,
                                                                  std::function<void(const Problem &)> onProblem);
    ~Recorder() override;

    void write(const Event &event) override;

    // Waits until everything given so far is written and synced. The problem that stopped the recording, if one did.
    [[nodiscard]] Expected<void> flush();
    // flush(), then no more. Called by the destructor.
    Expected<void> close();

    [[nodiscard]] quint64 eventsWritten() const noexcept;    // complete lines in the file, without the header
    [[nodiscard]] quint64 eventsNotWritten() const noexcept; // came after the recording had stopped

private:
    struct Parts;
    explicit Recorder(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> d;
};

} // namespace Waitscope
