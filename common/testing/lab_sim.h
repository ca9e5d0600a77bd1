// Helpers for tests that need the simulated device; see also lab.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/simulator.h"
#include "testing/device.h"
#include "testing/lab.h"

namespace lab {

// Returns the findings of one kind in the last call.
std::vector<cusim::Finding> findingsOf(const std::string& kind);

// Returns how many floats were read: a load may read several. An atomic reads one as well.
inline std::uint64_t floatsRead(const cusim::AccessCount& count) {
    return count.loadedBytes / sizeof(float) + count.atomics;
}

// Returns how many floats a launch reads from device and constant memory. A few sizes or factors in
// constant memory do not count: they are too small for a matrix.
std::uint64_t readsOfDevice(const cusim::LaunchReport& launch);

// Fails the running test if the last call reads more numbers from other device memory than its
// first launch loads from M and N: these are copies of M and N, or reads by atomics. The result may
// be read. Needs CountElements.
void expectNoOtherReads(const Text& about, const matrix::DataSet& inputs, const matrix::Matrix& P);

// Fails the running test if a kernel uses atomics on the memory of `count`, whose loads and stores
// do not include them.
void expectNoAtomics(const Text& about, const std::string& finding, const cusim::AccessCount& count,
                     const std::string& what);

// Does the same for allocated arrays that the kernel stores to as well.
void expectNoAtomics(const Text& about, const std::string& finding,
                     const cusim::LaunchReport& launch);

// Returns the races of the last call in which several threads store one element on one line. An
// index makes them, not a missing barrier.
std::vector<cusim::Finding> storesOfOneElement();

// Fails the running test because the kernel computes row and column from one index, as this race of
// its threads shows, and is right only with a one-dimensional launch.
[[noreturn]] void failForOneDimension(const Text& about, const cusim::Finding& race);

// Returns the bytes that the last call copied to the host; nothing if it made no such copy.
std::optional<std::size_t> bytesCopiedBack();

// Returns a sentence if kernels of the last call stored into device memory and none of it was
// copied to the host; else nothing.
std::string notCopiedBack();

// Fails the running test if the host computes elements of P itself. Calls the code once more, on a
// device that changes the last bit of each number that a kernel stores. `P` holds the result of the
// last call, and is among the outputs. Judges nothing unless that call made one launch.
void expectDeviceValues(const Text& about, const std::string& name, matrix::Matrix& P,
                        const Outputs& outputs, const std::function<void()>& studentCode);

// Fails the running test because of these findings, which it shows below the sentence.
[[noreturn]] void failFor(const std::vector<cusim::Finding>& findings, const Text& sentence);

// Returns the first launch of the last call; fails the test with this sentence if there is none.
const cusim::LaunchReport& launchOf(const Text& about,
                                    const std::string& sentence = "no kernel is launched.");

// Does the same if the host side is no exercise, but comes with the lab in `file`.
const cusim::LaunchReport& givenLaunchOf(const Text& about, const std::string& file);

// Fails the running test if the last call launched this kernel, or else its first one, again:
// counts are those of one launch. `what` names what one launch computes.
void expectOneLaunch(const Text& about, const std::string& what, std::string kernel = "");

// Calls a tiled product of square matrices once. Returns the width of its tiles if block, grid and
// shared arrays agree on one, with two tiles or two pairs; else the chosen TILE_WIDTH.
int launchedTileWidth(void (*multiply)(const float* M, const float* N, float* P, int Width));

// Returns the sizes of a launch whose threads do not cover columns x rows elements; else nothing.
std::string tooFewThreads(const cusim::LaunchReport& launch, int columns, int rows);

// Fails the running test if a launch has more blocks than tiles are needed for columns x rows
// elements.
void expectNoIdleBlocks(const Text& about, const cusim::LaunchReport& launch, int columns, int rows,
                        dim3 tile);

// Returns whether the last call of student code only freed memory after call `number` of this
// function.
bool leftAfter(const std::string& function, std::ptrdiff_t number);
// Returns whether it made, after that call, one whose name begins with one of `names`.
bool calledAfter(const std::vector<std::string>& names, const std::string& function,
                 std::ptrdiff_t number);

// Fails the running test because the last call of student code, which ended like this, reported no
// error, though call `number` of this function had failed.
[[noreturn]] void failUnchecked(const Text& about, const std::string& function,
                                std::ptrdiff_t number, const device::Outcome& end);

// Fails the running test if the code does not free device memory, unless it is about functions
// other than cudaFree. Then makes each call of the runtime, or of the named functions, fail once.
// Fails the test if the code continues, or notices the failure only after the next launch, or that
// of an allocation only after the next copy. Calls that free may be unchecked in destructors, or
// all of them.
void expectCallsChecked(const Text& about, const Outputs& outputs,
                        const std::function<void()>& studentCode,
                        const std::vector<std::string>& functions = {});

// Fails the running test if a copy to the device has a few bytes less than a matrix of this size:
// a float rounds numbers above 2^24. Calls the code with that many zeros, and makes its launch
// fail. Judges nothing unless the last call launched one kernel.
void expectExactBytes(const Text& about, int rows, int cols,
                      const std::function<void(float* zeros)>& studentCode);

// Returns the blocks of a launch's grid.
std::uint64_t blocksOf(const cusim::LaunchReport& launch);

// Fails the running test if the warps access more sectors of device memory than the loaded and
// stored bytes fill, although no single request does: then the threads of a warp take turns.
void expectWholeWarps(const Text& about, const cusim::LaunchReport& launch);

// Returns how often the last call of student code called a function of the runtime.
std::ptrdiff_t timesCalled(const std::string& function);

// Tests whether device memory holds a copy of this matrix when the first kernel is launched.
bool isCopiedIn(const matrix::Matrix& input);
// Fails the test if none does: that is no error of the kernel. For a test in which the kernel has
// loaded nothing of the matrix.
void expectCopiedIn(const Text& about, const std::string& name, const matrix::Matrix& input);

// Returns how to compute a number of blocks or tiles. Names a line in which ceil() gets a quotient
// of integers, which is already truncated.
std::string divideAndRoundUp();

// Recognizes a launch with its two parameters in the wrong order, <<<block, grid>>>, which looks
// like a wrong number of blocks, and is right for some sizes. Returns a question to append to a
// report of such a launch, which should have one thread for each element of `columns` x `rows`.
// Empty if the other order would not make the launch right either.
std::string ifExchanged(const cusim::LaunchReport& launch, int columns, int rows);

// Fails the running test if the launch has one dimension and covers columns x rows elements.
void expectTwoDimensions(const Text& about, const cusim::LaunchReport& launch, int columns,
                         int rows);

// Returns the index of the first element with another count, of the first `elements`; none if all
// have this count.
std::optional<std::size_t> firstOther(const std::vector<std::uint32_t>& counts,
                                      std::uint32_t wanted, std::size_t elements = SIZE_MAX);

// Returns parts per request: "1", "16.5"
std::string perRequest(std::uint64_t parts, std::uint64_t requests);

// Restores the simulated device's options at the end of its life.
class ChosenOptions {
  public:
    ChosenOptions() = default;
    ChosenOptions(const ChosenOptions&) = delete;
    ChosenOptions& operator=(const ChosenOptions&) = delete;
    ~ChosenOptions() { cusim::options() = before_; }

  private:
    cusim::Options before_ = cusim::options();
};

// Counts the loads and stores of each element in device memory, for as long as it lives.
struct CountElements : ChosenOptions {
    CountElements() { cusim::options().countElements = true; }
};

// The same for shared arrays, which takes several times as long.
struct CountSharedElements : ChosenOptions {
    CountSharedElements() { cusim::options().countSharedElements = true; }
};

// The accesses of each step, as in "reads M" of TODO(2).
using AccessesOfSteps = std::map<int, std::vector<std::string>>;

// Lets kernels continue after accesses outside of arrays that belong to steps other than these, for
// as long as it lives: their own tests judge them. `inside` leaves out accesses that a missing
// guard may explain.
class Forgiving : ChosenOptions {
  public:
    explicit Forgiving(const AccessesOfSteps& all, const std::set<int>& but = {},
                       bool inside = false) {
        for (const auto& [step, accesses] : all)
            if (!but.count(step))
                cusim::options().forgiven.insert(cusim::options().forgiven.end(), accesses.begin(),
                                                 accesses.end());
        cusim::options().forgivenInside = inside;
    }
};

}  // namespace lab
