// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recordfile.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

tl::unexpected<Problem> failure(const QString &path, int error)
{
    QString advice;
    if (error == ENOSPC || error == EDQUOT)
        advice = u"make room on the disk"_s;
    return unavailable(path, u"cannot be recorded to: %1"_s.arg(qt_error_string(error)), advice);
}

} // namespace

RecordFile::~RecordFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Expected<void> RecordFile::open(const QString &path, bool overwrite)
{
    m_path = path;
    m_descriptor = ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (m_descriptor < 0)
        return failure(path, errno);
    struct stat status = {};
    if (::fstat(m_descriptor, &status) != 0)
        return failure(path, errno);
    if (!S_ISREG(status.st_mode))
        return {};
    // Held until the descriptor is closed, by a kill too. Where the file system has no locks there is nothing to ask.
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return unavailable(path, u"another run is being recorded to it"_s, u"give another name"_s);
    // Looked at again: whoever held the lock a moment ago may have written.
    if (::fstat(m_descriptor, &status) != 0)
        return failure(path, errno);
    if (status.st_size == 0)
        return {};
    if (!overwrite)
        return unavailable(path, u"exists already"_s, u"give another name, or say that it is to be overwritten"_s);
    if (::ftruncate(m_descriptor, 0) != 0)
        return failure(path, errno);
    return {};
}

Expected<void> RecordFile::append(QByteArrayView line)
{
    qsizetype done = 0;
    while (done < line.size()) {
        const ssize_t n = ::write(m_descriptor, line.data() + done, static_cast<size_t>(line.size() - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const int error = errno;
            // Half a line is worse than none. Where that fails too (a pipe), readers drop a torn last line.
            if (done > 0) [[maybe_unused]]
                const int ignored = ::ftruncate(m_descriptor, m_size);
            return failure(m_path, error);
        }
        done += n;
    }
    m_size += line.size();
    return {};
}

Expected<void> RecordFile::sync()
{
    const qint64 size = m_size;
    if (m_synced.exchange(size) != size && ::fdatasync(m_descriptor) != 0) {
        // Pipes and devices have nothing to sync.
        if (errno != EINVAL && errno != EROFS && errno != ENOTSUP)
            return failure(m_path, errno);
    }
    struct stat status = {};
    if (::fstat(m_descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
        return unavailable(m_path, u"was deleted while it was recorded to"_s);
    return {};
}

} // namespace Waitscope
