// Tells from the simulated device's record of a call what makes it end early, or its product wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "testing/lab_sim.h"

namespace constant {

using lab::Shape;

// Floats that constant memory holds.
constexpr int kConstantFloats = 16384;

class Causes {
  public:
    Causes(Shape shape, const float* M) : s_(shape), M_(M) {}

    // Blames the step, or no step, that causes this run to end early or its product to be wrong;
    // returns what shows that, or nothing.
    std::string tell() const {
        const auto& launches = cusim::launches();
        if (launches.empty()) return "";
        const bool unset = !lab::findingsOf("unset-output").empty();
        const dim3 &grid = launches.front().grid, &block = launches.front().block;
        // A piece would hold no row at all.
        if (grid.y == 0 && !holdsRows())
            return blame(
                3, lab::timesCalled("cudaMemcpyToSymbol") == 0
                       ? ""
                       : lab::filled("The grid has no blocks because this piece has no rows.\n"
                                     "For k = {} a piece has {}: CONSTANT_FLOATS / k.",
                                     s_.k, lab::count(rowsOfPiece(), "row")));
        // The grid still maps rows to x.
        if (unset && isFor(grid.x, block.x, rowsOfPiece()) && isFor(grid.y, block.y, s_.l) &&
            !coversPiece(0))
            return blame(2, "");
        if (const std::string tooMany = tooManyRows(); !tooMany.empty()) return blame(3, tooMany);
        if (launches.size() != pieces()) return "";
        if (pieces() > 1 && copiesBeforeLaunch() == pieces())
            return blame(3, lab::filled("All {} pieces of M are copied before launch 1, each over "
                                        "the one before, so\nthat Mc holds only the last. Copy a "
                                        "piece, launch the kernel, then copy the\nnext piece.",
                                        pieces()));
        if (const std::string wrong = wrongInMc(); !wrong.empty()) return blame(4, wrong);
        for (std::size_t piece = 0; piece < launches.size(); ++piece)
            if (!coversPiece(piece)) return tooFewThreads(piece);
        if (!known_) return "";
        lab::blameNoStep();
        // A finding of the host's calls tells that better.
        if (isTooSmall()) return "";
        for (const char* kind :
             {"invalid-launch", "stream-race", "wild-copy", "invalid-free", "double-free"})
            if (!lab::findingsOf(kind).empty()) return "";
        return "The rows of M are in Mc, and the grid covers P. So see the kernel, and\nthe "
               "arguments of its launch." +
               std::string(std::max({s_.j, s_.k, s_.l}) < 128 || launches.size() > 1
                               ? ""
                               : "\nSmaller sizes are right: is a size or an index a char, which "
                                 "ends\nat 127?") +
               wrongStores();
    }

    // Returns what is wrong with the kernel's loads in a call whose copies are right.
    std::string wrongLoads(const float* N) const {
        for (std::size_t piece = 0; piece < cusim::launches().size(); ++piece) {
            const auto& arrays = cusim::launches()[piece].arrays;
            const auto mc = std::find_if(arrays.begin(), arrays.end(), [](const auto& array) {
                return array.space == cusim::Space::Constant;
            });
            if (mc == arrays.end()) return "\nThe kernel reads no element of Mc.";
            const std::vector<std::uint32_t>& loads = mc->elementLoads;
            const std::size_t end = std::min(lab::product(rowsIn(piece), s_.k), loads.size());
            const auto last = loads.begin() + static_cast<std::ptrdiff_t>(end);
            const auto unread = std::find(loads.begin(), last, 0U);
            const auto behind = std::find_if(last, loads.end(), [](auto n) { return n > 0; });
            std::string wrong;
            if (unread != last)
                wrong = lab::filled(" Mc[{}] is never read.", unread - loads.begin());
            if (behind != loads.end())
                wrong += lab::filled(" Mc[{}] is also read.", behind - loads.begin());
            if (!wrong.empty())
                return lab::filled("\nThe rows are in Mc[0] to Mc[{}].{}", end - 1, wrong);
            const auto* ofN = cusim::launches()[piece].filledFrom(N);
            if (!ofN || ofN->elementLoads.size() != lab::product(s_.k, s_.l)) continue;
            const auto& times = ofN->elementLoads;
            const auto never = std::find(times.begin(), times.end(), 0U);
            if (never != times.end())
                return lab::filled(
                    "\n{} is never read.",
                    lab::elementAt(static_cast<std::size_t>(never - times.begin()), "N", s_.l));
        }
        return "";
    }

