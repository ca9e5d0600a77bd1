// Calls overlappedMatrixMul.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab4_memtypes/overlap/overlap.h"
#include "matrix/compare.h"
#include "testing/lab.h"

struct Bands {
    int j, k, l, bands, streams;
};

struct BandedRun : lab::ProductRun {
    const float *M = nullptr, *pinnedP = nullptr;  // their addresses during the call
};

// Calls the function with M and P in pinned memory.
inline void callBanded(BandedRun& run, Bands b) {
    float *M = pinnedFloats(run.set.M.size()), *P = pinnedFloats(run.P.size());
    std::copy_n(run.set.M.data(), run.set.M.size(), M);
    std::copy_n(run.P.data(), run.P.size(), P);
    overlappedMatrixMul(M, run.set.N.data(), P, b.j, b.k, b.l, b.bands, b.streams);
    std::copy_n(P, run.P.size(), run.P.data());
    run.M = M;
    run.pinnedP = P;
    freePinned(M);
    freePinned(P);
}

inline BandedRun runBanded(const lab::Text& about, Bands b,
                           const std::vector<std::string>& leftToOtherTests, matrix::DataSet set) {
    BandedRun run{{std::move(set), matrix::poisoned(b.j, b.l)}};
    lab::runIgnoring(leftToOtherTests, about,
                     lab::gives(run.P, run.M, run.pinnedP).from(run.set.M, run.set.N),
                     [&] { callBanded(run, b); });
    return run;
}

// Does so with whole numbers.
inline BandedRun runBanded(const lab::Text& about, Bands b,
                           const std::vector<std::string>& leftToOtherTests = {}) {
    return runBanded(about, b, leftToOtherTests, lab::integers({b.j, b.k, b.l}));
}
