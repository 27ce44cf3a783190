// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for coroutine frames and results: a retried call makes the same few sizes again and again. What is freed is kept
// for the next one of the thread, until the thread ends.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace Waitscope {

namespace Detail {

struct FreeBlock {
    FreeBlock *next;
};

// One size class a list; trivially destructible, so that reaching it costs nothing.
struct BlockPool {
    static constexpr std::size_t step = 128;
    static constexpr std::size_t classes = 32; // up to 4 KiB; the engine's largest frame has less than half of it
    std::array<FreeBlock *, classes> lists;
};

extern constinit thread_local BlockPool blockPool;

// A new block of a class; sees to it that the thread gives its blocks back when it ends.
[[nodiscard]] void *newBlock(std::size_t index);

} // namespace Detail

#ifdef __SANITIZE_ADDRESS__

// Every block is an allocation of its own, so that a use after its end is found.
[[nodiscard]] inline void *allocatePooled(std::size_t size)
{
    return ::operator new(size);
}

inline void freePooled(void *block, std::size_t) noexcept
{
    ::operator delete(block);
}

#else

[[nodiscard]] inline void *allocatePooled(std::size_t size)
{
    const std::size_t index = (size - 1) / Detail::BlockPool::step;
    if (index >= Detail::BlockPool::classes)
        return ::operator new(size);
    Detail::FreeBlock *&list = Detail::blockPool.lists[index];
    if (!list)
        return Detail::newBlock(index);
    Detail::FreeBlock *block = list;
    list = block->next;
    return block;
}

inline void freePooled(void *block, std::size_t size) noexcept
{
    const std::size_t index = (size - 1) / Detail::BlockPool::step;
    if (index >= Detail::BlockPool::classes) {
        ::operator delete(block);
        return;
    }
    Detail::FreeBlock *&list = Detail::blockPool.lists[index];
    list = new (block) Detail::FreeBlock{list};
}

#endif

} // namespace Waitscope
