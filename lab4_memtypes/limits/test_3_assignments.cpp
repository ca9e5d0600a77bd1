// Tests the course's exercise: whether these assignments of blocks to an SM are possible, and if
// not, what prevents them. The test finds the answers by adding as many blocks.
#include <iostream>

#include "lab4_memtypes/limits/devices.h"

using limits::Use;

namespace {

struct Assignment {
    const cudaDeviceProp& device;
    int blocks, threads, bytesPerThread;
};

const Assignment kAssignments[] = {
    {limits::kCapability10, 4, 128, 32}, {limits::kCapability10, 8, 128, 16},
    {limits::kCapability10, 16, 32, 64}, {limits::kCapability12, 2, 512, 32},
    {limits::kCapability12, 4, 256, 16}, {limits::kCapability12, 8, 256, 8},
};

Use useOf(const Assignment& a) { return {a.threads, 0, lab::product(a.threads, a.bytesPerThread)}; }

limits::Room filled(const Assignment& a) {
    limits::Room room(a.device);
    for (int block = 0; block < a.blocks; ++block) room.put(useOf(a));
    return room;
}

std::string text(const Assignment& a) {
    return lab::filled("{}: {} blocks x {} threads x {} bytes", a.device.name, a.blocks, a.threads,
                       a.bytesPerThread);
}

}  // namespace

TEST_CASE("TODO(4): each of the course's six assignments is found possible or impossible") {
    for (const Assignment& a : kAssignments) {
        const int most = limits::blocksOf(Todo(4), a.device, useOf(a));
        const bool possible = !filled(a).overfull();
        if ((most >= a.blocks) != possible)
            lab::fail("wrong-blocks", Todo(4),
                      "{}\nis {}, but blocksPerMultiprocessor() returns {} blocks.", text(a),
                      possible ? "possible" : "not possible", most);
    }
}

TEST_CASE("TODO(5): the limit is right for the assignments that are not possible") {
    std::cout << "\n";
    for (const Assignment& a : kAssignments) {
        const limits::Room room = filled(a);
        const std::string limit = limits::limitOf(Todo(5), a.device, useOf(a));
        if (room.overfull() && !room.lacks(limit))
            lab::fail("wrong-limit", Todo(5),
                      "{}\nis not possible. \"{}\" does not prevent it, but {} does.{}", text(a),
                      limit, limits::rightOnes(room), limits::ifNoWord(limit));
        std::cout << "       " << text(a) << ": "
                  << (room.overfull() ? "no, by " + limit : "possible") << "\n";
    }
}
