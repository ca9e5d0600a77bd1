// What a program may ask the simulated device about the kernels that it ran: counts, findings,
// and how a call into student code ended. Tests and harnesses use this; a .cu file does not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulator/core/finding.h"
#include "simulator/include/cusim/errors.h"

namespace cusim {

// Accesses as the source states them: one for each thread that executes a load or store,
// whatever its width. An atomic counts as an atomic only.
struct AccessCount {
    std::uint64_t loads = 0, stores = 0, atomics = 0;
    std::uint64_t loadedBytes = 0, storedBytes = 0;

    AccessCount& operator+=(const AccessCount& other);
};

enum class Space { Global, Constant, Shared, Local };
constexpr int kSpaces = 4;
const char* name(Space space);

// What the warps of a launch did, with the 32 lanes lined up by instruction and by how often each
// lane had executed it. A request is one such instruction of one warp.
struct WarpReport {
    std::uint64_t blocks = 0;  // of the grid, that were looked at: all of a small launch
    // Device memory moves in sectors of 32 bytes: those that a request touches, and those that
    // it would touch if its bytes lay side by side.
    std::uint64_t globalRequests = 0, sectors = 0, idealSectors = 0;
    // Shared memory has 32 banks of 4-byte words; a request takes as many passes as the busiest
    // bank has different words, and one when there is no conflict.
    std::uint64_t sharedRequests = 0, sharedPasses = 0;
    // Constant memory answers one address at a time, and all lanes that want it at once: a request
    // takes as many passes as it names different addresses.
    std::uint64_t constantRequests = 0, constantPasses = 0;
    // Warps whose lanes did not all execute the same accesses between two barriers, and all.
    std::uint64_t divergentWarps = 0, warps = 0;
};

// One allocation, variable or shared array, as one launch used it.
struct ArrayReport {
    std::string name;
    Space space{};
    int allocation = -1;  // which one, in the order of allocation; -1 for shared arrays
    std::size_t bytes = 0;
    AccessCount count;
    WarpReport warps;                  // the part of the requests that went to this array
    const void* copiedFrom = nullptr;  // host address that it was last filled from, or null
    const void* copiedTo = nullptr;    // host address that it was last copied to, so far, or null
    // By 4-byte word, over all blocks; filled only while Options::countElements is on.
    std::vector<std::uint32_t> elementLoads, elementStores;
};

struct LaunchReport {
    std::string kernel;
    Where at;
    dim3 grid, block;
    std::size_t staticSharedBytes = 0, dynamicSharedBytes = 0;
    bool completed = false;   // every thread ran to its end
    bool errorAsked = false;  // the host asked for the launch's error afterwards
    std::uint64_t threads = 0;
    std::uint64_t barriers = 0;           // arrivals of threads at block-wide barriers
    std::uint64_t barriersPerThread = 0;  // the most that any one thread executed
    AccessCount space[kSpaces];
    WarpReport warps;
    std::vector<ArrayReport> arrays;
    double seconds = 0;  // host time

