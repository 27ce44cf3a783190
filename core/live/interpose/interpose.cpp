// SPDX-License-Identifier: GPL-3.0-or-later
// connect(), getaddrinfo() and read() of the whole program: libc's, with a look over the shoulder of the transport's own
// threads. Nothing of Qt or of C++'s run-time is touched on the way of any other thread.
#include "live/libchooks.h"

#include <dlfcn.h>
#include <unistd.h>

namespace {

template<class Function>
Function nextOf(const char *name) noexcept
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Resolved before main(), and earlier if something connects or reads even before that.
const Waitscope::LibcCalls &real() noexcept
{
    static const Waitscope::LibcCalls calls{
        nextOf<decltype(Waitscope::LibcCalls::connect)>("connect"),
        nextOf<decltype(Waitscope::LibcCalls::getaddrinfo)>("getaddrinfo"),
        nextOf<decltype(Waitscope::LibcCalls::read)>("read"),
    };
    return calls;
}

} // namespace

#define WAITSCOPE_INTERPOSED extern "C" __attribute__((visibility("default")))

WAITSCOPE_INTERPOSED int connect(int fd, const sockaddr *address, socklen_t size)
{
    return Waitscope::hookedConnect(real(), fd, address, size);
}

WAITSCOPE_INTERPOSED int getaddrinfo(const char *node, const char *service, const addrinfo *hints, addrinfo **result)
{
    return Waitscope::hookedGetaddrinfo(real(), node, service, hints, result);
}

WAITSCOPE_INTERPOSED ssize_t read(int fd, void *buffer, size_t size)
{
    return Waitscope::hookedRead(real(), fd, buffer, size);
}

namespace {

[[maybe_unused]] const bool announced = [] {
    static_cast<void>(real());
    Waitscope::announceInterposition({&::connect, &::getaddrinfo, &::read});
    return true;
}();

} // namespace
