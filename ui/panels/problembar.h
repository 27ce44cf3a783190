// SPDX-License-Identifier: GPL-3.0-or-later
// A problem in one line above the window's content; it can be sent away and never blocks anything.
#pragma once

#include <QFrame>

class QLabel;

namespace Waitscope {

class ProblemBar final : public QFrame
{
    Q_OBJECT
public:
    explicit ProblemBar(QWidget *parent = nullptr);

    void showProblem(const QString &line);
    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();

    QLabel *m_text = nullptr;
};

} // namespace Waitscope
