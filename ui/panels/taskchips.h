// SPDX-License-Identifier: GPL-3.0-or-later
// A row of small buttons, one a task, to choose whose verdict is shown; what does not fit is in a menu.
#pragma once

#include "trace/tracestore.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QToolButton;

namespace Waitscope {

class TaskChips final : public QWidget
{
    Q_OBJECT
public:
    static constexpr size_t most = 5; // fewer where there is no room for so many

    explicit TaskChips(QWidget *parent = nullptr);

    // Chips keep their places while their tasks are open or shown, so that none jumps away under the pointer.
    void showTasks(const TraceStore *store, SpanId shown);
    [[nodiscard]] std::vector<SpanId> tasks() const;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void taskChosen(SpanId task);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Chip {
        QToolButton *button = nullptr;
        SpanId task;
    };
    [[nodiscard]] size_t room() const;
    void keepChips(size_t count);
    void choose(const std::vector<SpanId> &roots);
    void draw();
    void fillMenu();

    const TraceStore *m_store = nullptr;
    SpanId m_shown;
    std::vector<Chip> m_chips;
    QHBoxLayout *m_layout = nullptr;
    QToolButton *m_more = nullptr;
};

} // namespace Waitscope
