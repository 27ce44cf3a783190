// SPDX-License-Identifier: GPL-3.0-or-later
// The live queue: takes events from the engine's thread and brings them into a store of the window's thread once a frame.
#pragma once

#include "event/sink.h"
#include "trace/tracestore.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace Waitscope {

struct FeedLimits {
    // Events waiting for the window. When so many wait, the writer waits too, but not longer than `patience`; what does
    // not fit even then is left out here (never in a recording), counted and told.
    qsizetype events = 1 << 18;
    std::chrono::milliseconds patience{2000};
    std::chrono::milliseconds frame{16};
    std::chrono::milliseconds workPerFrame{8};
    // While spans are open, how often nowAdvanced() tells views whose digits follow the time.
    std::chrono::milliseconds openTick{100};
};

class LiveFeed final : public QObject, public EventSink
{
    Q_OBJECT
public:
    // The store outlives the feed and belongs to this thread.
    explicit LiveFeed(TraceStore &store, FeedLimits limits = {}, QObject *parent = nullptr);
    ~LiveFeed() override;

    // From any one thread at a time.
    void write(const Event &event) override;

    // Everything written so far is in the store when this returns.
    void flush();
    // Nothing written so far is missing in the store. emptied() says when that comes to be so.
    [[nodiscard]] bool isEmpty() const;
    // No writer waits any more, and later events are left out: before an engine thread is joined. flush() still works.
    void close();

    // The run's nominal time for spans that are still open; an empty function when the run has ended.
    void setNow(std::function<Instant()> now);
    [[nodiscard]] bool isLive() const noexcept { return bool(m_now); }
    // Never before the store's last event.
    [[nodiscard]] Instant now() const;

    [[nodiscard]] TraceStore &store() noexcept { return m_store; }
    [[nodiscard]] quint64 eventsLeftOut() const noexcept;
    // Whether a timer of the feed runs at the moment; for tests of idleness.
    [[nodiscard]] bool isTicking() const { return m_frame.isActive() || m_open.isActive(); }

Q_SIGNALS:
    void storeChanged();          // at most once a frame
    void emptied();               // after that, where nothing is left
    void nowAdvanced(Instant now); // a few times a second, only while something is open
    void eventsLost(quint64 count); // so many more were left out since the last time

private:
    struct Queue;
    void wake();
    void drainFrame();
    bool drain(bool everything);
    void watchOpenSpans();

    TraceStore &m_store;
    FeedLimits m_limits;
    std::unique_ptr<Queue> m_queue;
    std::function<Instant()> m_now;
    QTimer m_frame;
    QElapsedTimer m_sinceFrame;
    QTimer m_open;
    quint64 m_told = 0;
};

} // namespace Waitscope
