// SPDX-License-Identifier: GPL-3.0-or-later
// Equal values are kept once and named by a small number: labels, failure texts, how an attempt looks.
#pragma once

#include "trace/chunked.h"

#include <QHash>
#include <QLatin1StringView>
#include <QString>

#include <array>

namespace Waitscope {

// A poor but very cheap hash: where values that were used lately are looked for first.
[[nodiscard]] inline size_t quickHash(const QString &text) noexcept
{
    const qsizetype n = text.size();
    return n == 0 ? 0 : static_cast<size_t>(n) * 31 + text[n - 1].unicode() * 7u + text[n / 2].unicode();
}
[[nodiscard]] inline size_t quickHash(QLatin1StringView word) noexcept
{
    return reinterpret_cast<size_t>(word.data()) >> 3;
}

template<class T> class ValuePool
{
public:
    ValuePool() { (void)add(T{}); } // number 0 is the default value

    quint32 add(const T &value)
    {
        // A trace says the same things over and over.
        quint32 &recent = m_recent[quickHash(value) % m_recent.size()];
        if (!m_values.isEmpty() && m_values[recent] == value)
            return recent;
        const auto it = m_numbers.constFind(value);
        if (it != m_numbers.constEnd())
            return recent = it.value();
        recent = m_values.size();
        m_values.append(value);
        m_numbers.insert(value, recent);
        return recent;
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
    std::array<quint32, 64> m_recent{}; // numbers, 0 at first: the default value
};

} // namespace Waitscope
