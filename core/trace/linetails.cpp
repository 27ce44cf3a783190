// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/linetails.h"

#include "trace/tracestore.h"

#include <algorithm>
#include <limits>

namespace Waitscope {

LineTails::LineTails(const StoreLimits &limits)
    : m_lineLimit(limits.linesPerCall)
    , m_charLimit(limits.lineCharsPerCall)
    , m_endedLimit(limits.endedCallsWithLines)
{
}

void LineTails::Tail::dropFirst()
{
    lines.pop_front();
    if (texts) {
        chars -= texts->front().size();
        texts->pop_front();
    }
    ++leftOut;
}

void LineTails::add(quint32 call, RawLine line)
{
    Tail &tail = m_tails[call];
    tail.lines.push_back({line.at, line.span, static_cast<quint32>(std::clamp<qint64>(line.bytes, 0, std::numeric_limits<quint32>::max())), line.kind});
    if (!line.text.isEmpty() && !tail.texts)
        tail.texts = std::make_unique<std::deque<QString>>(tail.lines.size() - 1);
    if (tail.texts) {
        tail.chars += line.text.size();
        tail.texts->push_back(std::move(line.text));
    }
    while (static_cast<int>(tail.lines.size()) > m_lineLimit || (tail.chars > m_charLimit && tail.lines.size() > 1))
        tail.dropFirst();
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
            Tail rest;
            rest.leftOut = oldest->second.leftOut + static_cast<qint64>(oldest->second.lines.size());
            oldest->second = std::move(rest);
        }
        m_ended.pop_front();
    }
}

std::vector<RawLine> LineTails::lines(quint32 call) const
{
    const auto it = m_tails.find(call);
    if (it == m_tails.end())
        return {};
    const Tail &tail = it->second;
    std::vector<RawLine> list;
    list.reserve(tail.lines.size());
    for (size_t i = 0; i < tail.lines.size(); ++i) {
        const Line &line = tail.lines[i];
        list.push_back({line.at, line.span, line.kind, line.bytes, tail.texts ? (*tail.texts)[i] : QString()});
    }
    return list;
}

qint64 LineTails::leftOut(quint32 call) const
{
    const auto it = m_tails.find(call);
    return it == m_tails.end() ? 0 : it->second.leftOut;
}

qsizetype LineTails::memory() const noexcept
{
    qsizetype bytes = static_cast<qsizetype>(m_tails.size() * (sizeof(Tail) + 16));
    for (const auto &[call, tail] : m_tails) {
        bytes += static_cast<qsizetype>(tail.lines.size() * sizeof(Line)) + tail.chars * 2;
        if (tail.texts)
            bytes += static_cast<qsizetype>(tail.texts->size() * sizeof(QString));
    }
    return bytes;
}

} // namespace Waitscope
