// Tests the host side, by the simulated device's record of its calls.
#include <algorithm>
#include <map>
#include <optional>

#include "lab1_naive/device_matrices.h"
#include "lab1_naive/host_findings.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

using lab::timesCalled;
using matrix::Matrix;

namespace {

// TODO(9) copies P back, so only its test judges whether P was written.
const std::vector<std::string> kNotOfThisStep = {"leak", "missing-wait", "stream-race",
                                                 "unchecked-launch", "unset-output"};

// Returns how often functions were called whose names begin like this: cudaMemcpy, cudaMemcpy2D.
std::map<std::string, long> callsLike(const std::string& name, bool beforeLaunch = false) {
    std::map<std::string, long> times;
    for (const std::string& call : cusim::calls()) {
        if (beforeLaunch && call == "launch") break;
        if (call.rfind(name, 0) == 0) ++times[call];
    }
    return times;
}

// Returns the bytes of device memory that the kernel used.
std::size_t bytesUsed() {
    std::size_t bytes = 0;
    for (const cusim::LaunchReport& launch : cusim::launches())
        for (const auto& array : launch.arrays)
            if (array.allocation >= 0) bytes += array.bytes;
    return bytes;
}

// Tells whether the launch has too few threads for P in one direction.
bool leavesOut(const cusim::LaunchReport& launch, int Width) {
    const unsigned width = static_cast<unsigned>(Width);
    return launch.grid.x * launch.block.x < width || launch.grid.y * launch.block.y < width;
}

// Returns the step of a copy that is refused: the one whose call it is, or the allocation that the
// copy needs.
Todo stepOfCopy(const cusim::Finding& finding, const lab::ProductRun& run) {
    if (!cusim::launches().empty() || timesCalled("cudaMemcpy") > 2) return Todo(9);
    // Both sentences have these words if an allocation is in doubt.
    const bool notAllocated = finding.remedy.find("cudaMalloc set") != std::string::npos;
    const std::string right = std::to_string(run.P.size() * sizeof(float)) + " bytes do not fit";
    return Todo(notAllocated || finding.title.find(right) != std::string::npos ? 5 : 6);
}

// Returns the step at fault if a finding shows it, else nothing. The first test that runs the
// host side meets the mistake, whatever it tests.
std::optional<Todo> stepToBlame(const lab::ProductRun& run) {
    for (const cusim::Finding& finding : cusim::findings()) {
        const auto says = [&](const std::string& words) {
            return finding.title.find(words) != std::string::npos;
        };
        if (finding.kind == "host-pointer") return Todo(7);
        if (finding.kind == "use-after-free" && !says("that it has freed")) return Todo(10);
        if (finding.kind == "wrong-direction" || finding.kind == "wild-copy")
            return stepOfCopy(finding, run);
        if (finding.kind == "unset-output" &&
            (cusim::launches().empty() || leavesOut(cusim::launches().front(), run.P.rows())))
            return Todo(7);
        if (finding.kind != "unset-read" || cusim::launches().empty()) continue;
        const auto& launch = cusim::launches().front();
        const auto* result = launch.copiedInto(run.P.data());
        if (!result || !says("reads " + result->name + " ")) return Todo(6);
        // The kernel got this array instead of another one. If it also stores to it, it adds to P:
        // that is the kernel's own fault.
        if (result->count.stores == 0 && launch.global().stores > 0) return Todo(7);
    }
    return {};
}

lab::ProductRun runHost(const Todo& todo, int Width,
                        const std::vector<std::string>& leftToOtherTests = kNotOfThisStep) {
    lab::ProductRun run{lab::integers(lab::square(Width)), matrix::poisoned(Width, Width)};
    const auto runLeaving = [&](const std::vector<std::string>& kinds) {
        lab::runIgnoring(kinds, todo, lab::gives(run.P).from(run.set.M, run.set.N), [&] {
            matrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), Width);
        });
    };
    try {
        // An uninitialized value fails only the test of the step at fault; the other tests ignore
        // it.
        std::vector<std::string> kinds = leftToOtherTests;
        kinds.push_back("unset-read");
        runLeaving(kinds);
        const bool isUnset = !lab::findingsOf("unset-read").empty();
        if (const auto step = stepToBlame(run); isUnset && (!step || step->name == todo.name))
            runLeaving(leftToOtherTests);
    } catch (...) {
        if (const auto step = stepToBlame(run)) lab::beginWith(*step);
        throw;
    }
    return run;
}

