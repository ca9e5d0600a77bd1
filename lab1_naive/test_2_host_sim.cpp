// Tests the host side, by the simulated device's record of its calls.
#include <algorithm>

#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

using lab::timesCalled;
using matrix::Matrix;

namespace {

// Tests below judge these findings of the host side; the others fail on crashes only.
const std::vector<std::string> kHostFindings = {"leak", "unchecked-launch"};

// TODO(9) copies P back, so only its test judges whether P was written.
const std::vector<std::string> kNotOfThisStep = {"leak", "unchecked-launch", "unset-output"};

// Returns whether the launch has too few threads for P in one direction.
bool leavesOut(const cusim::LaunchReport& launch, int Width) {
    const unsigned width = static_cast<unsigned>(Width);
    return launch.grid.x * launch.block.x < width || launch.grid.y * launch.block.y < width;
}

// Returns the step at fault where a finding shows it, else "". The first test that runs the host
// side meets the mistake, whatever it tests.
std::string stepToBlame(const lab::ProductRun& run) {
    for (const cusim::Finding& finding : cusim::findings()) {
        const auto says = [&](const std::string& words) {
            return finding.title.find(words) != std::string::npos;
        };
        if (finding.kind == "host-pointer") return "TODO(7)";
        if (finding.kind == "use-after-free") return "TODO(10)";
        // A copy to the device before any cudaMalloc.
        if (finding.kind == "wrong-direction" && says("the target is no device pointer") &&
            timesCalled("cudaMemcpy") <= 2)
            return "TODO(5)";
        if (finding.kind == "unset-output" &&
            (cusim::launches().empty() || leavesOut(cusim::launches().front(), run.P.rows())))
            return "TODO(7)";
        if (finding.kind != "unset-read" || cusim::launches().empty()) continue;
        // A kernel that reads P to add to it is at fault itself.
        const auto* result = cusim::launches().front().copiedInto(run.P.data());
        if (!result || !says("reads " + result->name + " ")) return "TODO(6)";
    }
    return "";
}

lab::ProductRun runHost(const std::string& todo, int Width,
                        const std::vector<std::string>& leftToOtherTests = kNotOfThisStep) {
    lab::ProductRun run{lab::integers(lab::square(Width)), matrix::poisoned(Width, Width)};
    try {
        lab::runIgnoring(leftToOtherTests, todo, lab::gives(run.P).from(run.set.M, run.set.N), [&] {
            matrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), Width);
        });
    } catch (...) {
        lab::beginWith(stepToBlame(run));
        throw;
    }
    return run;
}

const cusim::LaunchReport& onlyLaunch(const char* todo) {
    if (cusim::launches().empty()) {
        lab::beginWith("TODO(7)");
        lab::fail("not-launched", "{}: no kernel is launched yet. Launching is TODO(7).", todo);
    }
    return cusim::launches().front();
}

// Returns whether the function called `name`, or a name that begins like it, after call `number` of
// `failed`.
bool wentOnTo(const std::string& name, const std::string& failed, long number) {
    bool after = false;
    for (const std::string& call : cusim::calls()) {
        if (after && call.rfind(name, 0) == 0) return true;
        if (call == failed && --number == 0) after = true;
    }
    return false;
}

// Returns how the function ends where call `number` of this name fails.
device::Outcome endWhere(const std::string& function, long number, cudaError_t error) {
    const matrix::DataSet set = lab::integers(lab::square(20));
    Matrix P = matrix::poisoned(20, 20);
    device::reset();
    cusim::failNext(function + ":" + std::to_string(number), error);
    return device::runQuietly(lab::gives(P).from(set.M, set.N),
                              [&] { matrixMul(set.M.data(), set.N.data(), P.data(), 20); });
}

// Fails the test unless the function ends where one of its calls `first` to `last` of this name
// fails, before any call in `needs`.
void expectChecked(const std::string& todo, const std::string& function, cudaError_t error,
                   long first, long last, const std::vector<std::string>& needs) {
    for (long number = first; number <= last; ++number) {
        bool noticed = endWhere(function, number, error).how != device::Outcome::Returned;
        for (const std::string& need : needs) noticed &= !wentOnTo(need, function, number);
        if (noticed) continue;
        lab::beginWith(todo);
        lab::fail("error-ignored",
                  "{}: {} number {} fails, and the function goes on as if nothing\nhad happened. "
                  "Put every CUDA call into CHECK(...).",
                  todo, function, number);
    }
}

}  // namespace

TEST_CASE("TODO(5): the host allocates device memory for M, N and P") {
    runHost("TODO(5)", 20);
    const auto allocations = timesCalled("cudaMalloc") + timesCalled("cudaMallocManaged");
    if (allocations < 3)
        lab::fail("not-allocated",
                  "TODO(5): {} of cudaMalloc; three matrices need one each, of\nWidth * Width * "
                  "sizeof(float) bytes.",
                  lab::count(allocations, "call"));
}