  private:
    // Returns which launch does not store the rows of its piece of M, each element once.
    std::string wrongStores() const {
        for (std::size_t piece = 0; piece < cusim::launches().size(); ++piece) {
            const std::size_t first = piece * lab::product(rowsOfPiece(), s_.l),
                              end = first + lab::product(rowsIn(piece), s_.l);
            for (const auto& array : cusim::launches()[piece].arrays) {
                const std::vector<std::uint32_t>& times = array.elementStores;
                if (!cusim::launches()[piece].completed || array.copiedFrom ||
                    array.space != cusim::Space::Global || times.size() != lab::product(s_.j, s_.l))
                    continue;
                for (std::size_t i = 0; i < times.size(); ++i) {
                    const bool ofPiece = i >= first && i < end;
                    if (ofPiece == (times[i] > 0)) continue;
                    return lab::filled(
                        "\nLaunch {} must store {} to {}, but it {} {}.", piece + 1,
                        lab::elementAt(first, "P", s_.l), lab::elementAt(end - 1, "P", s_.l),
                        ofPiece ? "never stores" : "stores", lab::elementAt(i, "P", s_.l));
                }
            }
        }
        return "";
    }

    // Returns which launch computes more rows than Mc holds; empty if none does.
    std::string tooManyRows() const {
        for (std::size_t i = 0; i < cusim::launches().size(); ++i) {
            const auto& launch = cusim::launches()[i];
            const auto& numbers = launch.numbers;  // firstRow, rows, k, l
            if (launch.kernel != "constantMatrixMulKernel" || numbers.size() != 4) continue;
            if (numbers[2] != s_.k || numbers[1] <= kConstantFloats / s_.k) continue;
            return lab::filled(
                "Launch {} gets rows = {} and k = {}, but Mc has room for {} whole rows. A "
                "piece\nmust begin and end with a row: CONSTANT_FLOATS / k is its number of rows.",
                i + 1, numbers[1], s_.k, kConstantFloats / s_.k);
        }
        return "";
    }

    static bool covers(unsigned blocks, unsigned threads, int all) {
        return blocks * threads >= static_cast<unsigned>(all);
    }
    static bool isFor(unsigned blocks, unsigned threads, int all) {
        return covers(blocks, threads, all) && !covers(blocks - 1, threads, all);
    }
    // Returns whether a part of M was copied to the device.
    bool holdsRows() const {
        const auto& steps = cusim::streamSteps();
        return std::any_of(steps.begin(), steps.end(), [&](const cusim::StreamStep& step) {
            const std::size_t from =
                reinterpret_cast<std::uintptr_t>(step.host) - reinterpret_cast<std::uintptr_t>(M_);
            return step.what == cusim::StreamStep::CopyIn && step.bytes > 0 &&
                   from < lab::product(s_.j, s_.k) * sizeof(float);
        });
    }
    // Returns how many parts of M are copied to the start of Mc before the first launch.
    std::size_t copiesBeforeLaunch() const {
        std::size_t copies = 0;
        for (const cusim::StreamStep& step : cusim::streamSteps()) {
            if (step.what == cusim::StreamStep::Launch) break;
            const std::size_t from =
                reinterpret_cast<std::uintptr_t>(step.host) - reinterpret_cast<std::uintptr_t>(M_);
            copies += step.what == cusim::StreamStep::CopyIn && step.offset == 0 &&
                      from == copies * lab::product(rowsOfPiece(), s_.k) * sizeof(float);
        }
        return copies;
    }
    static std::string blame(int todo, const std::string& sentence) {
        lab::beginWith(Todo(todo));
        return sentence;
    }
    int rowsOfPiece() const { return std::min(s_.j, kConstantFloats / s_.k); }
    std::size_t pieces() const { return static_cast<std::size_t>((s_.j - 1) / rowsOfPiece() + 1); }
    int rowsIn(std::size_t piece) const {
        return std::min(rowsOfPiece(), s_.j - static_cast<int>(piece) * rowsOfPiece());
    }
    bool coversPiece(std::size_t piece) const {
        const auto& launch = cusim::launches()[piece];
        return covers(launch.grid.x, launch.block.x, s_.l) &&
               covers(launch.grid.y, launch.block.y, rowsIn(piece));
    }

