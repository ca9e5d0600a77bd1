// Judges a step on a single tile of P, which needs no code for edges, and tells what makes it
// wrong: what was loaded and read, which of a thread's sums are wrong, and products with ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "lab4_memtypes/registers/product_run.h"
#include "lab4_memtypes/registers/thread_sums.h"
#include "testing/device.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

namespace registers {

// Returns the names as in "the third, the fourth or the fifth one".
inline lab::Text oneOf(const std::vector<Todo>& todos) {
    lab::Text text(todos.front());
    for (std::size_t i = 1; i < todos.size(); ++i)
        text = lab::filled(i + 1 == todos.size() ? "{} or {}" : "{}, {}", text, todos[i]);
    return text;
}

// A step, and what its threads share.
struct TileStep {
    Step step;
    Share rows, cols;
    std::vector<Todo> sums;  // those that read the tiles and form the sums
    Todo store;
    std::vector<Todo> loads = {};  // of M and of N; none if the loading is given

    lab::Text load(bool ofM) const {
        return loads.empty() ? lab::Text("the call of loadTiles") : lab::Text(loads[ofM ? 0 : 1]);
    }
    lab::Text sumsOrStore() const {
        std::vector<Todo> all = sums;
        all.push_back(store);
        return oneOf(all);
    }
    lab::Text loadOrSums(bool ofM) const {
        std::vector<Todo> all = sums;
        if (!loads.empty()) all.insert(all.begin(), loads[ofM ? 0 : 1]);
        return oneOf(all);
    }
};

#ifdef CUDA_SIMULATED_DEVICE
// Fails the test of a wrong product if elements of M or N were never loaded, or nothing is read
// from a tile.
inline void failForLoads(const TileStep& tile, const lab::ProductRun& run) {
    const auto& launch = cusim::launches().front();
    if (launch.barriersPerThread == 0) {
        lab::blameNoStep();
        lab::failProduct("the loop over ph", run,
                         "No thread reaches a barrier: the loop is missing, or never runs. See its "
                         "start and\nits condition.");
    }
    std::string missing[2];
    bool all[2] = {};
    for (const bool ofM : {true, false}) {
        const matrix::Matrix& input = ofM ? run.set.M : run.set.N;
        const auto* const array = launch.filledFrom(input.data());
        if (!array && !lab::isCopiedIn(input)) return;
        const std::vector<std::uint32_t> loads =
            array ? array->elementLoads : std::vector<std::uint32_t>(input.size(), 0);
        if (loads.size() != input.size()) return;
        const auto none = std::count(loads.begin(), loads.end(), 0U);
        const auto first = std::find(loads.begin(), loads.end(), 0U) - loads.begin();
        const char* const name = ofM ? "M" : "N";
        all[ofM ? 0 : 1] = static_cast<std::size_t>(none) == loads.size();
        if (all[ofM ? 0 : 1])
            missing[ofM ? 0 : 1] = lab::filled("No element of {} is loaded", name);
        else if (none > 0)
            missing[ofM ? 0 : 1] = lab::filled(
                "{} of {} are never loaded, {} the first", lab::count(none, "element"), name,
                lab::elementAt(static_cast<std::size_t>(first), name, input.cols()));
    }
    // If parts of both are missing, phases are missing.
    const bool ofM = !missing[0].empty(), ofN = !missing[1].empty();
    if ((ofM && ofN && !(all[0] && all[1])) || (!ofM && !ofN)) return;
    const lab::Text known = lab::filled(
        "{}{}.\n{}", missing[ofM ? 0 : 1], ofM && ofN ? ", and no element of N" : "",
        tile.loads.empty()
            ? "If you did not change loadTiles, see its arguments and the loop over ph."
            : "See the array that is loaded, the comparison before the load, and Row and Col.");
    if (tile.loads.empty()) lab::blameNoStep();
    if (!tile.loads.empty()) lab::beginWith(tile.loads[ofM ? 0 : 1]);
    lab::failProduct(ofM && ofN && !tile.loads.empty()
                         ? lab::filled("{} and {}", tile.load(true), tile.load(false))
                         : tile.load(ofM),
                     run, known);
}

inline void failForReads(const TileStep& tile, const lab::ProductRun& run) {
    std::vector<std::string> unread;
    for (const auto& array : cusim::launches().front().arrays)
        if (array.space == cusim::Space::Shared && array.count.stores > 0 && array.count.loads == 0)
            unread.push_back(array.name);
    if (!unread.empty())
        lab::failProduct(
            oneOf(tile.sums), run,
            lab::filled("Nothing is read from {}.\nEither no line reads it, or no thread reaches "
                        "that line: see the start and the\ncondition of the loops around it.",
                        unread.size() == 1 ? unread[0] : unread[0] + " and " + unread[1]));
}
#endif

// Returns what the kernel makes of these matrices.
inline matrix::Matrix productOf(const TileStep& tile, matrix::Matrix M, matrix::Matrix N) {
    matrix::Matrix P = matrix::poisoned(M.rows(), N.cols());
    device::reset();
    device::runQuietly(lab::gives(P).from(M, N), [&] {
        tile.step.multiply(M.data(), N.data(), P.data(), M.rows(), M.cols(), N.cols());
    });
    return P;
}

// Returns the product of a matrix with ones: what the kernel takes for the elements of M (or N), in
// the order in which they meet those of the other one.
inline matrix::Matrix taken(const TileStep& tile, const matrix::DataSet& like, bool ofM) {
    matrix::Matrix M(like.M.rows(), like.M.cols()), N(like.N.rows(), like.N.cols());
    matrix::Matrix& numbered = ofM ? M : N;
    for (std::size_t i = 0; i < numbered.size(); ++i)
        numbered.data()[i] = static_cast<float>(i + 1);
    for (int line = 0; line < 64; ++line)
        (ofM ? N(line % N.rows(), line) : M(line, line % M.cols())) = 1.0F;
    return productOf(tile, M, N);
}

// Tests whether values of M (or N) come into the sums, by such as make each of these NaN.
inline bool arrives(const TileStep& tile, const matrix::DataSet& like, bool ofM) {
    const auto filled = [](const matrix::Matrix& m, float value) {
        return matrix::Matrix(m.rows(), m.cols(), value);
    };
    const matrix::Matrix P =
        productOf(tile, filled(like.M, ofM ? NAN : 1.0F), filled(like.N, ofM ? 1.0F : NAN));
    return std::any_of(P.data(), P.data() + P.size(), [](float v) { return std::isnan(v); });
}

// Returns which element of M (or N) the products use instead of another one, if that alone
// makes the result wrong; else nothing. `shown` is the product of the numbered matrix with ones.
inline std::string wrongTaken(const matrix::Matrix& shown, const lab::ProductRun& run, bool ofM) {
    const matrix::Matrix& input = ofM ? run.set.M : run.set.N;
    const char* const name = ofM ? "M" : "N";
    constexpr std::size_t kUnknown = SIZE_MAX;
    std::vector<std::size_t> from(input.size(), kUnknown);  // the element's number, from 1
    for (int row = 0; row < shown.rows(); ++row)
        for (int col = 0; col < shown.cols(); ++col) {
            const float number = shown(row, col);
            if (!(number >= 0.0F && number <= static_cast<float>(input.size()))) return "";
            const auto taken = static_cast<std::size_t>(number);
            std::size_t& known = from[input.index(row % input.rows(), col % input.cols())];
            if (static_cast<float>(taken) != number || (known != kUnknown && known != taken))
                return "";
            known = taken;
        }
    matrix::Matrix changed(input.rows(), input.cols());
    std::size_t first = kUnknown;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] > 0) changed.data()[i] = input.data()[from[i] - 1];
        if (from[i] != i + 1) first = std::min(first, i);
    }
    const auto product = ofM ? matrix::multiply(changed, run.set.N).product
                             : matrix::multiply(run.set.M, changed).product;
    const bool explained = std::equal(product.begin(), product.end(), run.P.data(),
                                      [](double a, float b) { return static_cast<float>(a) == b; });
    if (first == kUnknown || !explained) return "";
    const std::string meant = lab::elementAt(first, name, input.cols());
    return from[first] == 0 ? lab::filled("{} is used in no product", meant)
                            : lab::filled("instead of {}, the products use {}", meant,
                                          lab::elementAt(from[first] - 1, name, input.cols()));
}

