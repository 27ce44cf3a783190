// SPDX-License-Identifier: GPL-3.0-or-later
// Reads recordings piece by piece: a window can paint after the first, a growing file can be followed, a bad line is named.
#pragma once

#include "base/problem.h"
#include "event/event.h"
#include "event/header.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace Waitscope {

class TraceStore;

// Takes what a reader finds, in the file's order.
class TraceReceiver
{
public:
    TraceReceiver() = default;
    virtual ~TraceReceiver() = default;
    Q_DISABLE_COPY_MOVE(TraceReceiver)

    // `raw` is the whole line where it holds fields this version does not know, else empty; so for onEvent.
    virtual void onHeader(const TraceHeader &header, QByteArrayView raw) = 0;
    virtual void onEvent(const Event &event, QByteArrayView raw) = 0;
    // A line of a kind that this version does not know.
    virtual void onUnknown(QByteArrayView raw) = 0;
};

// Fills a store; what this version does not know has no place there.
class StoreFiller final : public TraceReceiver
{
public:
    explicit StoreFiller(TraceStore &store)
        : m_store(store)
    {
    }
    void onHeader(const TraceHeader &header, QByteArrayView raw) override;
    void onEvent(const Event &event, QByteArrayView raw) override;
    void onUnknown(QByteArrayView raw) override;

private:
    TraceStore &m_store;
};

struct ReadReport {
    quint64 lines = 0;
    quint64 events = 0;
    quint64 unknown = 0;  // lines of unknown kinds
    bool torn = false;    // the last line had no end and was dropped
    bool stopped = false; // the recording says that it stopped before its run did
    bool cancelled = false;
    quint64 problemCount = 0;
    std::vector<Problem> problems; // the first hundred, each with file and line
};

// Bytes in, events out. Feed whatever has come, as often as it comes.
class TraceParser
{
public:
    // `name` is how problems call the source; both outlive the parser's use.
    TraceParser(QString name, TraceReceiver &receiver);
    ~TraceParser();
    Q_DISABLE_COPY_MOVE(TraceParser)

    // False once the source is refused as a whole (no recording, a newer major version): see refusal().
    bool feed(QByteArrayView bytes);
    // No more bytes will come: an unterminated last line is reported and dropped.
    void finish();

    [[nodiscard]] const std::optional<Problem> &refusal() const noexcept;
    [[nodiscard]] const ReadReport &report() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> d;
};

struct ReadProgress {
    qint64 bytes = 0;
    qint64 total = 0;
    quint64 events = 0;
};

// Reads a whole file in pieces of 4 MiB (the first one smaller). `afterPiece` may paint and returns whether to go on.
// Only a file that cannot be opened or is no recording at all is an error; anything less is in the report.
[[nodiscard]] Expected<ReadReport> readTrace(const QString &path, TraceReceiver &receiver,
                                             const std::function<bool(const ReadProgress &)> &afterPiece = {});

} // namespace Waitscope
