#include "simulator/api/copy_checks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "simulator/api/device_range.h"
#include "simulator/engine/host_blocks.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/findings/loops.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// Returns what to do if memory is smaller than the copy or fill: either size may be wrong, or
// another array is meant.
std::string ifTooLarge(const Allocation& allocation, std::size_t bytes) {
    const Allocation* fitting = nullptr;
    for (const auto& other : memory().allocations())
        if (other->live && !other->isVariable() && !other->name.empty() && other->bytes == bytes &&
            other->hostMayAccess() == allocation.hostMayAccess())
            fitting = other.get();
    return joined(
        "Compare the size in this line with that in line ", allocation.at.line, ", where ",
        label(allocation), allocation.isVariable() ? " is declared" : " is allocated",
        ". Both are in bytes: elements times sizeof(float).",
        fitting ? joined(" Or copy from or to ", label(*fitting), ", which holds as many bytes.")
                : "");
}

// Returns a sentence on an element of an array of pointers, at `first` in the line, that cudaMalloc
// has not set, although it has set others; empty for any other argument.
std::string ifOtherElement(const std::string& source, std::size_t first) {
    const std::size_t bracket = source.find('[', std::min(first, source.size()));
    if (bracket > source.find_first_of(",()", std::min(first, source.size()))) return "";
    const std::string array = source.substr(first, bracket - first);
    std::size_t set = 0;
    int line = 0;
    for (const auto& one : memory().allocations())
        if (one->live && one->name.rfind(array + "[", 0) == 0) ++set, line = one->at.line;
    if (set == 0) return "";
    return joined("Line ", line, " has allocated memory for ", counted(set, "element"), " of ",
                  array, ", and this element is not among them. Check its index.");
}

// Returns the position of the target or the source in the line of a copy. In cudaMemcpy2D, a pitch
// is between the two.
std::size_t startOfOperand(const std::string& source, bool isTarget) {
    const std::size_t call = source.find('(', std::min(source.find("cudaMem"), source.size()));
    std::size_t argument = isTarget ? call : source.find(',', std::min(call, source.size()));
    if (!isTarget && source.find("cudaMemcpy2D") < call && argument < source.size())
        argument = source.find(',', argument + 1);
    return source.find_first_not_of(" (,", std::min(argument, source.size()));
}

// Returns what to do if the copy begins after the end of an array, or if it would fit from the
// array's first byte on and the line adds to a pointer. A byte outside of all arrays belongs to the
// one that the line names.
std::string ifBeginsTooLate(const Allocation* array, const void* pointer, std::size_t bytes,
                            bool isTarget, const Where& at) {
    const std::string source = sourceLine(at.file, at.line);
    const std::size_t first = std::min(startOfOperand(source, isTarget), source.size());
    const std::string argument = source.substr(first, source.find_first_of(",)", first) - first);
    const std::size_t plus = std::min(argument.find(" + "), argument.size());
    std::string added;
    for (const auto& one : memory().allocations())
        if (added.empty() && plus < argument.size() && one->live &&
            one->name == argument.substr(0, plus) && one->offsetOf(pointer) != 0 &&
            bytes <= one->bytes)
            array = one.get(), added = argument.substr(plus + 3);
    if (added.empty() && (!array || array->offsetOf(pointer) < array->bytes)) return "";
    return joined(
        "The copy begins at byte ", array->offsetOf(pointer), " of ", label(*array), ", which has ",
        counted(array->bytes, "byte"), ". What is added to a pointer counts elements, not bytes: ",
        added.empty() ? "row r of a matrix begins at r times the length of its own rows."
                      : joined("if ", added,
                               " is a number of bytes, divide it by the size of an element. "
                               "Otherwise it is too large."));
}

