// SPDX-License-Identifier: GPL-3.0-or-later
// Where the interposed libc calls (live/interpose) meet the rest: the calls they replace, and what is done in their place.
//
// live/interpose is an object library that every executable and live test links: from a static library, or hidden, the
// dynamic loader would silently prefer libc's own functions. Where it is missing everything here is inert.
#pragma once

#include <QtGlobal>

#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>

namespace Waitscope {

struct LibcCalls {
    int (*connect)(int, const sockaddr *, socklen_t) = nullptr;
    int (*getaddrinfo)(const char *, const char *, const addrinfo *, addrinfo **) = nullptr;
    ssize_t (*read)(int, void *, size_t) = nullptr;
};

// Called once by the interposing object while the program starts: its own functions.
void announceInterposition(const LibcCalls &interposed) noexcept;

// The start-up self-check: the object is linked, and what the dynamic loader hands to the network library are its
// functions. Where false, a transport reports the phases it can tell apart honestly (ConnectTls, Connect) and no more.
[[nodiscard]] bool interpositionWorks();

// What the interposed functions do; `real` are libc's. In a thread that no NetworkWatch registered they do nothing but
// call through: one thread-local look, no lock, safe in a signal handler.
int hookedConnect(const LibcCalls &real, int fd, const sockaddr *address, socklen_t size);
int hookedGetaddrinfo(const LibcCalls &real, const char *node, const char *service, const addrinfo *hints,
                      addrinfo **result);
ssize_t hookedRead(const LibcCalls &real, int fd, void *buffer, size_t size);

} // namespace Waitscope
