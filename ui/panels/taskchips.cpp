// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/taskchips.h"

#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/words.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr size_t mostInMenu = 40;
constexpr int rows = 2;
constexpr int iconAndFrame = 44;
// A name cut shorter than this says little.
constexpr int fewestChars = 16;

QString titleOf(const TraceStore &store, SpanId task)
{
    const std::optional<SpanInfo> span = store.span(task);
    return span ? shownName(*span) : QString();
}

QIcon iconOf(const TraceStore &store, SpanId task, Scheme scheme)
{
    const std::optional<SpanInfo> span = store.span(task);
    return !span || span->isOpen() ? openIcon(scheme) : outcomeIcon(span->outcome, scheme);
}

} // namespace

TaskChips::TaskChips(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_more(new QToolButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_grid->setSpacing(4);
    layout->addLayout(m_grid);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setAccessibleName(tr("All tasks"));
    m_more->setMenu(new QMenu(m_more));
    layout->addWidget(m_more, 0, Qt::AlignTop);
    layout->addStretch(1);
    connect(m_more->menu(), &QMenu::aboutToShow, this, &TaskChips::fillMenu);
    hide();
}

std::vector<SpanId> TaskChips::tasks() const
{
    std::vector<SpanId> tasks;
    for (const Chip &chip : m_chips)
        tasks.push_back(chip.task);
    return tasks;
}

void TaskChips::showTasks(const TraceStore *store, SpanId shown)
{
    if (store != m_store)
        keepChips(0); // their tasks are another store's
    m_store = store;
    m_shown = shown;
    const std::vector<SpanId> roots = store ? store->roots() : std::vector<SpanId>();
    m_hasMore = false;
    m_columns = store ? columnsFor(roots) : 1;
    if (roots.size() > std::min(most, static_cast<size_t>(m_columns * rows))) {
        m_hasMore = true;
        m_columns = columnsFor(roots);
    }
    choose(roots);
    draw();
    const size_t hidden = roots.size() - std::min(roots.size(), m_chips.size());
    m_more->setVisible(hidden > 0);
    if (hidden > 0)
        m_more->setText(tr("all %1").arg(shownCount(static_cast<qint64>(roots.size()))));
    // With a single task there is nothing to choose.
    setVisible(roots.size() > 1);
}

QSize TaskChips::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, QWidget::minimumSizeHint().height()};
}

// As many side by side as have room for their names, or for enough of them.
int TaskChips::columnsFor(const std::vector<SpanId> &roots) const
{
    int longest = 0;
    for (size_t i = 0; i < std::min(roots.size(), most); ++i)
        longest = std::max(longest, fontMetrics().horizontalAdvance(titleOf(*m_store, roots[i])));
    const int chip = std::min(longest, fontMetrics().averageCharWidth() * fewestChars) + iconAndFrame;
    return std::clamp(chipsWidth() / chip, 1, static_cast<int>(most));
}

int TaskChips::chipsWidth() const
{
    return width() - (m_hasMore ? fontMetrics().averageCharWidth() * 10 : 0); // beside them: "all 12"
}

void TaskChips::keepChips(size_t count)
{
    while (m_chips.size() > count) {
        // One of them may be the sender.
        m_chips.back().button->hide();
        m_chips.back().button->deleteLater();
        m_chips.pop_back();
    }
}

