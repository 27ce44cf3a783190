// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/startpage.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int columnWidth = 680;
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

    auto *run = addChoice(tr("&Run a call"), tr("Send a request to a model's endpoint and watch every layer while it waits."));
    auto *open = addChoice(tr("&Open a recording"), tr("Walk through a recorded run, attempt by attempt and sleep by sleep."));
    auto *simulate = addChoice(tr("&Simulate a fault"), tr("Play a fault on a virtual clock: hours of retrying in a blink, nothing is sent."));
    auto *demo = addChoice(tr("See the &demo: %1").arg(firstDemo), tr("A server that never answers a connect, and what six layers of retries make of it."));
    connect(run, &QCommandLinkButton::clicked, this, &StartPage::runWished);
    connect(open, &QCommandLinkButton::clicked, this, &StartPage::openWished);
    connect(simulate, &QCommandLinkButton::clicked, this, &StartPage::simulateWished);
    connect(demo, &QCommandLinkButton::clicked, this, [this] { Q_EMIT demoWished(QString(firstDemo)); });

    m_recentTitle = label(tr("Recent &files"), 1.1, true, column);
    m_recent = new QListWidget(column);
    m_recent->setAccessibleName(tr("Recent files"));
    m_recent->setUniformItemSizes(true);
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
    grid->addWidget(run, 0, 0);
    grid->addWidget(open, 0, 1);
    grid->addWidget(simulate, 1, 0);
    grid->addWidget(demo, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    layout->addSpacing(18);
    layout->addWidget(m_recentTitle);
    layout->addWidget(m_recent, 3);
    layout->addStretch(2);
    setRecentFiles({});
    setFocusProxy(run);
}

QCommandLinkButton *StartPage::addChoice(const QString &title, const QString &about)
{
    auto *button = new QCommandLinkButton(title, about, this);
    // A frame says that it can be pressed; a bare text with an arrow does not.
    button->setFlat(false);
    button->setMinimumHeight(84);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    button->setAccessibleDescription(about);
    return button;
}

void StartPage::setRecentFiles(const QStringList &paths)
{
    m_recent->clear();
    for (const QString &path : paths) {
        const QFileInfo file(path);
        auto *item = new QListWidgetItem(tr("%1   in %2").arg(file.fileName(), file.path()), m_recent);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
    }
    const bool any = !paths.isEmpty();
    m_recentTitle->setVisible(any);
    m_recent->setVisible(any);
    if (any)
        m_recent->setCurrentRow(0);
}

} // namespace Waitscope