    const AccessCount& global() const { return space[static_cast<int>(Space::Global)]; }
    const AccessCount& shared() const { return space[static_cast<int>(Space::Shared)]; }
    // The array that was filled from, or copied to, this host address; null where there is none.
    const ArrayReport* filledFrom(const void* host) const;
    const ArrayReport* copiedInto(const void* host) const;
};

// How many blocks of a launch fit one multiprocessor of the simulated device at once, and which
// of its limits keeps more of them out: "threads", "blocks" or "shared memory". Registers are not
// known and not counted.
struct Occupancy {
    int blocks = 0;
    const char* limitedBy = "";
    int threads = 0, mostThreads = 0;  // of the multiprocessor: taken, and there
};
Occupancy occupancy(const LaunchReport& launch);
// sharedBytes: of one block, static and dynamic.
Occupancy occupancy(int threadsPerBlock, std::size_t sharedBytes);

struct Options {
    // The observers; bounds are always checked.
    bool count = true;
    bool races = true;
    bool unset = true;
    bool warps = true;
    // Blocks of a grid in which warps are looked at, a sample of the larger ones; 0: all; -1: none.
    int warpBlocks = 8;
    bool countElements = false;
    // A simulated thread that computes longer without a barrier, a block that takes longer and has
    // passed more than so many barriers, or host code that computes twice as long without a call
    // of the runtime, ends with a finding that names the loop; 0: never. Waiting for a core does
    // not count. What has been found endless once gets a twentieth of it the next time.
    double secondLimit = 10;
    std::uint64_t barrierLimit = 20000;
    int workers = 0;                   // host threads; 0: as many as there are cores
    std::string schedule = "forward";  // or "reverse", "random:SEED"
    std::string profile = "default";   // the device: see useProfile
    // A file for the events of small launches, as comma-separated values: see observers/trace.h.
    std::string trace;
};
// From CUSIM_WORKERS, CUSIM_SCHEDULE, CUSIM_PROFILE, CUSIM_CHECKS and CUSIM_TRACE where they are
// set. Ends the program with status 2 and a sentence where a value is not one of those above.
// CUSIM_CHECKS lists the observers that are on, as in "counters,races,unset,warps"; "none" leaves
// only the bounds.
Options& options();

// From now on simulates the device of this name, with its limits: "default", "8800gtx", "cc12",
// "device-d", "maxwell", "turing", "v100" or "h200" (see core/device_profile.cpp). False, and
// nothing changes, for any other. It stays through reset(); like the other options it is put back
// by putting options() back.
bool useProfile(const std::string& name);

const std::vector<LaunchReport>& launches();
const std::vector<Finding>& findings();

// A float matrix in host memory, row-major: findings give row and column of device arrays that it
// was copied to or from (`host` may be null), or that alone have its size. The last few are known.
void describeMatrix(const void* host, int rows, int cols);
void forgetMatrices();

// What the course calls a thread's row and column of a matrix, for remedies; "row" and "column"
// until somebody says otherwise.
void nameIndices(const std::string& row, const std::string& column);

// Host memory that the code under test is given: a copy that goes past its end is a finding, and
// nothing is copied.
void describeHostMemory(const void* start, std::size_t bytes);
void forgetHostMemory();

// Forgets launches and findings, clears errors, frees all device memory. For use between tests.
void reset();

// The next call of a runtime function with this name, such as "cudaMalloc", fails and does nothing
// else. "launch" stands for a kernel launch; "cudaMalloc:2" is the second call since reset().
void failNext(const std::string& function, cudaError_t error);

// What the host put into streams, and what waited for what, in the order of the calls. The
// simulated device is done with each before the call returns; a card may take any order that this
// allows.
struct StreamStep {
    enum What {
        CopyIn,
        CopyOut,
        Launch,
        Record,       // of an event
        StreamWaits,  // for an event
        HostWaits,    // for a stream, for an event where there is one, or for all where neither is
    } what;
    int stream = 0;            // in the order of creation from 1 on; 0: the default stream; -1: all
    int event = -1;            // in the order of creation
    bool nonBlocking = false;  // a stream that does not heed the default stream
    std::size_t launch = 0;    // which of launches()
    // Of a copy: the host's memory, whether it is pinned, and the part of which allocation.
    const void* host = nullptr;
    bool pinned = false;
    int allocation = -1;
    std::size_t offset = 0, bytes = 0;
};
const std::vector<StreamStep>& streamSteps();

// Names of the runtime functions called since the last reset, "launch" for a launch, in order.
const std::vector<std::string>& calls();

// How many of these values are none that a kernel has stored and the host has then got from the
// device, since the last reset. A zero counts as stored.
std::size_t notStoredByKernels(const float* values, std::size_t count);

// How a call into student code ended.
struct Outcome {
    enum How { Returned, Exited, Threw, Faulted } how = Returned;
    int exitStatus = 0;
    // Of an exception, or a signal's finding; of exit() the last call that had failed, if any.
    std::string message;
    // Of exit() behind such a call: the function that was called, and where the exit stands.
    std::string failedCall = {};
    Place at = {};
};

// Runs student code so that exit(), an exception, a host fault or abort() ends the call and not
// the program. Afterwards leaks and launches whose error nobody asked for are among findings().
Outcome guarded(const std::function<void()>& studentCode);

// Where the device says why it must end the program; stderr, unless that leads elsewhere for now.
void messagesTo(int descriptor);

}  // namespace cusim
