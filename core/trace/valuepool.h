// SPDX-License-Identifier: GPL-3.0-or-later
// Equal values are kept once and named by a small number: labels, failure texts, how an attempt looks.
#pragma once

#include "trace/chunked.h"

#include <QHash>
#include <QString>

namespace Waitscope {

template<class T>
class ValuePool
{
public:
    ValuePool() { (void)add(T{}); } // number 0 is the default value

    quint32 add(const T &value)
    {
        // Most are the default, and neighbouring events are often alike.
        if (!m_values.isEmpty() && m_values[0] == value)
            return 0;
        if (!m_values.isEmpty() && m_values[m_latest] == value)
            return m_latest;
        const auto it = m_numbers.constFind(value);
        if (it != m_numbers.constEnd())
            return m_latest = it.value();
        m_latest = m_values.size();
        m_values.append(value);
        m_numbers.insert(value, m_latest);
        return m_latest;
    }

    [[nodiscard]] const T &operator[](quint32 number) const noexcept { return m_values[number]; }
    [[nodiscard]] quint32 size() const noexcept { return m_values.size(); }

    // Strings share their characters between the value and the hash.
    [[nodiscard]] qsizetype memory() const noexcept
    {
        qsizetype bytes = m_values.memory() + m_numbers.capacity() * static_cast<qsizetype>(sizeof(T) + 5);
        if constexpr (std::is_same_v<T, QString>) {
            for (quint32 i = 0; i < m_values.size(); ++i)
                bytes += m_values[i].capacity() * 2 + 24;
        }
        return bytes;
    }

private:
    Chunked<T> m_values;
    QHash<T, quint32> m_numbers;
    quint32 m_latest = 0;
};

} // namespace Waitscope
