// Lets the host run an algorithm of Thrust's on device memory: each goes through derived_cast, and
// a default argument lives until the whole expression around the call has its value.
#pragma once

#include "cusim/device_code_on_host.h"

#define derived_cast derivedCastOfThrust
#include_next <thrust/detail/execution_policy.h>
#undef derived_cast

namespace thrust::detail {

template <class Policy>
Policy& derived_cast(execution_policy_base<Policy>& policy,
                     const cusim::DeviceCodeOnHost& = cusim::DeviceCodeOnHost()) {
    return static_cast<Policy&>(policy);
}

template <class Policy>
const Policy& derived_cast(const execution_policy_base<Policy>& policy,
                           const cusim::DeviceCodeOnHost& = cusim::DeviceCodeOnHost()) {
    return static_cast<const Policy&>(policy);
}

}  // namespace thrust::detail
