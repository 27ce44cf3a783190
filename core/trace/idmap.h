// SPDX-License-Identifier: GPL-3.0-or-later
// Ids of events to places in a table. Costs nothing while ids are 1, 2, 3 …, little while they have gaps.
#pragma once

#include "trace/chunked.h"

#include <QHash>

#include <optional>

namespace Waitscope {

class IdMap
{
public:
    // Places are given in order: the n-th added id has place n-1. False if the id is there already, or 0.
    bool add(quint64 id);
    [[nodiscard]] std::optional<quint32> find(quint64 id) const;
    [[nodiscard]] quint64 idAt(quint32 place) const { return place < m_straight ? place + 1 : m_ids[place - m_straight]; }
    [[nodiscard]] quint32 size() const noexcept { return m_straight + m_ids.size(); }
    [[nodiscard]] qsizetype memory() const noexcept;

private:
    quint32 m_straight = 0;        // so many ids were their place + 1
    Chunked<quint64> m_ids;        // of the places after those
    Chunked<quint32> m_direct;     // by id - 1 - m_straight: place + 1, 0 = no such id
    QHash<quint64, quint32> m_far; // ids too far out for m_direct
};

} // namespace Waitscope
