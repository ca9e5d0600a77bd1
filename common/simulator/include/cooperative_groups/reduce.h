// Stands in for NVIDIA's header of the same name: combines the values of a group's lanes, in the
// order that a card takes, and gives each lane the result.
#pragma once

#include "scan.h"

namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class Operation>
CUSIM_AT_CALLER T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation,
                         cusim::Where at = cusim::Where::here()) {
    for (unsigned with = Size / 2; with > 0; with /= 2)
        value = operation(value, tile.shfl_xor(value, with, at));
    return value;
}
template <class T, class Operation>
CUSIM_AT_CALLER T reduce(const coalesced_group& group, T value, Operation operation,
                         cusim::Where at = cusim::Where::here()) {
    if (group.size() == 32)
        return reduce(tiled_partition<32>(thread_block()), value, operation, at);
    const T all = inclusive_scan(group, value, operation, at);
    return group.shfl(all, static_cast<int>(group.size()) - 1, at);
}

}  // namespace cooperative_groups
