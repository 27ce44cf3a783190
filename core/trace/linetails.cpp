// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/linetails.h"

#include "trace/tracestore.h"

namespace Waitscope {

LineTails::LineTails(const StoreLimits &limits)
    : m_lineLimit(limits.linesPerCall)
    , m_charLimit(limits.lineCharsPerCall)
    , m_endedLimit(limits.endedCallsWithLines)
{
}

void LineTails::add(quint32 call, RawLine line)
{
    Tail &tail = m_tails[call];
    tail.chars += line.text.size();
    tail.lines.append(std::move(line));
    while (tail.lines.size() > m_lineLimit || (tail.chars > m_charLimit && tail.lines.size() > 1)) {
        tail.chars -= tail.lines.constFirst().text.size();
        tail.lines.removeFirst();
        ++tail.leftOut;
    }
}

void LineTails::callEnded(quint32 call)
{
    if (!m_tails.contains(call))
        return;
    m_ended.push_back(call);
    while (static_cast<int>(m_ended.size()) > m_endedLimit) {
        const auto oldest = m_tails.find(m_ended.front());
        if (oldest != m_tails.end()) {
            // The count stays, so that the lines are known to have been there.
            oldest->leftOut += oldest->lines.size();
            oldest->lines = {};
            oldest->chars = 0;
        }
        m_ended.pop_front();
    }
}

std::vector<RawLine> LineTails::lines(quint32 call) const
{
    const auto it = m_tails.constFind(call);
    if (it == m_tails.constEnd())
        return {};
    return {it->lines.begin(), it->lines.end()};
}

qint64 LineTails::leftOut(quint32 call) const
{
    const auto it = m_tails.constFind(call);
    return it == m_tails.constEnd() ? 0 : it->leftOut;
}

qsizetype LineTails::memory() const noexcept
{
    qsizetype bytes = m_tails.capacity() * static_cast<qsizetype>(sizeof(Tail) + 16);
    for (const Tail &tail : m_tails)
        bytes += tail.lines.capacity() * static_cast<qsizetype>(sizeof(RawLine)) + tail.chars * 2;
    return bytes;
}

} // namespace Waitscope
