// SPDX-License-Identifier: GPL-3.0-or-later
// ctest-timeout: 300
// The folder of recordings that the window makes by itself: after a kill nothing is lost and the recording is offered, the folder
// stays within its limit, and only files of its own names are touched.
#include "app/runs/recordingfolder.h"
#include "trace/recordfile.h"
#include "trace/tracereader.h"
#include "trace/tracestore.h"
#include "ui/panels/startpage.h"

#include <QDir>
#include <QListWidget>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>



using namespace Waitscope;
using namespace Qt::StringLiterals;

namespace {

const QByteArray header = R"({"format":"waitscope-trace","version":"1.0","clock":"real","scale":1,"title":"one call","program":"0.1.0"})"
                          "\n";

QString written(const QDir &folder, const QString &name, qsizetype bytes)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(header + QByteArray(std::max<qsizetype>(0, bytes - header.size()), '\n')) < 0)
        qFatal("no file");
    return file.fileName();
}

} // namespace

class TestRecordingFolder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesSortByTime();
    void theOldestGoFirst();
    void whatIsWrittenIsLeftAlone();
    void aKillLosesNothing();
    void theStartPageOffersThem();
};

void TestRecordingFolder::namesSortByTime()
{
    QTemporaryDir dir;
    const QDateTime when(QDate(2026, 12, 1), QTime(12, 31, 5, 42), Qt::UTC);
    const QString path = recordingPath(dir.path(), when);
    QCOMPARE(QFileInfo(path).fileName(), u"20261201-123105-042.waitscope.jsonl"_s);
    written(QDir(dir.path()), QFileInfo(path).fileName(), 500);
    written(QDir(dir.path()), u"20261130-000000-000.waitscope.jsonl"_s, 600);
    const FolderSurvey survey = surveyRecordings(dir.path(), 1'000'000, {});
    QCOMPARE(survey.recordings.size(), size_t(2));
    QCOMPARE(survey.recordings[0].made, when);
    QCOMPARE(survey.recordings[0].title, u"one call"_s);
    QCOMPARE(survey.recordings[0].bytes, 500);
    QVERIFY(!survey.recordings[0].unfinished);
}

