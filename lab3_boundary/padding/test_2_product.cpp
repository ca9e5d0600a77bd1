// The product, on both devices.
#include "lab3_boundary/padding/padded_run.h"

namespace {

void expectStored(const PaddedRun& run, const std::string& todo, const std::string& why) {
    const Shape shape = shapeOf(run.set);
    if (run.P == matrix::poisoned(shape.j, shape.l))
        lab::fail("never-written", todo + ": P is as it was before, so " + why + seenWith(shape));
}

}  // namespace

TEST_CASE("TODO(2): what is added to M and N is zero") {
    const int T = tileWidth();
    for (const Shape shape : {Shape{T + 1, T + 1, T + 1}, {1, 1, 1}}) {
        expectStored(runPadded("TODO(2)", wholeNumbers(shape), {"unset-output", "unset-read"}),
                     "TODO(2)",
                     "the zeros cannot be judged.\nFill d_M and d_N before M and N are copied in; "
                     "copying out is TODO(4).");
        const PaddedRun run = runPadded("TODO(2)", wholeNumbers(shape));
        lab::expectProduct("TODO(2)", run.P, run.set);
    }
}

TEST_CASE("TODO(3): rows of M and N begin where rows on the device begin") {
    const Shape shape{tileWidth() + 3, tileWidth() + 3, tileWidth() + 5};
    const PaddedRun run = runPadded("TODO(3)", wholeNumbers(shape), {"unset-output", "unset-read"});
    expectStored(run, "TODO(3)",
                 "the copies cannot be judged.\nCopy M and N row by row; copying "
                 "out is TODO(4).");
    lab::expectProduct("TODO(3)", run.P, run.set);
}

TEST_CASE("TODO(4): of the padded product, j x l elements come back into P") {
    const Shape shape{tileWidth() + 2, 3, tileWidth() + 1};
    const PaddedRun run = runPadded("TODO(4)", wholeNumbers(shape), {"unset-output", "unset-read"});
    expectStored(run, "TODO(4)",
                 "nothing has come back.\nCopy row by row; a row of P is l floats "
                 "long, one of d_P is longer.");
    lab::expectProduct("TODO(4)", run.P, run.set);
}

TEST_CASE("the product is the same as with tests: right for shapes of every kind") {
    const int T = tileWidth();
    for (const Shape shape : {Shape{1, 1, 1},
                              {T, T, T},
                              {1, 3 * T - 1, 1},
                              {2 * T + 1, 1, T - 1},
                              {2 * T - 1, T + 1, 3 * T},
                              {37, 53, 29},
                              {5, 100, 70}}) {
        const PaddedRun run = runPadded("boundedMatrixMulPadded", wholeNumbers(shape));
        lab::expectProduct("boundedMatrixMulPadded", run.P, run.set);
    }
}
