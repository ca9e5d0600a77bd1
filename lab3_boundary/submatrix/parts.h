// Calls the functions on parts of larger matrices.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <string>
#include <tuple>

#include "lab3_boundary/submatrix/matrix_part.h"
#include "lab3_boundary/submatrix/submatrix.h"
#include "lab3_boundary/two_tiles.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/submatrix/causes_sim.h"
#include "testing/device.h"
#endif

inline void multiplySquare(const float* M, const float* N, float* P, int n) {
    subMatrixMul(M, n, N, n, P, n, n, n, n);
}

// Differences between the leading dimensions of M, N and P and their rows (or columns).
struct Extra {
    int m, n, p;
};

// Fails the test if P holds a NaN, which can only come from outside of a part.
inline void expectNumbers(const lab::Text& about, const matrix::Matrix& P,
                          const matrix::DataSet& set, Extra extra, Stored stored,
                          const std::string& cause, const std::string& place) {
    if (!testing::judges()) return;
    const matrix::Reference reference = matrix::multiply(set.M, set.N);
    const bool exact = matrix::isExact(set.spec.pattern, set.spec.k);
    if (matrix::compare(P, set.M, set.N, reference, exact).looks != matrix::Looks::NotANumber)
        return;
    std::size_t i = 0;
    while (i + 1 < P.size() && !std::isnan(P.data()[i])) ++i;
    // This NaN comes from P itself, for example if a kernel adds to it.
    constexpr std::uint32_t kQuiet = 0x00400000U;
    std::uint32_t bits = 0;
    std::memcpy(&bits, P.data() + i, sizeof bits);
    if ((bits | kQuiet) == (matrix::kPoisonBits | kQuiet)) return;
    const int at = static_cast<int>(i);
    const std::string name = element("P", at / P.cols(), at % P.cols());
    if (!cause.empty())
        lab::fail("not-a-number", about, "{} is NaN (not a number).{}{}", name, cause, place);
    const std::string lines = stored == Stored::ByRows ? "rows" : "columns";
    const bool ofM = extra.m > 0 || extra.n == 0, ofN = extra.n > 0 || extra.m == 0;
    const std::string matrices = !ofN ? "M" : !ofM ? "N" : "M and of N";
    const std::string dimensions = !ofN ? "ldm" : !ofM ? "ldn" : "ldm, those of N ldn,";
    lab::fail("not-a-number", about,
              "{} is NaN (not a number).\nBetween and after the {} of this part of {} there are "
              "other values,\nhere NaN, and one of them was loaded. Its {} begin {} "
              "elements\napart, whatever their length.{}",
              name, lines, matrices, lines, dimensions, place);
}

// Returns what the simulated device saw that makes a product wrong, and blames the step whose loads
// are wrong. Loads are examined only if no row is longer than the part's: then no leading
// dimension is to blame.
inline std::string causeOf([[maybe_unused]] const matrix::Matrix& P,
                           [[maybe_unused]] const MatrixPart& M,
                           [[maybe_unused]] const MatrixPart& N, [[maybe_unused]] bool plainRows) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return "";
    // M is copied as l x k elements, and the leading dimensions are in the order of M and N.
    const auto& passed = cusim::launches().front().numbers;
    const auto copied =
        lab::count(product(P.cols() - 1, M.ld()) + static_cast<std::size_t>(M.cols()), "float");
    if (passed.size() == 6 && M.ld() != N.ld() && P.rows() != P.cols() && passed[0] == M.ld() &&
        passed[1] == N.ld() && passed[3] == P.cols() && passed[5] == P.rows() &&
        wrongCopyOf("M", M).rfind("\n" + copied + " of M are", 0) == 0)
        return "\nRead by rows, these are the transposes, and P^T = N^T x M^T: N comes first.\nThe "
               "call exchanges the sizes, but not M and N.";
    const Factor factors[] = {{"M", M, Todo(1)}, {"N", N, Todo(2)}};
    for (const Factor& factor : factors)
        if (const std::string wrong = wrongCopyOf(factor.name, factor.part); !wrong.empty())
            return wrong;
    if (plainRows) return causeInKernel(factors[0], factors[1], P);
