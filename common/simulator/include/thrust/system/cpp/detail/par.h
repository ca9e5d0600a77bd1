// Takes thrust::cuda::par and its streams for what they are here: the one device, at once.
#pragma once

#include_next <thrust/system/cpp/detail/par.h>

namespace thrust::cuda {

struct OnStream : cpp::execution_policy<OnStream>,
                  thrust::detail::allocator_aware_execution_policy<cpp::execution_policy> {
    template <class Stream>
    const OnStream& on(const Stream&) const {
        return *this;
    }
};
inline constexpr OnStream par{}, par_nosync{};

}  // namespace thrust::cuda
