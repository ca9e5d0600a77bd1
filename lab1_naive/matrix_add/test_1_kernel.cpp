// Tests the kernel alone, which the tests launch. Tests that need counts run on the simulated
// device.
#include <algorithm>
#include <cctype>

#include "lab1_naive/matrix_add/sums.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/device.h"
#include "testing/lab_sim.h"
#endif

using matrix::Matrix;
using sums::Operands;

#ifdef CUDA_SIMULATED_DEVICE
namespace {

constexpr sums::Shape kWhole{6, 8};  // whole blocks of 4 x 2 threads
const dim3 kBlock(4, 2);

Stored storedByThreads() {
    const Operands large = sums::operands({10 * kWhole.rows, 10 * kWhole.cols});
    return storedInLarger(sums::poisonedSum(large), kWhole.rows, kWhole.cols, [&] {
        return sums::launchKernel(large, kBlock, gridFor(kWhole.rows, kWhole.cols, kBlock));
    });
}

// Tests whether a line of code multiplies a row by the number of columns, as in Row * cols.
bool multipliesRow(std::string code) {
    code.erase(std::remove(code.begin(), code.end(), ' '), code.end());
    const std::size_t end = code.find("*cols");
    std::size_t begin = end == std::string::npos ? 0 : end;
    while (begin > 0 && std::isalnum(static_cast<unsigned char>(code[begin - 1]))) --begin;
    return end != std::string::npos && begin < end && std::tolower(code[begin]) == 'r';
}

// Fails the test for accesses outside of C though no thread is outside.
[[noreturn]] void failOutside(std::vector<cusim::Finding> found) {
    const bool exchanged =
        multipliesRow(cusim::text(found.front())) && storedByThreads() == Stored::Exchanged;
    lab::beginWith(Todo(exchanged ? 1 : 3));
    for (cusim::Finding& one : found)
        if (exchanged || one.remedy.rfind("Guard", 0) == 0)
            one.remedy = exchanged ? "Compute the row from y, and the column from x."
                                   : "Correct the index, or the values that it is computed "
                                     "from.";
    lab::failFor(found,
                 lab::filled("C has 6 rows of 8 elements, and a block has 4 x 2 threads. No "
                             "thread is\noutside C, so a guard cannot repair this. See {} in {},"
                             "\nand {} in {}.\n",
                             exchanged ? "row and column" : "the index", Todo(exchanged ? 1 : 3),
                             exchanged ? "the index" : "row and column", Todo(exchanged ? 3 : 1)));
}

// Fails the test because the index of the store is the same in several threads.
[[noreturn]] void failForIndex(const cusim::Finding& race) {
    lab::beginWith(Todo(3));
    lab::failFor({race}, lab::filled("Several threads store the same element, but not because of "
                                     "row and column:\nsee the index in {}. A row has cols "
                                     "elements.\n",
                                     Todo(3)));
}

// Tests whether the last launch has loaded each element of A and of B once.
bool loadsOwnElements(const Operands& in) {
    for (const Matrix* input : {&in.A, &in.B}) {
        const auto* array = cusim::launches().at(0).filledFrom(input->data());
        if (!array || lab::firstOther(array->elementLoads, 1)) return false;
    }
    return true;
}

// Fails the test unless every element was loaded or stored (`verb`) once.
void expectOnce(const std::vector<std::uint32_t>& counts, int cols, const std::string& name,
                const std::string& verb, const std::string& key) {
    if (const auto i = lab::firstOther(counts, 1))
        lab::fail(
            key, Todo(3), "{} is {} {} instead of once, with\nblocks of 4 x 4 threads. {}",
            lab::elementAt(*i, name, cols), verb, lab::count(counts[*i], "time"),
            counts[*i] > 0
                ? lab::Text(
                      "Each thread loads one element of A and\none of B, and stores one of C.")
                : lab::filled("Does the guard, {}, exclude its thread?", Todo(2)));
}

}  // namespace

TEST_CASE("TODO(1): each thread has its own element of C") {
    const lab::CountElements counting;
    const Operands in = sums::operands(kWhole);
    lab::runIgnoring({"race", "out-of-bounds"}, Todo(1), lab::gives().from(in.A, in.B),
                     [&] { sums::launchKernel(in, kBlock); });
    if (auto found = lab::findingsOf("out-of-bounds"); !found.empty()) {
        failOutside(std::move(found));
    }
    // The finding names the line that stores, but threads with the same row and column are the
    // mistake of an earlier step.
    if (const auto races = lab::findingsOf("race"); !races.empty()) {
        // A variable that each thread should have for itself is no element of C.
        const std::string& access = races.front().access;
        const bool ofVariable = !access.empty() && access != "writes d_C";
        lab::beginWith(Todo(ofVariable ? 3 : 1));
        if (ofVariable) lab::failFor({races.front()}, "Several threads store the same variable.\n");
        const bool ownLoads = loadsOwnElements(in), alike = storesAlike(cusim::launches().at(0));
        const Operands ragged = sums::operands({5, 7});
        Matrix C = sums::poisonedSum(ragged);
        const device::Outcome inOneDimension = device::run(
            lab::gives(C), [&] { C = sums::launchKernel(ragged, 4, gridFor(5, 7, 4, true)); });
        if (alike && inOneDimension.problems.empty() && sums::isSum(C, ragged))
            lab::failForOneDimension(Todo(1), races.front());
        if (ownLoads || storedByThreads() != Stored::Together) {
            failForIndex(races.front());
        }
        lab::failFor({races.front()},
                     lab::filled("Several threads store the same element: see row and column in "
                                 "{}, what the\nguard in {} does to them, or the index in {}.\n",
                                 Todo(1), Todo(2), Todo(3)));
    }
    const auto& launch = cusim::launches().at(0);
    if (launch.global().stores == 0)
        lab::fail("never-written", Todo(1),
                  "no thread stores an element of C, so the test cannot judge\nrow and column. If "
                  "you compute them already, continue with {} and\n{}: the test judges them by "
                  "what you store. If you store: does the\nguard, {}, exclude every thread?",
                  Todo(2), Todo(3), Todo(2));
    // TODO(3) judges elements that are stored more than once.
    if (const auto i = firstNotStored(launch)) {
        if (storedByThreads() == Stored::Own) {
            lab::beginWith(Todo(2));
            lab::fail("wrong-element",
                      "no thread stores C[{}][{}], because the guard, {}, excludes it.\nThe row "
                      "must be less than rows, and the column less than cols.",
                      *i / 8, *i % 8, Todo(2));
        }
        lab::fail("wrong-element", Todo(1),
                  "no thread stores C[{}][{}]. The row comes from the y\ncomponents of blockIdx, "
                  "blockDim and threadIdx, the column from x.\nOr does the guard, {}, exclude the "
                  "thread?",
                  *i / 8, *i % 8, Todo(2));
    }
}
#endif

