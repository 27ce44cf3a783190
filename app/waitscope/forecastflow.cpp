// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/waitscope/forecastflow.h"

#include <algorithm>
#include <utility>

namespace Waitscope {

using namespace std::chrono_literals;

namespace {

constexpr int share = 20;      // of the time, one part at most
constexpr auto shortest = 50ms; // nobody reads faster
constexpr auto longest = 1000ms;
// Between a firing and the end of its request, or a request's begin and its first timer, nothing is armed for a moment.
constexpr int believed = 3;

} // namespace

ForecastFlow::ForecastFlow(Make make, Show show, QObject *parent)
    : QObject(parent)
    , m_make(std::move(make))
    , m_show(std::move(show))
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &ForecastFlow::make);
}

void ForecastFlow::want(SpanId task)
{
    m_wanted = task;
    const auto gone = m_sinceMade.isValid() ? std::chrono::milliseconds(m_sinceMade.elapsed()) : longest;
    if (task != m_shown || gone >= m_pause)
        make();
    else if (!m_next.isActive())
        m_next.start(m_pause - gone);
}

void ForecastFlow::make()
{
    m_next.stop();
    const SpanId task = m_wanted;
    m_sinceMade.start();
    const std::optional<Forecast> forecast = m_make(task);
    m_pause = std::clamp(std::chrono::milliseconds(m_sinceMade.elapsed() * share), shortest, longest);
    m_sinceMade.start();
    if (!forecast)
        return;
    const bool momentary = !forecast->known && m_known && task == m_shown && ++m_unknown < believed;
    if (momentary) {
        m_next.start(m_pause);
        return;
    }
    m_unknown = 0;
    m_known = forecast->known;
    m_shown = task;
    m_show(task, *forecast);
}

} // namespace Waitscope
