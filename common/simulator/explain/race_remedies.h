// Returns what to do about a race, by which threads execute its lines according to the source.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/observers/race_log.h"

namespace cusim {

// Returns why several threads, or blocks, store one element of an array on a line, and what to do;
// empty if the source does not show it. `id` is the array's, in shared or in device memory.
std::string ifStoredByMany(bool shared, std::uint32_t id, bool acrossBlocks, const Place& at,
                           const LaunchConfig& config);

// Returns the nearest other line that stores into an array, and the element as it is written there.
std::pair<int, std::string> otherStore(const std::string& file, int line, const std::string& name);

// Returns what to do if a barrier between two lines would be in a branch or loop that the threads
// of a block take differently; else empty.
std::string ifInBranch(const RaceExample& one, const Place& first, const Place& second, int used);

// Returns what to do if a block continues to the elements of another one: by a stride of its own
// width, or from the end of a row to the next one; else empty.
std::string ifInOtherBlock(const Place& at, const KernelCall& call, const LaunchConfig& config);

// Returns what to do if an if makes some rounds of a loop skip the barrier that would order two
// lines of it; else empty.
std::string ifBarrierInBranch(const RaceExample& one, const Place& first, const Place& second,
                              int used);

// Returns what to do if threads of a block race in one line, whose second access is a load or not.
std::string remedyInOneLine(const Place& at, bool isLoad, int used);

// Returns what to do if threads of a block race in two lines. The rounds of the loop in line
// `loop`, around the second one, race as well, unless it is 0; `index` comes before the advice.
std::string remedyBetweenLines(const Place& first, const Place& second, int loop,
                               const std::string& index, int used);

}  // namespace cusim