void TestRecordingFolder::theOldestGoFirst()
{
    QTemporaryDir dir;
    const QDir folder(dir.path());
    const QString oldest = written(folder, u"20260101-000000-000.waitscope.jsonl"_s, 1000);
    const QString spared = written(folder, u"20260102-000000-000.waitscope.jsonl"_s, 1000);
    const QString left = written(folder, u"20260103-000000-000.waitscope.jsonl.unfinished"_s, 1000);
    const QString next = written(folder, u"20260104-000000-000.waitscope.jsonl"_s, 1000);
    const QString newest = written(folder, u"20260105-000000-000.waitscope.jsonl"_s, 1000);
    const QString named = written(folder, u"my own.waitscope.jsonl"_s, 100'000);
    QFile::link(newest, folder.filePath(u"20250101-000000-000.waitscope.jsonl"_s));
    const FolderSurvey survey = surveyRecordings(dir.path(), 3500, {spared});
    QCOMPARE(survey.removed, QStringList({oldest, next}));
    QVERIFY(QFile::exists(spared) && QFile::exists(newest) && QFile::exists(named));
    QVERIFY(!QFile::exists(left));
    QVERIFY(QFile::exists(left.chopped(int(qstrlen(".unfinished")))));
    QCOMPARE(survey.recordings.size(), size_t(3));
    QVERIFY(survey.recordings[1].unfinished);
    QVERIFY(surveyRecordings(dir.path(), 3500, {spared}).removed.isEmpty());
    // It is offered as unfinished once; and whatever the limit, a name of somebody's own stays.
    QVERIFY(!surveyRecordings(dir.path(), 3500, {spared}).recordings[1].unfinished);
    QCOMPARE(surveyRecordings(dir.path(), 1, {}).removed.size(), 3);
    QVERIFY(QFile::exists(named));
}

void TestRecordingFolder::whatIsWrittenIsLeftAlone()
{
    QTemporaryDir dir;
    const QString path = recordingPath(dir.path(), QDateTime::currentDateTimeUtc());
    {
        RecordFile busy;
        QVERIFY(busy.open(unfinishedPath(path)));
        QVERIFY(busy.append(header));
        const FolderSurvey survey = surveyRecordings(dir.path(), 1, {});
        QVERIFY(survey.recordings.empty() && survey.removed.isEmpty());
        QVERIFY(QFile::exists(unfinishedPath(path)));
    }
    const FolderSurvey survey = surveyRecordings(dir.path(), 1, {});
    QCOMPARE(survey.recordings.size(), size_t(1));
    QVERIFY(survey.recordings[0].unfinished);
    QCOMPARE(survey.recordings[0].path, path);
    // Nothing is written over, even where the name is taken.
    written(QDir(dir.path()), QFileInfo(unfinishedPath(path)).fileName(), 700);
    QVERIFY(!finishRecording(path));
    QCOMPARE(QFileInfo(unfinishedPath(path)).size(), 700);
}

// The whole program, killed in the middle of the demo, and the next start.
void TestRecordingFolder::aKillLosesNothing()
{
    QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"XDG_STATE_HOME"_s, home.path());
    environment.insert(u"XDG_CONFIG_HOME"_s, home.path());
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(WAITSCOPE_WINDOW), {u"--demo"_s, u"connect-storm"_s});
    const QDir folder(home.filePath(u"waitscope"_s));
    QString recording;
    const auto hasLines = [&] {
        const QStringList names = folder.entryList({u"*.unfinished"_s}, QDir::Files);
        recording = names.isEmpty() ? QString() : folder.filePath(names.front());
        return !recording.isEmpty() && QFileInfo(recording).size() > 20'000;
    };
    QVERIFY2(QTest::qWaitFor(hasLines, 60'000), process.readAllStandardError());
    process.kill(); // SIGKILL: nothing of the program runs any more
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QFile file(recording);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray left = file.readAll();
    file.close();

    const FolderSurvey survey = surveyRecordings(folder.path(), usualFolderLimit, {});
    QCOMPARE(survey.recordings.size(), size_t(1));
    QVERIFY(survey.recordings[0].unfinished);
    QCOMPARE(survey.recordings[0].bytes, left.size());
    TraceStore store;
    StoreFiller filler(store);
    TraceParser parser(u"left"_s, filler);
    QFile again(survey.recordings[0].path);
    QVERIFY(again.open(QIODevice::ReadOnly));
    const QByteArray kept = again.readAll();
    QCOMPARE(kept, left);
    QVERIFY(parser.feed(kept));
    parser.finish();
    QCOMPARE(parser.report().problemCount, quint64(parser.report().torn ? 1 : 0));
    QCOMPARE(qsizetype(parser.report().lines), left.count('\n') + (parser.report().torn ? 1 : 0));
    QVERIFY(!store.openSpans().empty());
}

void TestRecordingFolder::theStartPageOffersThem()
{
    StartPage page;
    page.setRecentFiles({u"/a/b.waitscope.jsonl"_s, u"/r/2.waitscope.jsonl"_s});
    page.setRecordings({{u"/r/3.waitscope.jsonl"_s, u"third"_s, QDateTime::currentDateTimeUtc(), 5, false},
                        {u"/r/2.waitscope.jsonl"_s, u"second"_s, QDateTime::currentDateTimeUtc(), 5, false},
                        {u"/r/1.waitscope.jsonl"_s, u"first"_s, QDateTime::currentDateTimeUtc(), 5000, true}});
    const auto *list = page.findChild<QListWidget *>();
    QStringList paths;
    for (int i = 0; i < list->count(); ++i)
        paths << list->item(i)->data(Qt::UserRole).toString();
    QCOMPARE(paths, QStringList({u"/r/1.waitscope.jsonl"_s, u"/a/b.waitscope.jsonl"_s, u"/r/2.waitscope.jsonl"_s, u"/r/3.waitscope.jsonl"_s}));
    QVERIFY2(list->item(0)->text().startsWith(u"Not ended: first"_s), qPrintable(list->item(0)->text()));
    QVERIFY2(list->item(0)->text().contains(u"4.9 KiB"_s), qPrintable(list->item(0)->text()));
}

QTEST_MAIN(TestRecordingFolder)
#include "tst_recordingfolder.moc"
