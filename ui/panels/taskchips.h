// SPDX-License-Identifier: GPL-3.0-or-later
// Small buttons in a row or two, one a task, to choose whose verdict is shown; what does not fit is in a menu.
#pragma once

#include "trace/tracestore.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QToolButton;

namespace Waitscope {

class TaskChips final : public QWidget
{
    Q_OBJECT
public:
    static constexpr size_t most = 6; // fewer where there is no room for so many

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
    [[nodiscard]] int columnsFor(const std::vector<SpanId> &roots) const;
    [[nodiscard]] int chipsWidth() const;
    void place();
    void keepChips(size_t count);
    void choose(const std::vector<SpanId> &roots);
    void draw();
    void fillMenu();

    const TraceStore *m_store = nullptr;
    SpanId m_shown;
    std::vector<Chip> m_chips;
    QGridLayout *m_grid = nullptr;
    bool m_hasMore = false;
    int m_columns = 1;
    int m_textWidth = 0;
    QToolButton *m_more = nullptr;
};

} // namespace Waitscope