TEST_CASE("TODO(2): a thread outside C does nothing") {
    // Blocks of 4 x 4 threads cover this one without a thread outside, so that no guard helps.
    const Operands whole = sums::operands({8, 12});
    Matrix covered = sums::poisonedSum(whole);
    lab::runIgnoring({"race"}, "8 rows of 12, where no thread is outside", lab::gives(covered),
                     [&] { covered = sums::launchKernel(whole, dim3(4, 4)); });
    const bool wrong = !(covered == sums::poisonedSum(whole)) && !sums::isSum(covered, whole);
    const lab::Text about = wrong ? Todo(3) : Todo(2);
    const std::string already = "The sum is also wrong if no thread is outside C.";
    for (const sums::Shape shape : {sums::Shape{5, 7}, sums::Shape{7, 5}, sums::Shape{8, 5}}) {
        const Operands in = sums::operands(shape);
        INFO((wrong ? already + sums::looksOf(covered, whole) + "\n" : "")
             << sums::text(shape) << ", in blocks of 4 x 4 threads");
        const Matrix C = sums::runKernel(about, in, dim3(4, 4));
        if (C == matrix::poisoned(shape.rows, shape.cols))
            lab::fail(
                "never-written", Todo(2),
                "the kernel stores nothing, so the test cannot judge the guard.\nThe row must "
                "be less than rows, and the column less than cols. If you\nstore already, "
                "the guard excludes every thread.");
    }
}

TEST_CASE("TODO(3): an element of C is A + B at the same row and column") {
    const Operands in = sums::operands({12, 20});
    sums::expectSum(Todo(3), sums::runKernel(Todo(3), in, dim3(4, 4)), in);
}

#ifdef CUDA_SIMULATED_DEVICE
TEST_CASE("each element of A and B is loaded once, and each element of C is stored once") {
    const lab::CountElements counting;
    const Operands in = sums::operands({10, 14});
    lab::run(Todo(3), lab::gives().from(in.A, in.B), [&] { sums::launchKernel(in, dim3(4, 4)); });
    const auto& launch = cusim::launches().at(0);
    for (const Matrix* input : {&in.A, &in.B}) {
        const std::string name = input == &in.A ? "A" : "B";
        const auto* array = launch.filledFrom(input->data());
        if (!array)
            lab::fail("load-count", Todo(3),
                      "the kernel never loads {}.\nA sum needs one element of A and one of B.",
                      name);
        expectOnce(array->elementLoads, in.cols(), name, "loaded", "load-count");
    }
    for (const auto& array : launch.arrays)
        if (array.allocation >= 0 && array.count.loads + array.count.stores > 0)
            lab::expectNoAtomics(Todo(3), "store-count", array.count, "the matrices");
    for (const auto& array : launch.arrays)
        if (array.count.stores > 0 && array.allocation >= 0)
            expectOnce(array.elementStores, in.cols(), "C", "stored", "store-count");
    if (launch.global().stores == 0)
        lab::fail("never-written", Todo(3), "the kernel stores nothing yet.");
    if (launch.global().loads != 2 * launch.global().stores)
        lab::fail("load-count", Todo(3),
                  "{} for {}.\nA sum needs two loads, one of A and one of B. C is only stored.",
                  lab::count(launch.global().loads, "load"),
                  lab::count(launch.global().stores, "store"));
}
#endif

TEST_CASE("the kernel is right for every shape of block, even if blocks extend past C") {
    const unsigned blocks[][2] = {{1, 1},  {64, 1}, {1, 64},  {16, 4},
                                  {4, 16}, {7, 3},  {16, 16}, {32, 32}};
    for (const sums::Shape shape : {sums::Shape{17, 37}, sums::Shape{37, 17}}) {
        const Operands in = sums::operands(shape);
        for (const auto& xy : blocks) {
            const dim3 block(xy[0], xy[1]);
            INFO(sums::text(shape)
                 << ", in blocks of " << sums::times(block.x, block.y) << " threads");
            sums::expectSum("matrixAddKernel", sums::runKernel("matrixAddKernel", in, block), in);
        }
    }
}
