// Tests the kernel alone, which the tests launch. Tests that need counts run on the simulated
// device.
#include <algorithm>

#include "lab1_naive/device_matrices.h"
#include "testing/device.h"
#include "testing/lab.h"
#include "testing/probed_product.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

using lab::count;
using matrix::Matrix;

#ifdef CUDA_SIMULATED_DEVICE
namespace {

// The accesses of TODO(3), outside of arrays as well; other steps can be judged without them.
const lab::AccessesOfSteps kAccesses = {{3, {"reads M", "reads N"}}};

constexpr int kWhole = 8;  // whole blocks of 4 x 2 threads
const dim3 kBlock(4, 2);

Stored storedByThreads() {
    const matrix::DataSet large = lab::integers(lab::square(3 * kWhole));
    return storedInLarger(matrix::poisoned(3 * kWhole, 3 * kWhole), kWhole, kWhole, [&] {
        return launchKernel(large.M, large.N, kBlock, gridFor(kWhole, kWhole, kBlock));
    });
}

// Tests whether the last launch has loaded each element of M and of N as often as it is needed.
bool loadsOwnElements(const matrix::DataSet& set) {
    for (const Matrix* input : {&set.M, &set.N}) {
        const auto* array = cusim::launches().at(0).filledFrom(input->data());
        if (!array || lab::firstOther(array->elementLoads, kWhole)) return false;
    }
    return true;
}

// Fails the test because several threads store one element.
[[noreturn]] void failForStores(const cusim::Finding& race, bool ownLoads) {
    if (ownLoads || storedByThreads() != Stored::Together) {
        lab::beginWith(Todo(4));
        lab::failFor({race},
                     lab::filled("Several threads store the same element, but not because of "
                                 "Row and Col:\nsee the index in {}.\n",
                                 Todo(4)));
    }
    lab::failFor({race},
                 lab::filled("Several threads store the same element: see Row and Col in {}, "
                             "what the guard\nin {} does to them, or the index in {}.\n",
                             Todo(1), Todo(2), Todo(4)));
}

}  // namespace
#endif

#ifdef CUDA_SIMULATED_DEVICE
TEST_CASE("TODO(1): each thread has its own element of P") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses);
    const matrix::DataSet set = lab::integers(lab::square(kWhole));
    lab::runIgnoring({"race"}, Todo(1), lab::gives().from(set.M, set.N),
                     [&] { launchKernel(set.M, set.N, kBlock); });
    // The finding names the line that stores, but threads with the same Row and Col are the mistake
    // of an earlier step.
    if (const auto races = lab::findingsOf("race"); !races.empty()) {
        // A variable that each thread should have for itself is no element of P.
        const std::string& access = races.front().access;
        const bool ofVariable = !access.empty() && access != "writes d_P";
        lab::beginWith(Todo(ofVariable ? 3 : 1));
        if (ofVariable) lab::failFor({races.front()}, "Several threads store the same variable.\n");
        const auto& first = cusim::launches().at(0);
        if (const auto stores = first.global().stores;
            stores > first.threads && !storesAlike(first)) {
            lab::beginWith(Todo(2));
            lab::failFor({races.front()},
                         lab::filled("{} store {} elements, and some elements several times. The "
                                     "guard in {} is an if:\neach thread stores one element.\n",
                                     lab::count(first.threads, "thread"), stores, Todo(2)));
        }
        const bool ownLoads = loadsOwnElements(set), alike = storesAlike(first);
        const matrix::DataSet ragged = lab::integers(lab::square(5));
        Matrix P = matrix::poisoned(5, 5);
        const device::Outcome inOneDimension = device::run(lab::gives(P), [&] {
            P = launchKernel(ragged.M, ragged.N, kBlock.x, gridFor(5, 5, kBlock.x, true));
        });
        if (alike && inOneDimension.problems.empty() &&
            matrix::compare(P, ragged.M, ragged.N, matrix::multiply(ragged.M, ragged.N), true)
                .passed)
            lab::failForOneDimension(Todo(1), races.front());
        failForStores(races.front(), ownLoads);
    }
    const auto& launch = cusim::launches().at(0);
    // TODO(4) judges elements that are stored more than once.
    if (const auto i = firstNotStored(launch)) {
        if (storedByThreads() == Stored::Own) {
            lab::beginWith(Todo(2));
            lab::fail(
                "wrong-element",
                "no thread stores P[{}][{}], because the guard, {}, excludes it.\nRow and Col "
                "must both be less than Width.",
                *i / 8, *i % 8, Todo(2));
        }
        lab::fail("wrong-element", Todo(1),
                  "no thread stores P[{}][{}]. Row comes from the y components of blockIdx,\n"
                  "blockDim and threadIdx, Col from the x components. Or does the guard,\n{}, "
                  "exclude the thread?",
                  *i / 8, *i % 8, Todo(2));
    }
    if (launch.global().stores == 0)
        lab::fail("never-written", Todo(1),
                  "no thread stores an element of P, so the test cannot judge Row and Col.\nIf you "
                  "compute them already, continue with {} to {}: the test\njudges them by "
                  "what you store. If you store: does the guard, {},\nexclude every thread?",
                  Todo(2), Todo(4), Todo(2));
}
#endif

