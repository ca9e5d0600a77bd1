// Tests constantMatrixMul's requests to constant and to device memory, and its number of pieces.
#include "lab4_memtypes/constant/product.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

using constant::Shape;
using cusim::Space;

namespace {

// Bytes of constant memory (CUDA C++ Programming Guide, "Technical specifications").
const int kConstantBytes = 65536;

std::uint64_t loads(const cusim::LaunchReport& launch, Space space) {
    const auto& count = launch.space[static_cast<int>(space)];
    return count.loads + count.atomics;
}

// Runs the code for its counts only: other tests judge its values and their causes. Fails the test
// if constant memory is read here, and a right product came from global memory.
const std::vector<cusim::LaunchReport>& launchesFor(const Todo& todo, Shape s) {
    constant::multiply(todo, lab::integers(s), {"unset-output", "unset-read"});
    const auto& launch = lab::launchOf(todo);
    if (constant::tookMFromGlobal && loads(launch, Space::Constant) > 0)
        lab::failOfNoStep("wrong-memory",
                          "constantMatrixMul reads M from constant memory in tests that count its "
                          "reads, and\nfrom global memory in others, although M fits. Always read "
                          "M from constant memory.");
    return cusim::launches();
}

// Returns why there are more launches than needed, by the copies to constant memory.
std::string whyMore(const cusim::LaunchReport& launch, Shape s, int rowsThatFit) {
    const std::size_t row = static_cast<std::size_t>(s.k) * sizeof(float);
    const auto mc = std::find_if(launch.arrays.begin(), launch.arrays.end(), [](const auto& array) {
        return array.space == Space::Constant && array.bytes > 64;
    });
    if (mc == launch.arrays.end()) return "";
    const cusim::StreamStep* before = nullptr;
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        if (step.what != cusim::StreamStep::CopyIn || step.allocation != mc->allocation) continue;
        const std::size_t apart = before ? reinterpret_cast<std::uintptr_t>(step.host) -
                                               reinterpret_cast<std::uintptr_t>(before->host)
                                         : 0;
        if (apart > 0 && apart % row == 0 && apart < before->bytes)
            return lab::filled(
                "\nA copy to {} holds {} of M, but the next copy begins {} after it,\nso rows are "
                "computed again. See the step of the loop over the pieces.",
                mc->name, lab::count(before->bytes / row, "row"), lab::count(apart / row, "row"));
        before = &step;
    }
    if (mc->bytes / row < static_cast<std::size_t>(rowsThatFit))
        return lab::filled("\n{} is declared with {}, which hold {}. Declare it with {}.", mc->name,
                           lab::count(mc->bytes / sizeof(float), "float"),
                           lab::count(mc->bytes / row, "row"),
                           lab::count(kConstantBytes / sizeof(float), "float"));
    return "\nCUDA allows smaller pieces, but the exercise asks for as few as possible.";
}

// Fails the test if a piece's launch has blocks with nothing to do. TODO(2) judges a grid that
// still maps rows to x.
void expectGrid(const cusim::LaunchReport& launch, int columns, int rows) {
    const auto covers = [](unsigned blocks, unsigned threads, int all) {
        return blocks == (static_cast<unsigned>(all) + threads - 1) / threads;
    };
    if (covers(launch.grid.x, launch.block.x, rows) &&
        covers(launch.grid.y, launch.block.y, columns))
        return;
    lab::expectNoIdleBlocks("constantMatrixMul", launch, columns, rows, launch.block);
}

}  // namespace

TEST_CASE("TODO(1): M is read from constant memory, and only N from global memory") {
    const Shape s{24, 20, 64};
    const auto& launch = launchesFor(Todo(1), s).front();
    const auto products = static_cast<std::uint64_t>(s.j) * static_cast<std::uint64_t>(s.k) *
                          static_cast<std::uint64_t>(s.l);
    const std::uint64_t constantLoads = loads(launch, Space::Constant);
    const std::uint64_t globalLoads = loads(launch, Space::Global);
    if (constantLoads == 0)
        lab::fail("wrong-memory", Todo(1),
                  "nothing is read from constant memory. Declare Mc with\n__constant__, and read "
                  "the elements of M from there.");
    if (launch.constantByAddress)
        lab::fail("wrong-memory", Todo(1),
                  "the host passes the address of Mc to the kernel. A card reads such a pointer as "
                  "global\nmemory, past the cache of constant memory: use the name Mc in the "
                  "kernel.");
    // Allows a load of each element of P, for a kernel that adds to it.
    const auto elements = static_cast<std::uint64_t>(s.j) * static_cast<std::uint64_t>(s.l);
    if (constantLoads > products || globalLoads > products + elements)
        lab::fail("wrong-memory", Todo(1),
                  "{} from constant memory and {} from global memory\nfor {}. Each product must "
                  "read one element of Mc and one of N.",
                  lab::count(constantLoads, "load"), lab::count(globalLoads, "load"),
                  lab::count(products, "product"));
}

