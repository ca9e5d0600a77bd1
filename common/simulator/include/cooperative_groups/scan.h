// Stands in for NVIDIA's header of the same name: scans over the lanes of a group, in the order of
// additions that a card takes, so that sums of floats have the same bits.
#pragma once

#include <type_traits>

#include "cooperative_groups.h"
#include "cusim/groups/operations.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
CUSIM_AT_CALLER T inclusive_scan(const Group& group, T value, Operation operation,
                                 cusim::Where at = cusim::Where::here()) {
    const unsigned size = group.size();
    for (unsigned delta = 1; delta < size; delta *= 2) {
        const T other = group.shfl_up(value, delta, at);
        if (delta <= group.thread_rank()) value = operation(value, other);
    }
    return value;
}
template <class Group, class T>
CUSIM_AT_CALLER T inclusive_scan(const Group& group, T value,
                                 cusim::Where at = cusim::Where::here()) {
    return inclusive_scan(group, value, plus<T>(), at);
}
template <class Group, class T, class Operation>
CUSIM_AT_CALLER T exclusive_scan(const Group& group, T value, Operation operation,
                                 cusim::Where at = cusim::Where::here()) {
    const T with = inclusive_scan(group, value, operation, at);
    if constexpr (std::is_integral_v<T> && std::is_same_v<Operation, plus<T>>) return with - value;
    const T before = group.shfl_up(with, 1, at);
    return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
CUSIM_AT_CALLER T exclusive_scan(const Group& group, T value,
                                 cusim::Where at = cusim::Where::here()) {
    return exclusive_scan(group, value, plus<T>(), at);
}

}  // namespace cooperative_groups
