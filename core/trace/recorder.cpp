// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recorder.h"

#include "trace/recordfile.h"
#include "trace/tracewriter.h"

#include <QSet>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

// Lines waiting for the disk, side by side in one buffer.
struct LineQueue {
    QByteArray bytes;
    std::vector<qsizetype> lengths;

    void add(QByteArrayView line)
    {
        bytes.append(line.data(), line.size());
        lengths.push_back(line.size());
    }
    void clear()
    {
        bytes.resize(0);
        lengths.clear();
    }
};

} // namespace

// Two threads, so that a slow sync never holds lines back in memory, where a kill would lose them: one writes, one syncs.
struct Recorder::Parts {
    RecorderOptions options;
    std::function<void(const Problem &)> onProblem;
    RecordFile file;
    qint64 roomForEnd = 0; // bytes kept free below the size limit for the last line

    // Of the thread that calls write().
    QByteArray scratch;
    QSet<quint64> openCalls;

    std::mutex mutex;
    std::condition_variable lines; // there are lines to write, or it is over
    std::condition_variable moved; // lines were written, or it is over
    std::condition_variable sync;  // an end was recorded, or it is over
    LineQueue incoming;
    quint64 accepted = 0;
    quint64 written = 0;
    quint64 refused = 0;
    bool syncWanted = false;
    bool closing = false;
    std::optional<Problem> problem;

    std::thread writer;
    std::thread syncer;

    // Ends the recording; only the first problem counts.
    void stop(const Problem &why)
    {
        {
            const std::scoped_lock lock(mutex);
            if (problem)
                return;
            problem = why;
        }
        moved.notify_all();
        if (onProblem)
            onProblem(why);
    }

    // False once the recording has stopped.
    bool writeLine(QByteArrayView line)
    {
        if (options.sizeLimit > 0 && file.size() + line.size() + roomForEnd > options.sizeLimit) {
            endWith(u"its size limit of %1 bytes is reached"_s.arg(options.sizeLimit));
            stop(Problem(
                ProblemKind::Unavailable, options.path,
                u"the recording has reached its limit of %1 bytes and ends here; the run goes on"_s.arg(options.sizeLimit)));
            return false;
        }
        if (const Expected<void> done = file.append(line); !done) {
            endWith(u"the disk refused more"_s);
            Problem told = done.error();
            told.advice += (told.advice.isEmpty() ? ""_L1 : "; "_L1) + "the recording ends here, the run goes on"_L1;
            stop(told);
            return false;
        }
        return true;
    }

    void endWith(const QString &why)
    {
        QByteArray line;
        appendStoppedLine(line, why);
        // Where the disk takes nothing more, the file ends without saying so; the problem is told all the same.
        [[maybe_unused]] const Expected<void> ignored = file.append(line);
    }

    void writeLines()
    {
        LineQueue taken;
        std::unique_lock lock(mutex);
        for (;;) {
            lines.wait(lock, [this] { return closing || !incoming.lengths.empty(); });
            if (incoming.lengths.empty())
                return;
            taken.clear();
            std::swap(taken, incoming);
            moved.notify_all();
            lock.unlock();
            quint64 count = 0;
            const char *at = taken.bytes.constData();
            bool going = true;
            for (const qsizetype length : taken.lengths) {
                going = going && writeLine(QByteArrayView(at, length));
                count += going ? 1 : 0;
                at += length;
            }
            lock.lock();
            written += count;
            refused += taken.lengths.size() - count;
            moved.notify_all();
            if (!going) {
                refused += incoming.lengths.size();
                incoming.clear();
                return;
            }
        }
    }

    void syncAgainAndAgain()
    {
        std::unique_lock lock(mutex);
        while (!closing && !problem) {
            sync.wait_for(lock, options.syncEvery, [this] { return closing || syncWanted; });
            // What came last is still on its way to the writer.
            if (syncWanted)
                moved.wait_for(lock, options.syncEvery,
                               [this] { return closing || problem || written + refused >= accepted; });
            syncWanted = false;
            lock.unlock();
            if (const Expected<void> done = file.sync(); !done)
                stop(done.error());
            lock.lock();
        }
    }
};

