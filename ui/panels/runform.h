// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a live call and says while one types what is wrong with it, in the words of the command line.
#pragma once

#include "ui/requests.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace Waitscope {

class KeyChoice;
class OverrideRows;

class RunForm final : public QWidget
{
    Q_OBJECT
public:
    explicit RunForm(FormChoices choices, QWidget *parent = nullptr);

    void focusFirst();
    [[nodiscard]] RunRequest request() const;
    void setRequest(const RunRequest &request);
    void setKeychainProblem(const QString &why); // empty = keys can be kept

    // The line under the fields; empty when the call can be made.
    [[nodiscard]] QString problemLine() const { return m_problem; }

Q_SIGNALS:
    void runRequested(const RunRequest &request);
    void cancelled();
    void keychainWished(); // shown: it matters now whether there is one
    void storeKeyWished(const QString &name, const QByteArray &key);
    void forgetKeyWished(const QString &name);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void validate();
    void submit();
    [[nodiscard]] std::optional<Problem> findProblem(const RunRequest &request, std::optional<Policy> &policy) const;
    [[nodiscard]] QString foresight(const RunRequest &request, const Policy &policy) const;

    FormChoices m_choices;
    QLineEdit *m_url = nullptr;
    QComboBox *m_api = nullptr;
    QLineEdit *m_model = nullptr;
    QPlainTextEdit *m_prompt = nullptr;
    KeyChoice *m_key = nullptr;
    QSpinBox *m_count = nullptr;
    QSpinBox *m_concurrency = nullptr;
    QComboBox *m_profile = nullptr;
    OverrideRows *m_overrides = nullptr;
    QLabel *m_fault = nullptr;
    QPushButton *m_run = nullptr;
    QString m_problem;
};

} // namespace Waitscope
