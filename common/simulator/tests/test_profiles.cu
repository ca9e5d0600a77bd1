// Tests the devices that can be simulated, and what depends on their limits.
#include <cstdlib>
#include <cstring>

#include "chosen_options.h"
#include "simulator/engine/device_profile.h"

namespace {

__global__ void nothing() {}
__global__ void small() {}

cudaDeviceProp propertiesOf(const std::string& profile) {
    REQUIRE(cusim::useProfile(profile));
    cudaDeviceProp properties{};
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    return properties;
}

constexpr std::size_t kKiB = 1024;

int statusOf(const std::string& command) {
    return WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str()));
}

}  // namespace

DEVICE_TEST("The default profile is the one from before there were profiles") {
    CHECK(cusim::options().profile == "default");
    const cudaDeviceProp& p = cusim::deviceProfile();
    CHECK(std::strcmp(p.name, "Simulated device") == 0);
    CHECK(p.maxThreadsPerBlock == 1024);
    CHECK(p.sharedMemPerBlock == 48 * kKiB);
    CHECK(p.sharedMemPerBlockOptin == 96 * kKiB);
    CHECK(p.multiProcessorCount == 80);
}

DEVICE_TEST("Each profile has the limits of its device") {
    struct Row {
        const char* name;
        int threadsPerBlock, threads, blocks, registers;
        std::size_t perBlock, optIn, shared;
    };
    for (const Row& row : {Row{"8800gtx", 512, 768, 8, 8192, 16, 16, 16},
                           {"cc12", 512, 1024, 8, 16384, 16, 16, 16},
                           {"device-d", 1024, 1536, 8, 16384, 48, 48, 48},
                           {"maxwell", 1024, 2048, 32, 65536, 48, 48, 64},
                           {"turing", 1024, 1024, 16, 65536, 48, 64, 64},
                           {"v100", 1024, 2048, 32, 65536, 48, 96, 96},
                           {"h200", 1024, 2048, 32, 65536, 48, 227, 228}}) {
        INFO(row.name);
        const cudaDeviceProp p = propertiesOf(row.name);
        CHECK(p.maxThreadsPerBlock == row.threadsPerBlock);
        CHECK(p.maxThreadsPerMultiProcessor == row.threads);
        CHECK(p.maxBlocksPerMultiProcessor == row.blocks);
        CHECK(p.regsPerMultiprocessor == row.registers);
        CHECK(p.sharedMemPerBlock == row.perBlock * kKiB);
        CHECK(p.sharedMemPerBlockOptin == row.optIn * kKiB);
        CHECK(p.sharedMemPerMultiprocessor == row.shared * kKiB);
    }
    CHECK(propertiesOf("h200").multiProcessorCount == 132);
}

DEVICE_TEST("A profile stays through reset(), and an unknown name changes nothing") {
    CHECK(cusim::useProfile("8800gtx"));
    cusim::reset();
    CHECK(cusim::deviceProfile().maxThreadsPerBlock == 512);
    CHECK_FALSE(cusim::useProfile("8800"));
    CHECK_FALSE(cusim::useProfile(""));
    CHECK(cusim::deviceProfile().maxThreadsPerBlock == 512);
}

TEST_CASE("Options put back put the profile back") {
    {
        const ChosenOptions chosen;
        REQUIRE(cusim::useProfile("8800gtx"));
    }
    const ChosenOptions chosen;
    CHECK(cusim::deviceProfile().maxThreadsPerBlock == 1024);
}

DEVICE_TEST("make accepts the names of all profiles and no other") {
    const std::string check = " SOURCE=Makefile python3 -I -S common/course/usage.py values";
    for (const std::string& name : cusim::profileNames()) {
        INFO(name);
        CHECK(statusOf("PROFILE=" + name + check) == 0);
    }
    CHECK(statusOf("PROFILE=8800" + check) == 2);
}

