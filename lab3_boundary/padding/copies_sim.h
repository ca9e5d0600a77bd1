// Checks the copies that the simulated device recorded, so that each step of the host's code is
// judged alone, also while others are missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "lab3_boundary/padding/padded_run.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

// Returns the launch that multiplies: of the kernel that reads most, the last of several, as others
// may fill with zeros before it, or bring P together after it.
inline const cusim::LaunchReport& launchOf(const lab::Text& about) {
    lab::launchOf(about);
    const auto& all = cusim::launches();
    const auto readsLess = [](const auto& one, const auto& other) {
        return one.global().loadedBytes < other.global().loadedBytes;
    };
    const std::string kernel = std::max_element(all.rbegin(), all.rend(), readsLess)->kernel;
    return *std::find_if(all.begin(), all.end(),
                         [&](const auto& launch) { return launch.kernel == kernel; });
}

inline int whole(int elements) { return tilesIn(elements) * tileWidth(); }

// Returns the floats of all matrices on the device.
inline std::uint64_t floatsOnDevice(const cusim::LaunchReport& launch) {
    std::uint64_t bytes = 0;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Global) bytes += array.bytes;
    return bytes / sizeof(float);
}

inline std::uint64_t floatsWanted(Shape shape) {
    const int J = whole(shape.j), K = whole(shape.k), L = whole(shape.l);
    return product(J, K) + product(K, L) + product(J, L);
}

// The accesses that end outside of an array if it is too small, or the launch is wrong.
inline const lab::AccessesOfSteps kAccesses = {{1, {"reads M", "reads N", "writes P"}}};

// Fails the test, and blames no step, if the padded sizes are right, the product is wrong, and
// block, grid or sizes of the launch do not fit.
inline void expectLaunch(Shape shape) {
    PaddedRun run = beforeRun(lab::integers(shape));
    const auto again = [&run] {
        run = beforeRun(std::move(run.set));
        device::reset();
        device::runQuietly(lab::gives(run.memory).from(run.set.M, run.set.N),
                           [&] { multiply(run); });
        std::copy(run.memory.data(), run.memory.data() + run.P.size(), run.P.data());
    };
    cusim::LaunchReport launch;
    {
        // A kernel that continues shows all of its arrays.
        const lab::Forgiving forgiving(kAccesses);
        again();
        if (!cusim::launches().empty()) launch = launchOf(Todo(2));
    }
    again();
    if (cusim::launches().empty() || lab::isRight(run)) return;
    if (floatsOnDevice(launch) != floatsWanted(shape)) return;
    expectLaunchOf(launch, "wholeTilesKernel", {{"K", whole(shape.k)}, {"L", whole(shape.l)}},
                   shape);
    const auto x = static_cast<unsigned>(tilesIn(shape.l)),
               y = static_cast<unsigned>(tilesIn(shape.j));
    if (launch.grid.x == x && launch.grid.y == y) return;
    lab::failOfNoStep("grid-size",
                      "boundedMatrixMulPadded: the grid has {} x {} blocks, but the padded\nP "
                      "needs {} x {}. See dimGrid.{}",
                      launch.grid.x, launch.grid.y, x, y, seenWith(shape));
}

// The bytes that copies wrote on one side, and their source on the other.
struct Copies {
    std::map<int, std::map<std::size_t, std::uintptr_t>> in;  // by allocation and offset
    std::map<std::uintptr_t, std::pair<int, std::size_t>> out;
    bool elsewhere = false;  // a copy also used host memory of the student's own
};

inline bool isIn(std::uintptr_t address, const float* first, std::size_t size) {
    return address - reinterpret_cast<std::uintptr_t>(first) < size * sizeof(float);
}

inline Copies copiesOf(const PaddedRun& run) {
    Copies copies;
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        const auto host = reinterpret_cast<std::uintptr_t>(step.host);
        const bool in = step.what == cusim::StreamStep::CopyIn;
        if (!in && step.what != cusim::StreamStep::CopyOut) continue;
        const bool known = in ? isIn(host, run.set.M.data(), run.set.M.size()) ||
                                    isIn(host, run.set.N.data(), run.set.N.size())
                              : isIn(host, run.memory.data(), run.memory.size());
        if (!known) copies.elsewhere = true;
        for (std::size_t byte = 0; known && byte < step.bytes; ++byte)
            if (in)
                copies.in[step.allocation][step.offset + byte] = host + byte;
            else
                copies.out[host + byte] = {step.allocation, step.offset + byte};
    }
    return copies;
}

