// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows first: the three ways to get something to look at, recent files, and a first-run sample.
#pragma once

#include "ui/requests.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;

namespace Waitscope {

class ChoiceButton;

class StartPage final : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);

    void focusFirst();
    void setRecentFiles(const QStringList &paths); // newest first
    // What the window has recorded by itself, newest first. Unfinished ones come before everything else.
    void setRecordings(std::vector<OfferedRecording> recordings);

Q_SIGNALS:
    void runWished();
    void openWished();
    void simulateWished();
    void demoWished(const QString &name);
    void recentWished(const QString &path);

private:
    void fillList();

    QStringList m_recentPaths;
    std::vector<OfferedRecording> m_recordings;
    ChoiceButton *m_first = nullptr;
    QLabel *m_recentTitle = nullptr;
    QListWidget *m_recent = nullptr;
};

} // namespace Waitscope
