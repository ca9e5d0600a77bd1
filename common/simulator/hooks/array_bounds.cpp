// Called through -fsanitize=bounds if an index is outside of a dimension of an array whose size the
// compiler knows: Mds[3][16] of a 16 x 16 array, although that is still inside the array.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/out_of_bounds.h"
#include "simulator/explain/past_end.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/findings/loops.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/element_names.h"

namespace {

// Same layout as in the compilers (compiler-rt, ubsan_value.h and ubsan_handlers.h).
struct SourceLocation {
    const char* file;
    std::uint32_t line, column;
};
struct TypeDescriptor {
    std::uint16_t kind, info;
    char name[1];
};
struct OutOfBoundsData {
    SourceLocation location;
    const TypeDescriptor* array;
    const TypeDescriptor* index;
};

// Returns the value of an index of up to 64 bits, which the handle itself holds; `info` gives the
// signedness and the log2 of the number of bits.
std::string valueOf(const TypeDescriptor& type, std::uintptr_t handle) {
    const unsigned bits = 1u << (type.info >> 1);
    if (!(type.info & 1)) return std::to_string(handle);
    const unsigned unused = 64 - bits;
    return std::to_string(static_cast<std::int64_t>(static_cast<std::uint64_t>(handle) << unused) >>
                          unused);
}

// Returns the array's type, as in 'float [16]'. g++ calls half and bfloat16 by the name of their
// class, without its arguments.
std::string typeOf(const OutOfBoundsData& data) {
    const std::string name = data.array->name, ofClass = "'Small ";
    return name.rfind(ofClass, 0) == 0 ? "'16-bit float " + name.substr(ofClass.size()) : name;
}

cusim::Finding describe(const OutOfBoundsData& data, void* index) {
    const std::string value = valueOf(*data.index, reinterpret_cast<std::uintptr_t>(index));
    cusim::Finding finding(
        "out-of-bounds",
        words::joined("out of bounds: index ", value, " of an array of type ", typeOf(data)),
        {data.location.file, static_cast<int>(data.location.line)},
        "Indices go from 0 to the size minus 1. In a two-dimensional array such an index reaches "
        "the next row.");
    if (value[0] == '-' && cusimWorker)
        cusim::explainNegative(finding, cusimWorker->runner->call());
    // The type's name holds the size, as in 'float [16]'.
    const bool isSize = std::string(data.array->name).find("[" + value + "]") != std::string::npos;
    const bool isThread = cusimWorker && (value == std::to_string(threadIdx.x) ||
                                          value == std::to_string(threadIdx.y));
    if (cusimWorker)
        finding.details.push_back(
            words::joined("the block has ", blockDim.x, " x ", blockDim.y, " threads"));
    const std::string unset =
        isSize ? "" : cusim::ifUnset(std::strtoull(value.c_str(), nullptr, 10));
    std::string flat, grid;
    if (cusimWorker) {
        flat = cusim::ifFlatBlock(finding.file, finding.line, blockDim);
        for (const std::string& name : cusim::inBracketsByBlock(finding.file, finding.line))
            if (const auto is = cusim::indexValue(finding, cusimWorker->runner->call(), name);
                grid.empty() && is && std::to_string(is->value) == value)
                grid =
                    words::joined(name,
                                  " counts through the whole grid. A shared array belongs to one "
                                  "block: use an index within the block, such as threadIdx.");
    }
    if (!grid.empty())
        finding.remedy = std::move(grid);
    else if (!flat.empty())
        finding.remedy = std::move(flat);
    else if (isSize && isThread)
        finding.remedy = words::joined(
            "The index is a number of the thread, but a block has ", blockDim.x, " x ", blockDim.y,
            " threads, more than this dimension of the array has elements. Check that this is the "
            "right index and the right array. If so, correct the block or the array.");
    else if (isSize && cusim::lineOfCondition(finding.file, finding.line, "<=") > 0)
        finding.remedy +=
            " Check that a loop ends before the size (<, not <=), and that no offset leads past "
            "the end.";
    else if (std::string loop =
                 cusim::ifIndexOfLoop(finding.file, finding.line, std::atoll(value.c_str()));
             isSize && !loop.empty())
        finding.remedy += loop;
    else if (isSize)
        finding.remedy +=
            " Check what sets the index: it may hold an offset that this array does not have.";
    else if (!unset.empty())
        finding.remedy = unset;
    else if (value[0] != '-')
        finding.remedy += " Check what sets the index.";
    const cusim::IndexNames& names = cusim::indexNames();
    if (const auto branch = cusim::branchOfThreads(finding.file, {finding.line});
        cusimWorker && value[0] != '-' && unset.empty() && !isThread && !branch.text.empty() &&
        !branch.isLoop && branch.text.find(names.row) == std::string::npos &&
        branch.text.find(names.column) == std::string::npos)
        finding.remedy =
            words::joined("The if in line ", branch.line, " lets this thread in: ", branch.text,
                          ". Check that condition first. ", finding.remedy);
    std::string numbers;
    if (cusimWorker && grid.empty() && flat.empty() && isSize && !isThread)
        for (const auto& one : cusim::numbersAt(finding, cusimWorker->runner->call()))
            numbers +=
                words::joined(numbers.empty() ? " Here " : ", ", one.name, " is ", one.value);
    if (!numbers.empty()) finding.remedy += numbers + ".";
    return finding;
}

// Returns the access with its name, as in "reads Mds".
const cusim::Worker::Outside& outsideAt(const SourceLocation& at) {
    const auto [known, isNew] = cusimWorker->outside.try_emplace(&at);
    if (isNew)
        known->second = cusim::lookedUp(cusim::accessAt({at.file, static_cast<int>(at.line)},
                                                        static_cast<int>(at.column),
                                                        cusimWorker->runner->call()));
    return known->second;
}

void outOfBounds(const OutOfBoundsData& data, void* index, bool mayReturn) {
    if (!cusimWorker) return cusim::Runtime::instance().report(describe(data, index));
    const cusim::Worker::Outside& outside = outsideAt(data.location);
    if (mayReturn && cusim::isForgiven(outside)) return;
    cusim::Finding finding = describe(data, index);
    if (finding.causedAt == 0) finding.access = outside.access;
    cusimWorker->runner->fail(std::move(finding));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void __ubsan_handle_out_of_bounds(void* data, void* index) {
    outOfBounds(*static_cast<const OutOfBoundsData*>(data), index, true);
}
void __ubsan_handle_out_of_bounds_abort(void* data, void* index) {
    outOfBounds(*static_cast<const OutOfBoundsData*>(data), index, false);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
