// Tells the runtime which bytes of an array's elements are padding: a kernel that stores each
// member leaves them unset, and a copy of a whole element reads them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cusim/uncounted.h"

namespace cusim {

namespace detail {

// Larger elements would take long to compile.
template <class T, class = void>
inline constexpr bool kMayHavePadding = false;
#if __has_builtin(__builtin_clear_padding)
template <class T>
inline constexpr bool kMayHavePadding<T, std::enable_if_t<sizeof(T) <= 4096>> =
    std::is_class_v<T> && !std::is_abstract_v<T> && !std::has_unique_object_representations_v<T>;
#endif

// An element that nothing makes, so that its type may be copied as it likes.
template <class T>
union Unmade {
    T element;
    Unmade() {}
    ~Unmade() {}
};

// Returns an element's bytes, 0 for padding.
using Members = const unsigned char* (*)();
template <class T>
CUSIM_UNCOUNTED const unsigned char* membersOf() {
    static unsigned char members[sizeof(T)];  // all threads write the same
    Unmade<T> one;
    auto* const bytes = reinterpret_cast<volatile unsigned char*>(&one);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = 0xFF;
    __builtin_clear_padding(&one);
    for (std::size_t i = 0; i < sizeof(T); ++i) members[i] = bytes[i];
    return members;
}
template <class T, bool = kMayHavePadding<T>>
inline constexpr Members kMembersOf = nullptr;
template <class T>
inline constexpr Members kMembersOf<T, true> = &membersOf<T>;

}  // namespace detail

// Counts as written the padding of all elements from `array` to the end of its allocation. Weak,
// since the process of a lab's host code has no device and lacks it.
__attribute__((weak)) void notePadding(const void* array, std::size_t elementBytes,
                                       detail::Members members);
// Notes that a kernel takes memory from `first` on for such elements, whose padding may be read
// with members. They end where others begin.
void noteElements(const volatile void* first, std::size_t elementBytes, detail::Members members);

namespace detail {

template <class T>
void notePaddingOf([[maybe_unused]] const volatile T* array) {
    if constexpr (kMayHavePadding<T>)
        if (notePadding) notePadding(const_cast<const T*>(array), sizeof(T), kMembersOf<T>);
}

}  // namespace detail
}  // namespace cusim