// Tests whether M's memory is taken for N's, and N's for M's.
inline bool areExchanged(const lab::ProductRun& run) {
    matrix::Matrix M(run.set.M.rows(), run.set.M.cols()), N(run.set.N.rows(), run.set.N.cols());
    std::copy_n(run.set.N.data(), M.size(), M.data());
    std::copy_n(run.set.M.data(), N.size(), N.data());
    const auto right = matrix::multiply(M, N).product;
    return std::equal(right.begin(), right.end(), run.P.data(),
                      [](double a, float b) { return static_cast<float>(a) == b; });
}

// Tests whether elements are NaNs, and none of these comes from uninitialized memory.
inline bool holdsOtherBits(const matrix::Matrix& P) {
    bool found = false;
    for (std::size_t i = 0; i < P.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, P.data() + i, sizeof bits);
        if (bits == (matrix::kPoisonBits | 0x00400000U)) return false;
        found |= std::isnan(P.data()[i]);
    }
    return found;
}

// Tests whether only the store is to blame: elements were never written, and each row, or each
// column, holds sums that belong into one.
inline bool onlyStoreIsWrong(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    const std::vector<std::size_t> unwritten = lab::unwrittenIn(P);
    if (unwritten.empty() || unwritten.size() == P.size() || P.rows() != P.cols()) return false;
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    std::vector<bool> written(P.size(), true);
    for (const std::size_t i : unwritten) written[i] = false;
    const int n = P.rows();
    const auto holdsLines = [&](bool ofRows) {
        const auto at = [&](int line, int i) {
            return ofRows ? P.index(line, i) : P.index(i, line);
        };
        for (int line = 0; line < n; ++line) {
            // A few sums may fit a line by chance.
            int sums = 0;
            for (int i = 0; i < n; ++i) sums += written[at(line, i)];
            bool found = sums == 0;
            for (int other = 0; other < n && !found; ++other) {
                int i = 0;
                while (i < n && (!written[at(line, i)] ||
                                 P.data()[at(line, i)] == static_cast<float>(right[at(other, i)])))
                    ++i;
                found = i == n && sums >= 8;
            }
            if (!found) return false;
        }
        return true;
    };
    return holdsLines(true) || holdsLines(false);
}

