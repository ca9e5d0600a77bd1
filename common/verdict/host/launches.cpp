#include "verdict/host/launches.h"

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/memory/device_memory.h"
#include "simulator/memory/symbols.h"
#include "verdict/host/arguments.h"

namespace host {
namespace {

using testing::Damaged;

// Functions of cusim::detail::Packed, as the compilers name them; after the class comes the
// function.
constexpr std::string_view kPacked = "_ZN5cusim6detail6Packed";
constexpr std::string_view kInvoke = "6invokeEPKv";
constexpr std::string_view kPointers = "8pointersE";
constexpr std::string_view kNumbers = "7numbersE";
// A class whose first member is the kernel's address.
constexpr std::string_view kOfKernel = "_ZN5cusim6detail6PackedIPF";

template <class Pointer>
std::string nameOf(Pointer function) {
    return cusim::mangledName(reinterpret_cast<const void*>(function));
}

bool begins(const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
}

// Checks that the three functions belong to one class, which the compiler made for launches.
// Returns how many parameters the kernel has: as many as one of the functions writes. Each one
// takes at least one letter of the class's name.
std::size_t checkedParameters(const cusim::KernelCall& call, const void* arguments) {
    const std::string invoke = nameOf(call.invoke);
    const std::size_t end = invoke.size() - std::min(invoke.size(), kInvoke.size());
    const std::string of = invoke.substr(0, end);
    if (invoke.substr(end) != kInvoke || !begins(of, std::string(kPacked)) ||
        !begins(nameOf(call.pointers), of + std::string(kPointers)) ||
        !begins(nameOf(call.numbers), of + std::string(kNumbers)))
        throw Damaged("a launch goes by functions that no launch has");
    // No function writes this value.
    constexpr cusim::WholeNumber kUnwritten{1, false};
    std::vector<cusim::WholeNumber> numbers(invoke.size(), kUnwritten);
    call.numbers(arguments, numbers.data());
    while (!numbers.empty() && !numbers.back().given && numbers.back().value != 0)
        numbers.pop_back();
    return numbers.size();
}

// Returns how many bits a number takes.
std::size_t bitsOf(unsigned long long number) {
    std::size_t bits = 0;
    for (; number > 0; number /= 2) ++bits;
    return bits;
}

// Returns how many bits of a launch's arguments may be information: of a whole number its used
// bits, of a pointer its offset and which memory it points to; of other arguments all bits.
std::size_t informativeBits(const cusim::KernelCall& call) {
    constexpr std::size_t kBitsOfEach = 4, kByte = 8;
    std::vector<const void*> pointers(call.parameters);
    std::vector<cusim::WholeNumber> numbers(call.parameters);
    call.pointers(call.arguments, pointers.data());
    call.numbers(call.arguments, numbers.data());
    std::size_t bits = kBitsOfEach * call.parameters;
    for (std::size_t i = 0; i < call.parameters; ++i) {
        if (numbers[i].given) {
            const auto number = static_cast<unsigned long long>(numbers[i].value);
            bits += bitsOf(numbers[i].value < 0 ? -number : number);
        } else if (const auto* memory = cusim::DeviceMemory::instance().find(pointers[i])) {
            bits += bitsOf(reinterpret_cast<std::uintptr_t>(pointers[i]) - memory->base);
        } else {
            return kByte * call.argumentBytes;
        }
    }
    return bits;
}

}  // namespace

const char* checkedText(const char* text) {
    constexpr std::size_t kMost = 4096;
    const auto start = reinterpret_cast<std::uintptr_t>(text);
    for (std::size_t i = 0; i < kMost; ++i) {
        if (!cusim::isReadOnlyData(start + i)) break;
        if (text[i] == '\0') return text;
    }
    throw Damaged("a name is no text of the program's");
}

cusim::Where checkedPlace(const cusim::Where& at) {
    checkedText(at.file);
    const auto start = reinterpret_cast<std::uintptr_t>(at.place);
#ifdef __clang__
    if (start > 1000000) throw Damaged("a place has no column");
#else
    constexpr std::size_t kBytes = sizeof(std::source_location::__impl);
    if (at.place && !(cusim::isReadOnlyData(start) && cusim::isReadOnlyData(start + kBytes - 1)))
        throw Damaged("a place is none of the program's");
#endif
    return at;
}

cudaError_t launch(testing::ByteReader& reader, HandedOver& handedOver) {
    const auto config = take<cusim::LaunchConfig>(reader);
    auto call = take<cusim::KernelCall>(reader);
    const std::string_view arguments = reader.view();
    if (call.name) checkedText(call.name);
    checkedPlace(call.at);
    // Room for the kernel's arguments, even if less was sent.
    constexpr std::size_t kLeast = 65536;
    std::vector<char> packed(arguments.begin(), arguments.end());
    packed.resize(std::max(packed.size(), kLeast));
    call.parameters = checkedParameters(call, packed.data());
    if (begins(nameOf(call.invoke), std::string(kOfKernel))) {
        const void* kernel = nullptr;
        std::memcpy(&kernel, packed.data(), sizeof kernel);
        if (kernel != call.function || nameOf(kernel).empty())
            throw Damaged("a launch names no function of the file");
    }
    call.arguments = packed.data();
    call.argumentBytes = arguments.size();
    handedOver.noteLaunch(
        std::string(reinterpret_cast<const char*>(&config), sizeof config).append(arguments),
        informativeBits(call));
    return cusim::run(config, call);
}

void registerVariable(testing::ByteReader& reader) {
    const auto variable = take<void*>(reader);
    const auto bytes = take<std::size_t>(reader);
    const char* const name = checkedText(take<const char*>(reader));
    const auto kind = take<cusim::MemoryKind>(reader);
    const cusim::Where at = checkedPlace(take<cusim::Where>(reader));
    const auto start = reinterpret_cast<std::uintptr_t>(variable);
    const std::string object = cusim::objectAt(start);
    if (object.empty() || bytes == 0 || cusim::objectAt(start + bytes - 1) != object ||
        (start > 0 && cusim::objectAt(start - 1) == object))
        throw Damaged("a variable of the device is none of the file's");
    if (kind < cusim::MemoryKind::DeviceVariable || kind > cusim::MemoryKind::ManagedVariable)
        throw Damaged("a variable of the device is of an unknown kind");
    // Each process of the host registers it again.
    if (!cusim::DeviceMemory::instance().find(variable))
        cusim::registerVariable(variable, bytes, name, kind, at);
}

}  // namespace host