// Returns what to do about a pointer of the wrong side. If both are of the host, one is perhaps
// uninitialized; `other` is null if the call has only one.
std::string rightSides(const std::string& function, bool device, const void* other, bool isTarget,
                       const Where& at) {
    // The address of a variable instead of the pointer in it. The variable is not read: host code
    // may run in another process.
    const std::string source = sourceLine(at.file, at.line);
    const std::size_t first = startOfOperand(source, isTarget);
    if (!device && first != std::string::npos && source[first] == '&') {
        const std::size_t end = source.find_first_of(",)", first);
        const std::string name = source.substr(first + 1, end - first - 1);
        for (const auto& one : memory().allocations())
            if (one->live && one->name == name)
                return joined("&", name,
                              " is the address of the pointer, in host memory. The pointer itself "
                              "leads to the device: pass ",
                              name, ", without &.");
    }
    if (const std::string element = device ? "" : ifOtherElement(source, first); !element.empty())
        return element;
    const std::string allocated = "Check that cudaMalloc set the pointer to the device.";
    if (!other) return "This call is for device memory. " + allocated;
    const std::string order =
        joined("The first argument is the target, the ",
               function == "cudaMemcpy2D" ? "third" : "second", " is the source");
    if (onDevice(other) == device) return order + "." + (device ? "" : " " + allocated);
    return order + (device == isTarget ? ". To copy to the device, use cudaMemcpyHostToDevice. To "
                                         "copy to the host, exchange target and source."
                                       : ". To copy to the host, use cudaMemcpyDeviceToHost. To "
                                         "copy to the device, exchange target and source.");
}

// Refuses a size that was negative before it became a std::size_t.
cudaError_t refuseNegative(const char* function, const char* role, const void* pointer,
                           std::size_t bytes, const Where& at) {
    const Allocation* const allocation = memory().find(pointer);
    const auto loops = loopsAround(at.file, {at.line});
    return runtime().refuse(
        cudaErrorInvalidValue,
        {"wild-copy",
         joined(function, ": the size is negative, ", static_cast<std::ptrdiff_t>(bytes), " bytes"),
         at,
         joined("Check what the size subtracts.",
                loops.empty() ? ""
                              : joined(" Check also that the loop in line ", loops.back().first,
                                       " does not run too far.")),
         allocation ? std::vector{joined("the ", role, " is ", label(*allocation))}
                    : std::vector<std::string>{}});
}

// Returns the name of a host pointer if a copy of more bytes than a pointer has names the pointer's
// own address on the stack instead of its value; otherwise nothing.
std::string pointerItself(const void* pointer, std::size_t bytes, bool isTarget, const Where& at) {
    constexpr std::uintptr_t kNear = 4096;  // so much of the stack may be read
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    // Most calls end here, before the source is read.
    if (reinterpret_cast<std::uintptr_t>(pointer) - frame >= kNear || bytes <= sizeof pointer)
        return "";
    const std::string source = sourceLine(at.file, at.line);
    const std::size_t first = startOfOperand(source, isTarget);
    if (first >= source.size() || source[first] != '&') return "";
    const std::string text = sourceText(at.file);
    const std::string name =
        source.substr(first + 1, source.find_first_of(" ,)[.-", first) - first - 1);
    bool isPointer = false;
    for (const char* const star : {"*", "* "})
        for (const char* const after : {",", ")", ";", " ="})
            isPointer |= text.find(star + name + after) != std::string::npos;
    const void* held = nullptr;
    if (!name.empty() && isPointer) std::memcpy(&held, pointer, sizeof held);
    const bool leads = held && (describedColumns(held) > 0 || hostBytesFrom(held, SIZE_MAX / 2));
    return leads ? name : "";
}

}  // namespace

