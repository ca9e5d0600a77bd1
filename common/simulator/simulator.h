// Reports what the simulated device saw of the kernels that it ran (counts, findings) and how a
// call into student code ended. Tests and harnesses include this; a .cu file does not.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"

namespace cusim {

// Counts accesses as the source states them: one for each thread that executes a load or store,
// whatever its width. An atomic counts as an atomic only.
struct AccessCount {
    std::uint64_t loads = 0, stores = 0, atomics = 0;
    std::uint64_t loadedBytes = 0, storedBytes = 0;

    AccessCount& operator+=(const AccessCount& other);
};

enum class Space { Global, Constant, Shared, Local };
constexpr int kSpaces = 4;
const char* name(Space space);

// The loads, or the stores, of one memory: for Options::counts, as Nsight Compute counts them.
struct RequestCount {
    // `units` are sectors of device memory or passes over the banks for all words of a request.
    std::uint64_t requests = 0, units = 0;
    std::uint64_t conflicts = 0;  // passes beyond those without a bank conflict
    // Without asynchronous copies: the units, and the bytes, each byte of a request once.
    std::uint64_t plainUnits = 0, distinctBytes = 0;
    // Those of addresses that the same lanes have accessed since the last barrier: a compiler may
    // keep such a value in a register.
    std::uint64_t repeated = 0, repeatedUnits = 0;
    // The units of requests whose lanes have accessed the words beside theirs since the last
    // barrier: a compiler may merge the two accesses.
    std::uint64_t neighbouringUnits = 0;

    RequestCount& operator+=(const RequestCount& other);
};
struct RequestCounts {
    RequestCount global[2], shared[2];  // loads, then stores
};

// What the warps of a launch did. The 32 lanes are lined up by instruction and by how often each
// lane had executed it; a request is one such instruction of one warp.
struct WarpReport {
    std::uint64_t blocks = 0;  // blocks of the grid that were observed: all of a small grid
    // Sectors of 32 bytes of device memory: those that the requests touched, and those that they
    // would have touched with their bytes side by side.
    std::uint64_t globalRequests = 0, sectors = 0, idealSectors = 0;
    // Lines of 128 bytes that the requests touched, and the different sectors that blocks touched,
    // summed over the blocks.
    std::uint64_t lines = 0, blockSectors = 0;
    // Passes over the 32 banks of 4-byte words: a request takes as many as the busiest bank has
    // different words, which is one without a conflict.
    // Rows are those passes of what a compiler leaves: wide accesses take several without any
    // conflict, an instruction that meets the same addresses again takes none.
    std::uint64_t sharedRequests = 0, sharedPasses = 0, sharedRows = 0;
    // Passes over constant memory, which serves all lanes that want the same address at once: a
    // request takes as many as it names different addresses.
    std::uint64_t constantRequests = 0, constantPasses = 0;
    // Warps whose lanes did not all execute the same accesses between two barriers, and all warps.
    std::uint64_t divergentWarps = 0, warps = 0;
};

// Asynchronous copies into shared memory: the bytes that they load, and those of them whose thread
// has read shared memory so often before the copy ended: a few reads take no time to speak of.
struct AsyncReport {
    static constexpr std::uint64_t kOverlaps = 8;
    std::uint64_t loadedBytes = 0, overlappedBytes = 0;
};

// One allocation, variable or shared array, as one launch used it.
struct ArrayReport {
    std::string name;
    Space space{};
    int allocation = -1;  // index in the order of allocation; -1 for shared arrays
    std::size_t bytes = 0;
    AccessCount count;
    WarpReport warps;                  // the requests to this array alone
    const void* copiedFrom = nullptr;  // host address of the last copy into it, or null
    const void* copiedTo = nullptr;    // host address of the last copy out of it so far, or null
    // Accesses of each 4-byte word over all blocks; empty unless Options::countElements is on, or
    // countSharedElements for a shared array.
    std::vector<std::uint32_t> elementLoads, elementStores;
};

struct LaunchReport {
    std::string kernel;
    Where at;
    dim3 grid, block;
    std::size_t staticSharedBytes = 0, dynamicSharedBytes = 0;
    bool completed = false;   // every thread ran to its end
    bool errorAsked = false;  // the host asked for an error after the launch
    std::uint64_t threads = 0;
    std::uint64_t barriers = 0;           // summed over all threads
    std::uint64_t barriersPerThread = 0;  // maximum over all threads
    // The calls of mma_sync, one for each warp, and the multiplications and additions in them.
    std::uint64_t tensorOperations = 0, tensorFlop = 0;
    AccessCount space[kSpaces];
    // The host has passed the address of a __constant__ variable, so that a card reads it as global
    // memory.
    bool constantByAddress = false;
    // Accesses to local arrays, if Options::localIndices is set; line 0: none. The index of the
    // first depends on the thread, that of the second on the block or on the phase.
    Place threadIndex, changingIndex;
    AccessCount heap;  // of memory that the kernel took by new or malloc; in Space::Global, too
    AsyncReport async;
    WarpReport warps;
    RequestCounts requests;  // if Options::counts is set
    std::vector<ArrayReport> arrays;
    // Matrices that came or went in another way than by one copy of an allocation: through other
    // host memory, row by row, several in one allocation. Counts of elements are the matrix's own,
    // `count` and `warps` those of its allocation.
    std::vector<ArrayReport> placed;
    std::vector<std::int64_t> numbers;  // the arguments that are whole numbers, in their order
    double seconds = 0;                 // host time

