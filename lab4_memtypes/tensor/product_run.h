// Calls a step's function, for tests of its values.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "lab4_memtypes/tensor/tensor.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"

namespace tensor {

constexpr int kTile = 16;

// A half holds each whole number up to this one, and only every second one above it.
constexpr double kLastWhole = 2048;

// Runs a product. Its test reports elements of P that are never written.
inline lab::ProductRun run(const lab::Text& about, Multiply* multiply, matrix::DataSet set,
                           const std::string& leftToOtherTests = "") {
    const int Width = set.spec.j;
    return lab::runProduct({"unset-output", leftToOtherTests}, about, std::move(set),
                           [&](auto... matrices) { multiply(matrices..., Width); });
}

// Returns a set with zeros in M.
inline matrix::DataSet zeroTimesN(int Width) {
    matrix::DataSet set = lab::integers(lab::square(Width));
    set.M = matrix::Matrix(Width, Width);
    return set;
}

// Tests whether all sums are wrong only by what a half leaves out, and those that it holds right.
inline bool areSumsHalves(const lab::ProductRun& product) {
    const auto right = matrix::multiply(product.set.M, product.set.N).product;
    const double phases = product.set.spec.k / kTile;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const double error = std::abs(right[i] - double{product.P.data()[i]});
        if (!(error <= std::abs(right[i]) / kLastWhole * phases)) return false;
        if (error > 0 && std::abs(right[i]) < kLastWhole) return false;
    }
    return true;
}

// Returns what a wrong product that fits no general explanation can come from.
inline std::string cause(const lab::ProductRun& product) {
    if (product.set.spec.k == kTile)
        return "Check the first element of each tile. Do not take the index i of an element x[i] "
               "of a\nfragment for its place in the tile: CUDA leaves that place open.\n";
    if (areSumsHalves(product))
        return "Only sums above 2,048 are wrong, by a few digits: that is how far a half holds "
               "whole\nnumbers. Let the elements of the accumulator be floats.\n";
    return "Check the first element of each tile, and each leading dimension: how many elements "
           "lie\nbetween the beginnings of two rows there, in M, N and P or in the shared tiles.\n";
}

// Fails the test unless the product of these whole numbers is right. Halves hold them all. Begins
// with another step if what the product looks like tells it.
inline void expectRight(const lab::Text& about, Multiply* multiply, matrix::DataSet set,
                        const std::map<matrix::Looks, Todo>& steps = {}) {
    const lab::ProductRun product = run(about, multiply, std::move(set));
    const auto right = matrix::multiply(product.set.M, product.set.N);
    const auto looks = matrix::compare(product.P, product.set.M, product.set.N, right, true).looks;
    if (const auto step = steps.find(looks); step != steps.end()) lab::beginWith(step->second);
    lab::expectProduct(about, product, [&] { return cause(product); });
}

// Does so for even and odd numbers of phases, for more elements than a short counts, and for sums
// that a half cannot hold. Width is a multiple of `step`.
inline void expectRightForManyPhases(const lab::Text& about, Multiply* multiply, int step) {
    const device::WithoutWarps withoutWarps;
    for (const int times : {1, 2, 3, 5})
        expectRight(about, multiply, lab::integers(lab::square(times * step)));
    const int widest = 288;
    expectRight(about, multiply, lab::build(widest, widest, widest, matrix::Pattern::Ramp, 3));
}

// Fails the test unless the error of each element is at most 2^-9 of its sum of |M| |N|: rounding
// changes a factor by at most 2^-11 of it, and so a product by little more than 2^-10.
inline void expectSmallErrors(const lab::Text& about, Multiply* multiply, int Width) {
    const lab::ProductRun product = run(about, multiply, lab::fractions(lab::square(Width)));
    const matrix::Reference right = matrix::multiply(product.set.M, product.set.N);
    for (std::size_t i = 0; i < right.product.size(); ++i) {
        const double error = std::abs(right.product[i] - double{product.P.data()[i]});
        if (error <= std::ldexp(right.magnitude[i], -9)) continue;
        lab::fail("wrong-values", about,
                  "{} differs from the product of the floats by more than 1/512 of\nits sum of |M| "
                  "|N|. Rounding M and N to halves changes it by half as much.",
                  lab::elementAt(i, "P", Width));
    }
}

}  // namespace tensor