Expected<std::unique_ptr<Recorder>> Recorder::open(RecorderOptions options, const TraceHeader &header,
                                                   std::function<void(const Problem &)> onProblem)
{
    auto parts = std::make_unique<Parts>();
    parts->options = std::move(options);
    parts->onProblem = std::move(onProblem);
    if (Expected<void> opened = parts->file.open(parts->options.path, parts->options.overwrite); !opened)
        return tl::unexpected<Problem>(opened.error());
    QByteArray line;
    appendStoppedLine(line, u"its size limit of 9223372036854775807 bytes is reached"_s);
    parts->roomForEnd = line.size();
    line.clear();
    appendHeaderLine(line, header);
    if (Expected<void> done = parts->file.append(line); !done)
        return tl::unexpected<Problem>(done.error());
    Parts *const p = parts.get();
    parts->writer = std::thread([p] { p->writeLines(); });
    parts->syncer = std::thread([p] { p->syncAgainAndAgain(); });
    return std::unique_ptr<Recorder>(new Recorder(std::move(parts)));
}

Recorder::Recorder(std::unique_ptr<Parts> parts)
    : d(std::move(parts))
{
}

Recorder::~Recorder()
{
    [[maybe_unused]] const Expected<void> told = close(); // onProblem has said what is wrong
}

void Recorder::write(const Event &event)
{
    bool ends = false;
    if (const auto *began = std::get_if<SpanBegan>(&event)) {
        if (began->kind == SpanKind::Exec || began->kind == SpanKind::Task)
            d->openCalls.insert(began->id.value);
    } else if (const auto *ended = std::get_if<SpanEnded>(&event)) {
        ends = d->openCalls.remove(ended->id.value);
    }
    d->scratch.resize(0);
    appendEventLine(d->scratch, event);

    std::unique_lock lock(d->mutex);
    ++d->accepted;
    const auto hasRoom = [this] { return d->problem || d->incoming.bytes.size() < d->options.queueLimit; };
    if (!hasRoom() && !d->moved.wait_for(lock, d->options.patience, hasRoom)) {
        lock.unlock();
        d->stop(Problem(ProblemKind::Unavailable, d->options.path,
                        u"the disk has stood still for %1 s; the recording ends here, the run goes on"_s.arg(
                            toSeconds(d->options.patience))));
        lock.lock();
    }
    if (d->problem || d->closing) {
        ++d->refused;
        return;
    }
    const bool wasEmpty = d->incoming.lengths.empty();
    d->incoming.add(d->scratch);
    d->syncWanted = d->syncWanted || ends;
    lock.unlock();
    if (wasEmpty)
        d->lines.notify_one();
    if (ends)
        d->sync.notify_one();
}

Expected<void> Recorder::flush()
{
    {
        std::unique_lock lock(d->mutex);
        d->moved.wait(lock, [this] { return d->problem || d->written + d->refused >= d->accepted; });
        if (d->problem)
            return tl::unexpected<Problem>(*d->problem);
    }
    if (Expected<void> done = d->file.sync(); !done) {
        d->stop(done.error());
        return done;
    }
    return {};
}

Expected<void> Recorder::close()
{
    if (!d->writer.joinable())
        return d->problem ? Expected<void>(tl::unexpected<Problem>(*d->problem)) : Expected<void>();
    Expected<void> done = flush();
    {
        const std::scoped_lock lock(d->mutex);
        d->closing = true;
    }
    d->lines.notify_all();
    d->sync.notify_all();
    d->moved.notify_all();
    d->writer.join();
    d->syncer.join();
    return done;
}

quint64 Recorder::eventsWritten() const noexcept
{
    const std::scoped_lock lock(d->mutex);
    return d->written;
}

quint64 Recorder::eventsNotWritten() const noexcept
{
    const std::scoped_lock lock(d->mutex);
    return d->refused;
}

} // namespace Waitscope
