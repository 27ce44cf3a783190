// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/startpage.h"

#include "ui/panels/choicebutton.h"
#include "ui/style/format.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int columnWidth = 720;
constexpr int mostRows = 6; // of recordings; the others are scrolled to
constexpr qsizetype mostEntries = 100;
constexpr QLatin1StringView firstDemo("connect-storm");

QLabel *label(const QString &text, double scale, bool bold, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
{
    auto *column = new QWidget(this);
    column->setMaximumWidth(columnWidth);
    auto *outer = new QHBoxLayout(this);
    outer->addStretch(1);
    outer->addWidget(column, 4);
    outer->addStretch(1);

    m_first = new ChoiceButton(tr("&Run a call"),
                               tr("Send a request to a model's endpoint and watch every layer while it waits."), Layer::Exec,
                               column);
    auto *open
        = new ChoiceButton(tr("&Open a recording"),
                           tr("Walk through a recorded run, attempt by attempt and sleep by sleep."), Layer::Http, column);
    auto *simulate = new ChoiceButton(tr("&Simulate a fault"),
                                      tr("Play a fault on a virtual clock: hours of retrying in a blink, nothing is sent."),
                                      Layer::Stream, column);
    auto *demo = new ChoiceButton(tr("See the &demo: %1").arg(firstDemo),
                                  tr("Connects that nobody answers, and what every layer's retries make of them."),
                                  Layer::Session, column);
    connect(m_first, &ChoiceButton::clicked, this, &StartPage::runWished);
    connect(open, &ChoiceButton::clicked, this, &StartPage::openWished);
    connect(simulate, &ChoiceButton::clicked, this, &StartPage::simulateWished);
    connect(demo, &ChoiceButton::clicked, this, [this] { Q_EMIT demoWished(QString(firstDemo)); });

    m_recentTitle = label(tr("Recordin&gs"), 1.1, true, column);
    m_recent = new QListWidget(column);
    m_recent->setAccessibleName(tr("Recordings"));
    m_recent->setUniformItemSizes(true);
    m_recent->setSpacing(3);
    m_recentTitle->setBuddy(m_recent);
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { Q_EMIT recentWished(item->data(Qt::UserRole).toString()); });

    auto *layout = new QVBoxLayout(column);
    layout->setSpacing(8);
    layout->addStretch(2);
    layout->addWidget(label(tr("Waitscope"), 2.4, true, column));
    layout->addWidget(label(tr("What is my language-model call waiting for?"), 1.25, false, column));
    layout->addSpacing(18);
    auto *grid = new QGridLayout;
    grid->setSpacing(10);
    grid->addWidget(m_first, 0, 0);
    grid->addWidget(open, 0, 1);
    grid->addWidget(simulate, 1, 0);
    grid->addWidget(demo, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    layout->addSpacing(18);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent);
    layout->addStretch(2);
    setRecentFiles({});
}

void StartPage::focusFirst()
{
    m_first->setFocus();
}

void StartPage::setRecentFiles(const QStringList &paths)
{
    m_recentPaths = paths;
    fillList();
}

void StartPage::setRecordings(std::vector<OfferedRecording> recordings)
{
    m_recordings = std::move(recordings);
    fillList();
}

void StartPage::fillList()
{
    m_recent->clear();
    QStringList shown;
    const auto add = [this, &shown](const QString &text, const QString &path) {
        if (shown.contains(path))
            return;
        shown << path;
        auto *item = new QListWidgetItem(text, m_recent);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    };
    const auto textOf = [](const OfferedRecording &recording) {
        const QString when = QLocale().toString(recording.made.toLocalTime(), QLocale::ShortFormat);
        return tr("%1   %2, %3").arg(recording.title.isEmpty() ? tr("without a title") : recording.title, when, shownBytes(recording.bytes));
    };
    for (const OfferedRecording &recording : m_recordings) {
        if (recording.unfinished)
            add(tr("Not ended: %1. The program stopped while it was recording").arg(textOf(recording)), recording.path);
    }
    for (const QString &path : m_recentPaths) {
        const auto known = std::ranges::find(m_recordings, path, &OfferedRecording::path);
        const QFileInfo file(path);
        add(known == m_recordings.end() ? tr("%1   in %2").arg(file.fileName(), file.path()) : textOf(*known), path);
    }
    for (const OfferedRecording &recording : m_recordings) {
        if (shown.size() >= mostEntries)
            break;
        add(textOf(recording), recording.path);
    }
    const bool any = !shown.isEmpty();
    const int rows = std::clamp(static_cast<int>(shown.size()), 1, mostRows);
    m_recent->setFixedHeight(rows * (m_recent->sizeHintForRow(0) + 2 * m_recent->spacing()) + 2 * m_recent->frameWidth() + 2);
    m_recentTitle->setVisible(any);
    m_recent->setVisible(any);
    if (any)
        m_recent->setCurrentRow(0);
}

} // namespace Waitscope