const cusim::LaunchReport& onlyLaunch(const Todo& todo) {
    if (cusim::launches().empty()) {
        lab::beginWith(Todo(7));
        lab::fail("not-launched", todo, "no kernel is launched yet. The launch is {}.", Todo(7));
    }
    return cusim::launches().front();
}

// Tells whether the kernel is right if the tests launch it, on one of the sets of "the kernel is
// right for every shape of block". All programs return the same, because they make the same calls
// then.
bool kernelIsRight() {
    const matrix::DataSet set = lab::integers(lab::square(17));
    Matrix P = matrix::poisoned(17, 17);
    device::reset();
    const device::Outcome outcome = device::runQuietly(
        lab::gives(P).from(set.M, set.N), [&] { P = launchKernel(set.M, set.N, dim3(16, 16)); });
    return outcome.how == device::Outcome::Returned && outcome.problems.empty() &&
           matrix::compare(P, set.M, set.N, matrix::multiply(set.M, set.N), true).passed;
}

// Tells whether the kernel is right if the host side launches it, for example in one dimension.
bool productIsRight() {
    const matrix::DataSet set = lab::integers(lab::square(17));
    Matrix P = matrix::poisoned(17, 17);
    device::reset();
    const device::Outcome outcome = device::runQuietly(lab::gives(P).from(set.M, set.N), [&] {
        matrixMul(set.M.data(), set.N.data(), P.data(), 17);
    });
    return outcome.how == device::Outcome::Returned && outcome.problems.empty() &&
           matrix::compare(P, set.M, set.N, matrix::multiply(set.M, set.N), true).passed;
}

// The kernel of all launches if the student's kernel is wrong.
void productOfThread(const float* M, const float* N, float* P, int Width) {
    const unsigned size = static_cast<unsigned>(Width);
    const unsigned at[] = {blockIdx.y * blockDim.y + threadIdx.y,
                           blockIdx.x * blockDim.x + threadIdx.x};
    if (std::max(at[0], at[1]) >= size) return;
    const float *left = M + at[0] * size, *up = N + at[1];
    float sum = 0;
    for (const float* const end = left + size; left != end; ++left, up += size)
        sum += cusim::load(left) * cusim::load(up);
    cusim::store(P + (at[0] * size + at[1]), sum);
}

// Lets the host side be judged alone: while an object lives, launches run a right kernel if the
// student's is wrong.
class WithRightKernel {
  public:
    WithRightKernel() {
        static const bool isRight = kernelIsRight() || productIsRight();
        if (!isRight)
            cusim::exchangeKernel(reinterpret_cast<const void*>(matrixMulKernel),
                                  reinterpret_cast<const void*>(productOfThread));
    }
    ~WithRightKernel() { cusim::exchangeKernel(nullptr, nullptr); }
    WithRightKernel(const WithRightKernel&) = delete;
    WithRightKernel& operator=(const WithRightKernel&) = delete;
};

// Returns how the function ends if call `number` of this name fails.
device::Outcome endWhere(const std::string& function, long number, cudaError_t error) {
    const matrix::DataSet set = lab::integers(lab::square(20));
    Matrix P = matrix::poisoned(20, 20);
    device::reset();
    cusim::failNext(function + ":" + std::to_string(number), error);
    return device::runQuietly(lab::gives(P).from(set.M, set.N),
                              [&] { matrixMul(set.M.data(), set.N.data(), P.data(), 20); });
}

// Tells whether the function ends if this call fails. It is enough that it returns, if it also does
// so without memory: the test of allocations reports that, once.
bool endsOrReturns(const std::string& function, long number, cudaError_t error) {
    const bool mayReturn =
        endWhere("cudaMalloc", 1, cudaErrorMemoryAllocation).how == device::Outcome::Returned &&
        lab::leftAfter("cudaMalloc", 1);
    const device::Outcome end = endWhere(function, number, error);
    return end.isError() ||
           (mayReturn && end.how == device::Outcome::Returned && lab::leftAfter(function, number));
}

// Fails the test unless the function ends before any call in `needs` if one of its calls `first` to
// `last` of this name fails.
void expectChecked(const Todo& todo, const std::string& function, cudaError_t error, long first,
                   long last, const std::vector<std::string>& needs) {
    for (long number = first; number <= last; ++number) {
        const bool noticed = error == cudaErrorMemoryAllocation
                                 ? endWhere(function, number, error).isError()
                                 : endsOrReturns(function, number, error);
        if (noticed && !lab::calledAfter(needs, function, number)) continue;
        lab::beginWith(todo);
        lab::failUnchecked(todo, function, number, endWhere(function, number, error));
    }
}

