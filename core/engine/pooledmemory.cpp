// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pooledmemory.h"

namespace Waitscope::Detail {

constinit thread_local BlockPool blockPool{};

namespace {

// Its destructor runs when the thread ends. What is freed later still (by statics) stays in its list.
class PoolCleaner
{
public:
    PoolCleaner() = default;
    PoolCleaner(const PoolCleaner &) = delete;
    PoolCleaner &operator=(const PoolCleaner &) = delete;
    ~PoolCleaner()
    {
        for (FreeBlock *&list : blockPool.lists) {
            while (FreeBlock *block = list) {
                list = block->next;
                ::operator delete(block);
            }
        }
    }
};

} // namespace

void *newBlock(std::size_t index)
{
    static thread_local const PoolCleaner cleaner;
    return ::operator new((index + 1) * BlockPool::step);
}

} // namespace Waitscope::Detail