    // Returns the threads of a launch that covers too little; nothing if rows are mapped to x.
    std::string tooFewThreads(std::size_t piece) const {
        const dim3 &grid = cusim::launches()[piece].grid, &block = cusim::launches()[piece].block;
        const int rows = rowsIn(piece);
        if (isFor(grid.x, block.x, rows) && isFor(grid.y, block.y, s_.l)) return "";
        lab::blameNoStep();
        return lab::filled(
            "Launch {} has {} See both\nsizes of the launch, kernel<<<dimGrid, dimBlock>>>(...).",
            piece + 1, lab::tooFewThreads(cusim::launches()[piece], s_.l, rows));
    }

    // Returns whether N, or P, has less device memory than it takes: a finding tells that better.
    bool isTooSmall() const {
        const auto& arrays = cusim::launches().front().arrays;
        return std::any_of(arrays.begin(), arrays.end(), [&](const auto& array) {
            const auto floats = lab::product(array.copiedFrom ? s_.k : s_.j, s_.l);
            return array.space == cusim::Space::Global && array.bytes < floats * sizeof(float);
        });
    }

    // Returns whether parts of M are copied to this allocation, but none before the first launch.
    bool copiedOnlyAfterwards(int mc) const {
        bool launched = false;
        for (const cusim::StreamStep& step : cusim::streamSteps()) {
            launched |= step.what == cusim::StreamStep::Launch;
            const std::size_t from =
                reinterpret_cast<std::uintptr_t>(step.host) - reinterpret_cast<std::uintptr_t>(M_);
            if (step.what == cusim::StreamStep::CopyIn && step.allocation == mc &&
                from < lab::product(s_.j, s_.k) * sizeof(float))
                return launched;
        }
        return false;
    }

    // Returns which float of Mc does not hold its element of M when a piece is computed; empty
    // if all do, or if they came through other memory.
    std::string wrongInMc() const {
        const auto first = reinterpret_cast<std::uintptr_t>(M_);
        const std::size_t all = lab::product(s_.j, s_.k);
        std::vector<std::size_t> held(kConstantFloats, all);  // indices into M
        std::size_t launched = 0;
        int mc = -1;
        known_ = lab::timesCalled("cudaMemcpyToSymbol") > 0;
        for (const auto& array : cusim::launches().front().arrays)
            if (array.space == cusim::Space::Constant) mc = array.allocation;
        const auto& calls = cusim::calls();
        if (mc >= 0 && std::none_of(calls.begin(), calls.end(), [](const std::string& call) {
                return call.find("Symbol") != std::string::npos;
            }))
            return "The kernel reads Mc, but this call copies nothing there: "
                   "use\ncudaMemcpyToSymbol.";
        for (const cusim::StreamStep& step : cusim::streamSteps()) {
            const std::size_t from = (reinterpret_cast<std::uintptr_t>(step.host) - first) / 4;
            const bool copied = step.what == cusim::StreamStep::CopyIn;
            if (copied && from < all && mc < 0) mc = step.allocation;
            if (copied && step.allocation == mc && step.offset % sizeof(float) != 0)
                return lab::filled(
                    "A copy begins at byte {} of Mc, inside one of its floats. The "
                    "fourth\nargument of "
                    "cudaMemcpyToSymbol is this offset, in bytes. The direction is\nthe fifth.",
                    step.offset);
            if (copied && step.allocation == mc) {
                known_ &= from < all;
                const std::size_t to = step.offset / sizeof(float);
                for (std::size_t i = 0; i < step.bytes / sizeof(float); ++i)
                    if (to + i < held.size()) held[to + i] = from + i;
            }
            if (step.what != cusim::StreamStep::Launch || !known_) continue;
            const std::size_t begin = launched * lab::product(rowsOfPiece(), s_.k);
            for (std::size_t i = 0; i < lab::product(rowsIn(launched), s_.k); ++i) {
                if (held[i] == begin + i) continue;
                if (held[i] == all && launched == 0 && copiedOnlyAfterwards(mc))
                    return "M is copied to Mc only after launch 1. Copy each piece first, and "
                           "then launch\nthe kernel for it.";
                const std::string holds = held[i] < all
                                              ? "it holds " + lab::elementAt(held[i], "M", s_.k)
                                              : "nothing was copied there";
                return lab::filled(
                    "For launch {}, Mc[{}] must hold {}, but {}.\nSee the source and the bytes of "
                    "cudaMemcpyToSymbol.",
                    launched + 1, i, lab::elementAt(begin + i, "M", s_.k), holds);
            }
            ++launched;
        }
        return "";
    }

    Shape s_;
    const float* M_;
    mutable bool known_ = false;  // the copies into Mc were of M
};

}  // namespace constant
