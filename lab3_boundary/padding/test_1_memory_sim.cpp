// Tests the size of the matrices on the device.
#include "lab3_boundary/padding/copies_sim.h"

namespace {

const std::vector<std::string> kNotAboutMemory = {"unset-read", "unset-output"};

}  // namespace

TEST_CASE("TODO(1): the device holds whole tiles of M, N and P, and no more") {
    const int T = tileWidth();
    for (const Shape shape : {Shape{T + 1, 2 * T + 1, T + 3}, {T, 2 * T, 3 * T}}) {
        const PaddedRun run = runPadded(Todo(1), lab::integers(shape), kNotAboutMemory);
        const std::uint64_t floats = floatsOnDevice(launchOf(Todo(1)));
        const int J = whole(shape.j), K = whole(shape.k), L = whole(shape.l);
        const std::uint64_t wanted = floatsWanted(shape);
        if (floats == wanted) continue;
        lab::fail("padded-size", Todo(1),
                  "the device holds {} instead of {}.\nRounded up to whole tiles, j, k and l are "
                  "{}, {} and {}.{}{}",
                  lab::count(floats, "float"), lab::count(wanted, "float"), J, K, L,
                  floats > wanted && isRight(run)
                      ? "\nThe product is right with more, as cudaMallocPitch pads. It is the "
                        "exercise\nthat asks for whole tiles, and not CUDA."
                      : "",
                  seenWith(shape));
    }
}
