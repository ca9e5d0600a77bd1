// What tests of the simulated device share beside lab.h.
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

// Returns how many floats were read, however many a load has taken. An atomic reads one as well.
inline std::uint64_t floatsRead(const cusim::AccessCount& count) {
    return count.loadedBytes / sizeof(float) + count.atomics;
}

// Returns how many floats a launch reads of device and of constant memory. A few sizes or factors
// in constant memory do not count: a matrix has no room there.
std::uint64_t readsOfDevice(const cusim::LaunchReport& launch);

// Fails the running test where the last call reads more numbers from other memory of the device
// than its first launch loads of M and N: copies of them, or themselves by atomics. The result may
// be read. Needs CountElements.
void expectNoOtherReads(const Text& about, const matrix::DataSet& inputs, const matrix::Matrix& P);

// Fails the running test if a kernel uses atomics on what `count` is of, in whose loads and stores
// they are left out.
void expectNoAtomics(const Text& about, const std::string& finding, const cusim::AccessCount& count,
                     const std::string& what);

// Does the same for allocated arrays that the kernel stores to as well.
void expectNoAtomics(const Text& about, const std::string& finding,
                     const cusim::LaunchReport& launch);

// Returns the races of the last call in which several threads store one element on one line. An
// index makes them, not a missing barrier.
std::vector<cusim::Finding> storesOfOneElement();

// Fails the running test because the kernel takes row and column from one index, as this race of
// its threads shows, and is right where it is launched so.
[[noreturn]] void failForOneDimension(const Text& about, const cusim::Finding& race);

// Returns the bytes that the last call copied to the host; nothing where it made no such copy.
std::optional<std::size_t> bytesCopiedBack();

// Returns a sentence where kernels of the last call stored into device memory and none of it was
// copied to the host; else nothing.
std::string notCopiedBack();

// Fails the running test if the host computes elements of P itself. Calls the code once more, on a
// device that changes the last bit of each number that a kernel stores. `P` holds the result of the
// last call, and is among the outputs. Judges nothing unless that call made one launch.
void expectDeviceValues(const Text& about, const std::string& name, matrix::Matrix& P,
                        const Outputs& outputs, const std::function<void()>& studentCode);

// Fails the running test because of these findings, which it shows below the sentence.
[[noreturn]] void failFor(const std::vector<cusim::Finding>& findings, const Text& sentence);

// Returns the first launch of the last call; fails the test where there is none, with this
// sentence.
const cusim::LaunchReport& launchOf(const Text& about,
                                    const std::string& sentence = "no kernel is launched.");

// Does the same where the host side is no exercise: `file` has come with it.
const cusim::LaunchReport& givenLaunchOf(const Text& about, const std::string& file);

// Fails the running test where the last call launched this kernel, or else its first one, again:
// counts are those of one launch. `what` names what one launch computes.
void expectOneLaunch(const Text& about, const std::string& what, std::string kernel = "");

// Calls a tiled product of square matrices once. Returns the width of its tiles where block, grid
// and shared arrays agree on one, in two tiles or in two pairs; else the TILE_WIDTH that was
// chosen.
int launchedTileWidth(void (*multiply)(const float* M, const float* N, float* P, int Width));

// Returns the sizes of a launch whose threads do not cover columns x rows elements; else nothing.
std::string tooFewThreads(const cusim::LaunchReport& launch, int columns, int rows);

// Fails the running test where a launch has more blocks than it takes to cover columns x rows
// elements by tiles.
void expectNoIdleBlocks(const Text& about, const cusim::LaunchReport& launch, int columns, int rows,
                        dim3 tile);

// Returns whether the last call of student code did no more than free after call `number` of this
// function.
bool leftAfter(const std::string& function, std::ptrdiff_t number);

// Fails the running test because the last call of student code, which ended like this, reported no
// error, though call `number` of this function had failed.
[[noreturn]] void failUnchecked(const Text& about, const std::string& function,
                                std::ptrdiff_t number, const device::Outcome& end);

// Fails the running test where the code does not free device memory, unless it is about other
// functions than cudaFree. Then makes each call of the runtime fail once, or of those functions
// that are named, and fails the test where the code goes on, or notices it only after the next
// launch, or of an allocation after the next copy. Calls that free may go unchecked in
// destructors, or all of them.
void expectCallsChecked(const Text& about, const Outputs& outputs,
                        const std::function<void()>& studentCode,
                        const std::vector<std::string>& functions = {});

// Fails the running test if a copy to the device has a few bytes less than a matrix of this size:
// a float rounds numbers above 2^24. Calls the code with as many zeros, and makes its launch fail.
// Judges nothing unless the last call launched one kernel.
void expectExactBytes(const Text& about, int rows, int cols,
                      const std::function<void(float* zeros)>& studentCode);

// Returns the blocks of a launch's grid.
std::uint64_t blocksOf(const cusim::LaunchReport& launch);

// Fails the running test if the warps touch more sectors of device memory than what is loaded and
// stored fills, though no request does: the threads of a warp then take turns.
void expectWholeWarps(const Text& about, const cusim::LaunchReport& launch);

// Returns how often the last call of student code called a function of the runtime.
std::ptrdiff_t timesCalled(const std::string& function);

// Tests whether device memory holds a copy of this matrix when the first kernel is launched.
bool isCopiedIn(const matrix::Matrix& input);
// Fails the test if none does, which is no fault of the kernel's. For a test in which that has
// loaded nothing of the matrix.
void expectCopiedIn(const Text& about, const std::string& name, const matrix::Matrix& input);

// Returns how to compute a number of blocks or tiles. Names a line where ceil() gets a quotient of
// integers, which is cut off already.
std::string divideAndRoundUp();

// Recognizes a launch with its two parameters in the wrong order, <<<block, grid>>>, which looks
// like a wrong number of blocks, and is right for some sizes. Returns a question to append to a
// report of such a launch, which should have one thread for each element of `columns` x `rows`.
// Empty if the other order would not make the launch right either.
std::string ifExchanged(const cusim::LaunchReport& launch, int columns, int rows);

// Fails the running test where the launch has one dimension and covers columns x rows elements.
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

// The same of shared arrays, which takes a multiple of the time.
struct CountSharedElements : ChosenOptions {
    CountSharedElements() { cusim::options().countSharedElements = true; }
};

// The accesses of each step, as in "reads M" of TODO(2).
using AccessesOfSteps = std::map<int, std::vector<std::string>>;

// Lets kernels go on after accesses outside of arrays that belong to other steps than these, for
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
