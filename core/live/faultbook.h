// SPDX-License-Identifier: GPL-3.0-or-later
// What a fault server serves, and what it has been asked so far: scripts by request number, and counts. Thread-safe.
#pragma once

#include "fault/faultscript.h"

#include <QHash>
#include <QMutex>

#include <deque>

namespace Waitscope {

struct FaultCounts {
    qint64 connections = 0; // accepted; per scenario: that brought a request for it or came to its own port
    qint64 requests = 0;    // read to their end
    qint64 refused = 0;     // unreadable, too large, or for no scenario; only in the total
    qint64 open = 0;        // connections now
};

class FaultBook
{
public:
    explicit FaultBook(std::vector<Scenario> scenarios);

    [[nodiscard]] const std::vector<Scenario> &scenarios() const noexcept { return m_scenarios; }
    [[nodiscard]] std::optional<size_t> indexOf(const QString &name) const;

    // The script of the next request, which this one then was; `number` counts from 1. Scripts live as long as the book.
    // An exec's name counts apart; the last 65 536 of them are remembered.
    struct Turn {
        const FaultScript *script = nullptr;
        qint64 number = 0;
    };
    [[nodiscard]] Turn takeTurn(size_t scenario, const QByteArray &exec);
    // The same, but only if the next script is decided by the connect alone; nothing is counted otherwise.
    [[nodiscard]] std::optional<Turn> takeTurnAtConnect(size_t scenario);

    // How late the connect of the next request is answered.
    [[nodiscard]] Duration nextConnectWait(size_t scenario) const;

    void connectionAccepted();
    void connectionClosed();
    void connectionUsed(size_t scenario);
    void requestRefused();

    [[nodiscard]] FaultCounts total() const;
    [[nodiscard]] FaultCounts countsOf(size_t scenario) const;

private:
    const std::vector<Scenario> m_scenarios;
    mutable QMutex m_mutex;
    FaultCounts m_total;
    std::vector<FaultCounts> m_counts;
    std::vector<qint64> m_taken;               // requests given their script, per scenario, without an exec's name
    QHash<std::pair<size_t, QByteArray>, qint64> m_takenByExec;
    std::deque<std::pair<size_t, QByteArray>> m_execOrder;
};

} // namespace Waitscope
