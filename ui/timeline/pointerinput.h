// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and wheel do over the rows: select, measure, pan, zoom.
#pragma once

#include "ui/timeline/viewport.h"

#include <QPointF>

#include <functional>
#include <optional>

class QMouseEvent;
class QScrollBar;
class QWheelEvent;

namespace Waitscope {

class PointerInput
{
public:
    PointerInput(Viewport &viewport, QScrollBar &rows, std::function<SpanId(QPointF)> spanAt);

    void press(const QMouseEvent &event);
    void move(const QMouseEvent &event);
    void release(const QMouseEvent &event);
    void leave() { m_at.reset(); }
    void wheel(QWheelEvent &event);

    [[nodiscard]] bool isPanning() const noexcept { return m_action == Action::Panning; }
    // Where the pointer is over the rows.
    [[nodiscard]] std::optional<QPointF> at() const noexcept { return m_at; }

private:
    enum class Action : quint8 { None, Pressed, Measuring, Panning };

    Viewport &m_viewport;
    QScrollBar &m_rows;
    std::function<SpanId(QPointF)> m_spanAt;
    Action m_action = Action::None;
    QPointF m_pressed;
    QPointF m_last;
    std::optional<QPointF> m_at;
};

} // namespace Waitscope
