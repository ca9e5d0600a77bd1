// Tests how many passes a warp's request takes, by the number of different addresses in it.
#include <iostream>

#include "lab4_memtypes/constant/product.h"
#include "simulator/simulator.h"

namespace {

const int kLanes = 32;

// Returns the passes of the one request to Mc.
std::uint64_t passesFor(int threadsPerGroup) {
    matrix::Matrix M(1, kLanes), out = matrix::poisoned(1, kLanes);
    for (int i = 0; i < kLanes; ++i) M(0, i) = static_cast<float>(i);
    try {
        lab::run("readInGroups", lab::gives(out),
                 [&] { readInGroups(M.data(), out.data(), threadsPerGroup); });
    } catch (...) {
        // This function is complete, so that Mc is too small.
        if (!lab::findingsOf("wild-copy").empty()) lab::beginWith(Todo(1));
        throw;
    }
    for (int i = 0; i < kLanes; ++i)
        if (out(0, i) != M(0, i / threadsPerGroup))
            lab::fail("demonstration-changed",
                      "groupsKernel reads wrong elements. It is a demonstration: restore it.");
    const cusim::WarpReport& warps = cusim::launches().at(0).warps;
    if (warps.constantRequests == 0)
        lab::fail(
            "wrong-memory", Todo(1),
            "the warp reads Mc, but not from constant memory. Declare Mc with\n__constant__.");
    return warps.constantPasses / warps.constantRequests;
}

}  // namespace

TEST_CASE("a warp reads one constant address in one pass, and 32 addresses in 32 passes") {
    std::cout << "\n       a warp reads constant memory:\n";
    for (int addresses = 1; addresses <= kLanes; addresses *= 2) {
        const std::uint64_t passes = passesFor(kLanes / addresses);
        std::cout << "       " << (addresses < 10 ? " " : "") << addresses
                  << (addresses == 1 ? " address:   " : " addresses: ")
                  << lab::count(passes, passes == 1 ? "pass" : "passe") << "\n";
        CHECK(passes == static_cast<std::uint64_t>(addresses));
    }
}