void TaskChips::choose(const std::vector<SpanId> &roots)
{
    std::vector<SpanId> wanted;
    const size_t room = std::min(most, static_cast<size_t>(m_columns * rows));
    const auto add = [&](SpanId id) {
        if (wanted.size() < room && std::find(wanted.begin(), wanted.end(), id) == wanted.end())
            wanted.push_back(id);
    };
    const bool hasShown = std::find(roots.begin(), roots.end(), m_shown) != roots.end();
    const size_t open
        = static_cast<size_t>(std::count_if(roots.begin(), roots.end(), [this](SpanId id) { return m_store->isOpen(id); }));
    // A chip whose task has ended makes room only when an open task needs it.
    const bool needRoom = open > static_cast<size_t>(std::count_if(m_chips.begin(), m_chips.end(), [this](const Chip &chip) {
                              return m_store->isOpen(chip.task);
                          }));
    for (const Chip &chip : m_chips) {
        if (chip.task == m_shown || m_store->isOpen(chip.task) || !needRoom)
            add(chip.task);
    }
    if (hasShown && std::find(wanted.begin(), wanted.end(), m_shown) == wanted.end()) {
        if (wanted.size() == room)
            wanted.pop_back();
        add(m_shown);
    }
    for (const SpanId id : roots) {
        if (m_store->isOpen(id))
            add(id);
    }
    for (auto it = roots.begin(); it != roots.end() && wanted.size() < room; ++it)
        add(*it);
    keepChips(wanted.size());
    while (m_chips.size() < wanted.size()) {
        Chip chip;
        chip.button = new QToolButton(this);
        chip.button->setCheckable(true);
        chip.button->setAutoExclusive(false);
        chip.button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        const size_t place = m_chips.size();
        connect(chip.button, &QToolButton::clicked, this, [this, place] { Q_EMIT taskChosen(m_chips[place].task); });
        chip.button->show();
        m_chips.push_back(chip);
    }
    place();
    for (size_t i = 0; i < wanted.size(); ++i)
        m_chips[i].task = wanted[i];
}

void TaskChips::place()
{
    // All in one row where they fit, else in rows of equal length.
    const int count = static_cast<int>(m_chips.size());
    const int columns = count <= m_columns ? std::max(count, 1) : (count + rows - 1) / rows;
    m_textWidth = chipsWidth() / columns - iconAndFrame;
    for (int i = 0; i < count; ++i) {
        QToolButton *button = m_chips[static_cast<size_t>(i)].button;
        const int index = m_grid->indexOf(button);
        int row = -1;
        int column = -1;
        int span = 0;
        if (index >= 0)
            m_grid->getItemPosition(index, &row, &column, &span, &span);
        if (row != i / columns || column != i % columns)
            m_grid->addWidget(button, i / columns, i % columns, Qt::AlignLeft);
    }
}

void TaskChips::draw()
{
    const Scheme scheme = schemeOf(palette());
    for (const Chip &chip : m_chips) {
        const QString title = titleOf(*m_store, chip.task);
        const QString shown = fontMetrics().elidedText(title, Qt::ElideMiddle, m_textWidth);
        if (chip.button->text() != shown)
            chip.button->setText(shown);
        const bool open = m_store->isOpen(chip.task);
        // Icons are compared by what they stand for: making one is drawing.
        const QVariant state = open
            ? QVariant(-1 - static_cast<int>(scheme))
            : QVariant(static_cast<int>(m_store->span(chip.task)->outcome) * 2 + static_cast<int>(scheme));
        if (chip.button->property("state") != state) {
            chip.button->setProperty("state", state);
            chip.button->setIcon(iconOf(*m_store, chip.task, scheme));
        }
        chip.button->setChecked(chip.task == m_shown);
        chip.button->setToolTip(title);
        chip.button->setAccessibleName(tr("Show task %1").arg(title));
    }
}

void TaskChips::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (m_store)
        showTasks(m_store, m_shown);
}

void TaskChips::fillMenu()
{
    QMenu *menu = m_more->menu();
    menu->clear();
    std::vector<SpanId> tasks = m_store->roots();
    std::stable_partition(tasks.begin(), tasks.end(), [this](SpanId id) { return m_store->isOpen(id); });
    const Scheme scheme = schemeOf(palette());
    for (size_t i = 0; i < std::min(tasks.size(), mostInMenu); ++i) {
        QAction *action = menu->addAction(iconOf(*m_store, tasks[i], scheme), titleOf(*m_store, tasks[i]));
        connect(action, &QAction::triggered, this, [this, id = tasks[i]] { Q_EMIT taskChosen(id); });
    }
    if (tasks.size() > mostInMenu) {
        QAction *rest = menu->addAction(
            tr("%1 more: choose them in the timeline").arg(shownCount(static_cast<qint64>(tasks.size() - mostInMenu))));
        rest->setEnabled(false);
    }
}

} // namespace Waitscope
