// Tells the runtime which bytes of an array's elements are padding: a kernel that stores each
// member leaves them unset, and who copies a whole element reads them.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "cusim/uncounted.h"

namespace cusim {

// Counts as written what is 0 in `members`, an element's bytes, of all elements from `array` to the
// end of its allocation. Weak, since the process of a lab's host code has no device and lacks it.
__attribute__((weak)) void notePadding(const void* array, const unsigned char* members,
                                       std::size_t elementBytes);

namespace detail {

template <class T, class = void>
inline constexpr bool kMayHavePadding = false;
#if __has_builtin(__builtin_clear_padding)
template <class T>
inline constexpr bool kMayHavePadding<T, std::void_t<decltype(sizeof(T))>> =
    std::is_class_v<T>&& std::is_trivially_copyable_v<T> &&
    !std::has_unique_object_representations_v<T>;
#endif

template <class T>
CUSIM_UNCOUNTED void notePaddingOf([[maybe_unused]] const volatile T* array) {
    using Element = std::remove_cv_t<T>;
    if constexpr (kMayHavePadding<Element>) {
        alignas(Element) static unsigned char members[sizeof(Element)];
        std::memset(members, 0xFF, sizeof members);
        __builtin_clear_padding(reinterpret_cast<Element*>(members));
        if (notePadding) notePadding(const_cast<const T*>(array), members, sizeof members);
    }
}

}  // namespace detail
}  // namespace cusim
