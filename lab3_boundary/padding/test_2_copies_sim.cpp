// Tests the zeros and each copy alone.
#include "lab3_boundary/padding/copies_sim.h"
#include "lab3_boundary/two_tiles.h"

namespace {

const std::vector<std::string> kNotAboutCopies = {"unset-output", "unset-read"};

// Judges the product if the copies alone decide nothing.
void expectByProduct(const Todo& todo, const PaddedRun& run) {
    const Shape shape = shapeOf(run.set);
    if (run.P == matrix::poisoned(shape.j, shape.l)) {
        lab::beginWith(Todo(4));
        lab::fail("never-written", todo,
                  "P is unchanged, so the test cannot judge this step. The copy back is\n{}.{}",
                  Todo(4), seenWith(shape));
    }
    lab::expectProduct(todo, run);
}

// Begins the failure with TODO(1) if the padded sizes are wrong, because no copy can then be
// right.
void beginWithSizes(Shape shape) {
    if (floatsOnDevice(launchOf(Todo(1))) != floatsWanted(shape)) lab::beginWith(Todo(1));
}

// Fails the test if the kernel loads from an array that was filled with another byte than 0: the
// floats of most others are so small that no product shows them.
void expectZeros(Shape shape) {
    std::map<int, int> last;
    for (const cusim::StreamStep& step : cusim::streamSteps())
        if (step.what == cusim::StreamStep::Fill) last[step.allocation] = step.byte;
    for (const auto& array : launchOf(Todo(2)).arrays) {
        const auto filled = last.find(array.allocation);
        if (filled == last.end() || filled->second == 0 || array.count.loads == 0) continue;
        lab::fail("wrong-fill", Todo(2),
                  "cudaMemset sets each byte to {}, so the floats are not 0.\nIts second argument "
                  "is the value of each byte.{}",
                  filled->second, seenWith(shape));
    }
}

// Fails the test if zeros wipe out what was copied before.
void expectZerosFirst(Shape shape) {
    std::vector<cusim::StreamStep> copies;
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        if (step.what == cusim::StreamStep::CopyIn) copies.push_back(step);
        const auto wiped = [&](const cusim::StreamStep& copy) {
            return step.allocation == copy.allocation && step.offset < copy.offset + copy.bytes &&
                   copy.offset < step.offset + step.bytes;
        };
        if (step.what == cusim::StreamStep::Fill &&
            std::any_of(copies.begin(), copies.end(), wiped))
            lab::fail("all-zero", Todo(2),
                      "cudaMemset comes after the copy, and overwrites what was copied:\n{} from "
                      "float {} on. Fill first, then copy.{}",
                      lab::count(step.bytes / sizeof(float), "float"), step.offset / sizeof(float),
                      seenWith(shape));
    }
}

}  // namespace

TEST_CASE("TODO(2): all elements that are added to M and N are zero") {
    const int T = tileWidth();
    expectLaunch({T + 1, 2 * T + 1, 3 * T + 1});
    for (const Shape shape : {Shape{T + 1, T + 1, T + 1}, {1, 1, 1}}) {
        const PaddedRun run = runPadded(Todo(2), lab::integers(shape), kNotAboutCopies);
        for (const cusim::Finding& finding : cusim::findings())
            if (finding.kind == "unset-read" && finding.title.find("(shared)") == std::string::npos)
                lab::fail("unset-read", Todo(2),
                          "{}.\nFill all of d_M and d_N with zeros before M and N are copied in. "
                          "cudaMemset\ncounts bytes, not elements.{}",
                          finding.title, seenWith(shape));
        expectZeros(shape);
        if (isRight(run)) continue;
        expectZerosFirst(shape);
        // If all copies are right, the mistake in the sums has another cause.
        const Copies copies = copiesOf(run);
        const bool copied = wrongIn(copies, "M", run.set.M, whole(shape.k)).empty() &&
                            wrongIn(copies, "N", run.set.N, whole(shape.l)).empty() &&
                            wrongOut(copies, run, whole(shape.l)).empty();
        if (!copied) continue;
        lab::blameNoStep();
        expectTwoTiles("boundedMatrixMulPadded");
        if (const auto unset = lab::findingsOf("unset-read"); !unset.empty())
            lab::failFor(unset,
                         "boundedMatrixMulPadded: M, N and the zeros are in the right places.\n");
        INFO(
            "M, N and the zeros are in the right places. So see the kernel, and\nthe arguments of "
            "its launch.");
        lab::expectProduct("boundedMatrixMulPadded", run);
    }
}

TEST_CASE("TODO(3): each row of M and N is copied to the start of a row on the device") {
    const int T = tileWidth();
    const Shape shape{T + 3, T + 3, T + 5};
    const PaddedRun run = runPadded(Todo(3), lab::integers(shape), kNotAboutCopies);
    if (isRight(run)) return;
    const Copies copies = copiesOf(run);
    if (copies.elsewhere) return expectByProduct(Todo(3), run);
    for (const char* const name : {"M", "N"}) {
        const bool isM = name[0] == 'M';
        const matrix::Matrix& from = isM ? run.set.M : run.set.N;
        const int pitch = whole(isM ? shape.k : shape.l);
        const std::string wrong = wrongIn(copies, name, from, pitch);
        if (wrong.empty()) continue;
        beginWithSizes(shape);
        lab::fail(
            "wrong-copy", Todo(3),
            "{}.\nA row of {} has {} floats, and a row of d_{} has {}. cudaMemcpy2D needs "
            "both\nlengths, first that of the target, and the length to copy: all in bytes.{}",
            wrong, name, from.cols(), name, pitch, seenWith(shape));
    }
}

TEST_CASE("TODO(4): only the j x l elements of P are copied back") {
    const Shape shape{tileWidth() + 2, 3, tileWidth() + 1};
    const PaddedRun run = runPadded(Todo(4), lab::integers(shape), kNotAboutCopies);
    if (isRight(run)) return;
    const Copies copies = copiesOf(run);
    const bool back = !(run.P == matrix::poisoned(shape.j, shape.l)) || !copies.out.empty();
    if (back && copies.elsewhere && copies.out.empty()) return expectByProduct(Todo(4), run);
    const std::string wrong = wrongOut(copies, run, whole(shape.l));
    if (wrong.empty()) return;
    if (back) beginWithSizes(shape);
    lab::fail(back ? "wrong-copy" : "never-written", Todo(4),
              "{}.\nA row of P has {} floats, and a row of d_P has {}. Copy row by row, with "
              "both\nlengths: first that of P, which is the target now.{}",
              wrong, shape.l, whole(shape.l), seenWith(shape));
}
