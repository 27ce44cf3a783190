// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for coroutine frames: a retried call makes half a dozen of the same few sizes every time, too large for malloc's
// fast lists. Freed frames are kept for the next call of the thread, until the thread ends.
#pragma once

#include <cstddef>

namespace Waitscope {

// Under the address sanitizer every frame is an allocation of its own, so that a use after its end is found.
[[nodiscard]] void *allocateFrame(std::size_t size);
void freeFrame(void *frame, std::size_t size) noexcept;

} // namespace Waitscope