TEST_CASE("TODO(2): a thread outside P does nothing") {
#ifdef CUDA_SIMULATED_DEVICE
    const lab::Forgiving forgiving(kAccesses, {}, true);
#endif
    if (runKernel(Todo(2), lab::integers(lab::square(5)), dim3(4, 4)).P == matrix::poisoned(5, 5))
        lab::fail("never-written", Todo(2),
                  "the kernel stores nothing, so the test cannot judge the guard. Write the\nguard "
                  "around the code of {} and {}: Row and Col must both be less\nthan Width. "
                  "If you store already, the guard excludes every thread.",
                  Todo(3), Todo(4));
}

TEST_CASE("TODO(3): an element of P is the inner product of a row of M and a column of N") {
    const auto multiply = [](const matrix::DataSet& set) {
        return runKernel(Todo(3), set, dim3(16, 16)).P;
    };
    const lab::ProbedProduct probed(16, multiply);
    const lab::ProductRun run = runKernel(Todo(3), lab::integers(lab::square(16)), dim3(16, 16));
#ifdef CUDA_SIMULATED_DEVICE
    for (const auto& array : cusim::launches().at(0).arrays)
        if (array.copiedFrom == run.P.data() && array.count.loads > 0 && !lab::isRight(run))
            lab::failProduct(Todo(3), run,
                             "The kernel reads P before its first store, as in P[...] += ...: P is "
                             "uninitialized.\nSum in a local variable, Pvalue.");
#endif
    lab::expectProduct(Todo(3), run, [&] { return probed.cause(run.P, run.set); });
}

#ifdef CUDA_SIMULATED_DEVICE
TEST_CASE("each element of M and N is loaded Width times: 2 x Width^3 loads in total") {
    const lab::CountElements counting;
    const int Width = 24;
    const matrix::DataSet set =
        runKernel(Todo(3), lab::integers(lab::square(Width)), dim3(8, 8)).set;
    const auto& launch = cusim::launches().at(0);
    for (const Matrix* input : {&set.M, &set.N}) {
        const char* const name = input == &set.M ? "M" : "N";
        const auto* array = launch.filledFrom(input->data());
        if (!array)
            lab::fail(
                "load-count", Todo(3),
                "the kernel never loads {}. Each product needs one element of M\nand one of N.",
                name);
        if (const auto i = lab::firstOther(array->elementLoads, Width))
            lab::fail("load-count", Todo(3),
                      "{} is loaded {} instead of Width = {} times. The loop over k loads\none "
                      "element of M and one of N in each of its Width steps.",
                      lab::elementAt(*i, name, Width), count(array->elementLoads[*i], "time"),
                      Width);
    }
    lab::expectNoAtomics(Todo(3), "load-count", launch);
    if (launch.global().loads != 2 * lab::product(Width, Width, Width))
        lab::fail("load-count", Todo(3), "{} instead of {}.\nSum in a local variable, not in P.",
                  count(launch.global().loads, "global load"),
                  count(2 * lab::product(Width, Width, Width), "load"));
}
TEST_CASE("TODO(4): the kernel stores each of the Width x Width elements once") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses);
    runKernel(Todo(4), lab::integers(lab::square(10)), dim3(4, 4));
    const auto& launch = cusim::launches().at(0);
    lab::expectNoAtomics(Todo(4), "store-count", launch);
    if (launch.global().stores == 0)
        lab::fail("never-written", Todo(4),
                  "nothing is stored. The last statement of the kernel stores Pvalue in P.");
    if (launch.global().stores != 100)
        lab::fail("store-count", Todo(4),
                  "{} instead of 100. Sum in a local variable and store it once,\nafter "
                  "the loop.",
                  count(launch.global().stores, "store"));
}
#endif

TEST_CASE("the kernel is right for every shape of block, even if blocks extend past P") {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet set = lab::integers(lab::square(17));
    const unsigned shapes[][2] = {{1, 1}, {32, 1}, {1, 32},  {8, 4},
                                  {4, 8}, {7, 3},  {16, 16}, {32, 32}};
    for (const auto& shape : shapes) {
        const dim3 block(shape[0], shape[1]);
        INFO("blocks of " << block.x << " x " << block.y << " threads, Width 17");
        lab::expectProduct(Todo(3), runKernel(Todo(3), set, block));
    }
}
