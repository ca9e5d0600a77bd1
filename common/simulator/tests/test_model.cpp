// Tests the modelled time of a card on counts that are made up.
#include <cmath>

#include "simulator/model/card_time.h"
#include "testing/catch.h"

using cusim::Card;
using cusim::LaunchReport;
using cusim::modelledTime;

namespace {

constexpr std::uint64_t kModelBlocks = 132 * 8 * 100, kWarps = 8;

// A launch of many blocks of 256 threads, whose warps load `loads` times from an array of as many
// bytes; each request touches so many lines and sectors.
LaunchReport loading(std::uint64_t loads, std::uint64_t lines, std::uint64_t sectors) {
    LaunchReport launch;
    launch.grid = dim3(kModelBlocks);
    launch.block = dim3(32 * kWarps);
    launch.completed = true;
    cusim::AccessCount& global = launch.space[static_cast<int>(cusim::Space::Global)];
    global.loads = 32 * kWarps * loads * kModelBlocks;
    global.loadedBytes = 4 * global.loads;
    cusim::ArrayReport array;
    array.space = cusim::Space::Global;
    array.bytes = global.loadedBytes;
    array.count = global;
    launch.arrays.push_back(array);
    launch.warps.blocks = 1;
    launch.warps.warps = kWarps;
    launch.warps.globalRequests = kWarps * loads;
    launch.warps.lines = kWarps * loads * lines;
    launch.warps.sectors = launch.warps.blockSectors = kWarps * loads * sectors;
    return launch;
}

double part(const cusim::ModelledTime& time, const std::string& name) {
    for (const auto& one : time.parts)
        if (one.name == name) return one.microseconds;
    FAIL("no part " << name);
    return 0;
}

Card twiceAsFast(double Card::*figure) {
    Card card = cusim::cardOf("h200");
    card.*figure *= 2;
    return card;
}

}  // namespace

TEST_CASE("a launch of one block is limited by the launch itself") {
    LaunchReport launch = loading(1, 1, 4);
    launch.grid = dim3(1);
    launch.arrays.clear();
    const auto time = modelledTime(launch);
    CHECK(time.limitedBy == "the launch");
    CHECK(time.microseconds > part(time, "the launch"));
}

TEST_CASE("loads side by side of new data are limited by memory, and its speed sets their time") {
    const LaunchReport launch = loading(64, 1, 4);
    const auto time = modelledTime(launch, 0, 0, cusim::cardOf("h200"));
    const auto fast = modelledTime(launch, 0, 0, twiceAsFast(&Card::memory));
    CHECK(time.limitedBy == "memory");
    CHECK(part(fast, "memory") == part(time, "memory") / 2);
    CHECK(fast.microseconds < time.microseconds);
}

TEST_CASE("requests that touch a line a lane are limited by the requests") {
    LaunchReport launch = loading(64, 32, 32);
    launch.warps.blockSectors /= 8;  // the lanes come back for the rest of each sector
    launch.arrays[0].bytes /= 8;
    const auto time = modelledTime(launch);
    CHECK(time.limitedBy == "requests");
    CHECK(part(time, "requests") == 32 * part(modelledTime(loading(64, 1, 4)), "requests"));
}

TEST_CASE("a conflict of 32 rows a request takes 32 times the time of shared memory") {
    LaunchReport launch = loading(2, 1, 4);
    launch.warps.sharedRequests = launch.warps.sharedRows = kWarps * 100;
    const double without = part(modelledTime(launch), "shared memory");
    launch.warps.sharedRows *= 32;
    const auto time = modelledTime(launch);
    CHECK(time.limitedBy == "shared memory");
    CHECK(part(time, "shared memory") == 32 * without);
}

TEST_CASE("operations that are known may limit a launch, and unknown ones do not") {
    const LaunchReport launch = loading(1, 1, 4);
    const double flop = 1e6 * kModelBlocks;
    CHECK(modelledTime(launch, flop).limitedBy == "arithmetic");
    CHECK(part(modelledTime(launch), "arithmetic") == 0);
    const auto fast = modelledTime(launch, flop, 0, twiceAsFast(&Card::lanes));
    CHECK(part(fast, "arithmetic") == part(modelledTime(launch, flop), "arithmetic") / 2);
}

TEST_CASE("blocks that load once and wait at a barrier are limited by latency") {
    LaunchReport launch = loading(1, 1, 4);
    launch.barriersPerThread = 1;
    launch.block = dim3(1024);
    const auto time = modelledTime(launch);
    CHECK(time.limitedBy == "latency");
    SECTION("more shared memory a block leaves room for fewer, which hide less of it") {
        launch.staticSharedBytes = 40000;
        launch.block = dim3(256);
        const double few = part(modelledTime(launch), "latency");
        launch.staticSharedBytes = 0;
        CHECK(part(modelledTime(launch), "latency") < few);
    }
}

TEST_CASE("many tiny blocks are limited by starting them") {
    LaunchReport launch = loading(1, 1, 4);
    launch.block = dim3(32);
    launch.warps.warps = 1;
    launch.warps.globalRequests = launch.warps.lines = launch.warps.sectors = 1;
    launch.warps.blockSectors = 4;
    launch.arrays[0].bytes = 1024;
    CHECK(modelledTime(launch).limitedBy == "starting blocks");
}

TEST_CASE("a sample of the blocks stands for all of them") {
    LaunchReport launch = loading(64, 1, 4);
    const double whole = modelledTime(launch).microseconds;
    launch.grid = dim3(kModelBlocks / 100);
    launch.arrays[0].count.loadedBytes /= 100;
    CHECK(std::abs(modelledTime(launch, 0, kModelBlocks).microseconds / whole - 1) < 1e-9);
}

TEST_CASE("without observed warps there is no modelled time") {
    LaunchReport launch = loading(64, 1, 4);
    launch.warps = {};
    CHECK(modelledTime(launch).parts.empty());
}

TEST_CASE("the card is that of the profile, and an H200 where that is no card") {
    const LaunchReport launch = loading(64, 1, 4);
    CHECK(modelledTime(launch, 0, 0, cusim::cardOf("default")).card == std::string("an H200"));
    for (const char* profile : {"8800gtx", "cc12", "device-d", "maxwell", "turing", "v100"}) {
        const Card& card = cusim::cardOf(profile);
        CHECK(card.profile == std::string(profile));
        CHECK(modelledTime(launch, 0, 0, card).microseconds > modelledTime(launch).microseconds);
    }
}
