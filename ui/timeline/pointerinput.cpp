// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/pointerinput.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <cmath>

namespace Waitscope {

namespace {

constexpr double dragFrom = 4;       // pixels before a press becomes a drag
constexpr double notch = 120;        // of a mouse wheel
constexpr double zoomPerNotch = 1.25;
constexpr double panPerNotch = 90;   // pixels

} // namespace

PointerInput::PointerInput(Viewport &viewport, QScrollBar &rows, std::function<SpanId(QPointF)> spanAt)
    : m_viewport(viewport)
    , m_rows(rows)
    , m_spanAt(std::move(spanAt))
{
}

void PointerInput::press(const QMouseEvent &event)
{
    m_pressed = m_last = event.position();
    if (event.button() == Qt::LeftButton)
        m_action = Action::Pressed;
    else if (event.button() == Qt::MiddleButton)
        m_action = Action::Panning;
}

void PointerInput::move(const QMouseEvent &event)
{
    m_at = event.position();
    if (m_action == Action::Pressed && std::abs(event.position().x() - m_pressed.x()) >= dragFrom)
        m_action = Action::Measuring;
    if (m_action == Action::Measuring) {
        const TimeScale &scale = m_viewport.scale();
        m_viewport.setMeasure(TimeRange{scale.timeAt(m_pressed.x()), scale.timeAt(event.position().x())});
    } else if (m_action == Action::Panning) {
        const QPointF by = event.position() - m_last;
        if (by.x() != 0)
            m_viewport.panBy(-by.x());
        m_rows.setValue(m_rows.value() - qRound(by.y()));
        m_last = event.position();
    }
}

void PointerInput::release(const QMouseEvent &event)
{
    // A press that never moved far is a click: it takes an old measure away.
    if (m_action == Action::Pressed && event.button() == Qt::LeftButton) {
        m_viewport.setMeasure(std::nullopt);
        m_viewport.setCursor(std::nullopt);
        m_viewport.select(m_spanAt(event.position()));
    }
    if (event.button() == Qt::LeftButton || event.button() == Qt::MiddleButton)
        m_action = Action::None;
}

void PointerInput::wheel(QWheelEvent &event)
{
    const QPoint fine = event.pixelDelta(); // touch pads
    const QPoint coarse = event.angleDelta();
    if (event.modifiers() & Qt::ControlModifier) {
        m_viewport.zoomAt(event.position().x(), std::pow(zoomPerNotch, coarse.y() / notch));
    } else {
        // Some systems turn the axis when Shift is held, others leave that to us.
        const bool shift = event.modifiers() & Qt::ShiftModifier;
        const int across = shift && coarse.x() == 0 ? coarse.y() : coarse.x();
        const int acrossFine = shift && fine.x() == 0 ? fine.y() : fine.x();
        if (across != 0)
            m_viewport.panBy(acrossFine != 0 ? -acrossFine : -across / notch * panPerNotch);
        if (!shift && coarse.y() != 0)
            m_rows.setValue(m_rows.value() - (fine.y() != 0 ? fine.y() : qRound(coarse.y() / notch * 3 * m_rows.singleStep())));
    }
    event.accept();
}

} // namespace Waitscope
