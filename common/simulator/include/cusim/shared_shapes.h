// Tells the runtime how shared memory is declared, so that reports can say Mds[2][5], and which
// bytes are padding. The translator adds a call to each declaration.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cusim/padding.h"
#include "cusim/where.h"

namespace cusim {

// `members` is null for elements without padding, see padding.h.
void noteSharedShape(const volatile void* array, std::size_t elementBytes,
                     const std::size_t* extents, int dimensions, detail::Members members);

namespace detail {

// The extents of T[2][3]. They are constants, so that the call makes no access of the kernel's.
template <class Array, class Dimensions = std::make_index_sequence<std::rank_v<Array>>>
struct Extents;
template <class Array, std::size_t... Dimension>
struct Extents<Array, std::index_sequence<Dimension...>> {
    static constexpr std::size_t value[] = {std::extent_v<Array, Dimension>...};
};

}  // namespace detail

template <class Array>
inline void noteSharedArray(const volatile Array& array) {
    static_assert(std::is_array_v<Array>);
    using Element = std::remove_all_extents_t<Array>;
    noteSharedShape(&array, sizeof(Element), detail::Extents<Array>::value,
                    static_cast<int>(std::rank_v<Array>), detail::kMembersOf<Element>);
}

// The same for a variable that is no array; only its padding is noted.
template <class T>
inline void noteSharedVariable([[maybe_unused]] const volatile T& variable) {
    if constexpr (detail::kMembersOf<T> != nullptr)
        noteSharedShape(&variable, sizeof(T), nullptr, 0, detail::kMembersOf<T>);
}

// Returns the calling block's dynamic shared memory, sized by the launch's third parameter. Reports
// use the name that the kernel declares, and the size of a row.
void* dynamicShared(const char* name, std::size_t rowBytes, std::size_t elementBytes,
                    detail::Members members);
template <class Row>
inline void* dynamicShared(const char* name) {
    using Element = std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<Row>>>;
    return dynamicShared(name, sizeof(Row), sizeof(Element), detail::kMembersOf<Element>);
}

// Told at a second extern __shared__ array of one type in a kernel, which begins where the first
// does.
void beginsTogether(const char* name, const char* first, Where at = Where::here());
// Called at the begin of a kernel with __launch_bounds__: a launch with more threads fails on a
// card.
void boundThreads(unsigned long long most, Where at = Where::here());

// Returns the pointer as which a kernel takes memory. The translator adds it to each cast.
template <class T>
constexpr T* takenAs(T* elements) {
    using Element = std::remove_cv_t<T>;
    if constexpr (detail::kMembersOf<Element> != nullptr)
        if (!__builtin_is_constant_evaluated())
            noteElements(elements, sizeof(T), detail::kMembersOf<Element>);
    return elements;
}

}  // namespace cusim
