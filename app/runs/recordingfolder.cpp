// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/recordingfolder.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr auto stampFormat = "yyyyMMdd-HHmmss-zzz"_L1;
constexpr auto ending = ".waitscope.jsonl"_L1;
constexpr auto unfinishedEnding = ".unfinished"_L1;
constexpr qsizetype stampLength = 19;
constexpr qint64 longestHeader = 256 * 1024;

// A recorder holds a lock for as long as it writes, and a kill lets go of it.
bool isBeingWritten(const QString &path)
{
    const int descriptor = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
}

QString titleOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readLine(longestHeader)).object()["title"_L1].toString();
}

// nullopt-like: a FoundRecording without a path is none of ours.
FoundRecording foundAt(const QFileInfo &file)
{
    static const QRegularExpression own(u"\\A\\d{8}-\\d{6}-\\d{3}\\.waitscope\\.jsonl(\\.unfinished)?\\z"_s);
    FoundRecording found;
    if (!own.match(file.fileName()).hasMatch())
        return found;
    found.path = file.filePath();
    found.made = QDateTime::fromString(file.fileName().left(stampLength), QString(stampFormat));
    found.made.setTimeSpec(Qt::UTC);
    found.bytes = file.size();
    return found;
}

} // namespace

QString recordingPath(const QString &folder, const QDateTime &nowUtc)
{
    return QDir(folder).filePath(nowUtc.toString(QString(stampFormat)) + ending);
}

QString unfinishedPath(const QString &path)
{
    return path + unfinishedEnding;
}

Expected<void> finishRecording(const QString &path)
{
    QFile file(unfinishedPath(path));
    if (!file.rename(path))
        return unavailable(unfinishedPath(path), u"cannot be renamed: "_s + file.errorString(), u"it can be opened as it is"_s);
    return {};
}

FolderSurvey surveyRecordings(const QString &folder, qint64 mostBytes, const QStringList &spared)
{
    FolderSurvey survey;
    const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files | QDir::NoSymLinks, QDir::Name | QDir::Reversed);
    for (const QFileInfo &file : files) {
        FoundRecording found = foundAt(file);
        if (found.path.isEmpty() || isBeingWritten(found.path))
            continue;
        if (found.path.endsWith(unfinishedEnding)) {
            found.unfinished = true;
            const QString path = found.path.chopped(unfinishedEnding.size());
            if (finishRecording(path))
                found.path = path;
        }
        survey.recordings.push_back(std::move(found));
    }
    qint64 kept = 0;
    for (const FoundRecording &found : survey.recordings)
        kept += found.bytes;
    // From the oldest on, which stand last.
    for (auto it = survey.recordings.rbegin(); it != survey.recordings.rend() && kept > mostBytes; ++it) {
        if (it->unfinished || spared.contains(it->path) || !QFile::remove(it->path))
            continue;
        kept -= it->bytes;
        survey.removed << it->path;
    }
    std::erase_if(survey.recordings, [&survey](const FoundRecording &found) { return survey.removed.contains(found.path); });
    for (FoundRecording &found : survey.recordings)
        found.title = titleOf(found.path);
    return survey;
}

} // namespace Waitscope
