#include "simulator/memory/shared_memory.h"

#include <algorithm>

#include "simulator/include/cusim/shared_shapes.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/symbols.h"

// In thread-local storage like the static arrays, so that one range holds both.
extern "C" {
alignas(128) __thread char cusimDynamicShared[cusim::kMostDynamicShared];
}

namespace cusim {
namespace {

// Returns the length without the ending of another compilation of the same file, as in _Z1fi.32.
std::size_t endOfName(const std::string& mangled) {
    return std::min(mangled.rfind('.'), mangled.size());
}

// Tests whether a variable is local to a function: _ZZ <function> E <name> (Itanium C++ ABI, "Scope
// encoding").
bool isLocal(const std::string& variable, std::string function) {
    const std::size_t end = endOfName(function);
    if (variable.substr(endOfName(variable)) != function.substr(end)) return false;
    function.resize(end);
    // An extern "C" function is named as in the source.
    const bool isMangled = function.rfind("_Z", 0) == 0;
    const std::string encoded =
        isMangled ? function.substr(2) : std::to_string(function.size()) + function;
    return !function.empty() && variable.rfind("_ZZ" + encoded + "E", 0) == 0;
}

std::string lastPart(const std::string& readable) {
    const std::size_t at = readable.rfind("::");
    return at == std::string::npos ? readable : readable.substr(at + 2);
}

// Recognizes the thread-local variables of the simulator, the standard library and host code.
bool isOurs(const std::string& mangled) {
    // The last counts exceptions; programs that are linked with libstdc++.a have it.
    static const char* const names[] = {
        "threadIdx",   "blockIdx",   "blockDim",    "gridDim",
        "cusimWorker", "cusimSites", "__tls_guard", "_ZZN12_GLOBAL__N_110get_globalEvE6global"};
    // If a kernel takes a type of the simulator, such as __half, its arrays' names contain that,
    // too.
    static const char* const beginnings[] = {"_ZGV", "_ZN5cusim", "_ZZN5cusim",     "_ZZNK5cusim",
                                             "_ZSt", "_ZNSt",     ".LcusimMemSites"};
    const auto begins = [&](const char* text) { return mangled.rfind(text, 0) == 0; };
    return std::find(std::begin(names), std::end(names), mangled) != std::end(names) ||
           std::any_of(std::begin(beginnings), std::end(beginnings), begins) ||
           mangled.find("B9cusimHost") != std::string::npos;
}

}  // namespace

const SharedMemoryMap& SharedMemoryMap::instance() {
    static const SharedMemoryMap map;
    return map;
}

SharedMemoryMap::SharedMemoryMap() : owner_(threadLocalBytes(), 0) {
    arrays_.push_back({});
    arrays_.push_back({"dynamic shared memory", "", 0, 0});
    for (const ThreadLocalSymbol& symbol : threadLocalSymbols()) {
        if (isOurs(symbol.mangled)) continue;
        std::uint16_t index = 1;
        if (symbol.mangled == "cusimDynamicShared") {
            arrays_[1].offset = symbol.offset;
            arrays_[1].bytes = symbol.bytes;
        } else {
            index = static_cast<std::uint16_t>(arrays_.size());
            const std::string name = symbol.mangled.substr(0, endOfName(symbol.mangled));
            arrays_.push_back(
                {lastPart(demangled(name)), symbol.mangled, symbol.offset, symbol.bytes});
        }
        std::fill_n(owner_.begin() + static_cast<std::ptrdiff_t>(symbol.offset), symbol.bytes,
                    index);
    }
}

std::vector<std::size_t> SharedMemoryMap::declaredBy(const void* kernel) const {
    const std::string function = mangledName(kernel);
    std::vector<std::size_t> declared;
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (isLocal(arrays_[i].mangled, function)) declared.push_back(i);
    return declared;
}

std::size_t SharedMemoryMap::staticBytes(const void* kernel) const {
    std::size_t bytes = 0;
    for (const std::size_t array : declaredBy(kernel)) bytes += arrays_[array].bytes;
    return bytes;
}

bool SharedMemoryMap::declares(const void* kernel, std::size_t array) const {
    return isLocal(arrays_[array].mangled, mangledName(kernel));
}

void* dynamicShared(const char* name, std::size_t rowBytes, std::size_t elementBytes,
                    detail::Members members) {
    noteDynamicShared(name, rowBytes);
    if (members)
        notePaddingOfShared(SharedMemoryMap::instance().arrays()[1].offset, elementBytes, members);
    return cusimDynamicShared;
}

}  // namespace cusim