// Returns whether the byte at this offset was copied from `host`.
inline bool holds(const std::map<std::size_t, std::uintptr_t>& bytes, std::size_t offset,
                  std::uintptr_t host) {
    const auto found = bytes.find(offset);
    return found != bytes.end() && found->second == host;
}

// Returns the offset of a padded matrix in this allocation: 0 if the matrix fills it, else `seen`,
// because all matrices may share one.
inline std::size_t startOf(int allocation, std::uint64_t floats, std::size_t seen) {
    for (const cusim::LaunchReport& launch : cusim::launches())
        for (const auto& array : launch.arrays)
            if (array.allocation == allocation && array.bytes == floats * sizeof(float)) return 0;
    return seen;
}

// Returns what is wrong with the copy of a matrix into one with rows of `pitch` floats; empty if
// it is right.
inline std::string wrongIn(const Copies& copies, const std::string& name,
                           const matrix::Matrix& from, int pitch) {
    const auto first = reinterpret_cast<std::uintptr_t>(from.data());
    const std::map<std::size_t, std::uintptr_t>* bytes = nullptr;
    int into = -1;
    for (const auto& [allocation, content] : copies.in)
        for (const auto& [offset, host] : content)
            if (isIn(host, from.data(), from.size())) bytes = &content, into = allocation;
    if (!bytes) return name + " is never copied to the device";
    std::size_t seen = bytes->begin()->first;
    for (const auto& [offset, host] : *bytes)
        if (host == first) {
            seen = offset;
            break;
        }
    const std::size_t start = startOf(into, product(whole(from.rows()), pitch), seen);
    for (int row = 0; row < from.rows(); ++row)
        for (int col = 0; col < pitch; ++col) {
            const std::size_t at =
                start + (product(row, pitch) + static_cast<std::size_t>(col)) * sizeof(float);
            const bool inside = col < from.cols();
            const auto wanted =
                first + (product(row, from.cols()) + static_cast<std::size_t>(col)) * sizeof(float);
            if (inside && !(holds(*bytes, at, wanted) && holds(*bytes, at + 3, wanted + 3)))
                return lab::filled(
                    "{} is not copied to row {}, column {} of d_{}{}", element(name, row, col), row,
                    col, name,
                    wanted != first || seen == start
                        ? ""
                        : lab::filled(",\nbut {} floats after it", (seen - start) / sizeof(float)));
            if (!inside && bytes->count(at))
                return lab::filled(
                    "row {}, column {} of d_{} must stay zero, but a part of {} is copied there",
                    row, col, name, name);
        }
    return "";
}

// Returns what is wrong with the copy of the product back into P; empty if it is right.
inline std::string wrongOut(const Copies& copies, const PaddedRun& run, int pitch) {
    const auto host = reinterpret_cast<std::uintptr_t>(run.memory.data());
    if (copies.out.empty()) return "nothing is copied back into P";
    auto first = copies.out.begin()->second;
    first.second = startOf(first.first, product(whole(run.P.rows()), pitch), first.second);
    for (int row = 0; row < run.P.rows(); ++row)
        for (int col = 0; col < run.P.cols(); ++col) {
            const auto column = static_cast<std::size_t>(col);
            const std::size_t there = first.second + (product(row, pitch) + column) * sizeof(float);
            const auto here = host + (product(row, run.P.cols()) + column) * sizeof(float);
            for (const std::size_t byte : {std::size_t{0}, sizeof(float) - 1}) {
                const auto found = copies.out.find(here + byte);
                if (found == copies.out.end())
                    return element("P", row, col) + " is not copied back";
                if (found->second != std::make_pair(first.first, there + byte))
                    return lab::filled("{} is not copied from row {}, column {} of d_P",
                                       element("P", row, col), row, col);
            }
        }
    return "";
}

// Returns whether the product is right, by whatever copies.
inline bool isRight(const PaddedRun& run) {
    return lab::isRight(run) && cusim::notStoredByKernels(run.P.data(), run.P.size()) == 0;
}