    const AccessCount& global() const { return space[static_cast<int>(Space::Global)]; }
    const AccessCount& shared() const { return space[static_cast<int>(Space::Shared)]; }
    // Returns the array that was last filled from (copied to) this host address, or null.
    const ArrayReport* filledFrom(const void* host) const;
    const ArrayReport* copiedInto(const void* host) const;
};

// The blocks of a launch that fit one multiprocessor of the simulated device at once, and the limit
// that keeps more out: "threads", "blocks" or "shared memory". Registers are unknown and ignored.
struct Occupancy {
    int blocks = 0;
    const char* limitedBy = "";
    int threads = 0, mostThreads = 0;  // those of the blocks, and the multiprocessor's limit
};
Occupancy occupancy(const LaunchReport& launch);
// `sharedBytes` are those of one block, static and dynamic.
Occupancy occupancy(int threadsPerBlock, std::size_t sharedBytes);

struct Options {
    // The observers. Bounds are always checked.
    bool count = true;
    bool races = true;
    bool unset = true;
    bool warps = true;
    // Blocks whose warps are observed, a sample of a larger grid; 0: all; -1: none.
    int warpBlocks = 8;
    // Counts the accesses of each word of device memory, and of each of shared arrays.
    bool countElements = false, countSharedElements = false;
    // Looks for indices of local arrays that depend on the thread, on the block, or on the phase
    // of a kernel that has so many phases; 0: looks for none.
    std::size_t localIndices = 0;
    // Changes the last bit of each word that a kernel has stored, after the launch. Values that the
    // host computes itself stay as they are.
    bool changesStored = false;
    // Runs the last block of each launch alone, for tests of grids that take too long otherwise.
    bool lastBlockOnly = false;
    // Limits that end endless code with a finding which names its loop: `secondLimit` for a
    // simulated thread between two barriers and for a block that has passed more than
    // `barrierLimit` barriers, twice that for host code between two calls of the runtime. Seconds
    // are of processor time; host code may sleep for ten times as many. 0: no limit. Code found
    // endless once gets a twentieth of them the next time.
    double secondLimit = 10;
    std::uint64_t barrierLimit = 20000;
    int workers = 0;                   // host threads; 0: one a core
    std::string schedule = "forward";  // or "reverse", "random:SEED"
    std::string profile = "default";   // the simulated device: see useProfile
    // File for the events of small launches, as comma-separated values: see observers/trace.h.
    std::string trace;
    // File for all that the page needs which replays a launch: see observers/recording.h.
    std::string recording;
    // File to which the counts of each launch are appended, a line of JSON each: see
    // api/counted_launch.h. The warps of all blocks are then observed.
    std::string counts;
    // Accesses that do not end the kernel where they lie outside of their array, and are then
    // neither found nor counted: as in "reads M", by the kernel's parameter or shared array.
    std::vector<std::string> forgiven;
    bool forgivenInside = false;  // only those that no missing guard explains
    // If false, barriers stop threads and order no accesses: races then show why they are needed.
    bool barriersOrder = true;
    // So many barriers a thread are enough for the kernel, so that a race does not ask for one
    // more; 0: not known.
    std::uint64_t enoughBarriers = 0;
    // How often a query answers that work is not ready which the host has not waited for: for what
    // the host asks about first. After it, twice.
    int unreadyAnswers = 2;
    // What a launch gets instead of what it asks for: this grid, unless x is 0, and at least
    // so much dynamic shared memory.
    dim3 grid{0, 0, 0};
    std::size_t leastSharedBytes = 0;
    // Tells what is formally wrong and does no harm on devices apart, as findings that are remarks;
    // for programs of one's own, not for the labs. See common/simulator/observers/README.md.
    bool tolerant = false;
};
// Returns the options, at first those of CUSIM_WORKERS, CUSIM_SCHEDULE, CUSIM_PROFILE,
// CUSIM_CHECKS, CUSIM_TRACE, CUSIM_RECORDING and CUSIM_COUNTS where they are set. A value that is
// none of those above ends the program with status 2 and a sentence. CUSIM_CHECKS lists the
// observers that are on, as in "counters,races,unset,warps"; "none" leaves only the bounds.
Options& options();

// Simulates the device of this name from now on, with its limits: "default", "8800gtx", "cc12",
// "device-d", "maxwell", "turing", "v100" or "h200" (see engine/device_profile.cpp). Returns false,
// and changes nothing, for any other name. Lasts through reset(); restoring options() restores the
// device.
bool useProfile(const std::string& name);

// Return what was launched and found since reset(), in order.
const std::vector<LaunchReport>& launches();
const std::vector<Finding>& findings();

// Names a float matrix in host memory, row-major. Findings then give row and column in device
// arrays that were copied to or from `host`, or that match the size of this matrix alone; `host`
// may be null. Only the last few are kept.
void describeMatrix(const void* host, int rows, int cols);
void forgetMatrices();

// Sets the names of a thread's row and column in remedies; "row" and "column" by default.
void nameIndices(const std::string& row, const std::string& column);

// Names host memory that the code under test receives. A copy past its end becomes a finding and
// copies nothing.
void describeHostMemory(const void* start, std::size_t bytes);
void forgetHostMemory();

// Forgets launches and findings, clears errors and frees all device memory, between two tests.
void reset();

// Makes the next call of this runtime function, such as "cudaMalloc", fail with `error` and do
// nothing else. "launch" stands for a kernel launch; "cudaMalloc:2" is the second call since
// reset().
void failNext(const std::string& function, cudaError_t error);

// Makes each launch of `kernel` run `other` in its place, a function of the same type; null ends
// that. Lasts through reset().
void exchangeKernel(const void* kernel, const void* other);
// Load and store for `other`, which is compiled without hooks: the device sees each as one of the
// kernel's own.
float load(const float* address);
void store(float* address, float value);

// One thing that the host put into a stream, or one wait, in the order of the calls. The simulated
// device finishes each before the call returns; a card may take any order that this allows.
struct StreamStep {
    enum What {
        CopyIn,
        CopyOut,
        Fill,  // of device memory with a byte
        Launch,
        Record,       // an event
        StreamWaits,  // for an event
        HostWaits,    // for a stream; for an event if one is given; for everything if stream is -1
    } what;
    int stream = 0;            // 1, 2... in the order of creation; 0: the default stream; -1: all
    int event = -1;            // in the order of creation
    bool nonBlocking = false;  // does not synchronize with the default stream
    std::size_t launch = 0;    // index into launches()
    // For a copy: the host's address and whether that is pinned; for a fill, the byte; for both,
    // the part of the allocation.
    const void* host = nullptr;
    bool pinned = false;
    int byte = 0;
    int allocation = -1;
    std::size_t offset = 0, bytes = 0;
    std::uint64_t number = 0;  // of work, in the order of the calls
    // By stream, the last work that has ended when this begins, or when the host goes on; empty as
    // long as there is one stream.
    std::vector<std::uint64_t> ended = {};