TEST_CASE("TODO(6): M and N are copied to the device before the launch") {
    const lab::ProductRun run = runHost("TODO(6)", 20);
    if (timesCalled("cudaMemcpy") + timesCalled("cudaMemcpyAsync") < 2)
        lab::fail("not-copied-in",
                  "TODO(6): fewer than two copies. Copy M and N with cudaMemcpy, target first, "
                  "and\ncudaMemcpyHostToDevice.");
    const auto& launch = onlyLaunch("TODO(6)");
    const long copiesIn =
        std::count(cusim::calls().begin(),
                   std::find(cusim::calls().begin(), cusim::calls().end(), "launch"), "cudaMemcpy");
    for (const Matrix* input : {&run.set.M, &run.set.N})
        if (!launch.filledFrom(input->data()))
            lab::fail("not-copied-in",
                      "TODO(6): the kernel reads no memory that was filled from {}.",
                      input == &run.set.M ? "M" : "N");
    expectChecked("TODO(6)", "cudaMemcpy", cudaErrorInvalidValue, 1, copiesIn, {"launch"});
}

TEST_CASE("TODO(7): the grid covers P for every Width, with no block too many") {
    for (const int Width : {1, 15, 16, 17, 33, 64}) {
        INFO("Width " << Width);
        runHost("TODO(7)", Width);
        const auto& launch = onlyLaunch("TODO(7)");
        const unsigned width = static_cast<unsigned>(Width);
        const unsigned grid[] = {launch.grid.x, launch.grid.y};
        const unsigned block[] = {launch.block.x, launch.block.y};
        for (int d = 0; d < 2; ++d) {
            const unsigned wanted = (width + block[d] - 1) / block[d];
            if (grid[d] == wanted) continue;
            if (launch.block.y == 1 && launch.block.x > 1)
                lab::fail("grid-size",
                          "TODO(7): the block is {} x 1 threads. BLOCK_WIDTH x BLOCK_WIDTH are "
                          "asked for:\ndim3 block(BLOCK_WIDTH, BLOCK_WIDTH), and a grid for it.",
                          launch.block.x);
            const std::string exchanged = lab::ifExchanged(launch, Width, Width);
            lab::fail("grid-size",
                      "TODO(7): gridDim.{} is {} with blocks of {}; a Width of {} takes {}.{}",
                      "xy"[d], grid[d], block[d], Width, wanted,
                      (exchanged.empty() ? "\nDivide and round up." : exchanged));
        }
    }
}

TEST_CASE("TODO(8): a failed launch does not go unnoticed") {
    runHost("TODO(8)", 20);
    if (!onlyLaunch("TODO(8)").errorAsked)
        lab::fail("unchecked-launch",
                  "TODO(8): nobody asks whether the launch succeeded. A launch returns nothing; "
                  "call\nCHECK(cudaGetLastError()) right after it.");
    if (endWhere("launch", 1, cudaErrorInvalidConfiguration).how == device::Outcome::Returned)
        lab::fail("error-ignored",
                  "TODO(8): a launch that fails is not noticed: the function goes on as if "
                  "nothing\nhad happened. Put cudaGetLastError() into CHECK(...).");
}

TEST_CASE("an allocation that fails ends the function before the launch") {
    expectChecked("TODO(5)", "cudaMalloc", cudaErrorMemoryAllocation, 1, 3,
                  {"cudaMemcpy", "launch"});
}

TEST_CASE("TODO(9): the result is copied back into P") {
    const lab::ProductRun run = runHost("TODO(9)", 20, kHostFindings);
    onlyLaunch("TODO(9)");
    if (run.P == matrix::poisoned(20, 20))
        lab::fail("not-copied-back",
                  "TODO(9): P is as it was before the call. Copy d_P to P with cudaMemcpy "
                  "and\ncudaMemcpyDeviceToHost, after the launch.");
    const std::size_t missing = lab::unwrittenIn(run.P).size();
    if (missing > 0)
        lab::fail("not-copied-back",
                  "TODO(9): {} of {} in P are as they were before the call. The size of a\ncopy is "
                  "in bytes: elements times sizeof(float).",
                  lab::count(missing, "element"), run.P.size());
    if (const std::size_t others = device::notStoredByKernels(run.P))
        lab::fail(
            "not-copied-back",
            "TODO(9): {} of {} in P hold what no kernel has stored. Does the\nkernel store them "
            "all? Copy d_P to P with cudaMemcpy and cudaMemcpyDeviceToHost,\nafter the launch.",
            lab::count(others, "element"), run.P.size());
    const auto copies = timesCalled("cudaMemcpy");
    expectChecked("TODO(9)", "cudaMemcpy", cudaErrorInvalidValue, copies, copies, {});
}

TEST_CASE("TODO(10): all device memory is freed") {
    const lab::ProductRun run = runHost("TODO(10)", 20);
    if (timesCalled("cudaMalloc") + timesCalled("cudaMallocManaged") == 0)
        lab::fail("not-allocated",
                  "TODO(10): there is nothing to free yet: allocating is TODO(5). Each cudaMalloc "
                  "needs\nits cudaFree.");
    if (const auto leaks = lab::findingsOf("leak"); !leaks.empty())
        lab::failFor(leaks, "TODO(10): device memory is left behind.\n");
}
