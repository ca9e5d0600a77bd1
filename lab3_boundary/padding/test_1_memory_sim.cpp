// Tests the size of the matrices on the device.
#include "lab3_boundary/padding/copies_sim.h"

namespace {

const std::vector<std::string> kNotAboutMemory = {"race", "unset-read", "unset-output"};

// Returns which of d_M, d_N and d_P have another size; empty if arrays have other names.
std::string wrongArrays(int J, int K, int L) {
    struct Wanted {
        const char* name;
        int rows, cols;
    };
    std::string all;
    for (const Wanted& one : {Wanted{"M", J, K}, {"N", K, L}, {"P", J, L}})
        for (const auto& array : launchOf(Todo(1)).arrays) {
            const std::size_t floats = array.bytes / sizeof(float);
            if (array.name == std::string("d_") + one.name && floats != product(one.rows, one.cols))
                all += lab::filled("\n{} has {}, but {} in whole tiles has {} x {} = {}.",
                                   array.name, lab::count(floats, "float"), one.name, one.rows,
                                   one.cols, lab::grouped(product(one.rows, one.cols)))
                           .words;
        }
    return all;
}

}  // namespace

TEST_CASE("TODO(1): d_M, d_N and d_P have the size of whole tiles, and no more") {
    const int T = tileWidth();
    const lab::Forgiving forgiving(kAccesses);
    for (const Shape shape : {Shape{T + 1, 2 * T + 1, T + 3}, {T, 2 * T, 3 * T}}) {
        const PaddedRun run = runPadded(Todo(1), lab::integers(shape), kNotAboutMemory);
        const std::uint64_t floats = floatsOnDevice(launchOf(Todo(1)));
        const int J = whole(shape.j), K = whole(shape.k), L = whole(shape.l);
        const std::uint64_t wanted = floatsWanted(shape);
        if (floats == wanted) continue;
        const auto& launch = launchOf(Todo(1));
        const auto used =
            std::count_if(launch.arrays.begin(), launch.arrays.end(),
                          [](const auto& array) { return array.space == cusim::Space::Global; });
        const auto all = lab::timesCalled("cudaMalloc");
        if (used < all)
            lab::failOfNoStep("wrong-argument",
                              "boundedMatrixMulPadded: {} are allocated, but the kernel uses\nonly "
                              "{} of them. The launch in line {} must pass each of them.{}",
                              lab::count(all, "array"), used, launch.at.line, seenWith(shape));
        lab::fail(
            "padded-size", Todo(1),
            "the device holds {} instead of {}.\nRounded up to whole tiles, j, k and l are "
            "{}, {} and {}.{}{}{}{}",
            lab::count(floats, "float"), lab::count(wanted, "float"), J, K, L, wrongArrays(J, K, L),
            all == 2 && floats < wanted && wrongArrays(J, K, L).empty()
                ? "\nOnly two arrays are allocated: M, N and P need one each. See cudaMalloc, "
                  "and the\nlaunch."
                : "",
            floats > wanted && isRight(run)
                ? "\nThe product is right with more, for example with cudaMallocPitch. But "
                  "the\nexercise asks for whole tiles."
                : "",
            seenWith(shape));
    }
}
