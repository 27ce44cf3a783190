// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/framepool.h"

#include <array>
#include <new>

namespace Waitscope {

#ifdef __SANITIZE_ADDRESS__

void *allocateFrame(std::size_t size)
{
    return ::operator new(size);
}

void freeFrame(void *frame, std::size_t) noexcept
{
    ::operator delete(frame);
}

#else

namespace {

constexpr std::size_t step = 128;
constexpr std::size_t classes = 32; // up to 4 KiB; the engine's largest frame has less than half of it

struct FreeFrame {
    FreeFrame *next;
};

class FramePool
{
public:
    FramePool() = default;
    FramePool(const FramePool &) = delete;
    FramePool &operator=(const FramePool &) = delete;
    ~FramePool()
    {
        for (FreeFrame *&list : m_lists) {
            while (FreeFrame *frame = list) {
                list = frame->next;
                ::operator delete(frame);
            }
        }
    }

    void *allocate(std::size_t size)
    {
        const std::size_t index = (size - 1) / step;
        if (index >= classes)
            return ::operator new(size);
        if (FreeFrame *frame = m_lists[index]) {
            m_lists[index] = frame->next;
            return frame;
        }
        return ::operator new((index + 1) * step);
    }

    void release(void *memory, std::size_t size) noexcept
    {
        const std::size_t index = (size - 1) / step;
        if (index >= classes) {
            ::operator delete(memory);
            return;
        }
        m_lists[index] = new (memory) FreeFrame{m_lists[index]};
    }

private:
    std::array<FreeFrame *, classes> m_lists{};
};

FramePool &pool()
{
    static thread_local FramePool own;
    return own;
}

} // namespace

void *allocateFrame(std::size_t size)
{
    return pool().allocate(size);
}

void freeFrame(void *frame, std::size_t size) noexcept
{
    pool().release(frame, size);
}

#endif

} // namespace Waitscope