TEST_CASE("TODO(2): the threads of a warp read one address of M at a time") {
    const auto& warps = launchesFor(Todo(2), {24, 20, 64}).front().warps;
    if (warps.constantRequests == 0)
        lab::fail("wrong-memory", Todo(2),
                  "the test can count this only if Mc is in constant memory.\nDo {} first.",
                  Todo(1));
    if (warps.constantPasses == warps.constantRequests) return;
    lab::fail(
        "serialised-reads", Todo(2),
        "a warp reads {} different addresses of constant memory at a time, which\ntakes as many "
        "passes. All threads of a warp must use the same row of M.\nThreads are counted along x "
        "first, then along y: which of the two must Row come\nfrom, and how wide must a block be?",
        lab::perRequest(warps.constantPasses, warps.constantRequests));
}

TEST_CASE("TODO(2): the threads of a warp use neighbouring elements of N and of P") {
    const auto& warps = launchesFor(Todo(2), {24, 20, 64}).front().warps;
    if (warps.sectors == warps.idealSectors) return;
    lab::fail("uncoalesced", Todo(2),
              "a request to device memory accesses {} sectors of 32 bytes,\nbut {} are enough. "
              "Threads that are neighbours in x must use neighbours in a row\nof N and of P.",
              lab::perRequest(warps.sectors, warps.globalRequests),
              lab::perRequest(warps.idealSectors, warps.globalRequests));
}

TEST_CASE("TODO(3): M is cut into the smallest possible number of pieces of whole rows") {
    const device::WithoutWarps withoutWarps;
    for (const Shape s :
         {Shape{200, 300, 33}, Shape{256, 128, 40}, Shape{40, 9, 7}, Shape{8, 9, 64}}) {
        const int rowsThatFit = kConstantBytes / static_cast<int>(sizeof(float)) / s.k;
        const auto pieces = static_cast<std::size_t>((s.j + rowsThatFit - 1) / rowsThatFit);
        const auto& all = launchesFor(Todo(3), s);
        const std::size_t launches = all.size();
        for (std::size_t piece = 0; launches == pieces && piece < pieces; ++piece)
            expectGrid(all[piece], s.l,
                       std::min(rowsThatFit, s.j - static_cast<int>(piece) * rowsThatFit));
        std::uint64_t stores = 0;
        for (const auto& launch : all) stores += launch.global().storedBytes / sizeof(float);
        const std::uint64_t elements = lab::product(s.j, s.l);
        if (launches == pieces && stores > elements) {
            lab::blameNoStep();
            const bool inLoop = stores == elements * static_cast<std::uint64_t>(s.k);
            lab::fail("store-count", "constantMatrixMul: {} for {} of P.\n{}",
                      lab::count(stores, "store"), lab::count(elements, "element"),
                      inLoop ? "The pieces are right. Store after the loop over the k products."
                             : "The number of pieces is right. Store each element once.");
        }
        if (launches == pieces) continue;
        lab::fail(
            launches < pieces ? "too-few-pieces" : "too-many-pieces", Todo(3),
            "{} for j x k x l = {} instead of {}:\n{} of M, of 4 x k bytes each, fit into 65,536 "
            "bytes.{}",
            lab::count(launches, launches == 1 ? "launch" : "launche"), constant::sizesOf(s),
            pieces, lab::count(rowsThatFit, "row"),
            launches < pieces ? "" : whyMore(all.front(), s, rowsThatFit));
    }
    const matrix::DataSet set = lab::integers({3, 9000, 5});
    matrix::Matrix P = matrix::poisoned(3, 5);
    const auto call = [&] { constantMatrixMul(set.M.data(), set.N.data(), P.data(), 3, 9000, 5); };
    lab::expectCallsChecked(Todo(4), lab::gives(P), call, {"cudaMemcpyToSymbol"});
    lab::expectCallsChecked("constantMatrixMul", lab::gives(P), call);
}
