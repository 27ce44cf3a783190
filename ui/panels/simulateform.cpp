// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/simulateform.h"

#include "ui/panels/formpieces.h"
#include "ui/panels/overriderows.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSpinBox>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostTasks = 10'000;
constexpr int mostAtOnce = 1000;

QString shownJitter(const QString &word)
{
    if (word == "none"_L1)
        return SimulateForm::tr("none (policies without jitter)");
    if (word == "min"_L1)
        return SimulateForm::tr("min (the shortest sleeps)");
    if (word == "mid"_L1)
        return SimulateForm::tr("mid (middle sleeps)");
    if (word == "max"_L1)
        return SimulateForm::tr("max (the longest sleeps)");
    if (word == "random"_L1)
        return SimulateForm::tr("random (seeded)");
    return word;
}

} // namespace

SimulateForm::SimulateForm(FormChoices choices, QWidget *parent)
    : QWidget(parent)
    , m_choices(std::move(choices))
{
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Find a fault"));
    m_filter->setAccessibleName(tr("Find a fault"));
    m_filter->setClearButtonEnabled(true);
    m_scenarios = new QListWidget(this);
    m_scenarios->setAccessibleName(tr("Faults"));
    m_scenarios->setUniformItemSizes(true);
    for (const ScenarioChoice &choice : m_choices.scenarios) {
        auto *item = new QListWidgetItem(choice.name, m_scenarios);
        item->setToolTip(choice.title);
    }
    m_title = new QLabel(this);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_about = new QLabel(this);
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_about->setMinimumHeight(fontMetrics().lineSpacing() * 4);

    auto *fields = new QWidget(this);
    m_profile = profileBox(m_choices.profiles, fields);
    m_jitter = new QComboBox(fields);
    m_jitter->setAccessibleName(tr("Jitter"));
    for (const QString &word : m_choices.jitters)
        m_jitter->addItem(shownJitter(word), word);
    m_tasks = countBox(mostTasks, tr("Number of tasks"), fields);
    m_concurrency = countBox(mostAtOnce, tr("Tasks at once"), fields);
    m_overrides = new OverrideRows(fields);
    auto *counts = new QHBoxLayout;
    counts->addWidget(m_tasks);
    auto *atOnce = new QLabel(tr("a&t once"), fields);
    atOnce->setBuddy(m_concurrency);
    counts->addWidget(atOnce);
    counts->addWidget(m_concurrency);
    counts->addStretch(1);
    auto *column = new QVBoxLayout(fields);
    column->setContentsMargins(0, 0, 0, 0);
    auto *form = new QFormLayout;
    column->addLayout(form);
    column->addStretch(1);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Pro&file"), m_profile);
    form->addRow(tr("&Jitter"), m_jitter);
    auto *tasks = new QLabel(tr("&Tasks"), fields);
    tasks->setBuddy(m_tasks);
    form->addRow(tasks, counts);
    form->addRow(tr("Changes"), m_overrides);
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);

    auto *left = new QVBoxLayout;
    left->addWidget(m_filter);
    left->addWidget(m_scenarios, 1);
    auto *right = new QVBoxLayout;
    right->addWidget(m_title);
    right->addWidget(m_about);
    right->addWidget(scroll, 1);
    auto *columns = new QHBoxLayout;
    columns->addLayout(left, 2);
    columns->addSpacing(8);
    columns->addLayout(right, 3);

    m_fault = new QLabel(this);
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_fault->setAccessibleName(tr("What is wrong"));
    m_simulate = new QPushButton(tr("&Simulate"), this);
    m_simulate->setDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_simulate);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(m_fault);
    layout->addLayout(buttons);

    connect(m_filter, &QLineEdit::textChanged, this, &SimulateForm::filter);
    connect(m_scenarios, &QListWidget::currentRowChanged, this, [this] {
        showScenario();
        validate();
    });
    connect(m_scenarios, &QListWidget::itemActivated, this, &SimulateForm::submit);
    connect(m_profile, &QComboBox::currentTextChanged, this, &SimulateForm::validate);
    connect(m_overrides, &OverrideRows::changed, this, &SimulateForm::validate);
    connect(m_simulate, &QPushButton::clicked, this, &SimulateForm::submit);
    connect(cancel, &QPushButton::clicked, this, &SimulateForm::cancelled);
    auto *send = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
    send->setContext(Qt::WidgetWithChildrenShortcut);
    connect(send, &QShortcut::activated, this, &SimulateForm::submit);
    if (const qsizetype mid = m_choices.jitters.indexOf("mid"_L1); mid >= 0)
        m_jitter->setCurrentIndex(static_cast<int>(mid));
    if (m_scenarios->count() > 0)
        m_scenarios->setCurrentRow(0);
    validate();
}