#endif
    return "";
}

#ifdef CUDA_SIMULATED_DEVICE
// Calls the function quietly. Fails the test if the launch itself makes a product of rows wrong,
// or if a run for columns ends because rows overlap. For large matrices that takes too long.
inline void expectLaunch(const lab::Text& about, const matrix::DataSet& set, Stored stored,
                         const MatrixPart& M, const MatrixPart& N, MatrixPart P) {
    const auto [j, k, l] = shapeOf(set);
    if (product(j, k, l) > 256 * product(tileWidth(), tileWidth())) return;
    const bool byRows = stored == Stored::ByRows;
    device::reset();
    device::runQuietly(lab::gives(P.memory()).from(M.memory(), N.memory()), [&] {
        (byRows ? subMatrixMul : columnMajorMatrixMul)(M.first(), M.ld(), N.first(), N.ld(),
                                                       P.first(), P.ld(), set.spec.j, set.spec.k,
                                                       set.spec.l);
    });
    if (cusim::launches().empty()) return;
    const cusim::LaunchReport& launch = cusim::launches().front();
    if (byRows && !lab::isRight({set, P.values()}))
        expectLaunchOf(
            launch, "subMatrixMulKernel",
            {{"ldm", M.ld()}, {"ldn", N.ld()}, {"ldp", P.ld()}, {"j", j}, {"k", k}, {"l", l}},
            {j, k, l});
    const auto& passed = launch.numbers;
    if (byRows || cusim::findings().empty() || launch.kernel != "subMatrixMulKernel" ||
        passed.size() != 6)
        return;
    for (const auto& [name, ld, length] : {std::tuple{'m', 0, 4}, {'n', 1, 5}, {'p', 2, 5}})
        if (passed[ld] < passed[length])
            lab::fail("wrong-argument", about,
                      "in subMatrixMulKernel ld{} is {}, but a row has {} elements.\nCompare the "
                      "arguments of your call with the parameters of subMatrixMul.{}",
                      name, passed[ld], passed[length], seenWith({j, k, l}));
}
#endif

// Returns what the store does wrong, and blames its step: it leaves lines out, or adds to P.
inline std::string causeInStore([[maybe_unused]] const lab::Text& about,
                                [[maybe_unused]] const matrix::DataSet& set,
                                [[maybe_unused]] const matrix::Matrix& values,
                                [[maybe_unused]] const MatrixPart& P,
                                [[maybe_unused]] bool plainRows) {
#ifdef CUDA_SIMULATED_DEVICE
    if (const std::string left = plainRows ? leftOut(values, set) : ""; !left.empty()) return left;
    if (const auto* array = lab::launchOf(about).copiedInto(P.first());
        array && array->count.loads > 0) {
        lab::beginWith(Todo(3));
        return lab::filled(
            "\nThe kernel also reads P: {} of {}. P is M x N, without the old\nvalue "
            "of P: store each sum with =.",
            lab::count(array->count.loads, "load"), array->name);
    }
#endif
    return "";
}

// Fails the test unless the product is right and the elements around P are unchanged. `ofStore`
// names the subject of a report if nothing is stored.
inline void expectRight(const lab::Text& about, const matrix::DataSet& set, Extra extra,
                        Stored stored, const lab::Text& ofStore) {
#ifdef CUDA_SIMULATED_DEVICE
    const lab::CountElements counting;
#endif
    const Shape shape = shapeOf(set);
    const matrix::Matrix before = matrix::poisoned(shape.j, shape.l);
    MatrixPart M(set.M, extra.m, stored), N(set.N, extra.n, stored), P(before, extra.p, stored);
    const auto multiply = stored == Stored::ByRows ? subMatrixMul : columnMajorMatrixMul;
    const std::string place =
        lab::filled("\nSeen with {}, ldm {}, ldn {}, ldp {}.", text(shape), M.ld(), N.ld(), P.ld());
    const bool plainRows = stored == Stored::ByRows && extra.m + extra.n + extra.p == 0;
#ifdef CUDA_SIMULATED_DEVICE
    expectLaunch(about, set, stored, M, N, P);
#endif
    try {
        lab::runIgnoring(lab::andLeaks(), about,
                         lab::gives(P.memory()).from(M.memory(), N.memory()), [&] {
                             multiply(M.first(), M.ld(), N.first(), N.ld(), P.first(), P.ld(),
                                      shape.j, shape.k, shape.l);
                         });
    } catch (...) {
        if (plainRows) lab::blameNoStep();
        throw;
    }
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty())
        lab::fail("never-written", ofStore, "{} launches no kernel, so P is unchanged.{}",
                  stored == Stored::ByRows ? "subMatrixMul" : "columnMajorMatrixMul", place);
