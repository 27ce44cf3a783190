// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's coroutine type: lazy, owned by whoever holds it, cancelled by destruction.
//
// Awaiting starts the child inside await_suspend and goes straight on when it is done: symmetric transfer would overflow the
// stack below -O2, where g++ 12 does not make it a tail call. Failures are values here; nothing throws across a co_await.
// Two statements for every call that takes more than trivial arguments: auto t = f(…); auto r = co_await std::move(t);
// (g++ 12 destroys braced and capturing temporaries of a co_await expression twice; tests/checks/coroutines looks for it.)
#pragma once

#include "engine/pooledmemory.h"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace Waitscope {

template<class T>
class Task;

namespace Detail {

class PromiseBase
{
public:
    // Resumes the parent that waits, if one does: a child that ends inside its own start has none yet.
    struct FinalAwaiter {
        bool await_ready() const noexcept { return false; }
        template<class P>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<P> self) const noexcept
        {
            const std::coroutine_handle<> parent = self.promise().parent;
            return parent ? parent : std::noop_coroutine();
        }
        void await_resume() const noexcept { }
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    FinalAwaiter final_suspend() const noexcept { return {}; }
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }

    static void *operator new(std::size_t size) { return allocatePooled(size); }
    static void operator delete(void *frame, std::size_t size) noexcept { freePooled(frame, size); }

    std::coroutine_handle<> parent;
};

template<class T>
class Promise : public PromiseBase
{
public:
    Task<T> get_return_object();
    template<class U>
    void return_value(U &&value)
    {
        result.emplace(std::forward<U>(value));
    }
    std::optional<T> result;
};

template<>
class Promise<void> : public PromiseBase
{
public:
    Task<void> get_return_object();
    void return_void() const noexcept { }
};

} // namespace Detail

template<class T = void>
class [[nodiscard]] Task
{
public:
    using promise_type = Detail::Promise<T>;
    using Handle = std::coroutine_handle<promise_type>;

    Task() = default;
    explicit Task(Handle handle) noexcept
        : m_handle(handle)
    {
    }
    Task(Task &&other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {
    }
    Task &operator=(Task &&other) noexcept
    {
        if (this != &other) {
            destroy();
            m_handle = std::exchange(other.m_handle, {});
        }
        return *this;
    }
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;
    ~Task() { destroy(); }

    [[nodiscard]] bool isDone() const noexcept { return !m_handle || m_handle.done(); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(m_handle); }

    // Runs a root task up to its first suspension. Everything after that is the clock's doing.
    void start() { m_handle.resume(); }
    // What a finished root task returned.
    [[nodiscard]] T take()
        requires(!std::is_void_v<T>)
    {
        return std::move(*m_handle.promise().result);
    }

    class Awaiter
    {
    public:
        explicit Awaiter(Handle child) noexcept
            : m_child(child)
        {
        }
        bool await_ready() const noexcept { return m_child.done(); }
        bool await_suspend(std::coroutine_handle<> parent) const
        {
            m_child.resume();
            if (m_child.done())
                return false;
            m_child.promise().parent = parent;
            return true;
        }
        T await_resume() const
        {
            if constexpr (!std::is_void_v<T>)
                return std::move(*m_child.promise().result);
        }

    private:
        Handle m_child;
    };

    [[nodiscard]] Awaiter operator co_await() && noexcept { return Awaiter(m_handle); }

private:
    void destroy()
    {
        if (m_handle)
            std::exchange(m_handle, {}).destroy();
    }
    Handle m_handle;
};

namespace Detail {

template<class T>
Task<T> Promise<T>::get_return_object()
{
    return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}

inline Task<void> Promise<void>::get_return_object()
{
    return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

} // namespace Detail

} // namespace Waitscope
