// Tests the requests of warps to constant memory.
#include "chosen_options.h"
#include "kernels_constant.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

const cusim::WarpReport& requestsTo(const std::string& name) {
    for (const cusim::ArrayReport& array : onlyLaunch().arrays)
        if (array.name == name) return array.warps;
    FAIL("no array " << name);
    throw;
}

}  // namespace

DEVICE_TEST("A request to constant memory takes a pass for each different address") {
    for (const int group : {1, 2, 4, 8, 16, 32}) {
        INFO("groups of " << group);
        cusim::reset();
        constants::readInGroups(64, group);
        const cusim::WarpReport& warps = onlyLaunch().warps;
        CHECK(warps.constantRequests == 2);
        CHECK(warps.constantPasses == static_cast<std::uint64_t>(2 * 32 / group));
    }
}

DEVICE_TEST("A warp that is not full asks for the addresses of its own lanes") {
    constants::readInGroups(40, 1);
    CHECK(onlyLaunch().warps.constantRequests == 2);
    CHECK(onlyLaunch().warps.constantPasses == 40);
}

DEVICE_TEST("Requests to constant memory are counted by array and apart from global memory") {
    constants::readOneOfEach();
    CHECK(requestsTo("scale").constantRequests == 1);
    CHECK(requestsTo("scale").constantPasses == 1);
    CHECK(requestsTo("weights").constantRequests == 1);
    CHECK(requestsTo("weights").constantPasses == 32);
    CHECK(requestsTo("weights").globalRequests == 0);
    const cusim::WarpReport& all = onlyLaunch().warps;
    CHECK(all.constantRequests == 2);
    CHECK(all.constantPasses == 33);
    CHECK(all.globalRequests == 2);
    CHECK(all.sectors == 8);
}