// Returns how a tile of P that is 64 x 64, of 8 rows or of 8 x 8 elements a thread, differs from
// the right one if only the sums of the threads have changed their places or were added up; empty
// if that does not explain it.
inline std::string placesOfSums(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    const int n = P.rows();
    const auto at = [&](int row, int col) { return static_cast<float>(right[P.index(row, col)]); };
    const auto fits = [&](const auto& wanted) {
        for (int row = 0; row < n; ++row)
            for (int col = 0; col < n; ++col)
                if (!(P(row, col) == wanted(row, col))) return false;
        return true;
    };
    // The first line with another line's content, if each line has some line's content.
    for (const bool ofRows : {true, false}) {
        const auto line = [&](int i, int k, const auto& from) {
            return ofRows ? from(i, k) : from(k, i);
        };
        int first = -1, holds = -1, found = 0;
        for (int i = 0; i < n; ++i)
            for (int other = 0; other < n; ++other) {
                int k = 0;
                while (k < n && line(i, k, P) == line(other, k, at)) ++k;
                if (k < n) continue;
                ++found;
                if (i != other && first < 0) first = i, holds = other;
                break;
            }
        const char* const name = ofRows ? "row" : "column";
        if (found == n && first >= 0)
            return lab::filled(
                "The sums are right, but in the wrong {}s: {} {} of P holds the sums of {} "
                "{}.\nSee how the {} is computed for the sums, and for the store.",
                name, name, first, name, holds, name);
    }
    constexpr int kEach = 8;  // TM
    if (n != kEach * kEach) return "";
    if (fits([&](int row, int col) {
            float sum = 0.0F;
            for (int a = 0; row % kEach == 0 && a < kEach; ++a) sum += at(row + a, col);
            return sum;
        }))
        return "Row 0 of P holds the sum of rows 0 to 7, and rows 1 to 7 are 0. All groups of 8 "
               "rows\nare like this: each thread adds the products of all its rows to one sum.";
    return "";
}