// Returns what to do about a grid that does not fit its blocks.
std::string adviceOnGrid(const unsigned* grid, const unsigned* block) {
    if (block[0] != block[1] || block[0] == 1)
        return "\nA block must have BLOCK_WIDTH x BLOCK_WIDTH threads: see dimBlock, and the "
               "launch.";
    if (grid[0] == block[0] && grid[1] == block[1])
        return "\nThe grid has the shape of the block: is dimGrid the first launch parameter?";
    return "\n" + lab::divideAndRoundUp();
}

}  // namespace

TEST_CASE("TODO(5): the host allocates device memory for M, N and P") {
    const WithRightKernel withRightKernel;
    const lab::ProductRun run = runHost(Todo(5), 20);
    const auto allocations = timesCalled("cudaMalloc") + timesCalled("cudaMallocManaged");
    // One allocation may hold all three.
    if (allocations < 3 && bytesUsed() < 3 * run.P.size() * sizeof(float))
        lab::fail("not-allocated", Todo(5),
                  "{} of cudaMalloc. Each of the three matrices needs one, of\nWidth * Width * "
                  "sizeof(float) bytes.",
                  lab::count(allocations, "call"));
}

TEST_CASE("TODO(6): M and N are copied to the device before the launch") {
    const WithRightKernel withRightKernel;
    const lab::ProductRun run = runHost(Todo(6), 20);
    long copies = 0;
    for (const auto& [function, times] : callsLike("cudaMemcpy")) copies += times;
    const auto arrived = [&](const Matrix& input) {
        return !cusim::launches().empty() &&
               cusim::launches().front().filledFrom(input.data()) != nullptr;
    };
    if (copies < 2 && !(arrived(run.set.M) && arrived(run.set.N)))
        lab::fail("not-copied-in", Todo(6),
                  "there are fewer than two copies. Copy M and N with cudaMemcpy: the target\nis "
                  "the first argument, cudaMemcpyHostToDevice the last.");
    const auto& launch = onlyLaunch(Todo(6));
    const std::map<std::string, long> copiesIn = callsLike("cudaMemcpy", true);
    for (const Matrix* input : {&run.set.M, &run.set.N}) {
        if (launch.filledFrom(input->data())) continue;
        const char* const name = input == &run.set.M ? "M" : "N";
        if (lab::isCopiedIn(*input)) {
            lab::beginWith(Todo(7));
            lab::fail("not-copied-in", Todo(6),
                      "{} is copied to the device, but the kernel reads nothing of it:\nsee {}.",
                      name, Todo(7));
        }
        lab::fail("not-copied-in", Todo(6), "the kernel reads no memory that was filled from {}.",
                  name);
    }
    lab::expectExactBytes(Todo(6), 4097, 4097,
                          [](float* zeros) { matrixMul(zeros, zeros, zeros, 4097); });
    for (const auto& [function, times] : copiesIn)
        expectChecked(Todo(6), function, cudaErrorInvalidValue, 1, times, {"launch"});
}

TEST_CASE("TODO(7): the grid covers P for every Width, and every block is needed") {
    const WithRightKernel withRightKernel;
    for (const int Width : {1, 15, 16, 17, 33, 64}) {
        INFO("Width " << Width);
        runHost(Todo(7), Width);
        const auto& launch = onlyLaunch(Todo(7));
        lab::expectOneLaunch(Todo(7), "all of P");
        lab::expectTwoDimensions(Todo(7), launch, Width, Width);
        const unsigned grid[] = {launch.grid.x, launch.grid.y};
        const unsigned block[] = {launch.block.x, launch.block.y};
        for (int d = 0; d < 2; ++d) {
            const unsigned wanted = lab::tilesIn(Width, block[d]);
            if (grid[d] == wanted) continue;
            if (launch.block.y == 1 && launch.block.x > 1)
                lab::fail("grid-size", Todo(7),
                          "the block has {} x 1 threads instead of BLOCK_WIDTH x BLOCK_WIDTH.\nUse "
                          "dim3 block(BLOCK_WIDTH, BLOCK_WIDTH), and a grid for it.",
                          launch.block.x);
            const std::string exchanged = lab::ifExchanged(launch, Width, Width);
            lab::fail("grid-size", Todo(7),
                      "gridDim.{} is {} with blocks of {} x {}, but Width {} needs {}.{}", "xy"[d],
                      grid[d], block[0], block[1], Width, wanted,
                      (exchanged.empty() ? adviceOnGrid(grid, block) : exchanged));
        }
    }
}

