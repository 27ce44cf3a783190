// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/forecastlist.h"

#include "ui/panels/readout.h"
#include "ui/style/format.h"
#include "ui/style/words.h"

#include <QGridLayout>

#include <algorithm>

namespace Waitscope {

namespace {

constexpr size_t mostSteps = 6;

} // namespace

ForecastList::ForecastList(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout)
    , m_remaining(new Readout(1, this))
    , m_cap(new Readout(1, this))
{
    m_cap->setInk(Ink::Warning);
    m_grid->setVerticalSpacing(1);
    m_grid->setColumnStretch(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_grid);
    layout->addWidget(m_remaining);
    layout->addWidget(m_cap);
    m_cap->hide();
}

void ForecastList::setForecast(const Forecast &forecast, Instant made)
{
    m_forecast = forecast;
    m_made = made;
}

ForecastList::Row &ForecastList::row(size_t i)
{
    while (m_rows.size() <= i) {
        Row row;
        row.when = new Readout(this);
        row.when->setInk(Ink::Timer);
        row.when->setAlignment(Qt::AlignRight | Qt::AlignTop);
        row.when->setRoomFor(QStringLiteral("+") + shownCountdown(fromSeconds(88888)));
        row.what = new Readout(1, this);
        m_grid->addWidget(row.when, static_cast<int>(m_rows.size()), 0, Qt::AlignTop);
        m_grid->addWidget(row.what, static_cast<int>(m_rows.size()), 1);
        m_rows.push_back(row);
    }
    return m_rows[i];
}

void ForecastList::setRow(size_t i, const QString &when, const QString &what)
{
    const Row &r = row(i);
    r.when->setText(when);
    r.what->setText(what);
    r.when->show();
    r.what->show();
}

void ForecastList::showAt(Instant now)
{
    size_t used = 0;
    if (m_forecast.known) {
        const auto ahead = std::find_if(m_forecast.steps.begin(), m_forecast.steps.end(),
                                        [now](const ForecastStep &step) { return step.at >= now; });
        const size_t left = static_cast<size_t>(m_forecast.steps.end() - ahead);
        for (auto it = ahead; it != m_forecast.steps.end() && used < mostSteps; ++it)
            setRow(used++, tr("+%1").arg(shownCountdown(it->at - now).trimmed()), it->what);
        const qint64 more = m_forecast.furtherSteps + static_cast<qint64>(left - used);
        if (more > 0)
            setRow(used++, {}, more == 1 ? tr("… 1 more step") : tr("… %1 more steps").arg(shownCount(more)));
        // The last step may say itself how it ends.
        if (m_forecast.steps.empty() || m_forecast.furtherSteps > 0 || m_forecast.steps.back().at < m_forecast.ends) {
            const QString how = m_forecast.reason == ErrorReason::None
                ? shownWord(m_forecast.outcome)
                : tr("%1 (%2)").arg(shownWord(m_forecast.outcome), shownWord(m_forecast.reason));
            setRow(used++, tr("+%1").arg(shownCountdown(m_forecast.ends - now).trimmed()), tr("ends: %1").arg(how));
        }
    }
    for (size_t i = used; i < m_rows.size(); ++i) {
        m_rows[i].when->hide();
        m_rows[i].what->hide();
    }
    if (!m_forecast.known) {
        m_remaining->setInk(Ink::Dim);
        m_remaining->setText(tr("The events so far do not say what would follow."));
        m_cap->hide();
        return;
    }
    const Duration gone = now - m_made;
    const auto left = [gone](Duration d) { return shownDuration(std::max(d - gone, Duration::zero())); };
    m_remaining->setInk(Ink::Text);
    const QString requests = m_forecast.furtherRequests == 0 ? tr("no further request")
        : m_forecast.furtherRequests == 1                    ? tr("1 further request")
                                          : tr("%1 further requests").arg(shownCount(m_forecast.furtherRequests));
    m_remaining->setText(
        tr("Left: %1 at best, %2 at worst; %3").arg(left(m_forecast.best), left(m_forecast.worst), requests));
    m_cap->setText(m_forecast.cap);
    m_cap->setVisible(!m_forecast.cap.isEmpty());
}

} // namespace Waitscope
