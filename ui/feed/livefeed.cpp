// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/feed/livefeed.h"

#include <QThread>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace Waitscope {

namespace {

// Taken by the window as one piece: some 0.2 ms of work, so that a frame's budget is kept to that grain.
constexpr size_t chunkSize = 1024;

} // namespace

struct LiveFeed::Queue {
    std::mutex mutex;
    std::condition_variable space;
    std::deque<std::vector<Event>> chunks;
    std::vector<Event> spare; // an emptied chunk, kept so that a steady stream allocates nothing
    qsizetype waiting = 0;    // events not yet in the store, those of the chunk in work included
    quint64 leftOut = 0;
    bool woken = false;       // the window knows that something waits
    bool impatient = false;   // the writer has waited once in this jam and does not wait again
    bool closed = false;
};

LiveFeed::LiveFeed(TraceStore &store, FeedLimits limits, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_limits(limits)
    , m_queue(std::make_unique<Queue>())
{
    m_frame.setSingleShot(true);
    m_frame.setTimerType(Qt::PreciseTimer);
    connect(&m_frame, &QTimer::timeout, this, &LiveFeed::drainFrame);
    m_open.setInterval(m_limits.openTick);
    connect(&m_open, &QTimer::timeout, this, [this] { Q_EMIT nowAdvanced(now()); });
}

LiveFeed::~LiveFeed()
{
    close();
}

void LiveFeed::write(const Event &event)
{
    Queue &q = *m_queue;
    const bool ownThread = QThread::currentThread() == thread();
    std::unique_lock lock(q.mutex);
    if (!q.closed && q.waiting >= m_limits.events) {
        if (ownThread) {
            // The window itself is the writer: nobody else could make room.
            lock.unlock();
            drain(true);
            lock.lock();
        } else if (!q.impatient) {
            q.space.wait_for(lock, m_limits.patience, [&] { return q.closed || q.waiting < m_limits.events; });
        }
    }
    if (q.closed || q.waiting >= m_limits.events) {
        q.impatient = true;
        ++q.leftOut;
        return;
    }
    q.impatient = false;
    if (q.chunks.empty() || q.chunks.back().size() >= chunkSize) {
        q.chunks.push_back(std::exchange(q.spare, {}));
        q.chunks.back().reserve(chunkSize);
    }
    q.chunks.back().push_back(event);
    ++q.waiting;
    if (q.woken)
        return;
    q.woken = true;
    lock.unlock();
    QMetaObject::invokeMethod(this, &LiveFeed::wake, Qt::QueuedConnection);
}

void LiveFeed::flush()
{
    m_frame.stop();
    drain(true);
}

bool LiveFeed::isEmpty() const
{
    const std::lock_guard lock(m_queue->mutex);
    return m_queue->waiting == 0;
}

void LiveFeed::close()
{
    const std::lock_guard lock(m_queue->mutex);
    m_queue->closed = true;
    m_queue->space.notify_all();
}

void LiveFeed::setNow(std::function<Instant()> now)
{
    m_now = std::move(now);
    watchOpenSpans();
    Q_EMIT storeChanged();
}

Instant LiveFeed::now() const
{
    const Instant last = m_store.lastTime();
    return m_now ? std::max(m_now(), last) : last;
}

quint64 LiveFeed::eventsLeftOut() const noexcept
{
    const std::lock_guard lock(m_queue->mutex);
    return m_queue->leftOut;
}

void LiveFeed::wake()
{
    if (m_frame.isActive())
        return;
    // The first event after a pause is shown at once, a stream of them once a frame.
    const auto since = m_sinceFrame.isValid() ? std::chrono::milliseconds(m_sinceFrame.elapsed()) : m_limits.frame;
    m_frame.start(std::max(std::chrono::milliseconds(0), m_limits.frame - since));
}

void LiveFeed::drainFrame()
{
    m_sinceFrame.start();
    if (drain(false))
        m_frame.start(m_limits.frame);
}

// True when something is left for the next frame.
bool LiveFeed::drain(bool everything)
{
    Queue &q = *m_queue;
    QElapsedTimer work;
    work.start();
    qsizetype drained = 0;
    qsizetype wanted = 0;
    quint64 lost = 0;
    bool more = false;
    std::vector<Event> chunk;
    {
        const std::lock_guard lock(q.mutex);
        wanted = q.waiting; // what comes in meanwhile can wait: a fast writer must not hold the window here
    }
    for (;;) {
        {
            const std::lock_guard lock(q.mutex);
            q.waiting -= static_cast<qsizetype>(chunk.size());
            drained += static_cast<qsizetype>(chunk.size());
            chunk.clear();
            if (q.waiting < m_limits.events)
                q.space.notify_one();
            // At least one piece, or a busy machine would stop the feed for good.
            const bool enough = everything ? drained >= wanted
                                           : drained > 0 && std::chrono::nanoseconds(work.nsecsElapsed()) >= m_limits.workPerFrame;
            more = !q.chunks.empty();
            if (enough || !more) {
                if (!more)
                    q.woken = false;
                if (chunk.capacity() > 0)
                    q.spare = std::move(chunk);
                lost = q.leftOut - m_told;
                m_told = q.leftOut;
                break;
            }
            if (chunk.capacity() > 0)
                q.spare = std::move(chunk);
            chunk = std::move(q.chunks.front());
            q.chunks.pop_front();
        }
        for (const Event &event : chunk)
            m_store.write(event);
    }
    if (everything && more)
        wake();
    if (drained > 0) {
        watchOpenSpans();
        Q_EMIT storeChanged();
    }
    if (lost > 0)
        Q_EMIT eventsLost(lost);
    if (!more)
        Q_EMIT emptied();
    return more;
}

void LiveFeed::watchOpenSpans()
{
    const bool open = m_now && !m_store.openSpans().empty();
    if (open && !m_open.isActive())
        m_open.start();
    else if (!open)
        m_open.stop();
}

} // namespace Waitscope
