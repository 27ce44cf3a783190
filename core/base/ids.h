// SPDX-License-Identifier: GPL-3.0-or-later
// Strong identifiers of a trace: a span's number can never be taken for a timer's.
#pragma once

#include <QtGlobal>

#include <compare>
#include <functional>

namespace Waitscope {

// Numbers start at 1; 0 is "none". They are unique within one trace and given in order of appearance.
template<class Tag>
struct Id {
    quint64 value = 0;

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return value != 0; }
    friend constexpr auto operator<=>(Id, Id) noexcept = default;
};

template<class Tag>
[[nodiscard]] size_t qHash(Id<Tag> id, size_t seed = 0) noexcept
{
    return seed ^ std::hash<quint64>{}(id.value);
}

using SpanId = Id<struct SpanTag>;
using TimerId = Id<struct TimerTag>;

} // namespace Waitscope

template<class Tag>
struct std::hash<Waitscope::Id<Tag>> {
    size_t operator()(Waitscope::Id<Tag> id) const noexcept { return std::hash<quint64>{}(id.value); }
};