TEST_CASE("TODO(8): the host notices a launch that fails") {
    const WithRightKernel withRightKernel;
    runHost(Todo(8), 20);
    if (!onlyLaunch(Todo(8)).errorAsked)
        lab::fail("unchecked-launch", Todo(8),
                  "the program does not check whether the launch succeeded. A launch\nreturns no "
                  "error code: call CHECK(cudaGetLastError()) right after it.");
    if (!endsOrReturns("launch", 1, cudaErrorInvalidConfiguration))
        lab::failUnchecked(Todo(8), "launch", 1,
                           endWhere("launch", 1, cudaErrorInvalidConfiguration));
}

TEST_CASE("if an allocation fails, the function ends before the launch") {
    const WithRightKernel withRightKernel;
    const matrix::DataSet set = lab::integers(lab::square(20));
    Matrix P = matrix::poisoned(20, 20);
    device::reset();
    device::runQuietly(lab::gives(P).from(set.M, set.N),
                       [&] { matrixMul(set.M.data(), set.N.data(), P.data(), 20); });
    std::map<std::string, long> allocations{{"cudaMalloc", 3}};
    if (bytesUsed() >= 3 * P.size() * sizeof(float)) allocations = callsLike("cudaMalloc");
    for (const auto& [function, times] : allocations)
        expectChecked(Todo(5), function, cudaErrorMemoryAllocation, 1, times,
                      {"cudaMemcpy", "launch"});
}

TEST_CASE("TODO(9): the result is copied back into P") {
    const WithRightKernel withRightKernel;
    lab::ProductRun run = runHost(Todo(9), 20, kHostFindings);
    onlyLaunch(Todo(9));
    if (run.P == matrix::poisoned(20, 20))
        lab::fail("not-copied-back", Todo(9),
                  "P is unchanged after the call. Copy d_P to P with cudaMemcpy "
                  "and\ncudaMemcpyDeviceToHost, after the launch.");
    const std::size_t missing = lab::unwrittenIn(run.P).size();
    if (missing > 0)
        lab::fail("not-copied-back", Todo(9),
                  "{} of {} in P are unchanged after the call.\nThe size of a copy is in "
                  "bytes: elements times sizeof(float).",
                  lab::count(missing, "element"), run.P.size());
    for (const auto& array : cusim::launches().front().arrays)
        if (array.copiedTo == run.P.data() && array.count.stores == 0 && array.copiedFrom)
            lab::fail(
                "not-copied-back", Todo(9),
                "{} is copied to P, but the kernel stores nothing in it. Copy d_P, the\narray "
                "that holds the result.",
                array.name);
    if (const std::size_t others = device::notStoredByKernels(run.P))
        lab::fail(
            "not-copied-back", Todo(9),
            "{} of {} in P have values that no kernel stored. Does the\nkernel store them all? "
            "Copy d_P to P with cudaMemcpy and cudaMemcpyDeviceToHost,\nafter the launch.",
            lab::count(others, "element"), run.P.size());
    const std::map<std::string, long> copies = callsLike("cudaMemcpy");
    lab::expectDeviceValues(Todo(9), "P", run.P, lab::gives(run.P).from(run.set.M, run.set.N), [&] {
        matrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), 20);
    });
    // Managed memory needs no copy.
    for (const auto& [function, times] : copies)
        expectChecked(Todo(9), function, cudaErrorInvalidValue, times, times, {});
}

TEST_CASE("TODO(10): all device memory is freed") {
    const WithRightKernel withRightKernel;
    // Memory may be left allocated at a single size.
    runHost(Todo(10), 33);
    const auto leaksAt33 = lab::findingsOf("leak");
    const lab::ProductRun run = runHost(Todo(10), 20);
    if (timesCalled("cudaMalloc") + timesCalled("cudaMallocManaged") == 0 && bytesUsed() == 0)
        lab::fail("not-allocated", Todo(10),
                  "there is nothing to free yet. The allocation is {}. Each\ncudaMalloc needs a "
                  "cudaFree.",
                  Todo(5));
    for (const auto& leaks : {lab::findingsOf("leak"), leaksAt33})
        if (!leaks.empty())
            lab::failFor(leaks, lab::filled("{}: device memory is not freed.\n", Todo(10)));
    Matrix P = run.P;
    const auto call = [&] { matrixMul(run.set.M.data(), run.set.N.data(), P.data(), 20); };
    lab::expectCallsChecked(Todo(10), lab::gives(P).from(run.set.M, run.set.N), call, {"cudaFree"});
}
