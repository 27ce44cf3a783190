// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a simulation: which fault, under which profile, how much chance in the sleeps.
#pragma once

#include "ui/requests.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace Waitscope {

class OverrideRows;

class SimulateForm final : public QWidget
{
    Q_OBJECT
public:
    explicit SimulateForm(FormChoices choices, QWidget *parent = nullptr);

    void focusFirst();
    [[nodiscard]] SimulateRequest request() const;
    void setRequest(const SimulateRequest &request);
    [[nodiscard]] QString problemLine() const { return m_problem; }

Q_SIGNALS:
    void simulateRequested(const SimulateRequest &request);
    void cancelled();

protected:
    void changeEvent(QEvent *event) override;

private:
    void showScenario();
    void filter(const QString &text);
    void validate();
    void submit();

    FormChoices m_choices;
    QLineEdit *m_filter = nullptr;
    QListWidget *m_scenarios = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_about = nullptr;
    QComboBox *m_profile = nullptr;
    QComboBox *m_jitter = nullptr;
    QSpinBox *m_tasks = nullptr;
    QSpinBox *m_concurrency = nullptr;
    OverrideRows *m_overrides = nullptr;
    QLabel *m_fault = nullptr;
    QPushButton *m_simulate = nullptr;
    QString m_problem;
};

} // namespace Waitscope