cudaError_t checkHost(const char* function, const char* role, const void* pointer,
                      std::size_t bytes, const Where& at) {
    if (const std::string name = pointerItself(pointer, bytes, role == std::string("target"), at);
        !name.empty())
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"wild-copy",
             joined(function, ": ", bytes, " bytes go past the end of the ", role, ", &", name), at,
             joined("&", name, " is the address of the pointer ", name, ", which has ",
                    sizeof pointer, " bytes. The pointer itself leads to the data: pass ", name,
                    ", without &.")});
    const auto room = hostBytesFrom(pointer, bytes);
    if (!room || bytes <= *room) return cudaSuccess;
    const bool ofPointers = holdsHostPointer(pointer);
    return runtime().refuse(
        cudaErrorInvalidValue,
        {"wild-copy",
         joined(function, ": ", bytes, " bytes go past the end of the ", role, ", in host memory"),
         at,
         ofPointers
             ? joined("The ", role,
                      " holds pointers to other host memory, such as rows. The elements are not in "
                      "it: copy each row from its own pointer, or keep all rows in one array.")
             : joined("Check that this is the right matrix for the ", role,
                      ", and that the size is rows x columns x sizeof(float), or the size of the "
                      "part that is left."),
         {joined("from there to its end there are ", *room, " bytes (",
                 counted(*room / sizeof(float), "float"), ")")}});
}

namespace {

// Refuses bytes of the device that are not all in one array.
cudaError_t refuseRange(const char* function, const char* role, const void* pointer,
                        std::size_t bytes, const DeviceRange& range, const Where& at) {
    const Allocation* const array = range.array;
    const std::string operand = joined(function, ": the ", role);
    if (range.fault == RangeFault::Freed)
        return runtime().refuse(cudaErrorInvalidValue, freedFinding(operand, *array, at));
    const std::string late =
        ifBeginsTooLate(array, pointer, bytes, role == std::string("target"), at);
    if (!array)
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"wild-copy", operand + " points into no allocation", at,
             late.empty() ? "Pass the pointer that cudaMalloc gave, or one into its memory."
                          : late});
    const std::size_t offset = array->offsetOf(pointer);
    const std::string forgotten = offset == 0 ? ifSizeIsForgotten(*array) : "";
    return runtime().refuse(
        cudaErrorInvalidValue,
        {"wild-copy",
         joined(function, ": ", bytes, " bytes do not fit the ", role, ", ", label(*array)),
         at,
         !late.empty()        ? late
         : !forgotten.empty() ? forgotten
                              : ifTooLarge(*array, bytes),
         {joined(label(*array), " holds ", array->bytes, " bytes",
                 offset ? joined(", the copy starts at byte ", offset) : "")}});
}

}  // namespace

cudaError_t checkSide(const char* function, const char* role, const void* pointer,
                      const void* other, std::size_t bytes, bool wantDevice, const Where& at) {
    const auto [allocation, fault] = rangeOf(pointer, bytes);
    const bool device = onDevice(pointer) || (allocation && allocation->isVariable());
    const bool both = allocation && allocation->hostMayAccess();
    const std::string operand = joined(function, ": the ", role);
    const auto refuse = [&](const char* kind, const std::string& what, const std::string& remedy,
                            std::vector<std::string> details = {}) {
        return runtime().refuse(cudaErrorInvalidValue,
                                {kind, what, at, remedy, std::move(details)});
    };
    if (bytes > SIZE_MAX / 2) return refuseNegative(function, role, pointer, bytes, at);
    if (fault == RangeFault::HiddenVariable)
        return refuse("invalid-symbol", tellHidden(operand, *allocation),
                      "Give the variable to cudaMemcpyToSymbol or cudaMemcpyFromSymbol; or ask "
                      "for its address with cudaGetSymbolAddress.");
    const std::vector<std::string>& empty = memory().toldEmpty();
    if (!pointer && wantDevice && !empty.empty())
        return refuse("wrong-direction",
                      operand + " is a null pointer, but the direction says device", kEmpty, empty);
    if (!both && device != wantDevice)
        return refuse(
            "wrong-direction",
            joined(operand, " is ", device ? "a" : "no", " device pointer, but the direction says ",
                   wantDevice ? "device" : "host"),
            rightSides(function, device, other, role == std::string("target"), at));
    if (!device && !both) {
        if (pointer || bytes == 0) return checkHost(function, role, pointer, bytes, at);
        return refuse("null-pointer", operand + " is null", "Pass the address of the data.");
    }
    if (bytes == 0 || fault == RangeFault::None) return cudaSuccess;
    return refuseRange(function, role, pointer, bytes, {allocation, fault}, at);
}

