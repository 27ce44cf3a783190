// SPDX-License-Identifier: GPL-3.0-or-later
// One line on the run as a whole: how many tasks are done, requests, elapsed time, where it is recorded; and the Stop button.
#pragma once

#include "trace/tracestore.h"
#include "ui/requests.h"

#include <QWidget>

class QPushButton;

namespace Waitscope {

class Readout;

class RunsBar final : public QWidget
{
    Q_OBJECT
public:
    explicit RunsBar(QWidget *parent = nullptr);

    void setStore(const TraceStore *store, bool simulated);
    void setState(const RunState &state);
    void refresh(Instant now);

    [[nodiscard]] QString statusText() const;

Q_SIGNALS:
    void stopRequested(); // everything

private:
    [[nodiscard]] static QString saidRequests(qint64 tried, qint64 sent);
    void count();

    const TraceStore *m_store = nullptr;
    bool m_simulated = false;
    RunState m_state;
    Instant m_now{};
    quint64 m_counted = 0; // the store's revision then
    size_t m_tasks = 0;
    size_t m_open = 0;
    qint64 m_sent = 0;
    Readout *m_status = nullptr;
    Readout *m_recording = nullptr;
    QPushButton *m_stop = nullptr;
};

} // namespace Waitscope
