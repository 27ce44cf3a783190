// SPDX-License-Identifier: GPL-3.0-or-later
// What follows if nothing arrives: steps with the time to them, how it ends, best and worst case, what would cap it.
#pragma once

#include "analysis/forecast.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace Waitscope {

class Readout;

class ForecastList final : public QWidget
{
    Q_OBJECT
public:
    explicit ForecastList(QWidget *parent = nullptr);

    // `made` is the moment its remaining times count from.
    void setForecast(const Forecast &forecast, Instant made);
    void showAt(Instant now);

private:
    struct Row {
        Readout *when = nullptr;
        Readout *what = nullptr;
    };
    Row &row(size_t i);
    void setRow(size_t i, const QString &when, const QString &what);

    Forecast m_forecast;
    Instant m_made{};
    std::vector<Row> m_rows;
    QGridLayout *m_grid = nullptr;
    Readout *m_remaining = nullptr;
    Readout *m_cap = nullptr;
};

} // namespace Waitscope