cudaError_t checkBeside(const char* function, const char* role, const void* pointer,
                        const void* symbol, std::size_t bytes, cudaMemcpyKind kind,
                        const Where& at) {
    const bool isTarget = role == std::string("target");
    const auto ofHost = isTarget ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind != ofHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return runtime().refuse(
            cudaErrorInvalidMemcpyDirection,
            {"wrong-direction",
             joined(function, ": the symbol is on the device, the direction says host"), at,
             joined("From host to device the kind is cudaMemcpyHostToDevice, from device to host "
                    "cudaMemcpyDeviceToHost. Here it is ",
                    isTarget ? "the second." : "the first.")});
    const bool device = kind == cudaMemcpyDefault ? onDevice(pointer) : kind != ofHost;
    return checkSide(function, role, pointer, symbol, bytes, device, at);
}

// Tests whether a file declares a variable of this name as a pointer, as in
// "__constant__ float* Mc;".
static bool isPointerIn(const std::string& file, const std::string& name) {
    std::istringstream text(sourceText(file));
    for (std::string line; std::getline(text, line);) {
        const bool onDevice =
            line.rfind("__constant__ ", 0) == 0 || line.rfind("__device__ ", 0) == 0;
        const std::size_t star = line.find('*'), end = line.find_first_of(";=({[");
        if (!onDevice || star == line.npos || end == line.npos || star > end) continue;
        const std::size_t last = line.find_last_not_of(' ', end - 1) + 1;
        const std::size_t begin = line.find_last_of("* ", last - 1) + 1;
        if (line[end] != '[' && line.substr(begin, last - begin) == name) return true;
    }
    return false;
}

std::string ifSymbolIsFull(const Allocation& variable, std::size_t bytes, std::size_t offset,
                           const void* host, const Where& at) {
    if (variable.bytes == sizeof(void*) && bytes > variable.bytes &&
        isPointerIn(at.file, variable.name))
        return joined(variable.name,
                      " is a pointer. Its qualifier holds for the pointer alone, not for what it "
                      "points to. Declare an array with room for all elements.");
    if (offset % sizeof(float) != 0 && bytes <= variable.bytes)
        return joined("The fourth argument is the offset in ", variable.name, ", in bytes, here ",
                      offset, ". The direction is the fifth argument.");
    if (offset > 0 && bytes <= variable.bytes)
        return joined("The offset is where in ", variable.name,
                      " the copy begins, in bytes. It does not move the source. To copy a later "
                      "part of the source, add to its pointer, as in M + n.");
    if (variable.bytes == sizeof(float))
        return joined("The size of one variable is sizeof(", variable.name,
                      "). The third argument is the number of bytes.");
    const std::size_t row = host ? describedColumns(host) * sizeof(float) : 0;
    const std::string rows =
        row > 0 && bytes % row == 0 && row <= variable.bytes
            ? joined("A row of this matrix has ", row / sizeof(float), " floats, so that ",
                     variable.name, " has room for ", counted(variable.bytes / row, "row"),
                     ", but the copy has ", bytes / row,
                     ". Check how many rows belong to one piece. ")
            : "";
    return rows +
           "Copy less at once, in several pieces if necessary. Sizes are in bytes: elements times "
           "sizeof(float).";
}

void reportVariable(const char* function, const void* pointer, const Where& at) {
    const Allocation* const out = memory().variableAt(pointer);
    if (!out || out->hostMayAccess()) return;
    runtime().report(
        {"host-touches-device",
         joined(function, " stores an address in the host's copy of ", out->name,
                "; on a card the kernel's ", out->name, " keeps its value"),
         at,
         joined("Allocate into a pointer p in host code. Then call cudaMemcpyToSymbol(", out->name,
                ", &p, sizeof p).")});
}

}  // namespace cusim
