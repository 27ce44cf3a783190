// SPDX-License-Identifier: GPL-3.0-or-later
// An append-only array in chunks that start small and grow to 4096: elements never move, a small store stays small.
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

namespace Waitscope {

// `firstChunk` elements at first, a power of two.
template<class T, quint32 firstChunk = 16> class Chunked
{
public:
    static constexpr quint32 lastChunk = 4096;

    [[nodiscard]] quint32 size() const noexcept { return m_size; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_size == 0; }

    void append(T value)
    {
        const Place p = placeOf(m_size);
        if (p.chunk == m_chunks.size())
            m_chunks.push_back(std::make_unique<T[]>(sizeOf(p.chunk)));
        m_chunks[p.chunk][p.offset] = std::move(value);
        ++m_size;
    }

    [[nodiscard]] const T &operator[](quint32 i) const noexcept
    {
        const Place p = placeOf(i);
        return m_chunks[p.chunk][p.offset];
    }
    [[nodiscard]] T &operator[](quint32 i) noexcept
    {
        const Place p = placeOf(i);
        return m_chunks[p.chunk][p.offset];
    }
    [[nodiscard]] const T &last() const noexcept { return (*this)[m_size - 1]; }
    [[nodiscard]] T &last() noexcept { return (*this)[m_size - 1]; }

    // How many elements from `i` on lie side by side in memory: scans go run by run.
    [[nodiscard]] quint32 runFrom(quint32 i) const noexcept
    {
        const Place p = placeOf(i);
        return std::min(sizeOf(p.chunk) - p.offset, m_size - i);
    }

    [[nodiscard]] qsizetype memory() const noexcept
    {
        qsizetype bytes = static_cast<qsizetype>(m_chunks.capacity() * sizeof(m_chunks[0]));
        for (quint32 c = 0; c < m_chunks.size(); ++c)
            bytes += static_cast<qsizetype>(sizeOf(c) * sizeof(T));
        return bytes;
    }

private:
    struct Place {
        quint32 chunk;
        quint32 offset;
    };
    // Chunks hold 16, 32, … 2048, then 4096 each; the growing ones together hold 4096 - 16.
    static constexpr quint32 growing = static_cast<quint32>(std::countr_zero(lastChunk) - std::countr_zero(firstChunk));
    static constexpr quint32 held = lastChunk - firstChunk;

    [[nodiscard]] static constexpr quint32 sizeOf(quint32 chunk) noexcept
    {
        return chunk < growing ? firstChunk << chunk : lastChunk;
    }
    [[nodiscard]] static constexpr Place placeOf(quint32 i) noexcept
    {
        if (i >= held) [[likely]]
            return {growing + (i - held) / lastChunk, (i - held) % lastChunk};
        const quint32 shifted = i + firstChunk;
        const quint32 chunk = static_cast<quint32>(std::bit_width(shifted) - std::bit_width(firstChunk));
        return {chunk, shifted - (firstChunk << chunk)};
    }

    std::vector<std::unique_ptr<T[]>> m_chunks;
    quint32 m_size = 0;
};

} // namespace Waitscope