// Fails the test because of a wrong product, with what its elements show.
[[noreturn]] inline void failForElements(const TileStep& tile, const lab::ProductRun& run) {
    if (holdsOtherBits(run.P))
        lab::failProduct(
            tile.step.about, run,
            "Elements of P are NaN (not a number), but no uninitialized value was used. Are "
            "the\nbits of an int used as a float? See the types of the tiles.");
    const ThreadSums sums(tile.rows, tile.cols, run);
    if (const std::string told = sums.tell(); !told.empty())
        lab::failProduct(sums.hasUnset() ? oneOf(tile.sums) : tile.sumsOrStore(), run, told);
    if (const std::string places = placesOfSums(run); !places.empty())
        lab::failProduct(tile.sumsOrStore(), run, places);
    if (areExchanged(run)) {
        if (tile.loads.empty()) lab::blameNoStep();
        lab::failProduct(tile.loads.empty() ? tile.load(true) : oneOf(tile.loads), run,
                         "Elements of N are used as elements of M, and those of M as elements of "
                         "N. See the\nloads of the tiles: M and N are exchanged there.");
    }
    const std::string general = lab::looksOf(run.P, run.set);
    const std::string ofM = wrongTaken(taken(tile, run.set, true), run, true);
    const std::string ofN = wrongTaken(taken(tile, run.set, false), run, false);
    const bool comesM = arrives(tile, run.set, true), comesN = arrives(tile, run.set, false);
    if (comesM != comesN) {
        const char* const name = comesM ? "N" : "M";
        lab::failProduct(tile.loadOrSums(!comesM), run,
                         lab::filled("No value of {} gets into the sums. Check that it is stored "
                                     "in its tile after it is\nloaded, and that this tile is read.",
                                     name));
    }
    if (general.empty() && ofM.empty() != ofN.empty()) {
        const bool isM = !ofM.empty();
        lab::failProduct(tile.loadOrSums(isM), run,
                         lab::filled("Only {} is wrong: {}.\nSee where {} is loaded into its tile, "
                                     "and where this tile is read.",
                                     isM ? "M" : "N", isM ? ofM : ofN, isM ? "M" : "N"));
    }
    lab::failProduct(tile.step.about, run, general);
}

// Fails the test unless a single tile of P is right.
inline void expectOneTile(const TileStep& tile) {
    const Step& step = tile.step;
    const Todo& store = tile.store;
#ifdef CUDA_SIMULATED_DEVICE
    const lab::CountElements countElements;
    cusim::options().enoughBarriers = 2 * 16 / 8;  // two in each phase of BK columns
#endif
    const lab::ProductRun run = runStep(step, lab::integers(kOneTile), {"unset-output"});
#ifdef CUDA_SIMULATED_DEVICE
    const auto& all = cusim::launches();
    if (!all.empty() && all.front().global().stores == 0) {
        lab::beginWith(store);
        lab::fail("never-written", step.about,
                  "nothing is stored in P, so the test cannot judge this step.\nDo {} first. If "
                  "its line is there, no thread reaches it: see the loops around\nit, Row and Col, "
                  "and the comparisons.",
                  store);
    }
    // The tiles are 64 x BK and BK x 64, and each phase has two barriers, or too few.
    const cusim::LaunchReport launch = all.empty() ? cusim::LaunchReport{} : all.front();
    const std::uint64_t bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
    const std::uint64_t depth =
        std::min<std::uint64_t>(8, 2 * 16 / std::max<std::uint64_t>(1, launch.barriersPerThread));
    const std::uint64_t wanted = depth * 2 * 64 * sizeof(float);
    if (bytes > 0 && bytes < wanted && !lab::isRight(run))
        lab::failOfNoStep(
            "shared-memory",
            "{}: a block has {} of shared memory, but two\ntiles of floats need {}. Declare both "
            "tiles with __shared__, and as float.\nWithout __shared__, each thread has its own "
            "array, and does not see what other\nthreads load.",
            step.about, lab::count(bytes, "byte"), lab::grouped(wanted));
#endif
    const bool right = lab::isRight(run);
    if (!testing::judges()) {
        // A wrong product is asked for these, in this order.
        for (const bool ofM : {true, false}) taken(tile, run.set, ofM);
        for (const bool ofM : {true, false}) arrives(tile, run.set, ofM);
    }
    const std::vector<std::size_t> unwritten = lab::unwrittenIn(run.P);
    if (!right && !unwritten.empty() && unwritten.size() < run.P.size()) {
        lab::beginWith(store);
        lab::fail("partly-written", store,
                  "{} of P were never written, {} the first{}.\nThe store must store all sums of a "
                  "thread, each in its row and column.",
                  lab::count(unwritten.size(), "element"),
                  lab::elementAt(unwritten.front(), "P", run.P.cols()),
                  onlyStoreIsWrong(run) ? ".\nThe sums that are stored are right" : "");
    }
    if (right) {
        lab::expectProduct(step.about, run);
        rightCalls().insert({step.multiply, kOneTile.j, kOneTile.k, kOneTile.l});
        return;
    }
#ifdef CUDA_SIMULATED_DEVICE
    if (!all.empty()) {
        failForLoads(tile, run);
        failForReads(tile, run);
    }
#endif
    failForElements(tile, run);
}

}  // namespace registers
