// SPDX-License-Identifier: GPL-3.0-or-later
// A big button with a title and a sentence below it.
#pragma once

#include "base/vocabulary.h"

#include <QAbstractButton>

namespace Waitscope {

class ChoiceButton final : public QAbstractButton
{
    Q_OBJECT
public:
    // `hue` is decoration: the strip at its side.
    ChoiceButton(const QString &title, const QString &about, Layer hue, QWidget *parent = nullptr);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QFont titleFont() const;

    QString m_about;
    Layer m_hue;
};

} // namespace Waitscope
