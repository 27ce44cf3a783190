// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of every kind of event, found by the compiler: a field that is added later is in the tests at once.
#pragma once

#include "event/event.h"

#include <concepts>
#include <utility>

namespace Waitscope {

struct AnyField {
    template<class T> operator T() const; // only ever named, never called
};

template<class T, size_t... I> constexpr bool isMadeOf(std::index_sequence<I...>)
{
    return requires
    {
        T{(static_cast<void>(I), AnyField{})...};
    };
}

template<class T, size_t N = 16> constexpr size_t fieldCount()
{
    if constexpr (isMadeOf<T>(std::make_index_sequence<N>()))
        return N;
    else
        return fieldCount<T, N - 1>();
}

// Calls visit(field) for each field in order; fields may be changed.
template<class T, class Visit> void forEachField(T &event, Visit visit)
{
    constexpr size_t count = fieldCount<std::remove_const_t<T>>();
    static_assert(count >= 2 && count <= 12, "one more line below");
    if constexpr (count == 2) {
        auto &[a, b] = event;
        (visit(a), visit(b));
    } else if constexpr (count == 3) {
        auto &[a, b, c] = event;
        (visit(a), visit(b), visit(c));
    } else if constexpr (count == 4) {
        auto &[a, b, c, d] = event;
        (visit(a), visit(b), visit(c), visit(d));
    } else if constexpr (count == 5) {
        auto &[a, b, c, d, e] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e));
    } else if constexpr (count == 6) {
        auto &[a, b, c, d, e, f] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f));
    } else if constexpr (count == 7) {
        auto &[a, b, c, d, e, f, g] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g));
    } else if constexpr (count == 8) {
        auto &[a, b, c, d, e, f, g, h] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h));
    } else if constexpr (count == 9) {
        auto &[a, b, c, d, e, f, g, h, i] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i));
    } else if constexpr (count == 10) {
        auto &[a, b, c, d, e, f, g, h, i, j] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i), visit(j));
    } else if constexpr (count == 11) {
        auto &[a, b, c, d, e, f, g, h, i, j, k] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i), visit(j), visit(k));
    } else {
        auto &[a, b, c, d, e, f, g, h, i, j, k, l] = event;
        (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i), visit(j), visit(k),
         visit(l));
    }
}

// Calls visit(event) with one default event of each kind there is.
template<class Visit, size_t... I> void forEachKind(Visit visit, std::index_sequence<I...>)
{
    (visit(std::variant_alternative_t<I, Event>{}), ...);
}
template<class Visit> void forEachKind(Visit visit)
{
    forEachKind(visit, std::make_index_sequence<std::variant_size_v<Event>>());
}

template<class T>
concept Enumeration = std::is_enum_v<T>;

} // namespace Waitscope
