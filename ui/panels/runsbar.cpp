// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/runsbar.h"

#include "ui/panels/readout.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace Waitscope {

using namespace Qt::StringLiterals;

RunsBar::RunsBar(QWidget *parent)
    : QWidget(parent)
    , m_status(new Readout(this))
    , m_recording(new Readout(this))
    , m_stop(new QPushButton(tr("Stop"), this))
{
    m_status->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_recording->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_recording->setInk(Ink::Dim);
    m_recording->setElideMode(Qt::ElideMiddle);
    m_recording->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_stop->setToolTip(tr("Stop every call of this run"));
    m_stop->setAccessibleName(tr("Stop every call"));
    m_stop->setAutoDefault(false);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 3, 10, 3);
    layout->addWidget(m_status, 3);
    layout->addWidget(m_recording, 2);
    layout->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, &RunsBar::stopRequested);
    setState({});
}

void RunsBar::setStore(const TraceStore *store, bool simulated)
{
    m_store = store;
    m_simulated = simulated;
    m_counted = 0;
    m_tasks = m_open = 0;
    m_sent = 0;
    refresh({});
}

void RunsBar::setState(const RunState &state)
{
    m_state = state;
    m_stop->setVisible(state.running);
    m_stop->setEnabled(!state.stopping);
    m_recording->setText(state.recordingPath.isEmpty() ? QString() : tr("Recording: %1").arg(state.recordingPath));
    refresh(m_now);
}

// A request that never got a connection was tried, but nobody has seen it.
QString RunsBar::saidRequests(qint64 tried, qint64 sent)
{
    const QString requests = tried == 1 ? tr("1 request") : tr("%1 requests").arg(shownCount(tried));
    if (sent == tried)
        return requests;
    return sent == 0 ? tr("%1, none sent").arg(requests) : tr("%1, %2 sent").arg(requests, shownCount(sent));
}

QString RunsBar::statusText() const
{
    return m_status->text();
}

void RunsBar::count()
{
    if (m_store->revision() == m_counted)
        return;
    m_counted = m_store->revision();
    m_tasks = m_open = 0;
    m_sent = 0;
    for (const SpanId root : m_store->roots()) {
        if (m_store->kindOf(root) == SpanKind::Orphan)
            continue; // its requests are counted with the task that left it behind
        ++m_tasks;
        m_open += m_store->isOpen(root) ? 1 : 0;
        m_sent += m_store->traffic(root).sent;
    }
}

void RunsBar::refresh(Instant now)
{
    m_now = now;
    if (!m_store) {
        m_status->setText({});
        return;
    }
    count();
    const size_t planned = std::max(m_tasks, static_cast<size_t>(std::max(m_state.tasks, 0)));
    const auto number = [](size_t n) { return shownCount(static_cast<qint64>(n)); };
    QStringList parts;
    if (m_state.stopping)
        parts << tr("Stopping: %1 of %2 still open").arg(number(m_open), number(planned));
    else if (m_state.running)
        parts << tr("Running: %1 of %2 done, %3 open").arg(number(m_tasks - m_open), number(planned), number(m_open));
    else
        parts << (m_tasks == 1 ? tr("1 task") : tr("%1 tasks").arg(number(m_tasks)));
    parts << saidRequests(m_store->requestCount(), m_sent);
    const Duration elapsed = m_tasks > 0 ? now - Instant{} : Duration::zero();
    parts << (m_state.running ? shownAge(elapsed).trimmed() : shownDuration(elapsed));
    // Real scheduling delays grow with the scale: such totals are near the truth, not exact.
    if (m_state.scale > 1.0)
        parts.back() = tr("≈ %1, accelerated ×%2").arg(parts.back()).arg(m_state.scale);
    if (m_simulated)
        parts << tr("simulated");
    m_status->setText(parts.join(u"  ·  "_s));
}

} // namespace Waitscope
