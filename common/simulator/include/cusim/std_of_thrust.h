// What Thrust 2 takes from inside cuda::std, which on the simulated device is std itself.
#pragma once

#include "cusim/std_names.h"

namespace cuda::std {

template <size_t... indices>
using __tuple_indices = index_sequence<indices...>;

template <size_t count>
struct __make_tuple_indices {
    using type = make_index_sequence<count>;
};

}  // namespace cuda::std

// Thrust specializes tuple_size for std and for cuda::std. Here it would do so twice for one, so
// that the second is never used.
namespace cusim::of_thrust {

using std::integral_constant;
using std::tuple;
template <class>
struct tuple_size {};
template <std::size_t, class>
struct tuple_element {};

}  // namespace cusim::of_thrust

#undef _CUDA_VSTD
#define _CUDA_VSTD ::std
#undef _LIBCUDACXX_BEGIN_NAMESPACE_STD
#define _LIBCUDACXX_BEGIN_NAMESPACE_STD namespace cusim::of_thrust {
#undef _LIBCUDACXX_END_NAMESPACE_STD
#define _LIBCUDACXX_END_NAMESPACE_STD }