DEVICE_TEST("A launch is refused by the limits of the profile") {
    const auto status = [](const char* profile, dim3 grid, dim3 block, std::size_t sharedBytes = 0,
                           bool optIn = false) {
        REQUIRE(cusim::useProfile(profile));
        cusim::reset();
        const int bytes = static_cast<int>(sharedBytes);
        if (optIn)
            cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        nothing<<<grid, block, bytes>>>();
        return cudaGetLastError();
    };
    CHECK(status("8800gtx", 1, 512) == cudaSuccess);
    CHECK(status("8800gtx", 1, 513) == cudaErrorInvalidConfiguration);
    CHECK(status("device-d", 1, 1024) == cudaSuccess);
    CHECK(status("8800gtx", {1, 1, 2}, 1) == cudaErrorInvalidConfiguration);
    CHECK(status("device-d", {1, 1, 2}, 1) == cudaSuccess);
    CHECK(status("8800gtx", 1, 1, 16 * kKiB) == cudaSuccess);
    CHECK(status("8800gtx", 1, 1, 16 * kKiB + 1) == cudaErrorInvalidValue);
    CHECK(status("h200", 1, 1, 48 * kKiB + 1) == cudaErrorInvalidValue);
    CHECK(status("turing", 1, 1, 64 * kKiB, true) == cudaSuccess);
    CHECK(status("turing", 1, 1, 64 * kKiB + 1, true) == cudaErrorInvalidValue);
    CHECK(status("h200", 1, 1, 227 * kKiB, true) == cudaSuccess);
    CHECK(status("h200", 1, 1, 227 * kKiB + 1, true) == cudaErrorInvalidValue);
}

DEVICE_TEST(
    "What is asked for a kernel lasts from test to test, and all of one device is all of it") {
    const auto ask = [](const char* profile, std::size_t bytes) {
        REQUIRE(cusim::useProfile(profile));
        return cudaFuncSetAttribute(small, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes));
    };
    const auto status = [](const char* profile, std::size_t bytes) {
        REQUIRE(cusim::useProfile(profile));
        cusim::reset();
        small<<<1, 1, bytes>>>();
        return cudaGetLastError();
    };
    CHECK(status("v100", 96 * kKiB) == cudaErrorInvalidValue);
    CHECK(ask("v100", 50 * kKiB) == cudaSuccess);
    CHECK(status("v100", 50 * kKiB) == cudaSuccess);
    CHECK(status("v100", 51 * kKiB) == cudaErrorInvalidValue);
    CHECK(status("h200", 50 * kKiB) == cudaSuccess);
    CHECK(ask("v100", 96 * kKiB) == cudaSuccess);
    CHECK(status("v100", 96 * kKiB) == cudaSuccess);
    CHECK(status("h200", 227 * kKiB) == cudaSuccess);
    CHECK(status("turing", 64 * kKiB) == cudaSuccess);
    CHECK(status("turing", 65 * kKiB) == cudaErrorInvalidValue);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(status("v100", 50 * kKiB) == cudaErrorInvalidValue);
}

DEVICE_TEST("Occupancy is that of the profile, with what the device reserves of shared memory") {
    // The textbook's cases: 2 KB and 8 KB a block are tiles of 16 and of 32.
    REQUIRE(cusim::useProfile("8800gtx"));
    CHECK(cusim::occupancy(256, 2 * kKiB).blocks == 3);
    CHECK(cusim::occupancy(64, 5 * kKiB).blocks == 3);
    CHECK(std::string(cusim::occupancy(64, 5 * kKiB).limitedBy) == "shared memory");
    CHECK(cusim::occupancy(1024, 0).blocks == 0);
    REQUIRE(cusim::useProfile("device-d"));
    CHECK(cusim::occupancy(256, 2 * kKiB).blocks == 6);
    CHECK(cusim::occupancy(1024, 8 * kKiB).blocks == 1);
    REQUIRE(cusim::useProfile("maxwell"));
    CHECK(cusim::occupancy(256, 2 * kKiB).blocks == 8);
    CHECK(cusim::occupancy(1024, 8 * kKiB).blocks == 2);
    // Each block takes 1 KiB more than it asks for: 228 / 2 is 114, 228 / (114 + 1) is 1.
    REQUIRE(cusim::useProfile("h200"));
    CHECK(cusim::occupancy(32, 114 * kKiB).blocks == 1);
    CHECK(cusim::occupancy(32, 113 * kKiB).blocks == 2);
}