void SimulateForm::showScenario()
{
    const int row = m_scenarios->currentRow();
    if (row < 0) {
        m_title->clear();
        m_about->clear();
        return;
    }
    const ScenarioChoice &choice = m_choices.scenarios[static_cast<size_t>(row)];
    m_title->setText(choice.title);
    m_about->setText(choice.about);
}

void SimulateForm::filter(const QString &text)
{
    QListWidgetItem *firstShown = nullptr;
    for (int i = 0; i < m_scenarios->count(); ++i) {
        const ScenarioChoice &choice = m_choices.scenarios[static_cast<size_t>(i)];
        const bool matches = (choice.name + u' ' + choice.title + u' ' + choice.about).contains(text, Qt::CaseInsensitive);
        m_scenarios->item(i)->setHidden(!matches);
        if (matches && !firstShown)
            firstShown = m_scenarios->item(i);
    }
    if (!m_scenarios->currentItem() || m_scenarios->currentItem()->isHidden())
        m_scenarios->setCurrentItem(firstShown);
}

void SimulateForm::focusFirst()
{
    m_scenarios->setFocus();
}

SimulateRequest SimulateForm::request() const
{
    SimulateRequest request;
    request.scenario = m_scenarios->currentItem() ? m_scenarios->currentItem()->text() : QString();
    request.profile = m_profile->currentText().trimmed();
    request.jitter = m_jitter->currentData().toString();
    request.tasks = m_tasks->value();
    request.concurrency = m_concurrency->value();
    request.overrides = m_overrides->assignments();
    return request;
}

void SimulateForm::setRequest(const SimulateRequest &request)
{
    m_filter->clear();
    const QList<QListWidgetItem *> named = m_scenarios->findItems(request.scenario, Qt::MatchExactly);
    if (!named.isEmpty())
        m_scenarios->setCurrentItem(named.front());
    if (!request.profile.isEmpty())
        m_profile->setCurrentText(request.profile);
    if (const int jitter = m_jitter->findData(request.jitter); jitter >= 0)
        m_jitter->setCurrentIndex(jitter);
    m_tasks->setValue(request.tasks);
    m_concurrency->setValue(request.concurrency);
    m_overrides->setAssignments(request.overrides);
    validate();
}

void SimulateForm::validate()
{
    std::optional<Problem> problem;
    if (!m_scenarios->currentItem())
        problem = Problem(ProblemKind::Usage, u"--scenario"_s, tr("no fault is chosen"));
    if (!problem)
        problem = m_overrides->problem();
    if (!problem) {
        if (const Expected<Policy> policy = policyOf(m_profile->currentText(), m_overrides->assignments()); !policy)
            problem = policy.error();
    }
    m_problem = problem ? problem->line() : QString();
    showFault(m_fault, m_problem, true);
    m_simulate->setEnabled(!problem);
}

void SimulateForm::submit()
{
    validate();
    if (m_problem.isEmpty())
        Q_EMIT simulateRequested(request());
}

void SimulateForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_fault)
        validate();
}

} // namespace Waitscope
