// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/faultbook.h"

namespace Waitscope {

namespace {
constexpr size_t rememberedExecs = 65'536;
}

FaultBook::FaultBook(std::vector<Scenario> scenarios)
    : m_scenarios(std::move(scenarios))
    , m_counts(m_scenarios.size())
    , m_taken(m_scenarios.size(), 0)
{
}

std::optional<size_t> FaultBook::indexOf(const QString &name) const
{
    for (size_t i = 0; i < m_scenarios.size(); ++i) {
        if (m_scenarios[i].name == name)
            return i;
    }
    return std::nullopt;
}

FaultBook::Turn FaultBook::takeTurn(size_t scenario, const QByteArray &exec)
{
    const QMutexLocker lock(&m_mutex);
    ++m_total.requests;
    ++m_counts[scenario].requests;
    qint64 *taken = &m_taken[scenario];
    if (!exec.isEmpty()) {
        const std::pair key(scenario, exec);
        if (!m_takenByExec.contains(key)) {
            m_execOrder.push_back(key);
            if (m_execOrder.size() > rememberedExecs) {
                m_takenByExec.remove(m_execOrder.front());
                m_execOrder.pop_front();
            }
        }
        taken = &m_takenByExec[key];
    }
    const qint64 number = ++*taken;
    return {&scriptFor(m_scenarios[scenario], number), number};
}

std::optional<FaultBook::Turn> FaultBook::takeTurnAtConnect(size_t scenario)
{
    const QMutexLocker lock(&m_mutex);
    const qint64 number = m_taken[scenario] + 1;
    const FaultScript &script = scriptFor(m_scenarios[scenario], number);
    if (script.connection == ConnectionFault::Accept)
        return std::nullopt;
    ++m_taken[scenario];
    return Turn{&script, number};
}

Duration FaultBook::nextConnectWait(size_t scenario) const
{
    const QMutexLocker lock(&m_mutex);
    return scriptFor(m_scenarios[scenario], m_taken[scenario] + 1).connectAfter;
}

void FaultBook::connectionAccepted()
{
    const QMutexLocker lock(&m_mutex);
    ++m_total.connections;
    ++m_total.open;
}

void FaultBook::connectionClosed()
{
    const QMutexLocker lock(&m_mutex);
    --m_total.open;
}

void FaultBook::connectionUsed(size_t scenario)
{
    const QMutexLocker lock(&m_mutex);
    ++m_counts[scenario].connections;
}

void FaultBook::requestRefused()
{
    const QMutexLocker lock(&m_mutex);
    ++m_total.refused;
}

FaultCounts FaultBook::total() const
{
    const QMutexLocker lock(&m_mutex);
    return m_total;
}

FaultCounts FaultBook::countsOf(size_t scenario) const
{
    const QMutexLocker lock(&m_mutex);
    return m_counts[scenario];
}

} // namespace Waitscope
