// Tests one program on many devices: the same kernel on simulated devices of different sizes.
#include "lab4_memtypes/tile_launch_sim.h"
#include "testing/device.h"
#include "testing/reads_of_tiles_sim.h"

namespace {

// Returns the tile width, computed from the size of the launch's shared array.
int tileWidthOf(const cusim::LaunchReport& launch) {
    int tileWidth = 0;
    while (bytesOfTiles(tileWidth + kRows) <= launch.dynamicSharedBytes) tileWidth += kRows;
    return tileWidth;
}

cudaDeviceProp simulated(const std::string& profile) {
    if (!cusim::useProfile(profile)) lab::fail("no-profile", "there is no profile {}", profile);
    device::reset();
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    return device;
}

// Returns a sentence to add to a failure of a call that has not asked which device it is on.
std::string ifNotAsked() {
    if (lab::timesCalled("cudaGetDeviceProperties") + lab::timesCalled("cudaDeviceGetAttribute"))
        return "";
    return "\nThis call does not get the device's properties. The tests change the device while "
           "the program runs: get the properties in each call, and do not keep them in a static "
           "variable.";
}

lab::ProductRun runOnDevice(const lab::Text& about, matrix::DataSet set,
                            const std::vector<std::string>& leftToOtherTests = {}) {
    try {
        return runDynamic(about, std::move(set), leftToOtherTests);
    } catch (...) {
        if (const std::string why = ifNotAsked(); !why.empty()) lab::addToEnd(why.substr(1));
        throw;
    }
}

}  // namespace

TEST_CASE("TODO(7): tiles of more than 48 KB work if the device allows them") {
    const device::WithoutWarps withoutWarps;
    const lab::ChosenOptions chosen;
    const lab::Forgiving forgiving(kAccesses);
    // What was asked in another test lasts, and none of those before asks for as much.
    simulated("h200");
    const int tileWidth = 112;  // 98 KB
    runWithTile(Todo(7), lab::integers(lab::square(tileWidth)), tileWidth, kNotAboutCounts);
    const auto& launch = launchOf(Todo(7));
    if (launch.dynamicSharedBytes < bytesOfTiles(tileWidth))
        lab::fail("shared-bytes", Todo(7),
                  "the launch asks for only {} of shared memory, so the test cannot\njudge this "
                  "step. Do {} first.",
                  lab::count(launch.dynamicSharedBytes, "byte"), Todo(1));
    const matrix::DataSet set = lab::integers(lab::square(tileWidth));
    matrix::Matrix P = matrix::poisoned(tileWidth, tileWidth);
    lab::expectCallsChecked(
        Todo(7), lab::gives(P),
        [&] { matrixMulWithTile(set.M.data(), set.N.data(), P.data(), tileWidth, tileWidth); },
        {"cudaFuncSetAttribute"});
}

TEST_CASE("TODO(8): each device gets the largest tiles that it allows") {
    const device::WithoutWarps withoutWarps;
    const lab::ChosenOptions chosen;
    const lab::Forgiving forgiving(kAccesses);
    for (const char* profile :
         {"8800gtx", "cc12", "device-d", "maxwell", "turing", "v100", "h200"}) {
        INFO("PROFILE=" << profile);
        const cudaDeviceProp device = simulated(profile);
        const int wanted = largestTileWidth(device);
        // One tile of P, because more would show nothing new.
        runOnDevice(Todo(8), lab::integers(lab::square(wanted)), kNotAboutCounts);
        const auto& launch = launchOf(Todo(8));
        if (launch.dynamicSharedBytes == 0)
            lab::fail("shared-bytes", Todo(8),
                      "the launch asks for no shared memory, so the test cannot know its "
                      "tiles.\nDo {} first.",
                      Todo(1));
        if (tileWidthOf(launch) != wanted)
            lab::fail("tile-width", Todo(8),
                      "on the {} the tile width is {}, but the largest\nthat fits is\n{}\nGet the "
                      "device's properties with cudaGetDeviceProperties.{}",
                      device.name, tileWidthOf(launch), demand(wanted), ifNotAsked());
        lab::expectOneLaunch(Todo(8), "all of P");
    }
    const matrix::DataSet set = lab::integers(lab::square(kRows));
    matrix::Matrix P = matrix::poisoned(kRows, kRows);
    lab::expectCallsChecked(Todo(8), lab::gives(P),
                            [&] { dynamicMatrixMul(set.M.data(), set.N.data(), P.data(), kRows); },
                            {"cudaGetDevice", "cudaGetDeviceProperties", "cudaDeviceGetAttribute"});
}

TEST_CASE("the larger the tile, the fewer the loads: 2 x Width^3 / tileWidth") {
    const device::WithoutWarps withoutWarps;
    const lab::CountElements counting;
    simulated("v100");
    const int Width = 96;
    for (const int tileWidth : {16, 32, 48, 96}) {
        INFO("tileWidth " << tileWidth);
        const lab::ProductRun run = runWithTile(
            "dynamicMatrixMul", lab::integers(lab::square(Width)), tileWidth, kNotAboutCounts);
        const std::uint64_t loads = lab::floatsRead(launchOf("dynamicMatrixMul").global());
        const std::uint64_t wanted =
            2 * lab::product(Width, Width) * Width / static_cast<unsigned>(tileWidth);
        if (loads != wanted)
            lab::fail("load-count",
                      "dynamicMatrixMul: {} instead of {} at Width {}, with tiles\nof {}.",
                      lab::count(loads, "global load"), lab::grouped(wanted), Width, tileWidth);
        lab::holdToTiles(run.set, kRows);
    }
}

TEST_CASE("the product does not depend on the device") {
    const device::WithoutWarps withoutWarps;
    const lab::ChosenOptions chosen;
    for (const char* profile : {"8800gtx", "turing"}) {
        INFO("PROFILE=" << profile);
        simulated(profile);
        for (const int Width : {1, 33, 100}) {
            lab::expectProduct("dynamicMatrixMul",
                               runOnDevice("dynamicMatrixMul", lab::fractions(lab::square(Width))));
        }
    }
}