    // Tests whether that work, which was called before, has surely ended by then.
    bool isAfter(const StreamStep& work) const {
        const auto of = static_cast<std::size_t>(work.stream);
        return ended.empty() || (of < ended.size() && work.number <= ended[of]);
    }
};
const std::vector<StreamStep>& streamSteps();

// Returns the names of the runtime functions called since reset(), in order; a launch is "launch".
const std::vector<std::string>& calls();

// Counts the values that are not among those which, since reset(), a kernel has stored and the host
// has then received from the device. A zero counts as stored.
std::size_t notStoredByKernels(const float* values, std::size_t count);

// How a call into student code ended.
struct Outcome {
    enum How { Returned, Exited, Threw, Faulted } how = Returned;
    int exitStatus = 0;
    // The exception's or the finding's text; after exit() the last call that had failed, if any.
    std::string message;
    // For exit() after such a call: the function that was called, and where the exit stands.
    std::string failedCall = {};
    Place at = {};
    bool failedInDestructor = false;  // of a call that failNext() made fail
};

// Runs student code so that exit(), abort(), an exception or a host fault ends this call and not
// the program. After a return, leaks and launches whose error was never asked for are among
// findings().
Outcome guarded(const std::function<void()>& studentCode);

// Sets where the device says why it must end the program; stderr by default.
void messagesTo(int descriptor);

// Sets where printf() writes, in a kernel and in host code; nullptr: to stdout, as on a card.
void printTo(std::FILE* stream);
std::FILE* printedTo();

}  // namespace cusim
