// SPDX-License-Identifier: GPL-3.0-or-later
// When forecasts are made: soon after each change, never so often that they take more than a small part of the window's time.
#pragma once

#include "analysis/forecast.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace Waitscope {

class ForecastFlow final : public QObject
{
    Q_OBJECT
public:
    using Make = std::function<std::optional<Forecast>(SpanId task)>; // nullopt = nothing runs that could have one
    using Show = std::function<void(SpanId task, const Forecast &forecast)>;
    ForecastFlow(Make make, Show show, QObject *parent = nullptr);

    // The last wish of a pause is fulfilled at its end: what changed last is what counts.
    void want(SpanId task);

private:
    void make();

    Make m_make;
    Show m_show;
    QTimer m_next;
    SpanId m_wanted;
    SpanId m_shown;
    bool m_known = false; // what is shown
    int m_unknown = 0;    // so many times in a row it was not to be known
    std::chrono::milliseconds m_pause{0};
    QElapsedTimer m_sinceMade;
};

} // namespace Waitscope
