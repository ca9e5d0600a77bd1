// Stands in for NVIDIA's header of the same name: the threads of a group copy together.
#pragma once

#include <algorithm>

#include "cooperative_groups.h"
#include "cusim/barrier.h"
#include "cusim/memcpy_async.h"

namespace cooperative_groups {

#define CUSIM_MEMBER __attribute__((always_inline)) inline

template <class Group, class T, class Shape>
CUSIM_MEMBER void memcpy_async(const Group& group, T* target, const T* source, Shape bytes) {
    cusim::copyPieces(target, source, bytes, group.thread_rank(), group.size());
    cusim::commitCopies();
}
// Copies as many elements as both layouts have.
template <class Group, class T, class Layout, class OtherLayout>
CUSIM_MEMBER void memcpy_async(const Group& group, T* target, Layout room, const T* source,
                               OtherLayout given) {
    const std::size_t elements = std::min<std::size_t>(room, given);
    memcpy_async(group, target, source, elements * sizeof(T));
}
template <class Group>
CUSIM_MEMBER void wait(const Group& group, cusim::Where at = cusim::Where::exactly()) {
    cusim::waitForCopies(0);
    group.sync(at);
}
template <unsigned Prior, class Group>
CUSIM_MEMBER void wait_prior(const Group& group, cusim::Where at = cusim::Where::exactly()) {
    cusim::waitForCopies(Prior);
    group.sync(at);
}

#undef CUSIM_MEMBER

}  // namespace cooperative_groups