#endif
    if (P.values() == before && P.surroundingsKept())
        lab::fail("never-written", ofStore,
                  "P is unchanged, so the test cannot judge this step. The store is {},\nand for "
                  "columns {}. If it is there: does its test exclude every thread?{}",
                  Todo(3), Todo(4), place);
    if (!P.surroundingsKept()) {
        std::string cause = "\nThe part is j x l, whatever its leading dimension is.";
#ifdef CUDA_SIMULATED_DEVICE
        if (const std::string wrong = wrongCopyOf("P", P, true); !wrong.empty())
            cause = wrong;
        else if (stored == Stored::ByRows && onlyCopiedBeside(P))
            cause =
                "\nThe kernel stores nothing there, but the copy back also brings what lies "
                "between\nthe rows on the device. Copy P to the device before the launch, or "
                "only its rows\nback (cudaMemcpy2D).";
#endif
        lab::fail("neighbours-changed", about,
                  "elements outside of this part of P have changed.{}{}", cause, place);
    }
    const matrix::Matrix values = P.values();
    if (lab::isRight({set, values})) return lab::expectProduct(about, values, set);
    if (plainRows) expectTwoTiles("subMatrixMul");
    std::string cause = causeOf(values, M, N, plainRows);
    if (cause.empty()) cause = causeInStore(about, set, values, P, plainRows);
    if (plainRows && cause.empty() && lab::unwrittenIn(values).empty()) lab::blameNoStep();
    expectNumbers(about, values, set, extra, stored, cause, place);
    INFO(place.substr(1) << cause);
    lab::expectProduct(about, values, set);
}
inline void expectRight(const lab::Text& about, Shape shape, Extra extra, Stored stored) {
    expectRight(about, lab::integers(shape), extra, stored, about);
}

// Fails the test of this step unless a matrix may have longer rows. Before that no row is longer:
// then no leading dimension is at fault. Whole tiles come first, because they show patterns that
// edges hide.
inline void expectRightWith(const Todo& todo, Shape shape, Extra extra) {
    const int T = tileWidth();
    expectRight("subMatrixMul", lab::integers({T, T, T}), {0, 0, 0}, Stored::ByRows, todo);
    expectRight("subMatrixMul", lab::integers(shape), {0, 0, 0}, Stored::ByRows, todo);
    expectRight(todo, shape, extra, Stored::ByRows);
}

#ifdef CUDA_SIMULATED_DEVICE
// Fails the test if more is copied than from the first element to the last: of a matrix that
// ends there, the gap after the last row is no memory of the program's.
inline void expectWithin(const lab::Text& about, Shape shape, Extra extra, Stored stored) {
    const matrix::DataSet set = lab::integers(shape);
    const matrix::Matrix before = matrix::poisoned(shape.j, shape.l);
    MatrixPart M(set.M, extra.m, stored), N(set.N, extra.n, stored), P(before, extra.p, stored);
    for (MatrixPart* part : {&M, &N, &P}) part->endWithLast();
    const auto multiply = stored == Stored::ByRows ? subMatrixMul : columnMajorMatrixMul;
    lab::runIgnoring(lab::andLeaks(), about, lab::gives(P.memory()).from(M.memory(), N.memory()),
                     [&] {
                         multiply(M.first(), M.ld(), N.first(), N.ld(), P.first(), P.ld(), shape.j,
                                  shape.k, shape.l);
                     });
}
#endif
