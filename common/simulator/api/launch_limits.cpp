#include "simulator/api/launch_limits.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "simulator/engine/device_profile.h"
#include "simulator/engine/runtime.h"
#include "simulator/findings/coordinates.h"
#include "simulator/findings/finding.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/simulator.h"

// Provided by the linker; weak, because a program may have no kernel.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
extern const std::uintptr_t __start___patchable_function_entries[] __attribute__((weak));
extern const std::uintptr_t __stop___patchable_function_entries[] __attribute__((weak));
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace cusim {
namespace {

#if defined(__x86_64__)
constexpr std::uintptr_t kBytesInFront = 1;
#else
constexpr std::uintptr_t kBytesInFront = 4;
#endif

}  // namespace

bool isKernel(const void* function) {
    const std::uintptr_t entry = reinterpret_cast<std::uintptr_t>(function) - kBytesInFront;
    const auto* const end = __stop___patchable_function_entries;
    return std::find(__start___patchable_function_entries, end, entry) != end;
}

std::size_t sharedBytesFor(const void* kernel, std::size_t array) {
    // Several kernels may declare an array by its name: each file can have one of that name.
    static const std::vector<std::set<const void*>> declaredBy = [] {
        const SharedMemoryMap& map = SharedMemoryMap::instance();
        std::vector<std::set<const void*>> all(map.arrays().size());
        const auto* const end = __stop___patchable_function_entries;
        for (const auto* entry = __start___patchable_function_entries; entry != end; ++entry) {
            const auto* const one = reinterpret_cast<const void*>(*entry + kBytesInFront);
            for (const std::size_t declared : map.declaredBy(one)) all[declared].insert(one);
        }
        return all;
    }();
    const std::set<const void*>& kernels = declaredBy[array];
    const bool others = kernel && !kernels.empty() && kernels.count(kernel) == 0;
    return others ? 0 : SharedMemoryMap::instance().arrays()[array].bytes;
}

std::size_t mostDynamicShared(const void* function) {
    const std::size_t all = deviceProfile().sharedMemPerBlockOptin;
    return all - std::min(all, SharedMemoryMap::instance().staticBytes(function));
}

int dynamicSharedAsked(const void* function) {
    const auto& asked = Runtime::instance().dynamicSharedAsked;
    const auto found = asked.find(function);
    return found == asked.end()
               ? -1
               : std::min(found->second, static_cast<int>(mostDynamicShared(function)));
}

// CUDA C++ Programming Guide, "Technical specifications per compute capability".
cudaError_t checkLimits(const LaunchConfig& config, std::size_t staticShared, int dynamicLimit,
                        std::string& why) {
    const cudaDeviceProp& device = deviceProfile();
    const dim3 &grid = config.grid, &block = config.block;
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    const struct {
        const char* what;
        std::uint64_t value;
        int most;
    } limits[] = {
        {"threads per block", threads, device.maxThreadsPerBlock},
        {"blockDim.z", block.z, device.maxThreadsDim[2]},
        {"gridDim.x", grid.x, device.maxGridSize[0]},
        {"gridDim.y", grid.y, device.maxGridSize[1]},
        {"gridDim.z", grid.z, device.maxGridSize[2]},
    };
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        why = "the grid " + coordinates(grid) + " has no blocks";
    else if (threads == 0)
        why = "the block " + coordinates(block) + " has no threads";
    for (const auto& [what, value, allowed] : limits)
        if (why.empty() && value > static_cast<unsigned>(allowed))
            why = joined(what, " is ", value, ", but the device's limit is ", allowed);
    if (!why.empty()) return cudaErrorInvalidConfiguration;

    const std::size_t most = static_cast<std::size_t>(dynamicLimit);
    if (staticShared + config.dynamicSharedBytes > most) {
        why = joined("a block needs ", staticShared + config.dynamicSharedBytes,
                     " bytes of shared memory, but may use only ", most);
        return cudaErrorInvalidValue;
    }
    if (!config.cooperative) return cudaSuccess;
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const int atOnce =
        occupancy(static_cast<int>(threads), staticShared + config.dynamicSharedBytes).blocks *
        device.multiProcessorCount;
    if (blocks > static_cast<unsigned>(atOnce)) {
        why = joined("the grid has ", blocks, " blocks, but the device holds ", atOnce, " at once");
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

static std::string withoutComment(const std::string& line) {
    return line.substr(0, std::min(line.find("//"), line.find("/*")));
}

// Returns name and text of a #define of a term without brackets, as in #define TM BM / 8; otherwise
// nothing.
static std::pair<std::string, std::string> openMacroOf(const std::string& line) {
    std::istringstream words(withoutComment(line));
    std::string define, name, term;
    words >> define;
    if (define == "#" && words >> name) define += name;
    words >> name;
    std::getline(words >> std::ws, term);
    term.erase(term.find_last_not_of(" \t\r") + 1);
    const auto isOfTerm = [](char c) { return isWord(c) || std::strchr(" -+*/", c); };
    const bool isOpen = define == "#define" && std::all_of(name.begin(), name.end(), isWord) &&
                        std::all_of(term.begin(), term.end(), isOfTerm) &&
                        term.find_first_of("-+*/") != term.npos && isWord(term.front()) &&
                        isWord(term.back());
    return isOpen ? std::pair(name, term) : std::pair<std::string, std::string>();
}

// Tests whether a line divides by a name, after this text.
static bool dividesBy(const std::string& line, const std::string& name, const std::string& text) {
    for (std::size_t at = line.find('/', std::min(line.find(text), line.size())); at != line.npos;
         at = line.find('/', at + 1)) {
        const std::size_t begin = std::min(line.find_first_not_of(' ', at + 1), line.size());
        const std::size_t end = begin + name.size();
        if (line.compare(begin, name.size(), name) == 0 &&
            (end == line.size() || !isWord(line[end])))
            return true;
    }
    return false;
}

// Returns what to do about a macro of this file that a line divides by, although its text is a term
// without brackets: X / TM is X / BM / 8 for a TM that is BM / 8. Otherwise returns nothing.
static std::string ifMacroIsOpen(const Place& at) {
    std::vector<std::string> lines;
    std::istringstream text(sourceText(at.file));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto [name, term] = openMacroOf(lines[i]);
        if (name.empty()) continue;
        for (const char* const before : {"dim3", "<<<", ""})
            for (std::size_t used = i + 1; used < lines.size(); ++used)
                if (dividesBy(withoutComment(lines[used]), name, before))
                    return joined("In line ", used + 1, ", / ", name, " stands for / ", term,
                                  ", because line ", i + 1, " defines ", name,
                                  " without brackets. Write #define ", name, " (", term,
                                  "). The kernel did not run.");
    }
    return "";
}

std::string remedyOf(cudaError_t error, const LaunchConfig& config, std::size_t staticShared,
                     int asked, const Place& at) {
    if (error == cudaErrorInvalidDeviceFunction)
        return "Write __global__ before its declaration. It did not run.";
    if (error == cudaErrorCooperativeLaunchTooLarge)
        return "Launch at most as many blocks as cudaOccupancyMaxActiveBlocksPerMultiprocessor "
               "returns, times the number of multiprocessors, and let each block do more. The "
               "kernel did not run.";
    const dim3 &grid = config.grid, &block = config.block;
    const auto product = [](const dim3& d) { return std::uint64_t{d.x} * d.y * d.z; };
    const auto most = static_cast<unsigned>(deviceProfile().maxThreadsPerBlock);
    const bool none = product(grid) == 0 || product(block) == 0;
    if (std::string open = none ? ifMacroIsOpen(at) : ""; !open.empty()) return open;
    if (none)
        return "Check how this size is computed. A division of whole numbers cuts off, so that 1 / "
               "16 is 0: divide and round up. A difference may be 0, too. The kernel did not run.";
    if (product(block) > most)
        return joined(
            "Launch smaller blocks, and more of them",
            product(grid) <= most ? ". Or the order is wrong: it is <<<grid, block>>>." : ".",
            " The kernel did not run.");
    if (error == cudaErrorInvalidConfiguration)
        return "Change the launch configuration. The kernel did not run.";
    const std::size_t room = config.dynamicSharedBytes == 0
                                 ? deviceProfile().sharedMemPerBlock
                                 : deviceProfile().sharedMemPerBlockOptin;
    if (staticShared + config.dynamicSharedBytes > room)
        return joined("Use less shared memory, such as smaller tiles: a block can have at most ",
                      room, " bytes here. The kernel did not run.");
    return joined(
        "Ask for this much before the launch, in bytes: call cudaFuncSetAttribute with "
        "cudaFuncAttributeMaxDynamicSharedMemorySize. ",
        asked < 0 ? "The program has not called it yet"
                  : joined("The program has asked for ", asked),
        ". The kernel did not run.");
}

}  // namespace cusim
