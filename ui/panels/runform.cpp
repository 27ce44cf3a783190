// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runform.h"

#include "ui/panels/formpieces.h"
#include "ui/panels/keychoice.h"
#include "ui/panels/overriderows.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSpinBox>

namespace Waitscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostCalls = 10'000;
constexpr int mostAtOnce = 1000;

} // namespace

RunForm::RunForm(FormChoices choices, QWidget *parent)
    : QWidget(parent)
    , m_choices(std::move(choices))
{
    auto *fields = new QWidget(this);
    m_url = new QLineEdit(fields);
    m_url->setPlaceholderText(u"https://api.openai.com/v1"_s);
    m_url->setAccessibleName(tr("Endpoint address"));
    m_api = new QComboBox(fields);
    m_api->addItems(m_choices.apis);
    m_api->setAccessibleName(tr("API"));
    m_model = new QLineEdit(fields);
    m_model->setPlaceholderText(tr("the model's name at that endpoint"));
    m_model->setAccessibleName(tr("Model"));
    m_prompt = new QPlainTextEdit(fields);
    m_prompt->setPlaceholderText(tr("What to ask"));
    m_prompt->setAccessibleName(tr("Prompt"));
    m_prompt->setTabChangesFocus(true);
    m_prompt->setFixedHeight(fontMetrics().lineSpacing() * 4 + 12);
    m_key = new KeyChoice(fields);
    m_count = countBox(mostCalls, tr("Number of calls"), fields);
    m_concurrency = countBox(mostAtOnce, tr("Calls at once"), fields);
    m_profile = profileBox(m_choices.profiles, fields);
    m_overrides = new OverrideRows(fields);

    auto *counts = new QHBoxLayout;
    counts->addWidget(m_count);
    auto *atOnce = new QLabel(tr("a&t once"), fields);
    atOnce->setBuddy(m_concurrency);
    counts->addWidget(atOnce);
    counts->addWidget(m_concurrency);
    counts->addStretch(1);

    auto *column = new QVBoxLayout(fields);
    auto *form = new QFormLayout;
    column->addLayout(form);
    column->addStretch(1);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Endpoint"), m_url);
    form->addRow(tr("&API"), m_api);
    form->addRow(tr("&Model"), m_model);
    form->addRow(tr("&Prompt"), m_prompt);
    form->addRow(tr("&Key"), m_key);
    auto *calls = new QLabel(tr("&Calls"), fields);
    calls->setBuddy(m_count);
    form->addRow(calls, counts);
    form->addRow(tr("Pro&file"), m_profile);
    form->addRow(tr("Changes"), m_overrides);

    auto *scroll = new QScrollArea(this);
    scroll->setWidget(fields);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    m_fault = new QLabel(this);
    m_fault->setWordWrap(true);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setMinimumHeight(fontMetrics().lineSpacing() * 2);
    m_fault->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_fault->setAccessibleName(tr("What is wrong"));
    m_run = new QPushButton(tr("&Run"), this);
    m_run->setDefault(true);
    m_run->setAutoDefault(true);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(m_run);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_fault);
    layout->addLayout(buttons);

    for (QLineEdit *line : {m_url, m_model}) {
        connect(line, &QLineEdit::textChanged, this, &RunForm::validate);
        connect(line, &QLineEdit::returnPressed, this, &RunForm::submit);
    }
    connect(m_key, &KeyChoice::changed, this, &RunForm::validate);
    connect(m_key, &KeyChoice::submitted, this, &RunForm::submit);
    connect(m_key, &KeyChoice::storeWished, this, &RunForm::storeKeyWished);
    connect(m_key, &KeyChoice::forgetWished, this, &RunForm::forgetKeyWished);
    connect(m_prompt, &QPlainTextEdit::textChanged, this, &RunForm::validate);
    for (QComboBox *box : {m_api, m_profile})
        connect(box, &QComboBox::currentTextChanged, this, &RunForm::validate);
    for (QSpinBox *box : {m_count, m_concurrency})
        connect(box, &QSpinBox::valueChanged, this, &RunForm::validate);
    connect(m_overrides, &OverrideRows::changed, this, &RunForm::validate);
    connect(m_run, &QPushButton::clicked, this, &RunForm::submit);
    connect(cancel, &QPushButton::clicked, this, &RunForm::cancelled);
    auto *send = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this);
    send->setContext(Qt::WidgetWithChildrenShortcut);
    connect(send, &QShortcut::activated, this, &RunForm::submit);
    validate();
}

// Not a focus proxy: that takes the buttons out of the tab chain.
void RunForm::focusFirst()
{
    m_url->setFocus();
}

RunRequest RunForm::request() const
{
    RunRequest request;
    request.url = m_url->text().trimmed();
    request.api = m_api->currentText();
    request.model = m_model->text().trimmed();
    request.prompt = m_prompt->toPlainText();
    request.keyVariable = m_key->keyVariable();
    request.keyName = m_key->keyName();
    request.count = m_count->value();
    request.concurrency = m_concurrency->value();
    request.profile = m_profile->currentText().trimmed();
    request.overrides = m_overrides->assignments();
    return request;
}

void RunForm::setRequest(const RunRequest &request)
{
    m_url->setText(request.url);
    if (!request.api.isEmpty())
        m_api->setCurrentText(request.api);
    m_model->setText(request.model);
    m_prompt->setPlainText(request.prompt);
    m_key->set(request.keyVariable, request.keyName);
    m_count->setValue(request.count);
    m_concurrency->setValue(request.concurrency);
    if (!request.profile.isEmpty())
        m_profile->setCurrentText(request.profile);
    m_overrides->setAssignments(request.overrides);
    validate();
}

void RunForm::setKeychainProblem(const QString &why)
{
    m_key->setKeychainProblem(why);
}

std::optional<Problem> RunForm::findProblem(const RunRequest &request, std::optional<Policy> &policy) const
{
    if (m_choices.check) {
        if (std::optional<Problem> problem = m_choices.check(request))
            return problem;
    }
    if (std::optional<Problem> problem = m_overrides->problem())
        return problem;
    Expected<Policy> found = policyOf(request.profile, request.overrides);
    if (!found)
        return found.error();
    policy = std::move(*found);
    return std::nullopt;
}

QString RunForm::foresight(const RunRequest &request, const Policy &policy) const
{
    if (!m_choices.mostRequests)
        return {};
    const std::optional<qint64> most = m_choices.mostRequests(policy);
    if (!most)
        return tr("Under this policy a call may send requests without end.");
    const qint64 all = *most * request.count;
    if (all == 1)
        return tr("At worst this sends one request.");
    return request.count == 1 ? tr("At worst this sends %1 requests.").arg(all)
                              : tr("At worst each call sends %1 requests, all of them %2.").arg(*most).arg(all);
}

void RunForm::validate()
{
    const RunRequest now = request();
    std::optional<Policy> policy;
    const std::optional<Problem> problem = findProblem(now, policy);
    m_problem = problem ? problem->line() : QString();
    // An empty form says what it wants, but does not scold.
    const bool untouched = now.url.isEmpty() && now.keyVariable.isEmpty() && now.keyName.isEmpty() && now.overrides.isEmpty();
    showFault(m_fault, problem ? m_problem : foresight(now, *policy), problem && !untouched);
    m_run->setEnabled(!problem);
}

void RunForm::submit()
{
    validate();
    if (m_problem.isEmpty())
        Q_EMIT runRequested(request());
}

void RunForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_fault)
        validate();
}

void RunForm::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    validate(); // the environment may have been looked at long ago
    Q_EMIT keychainWished();
}

} // namespace Waitscope
