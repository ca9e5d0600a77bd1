#include "verdict/host/statics.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "simulator/memory/device_memory.h"

// The gate gives these sections of the student's object their names, and the linker the bounds; a
// file may have none of them.
extern "C" {
using Constructor = void (*)(int, char**, char**);
[[gnu::weak]] extern Constructor const __start_student_init[], __stop_student_init[];
[[gnu::weak]] extern char __start_student_data[], __stop_student_data[];
[[gnu::weak]] extern char __start_student_bss[], __stop_student_bss[];
}

namespace host {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

bool carried = false;

struct Range {
    char *start, *end;
    std::string_view bytes() const { return {start, static_cast<std::size_t>(end - start)}; }
};

const Range ranges[] = {{__start_student_data, __stop_student_data},
                        {__start_student_bss, __stop_student_bss}};

// Tests for an address of memory that was taken while the process ran, or of its stack.
bool isOfThisProcess(std::uintptr_t word) {
    constexpr std::uintptr_t kLowest = 65536, kEnd = std::uintptr_t{1} << 47;
    if (word < kLowest || word >= kEnd) return false;
    const auto* const address = reinterpret_cast<const char*>(word);
    Dl_info about{};
    if (cusim::DeviceMemory::instance().inReserved(word) || dladdr(address, &about)) return false;
    // Numbers that look like an address mostly name no memory.
    return access(address, F_OK) == 0 || errno != EFAULT;
}

bool holdsOwnPointers(std::string_view bytes) {
    for (; bytes.size() >= sizeof(std::uintptr_t); bytes.remove_prefix(sizeof(std::uintptr_t))) {
        std::uintptr_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        if (isOfThisProcess(word)) return true;
    }
    return false;
}

// The device's process has the variables of the device, which kernels store.
void copyAroundDeviceVariables(const Range& range, std::string_view bytes) {
    std::string all(bytes);
    for (const auto& one : cusim::DeviceMemory::instance().allocations()) {
        const std::size_t offset = one->base - reinterpret_cast<std::uintptr_t>(range.start);
        if (one->isVariable() && offset < all.size())
            std::memcpy(all.data() + offset, reinterpret_cast<const char*>(one->base), one->bytes);
    }
    if (!all.empty()) std::memcpy(range.start, all.data(), all.size());
}

}  // namespace

void writeStatics(testing::ByteWriter& writer) {
    std::size_t size = 0;
    for (const Range& range : ranges) size += range.bytes().size();
    const bool whole = size <= kMostBytes &&
                       std::none_of(std::begin(ranges), std::end(ranges), [](const Range& range) {
                           return holdsOwnPointers(range.bytes());
                       });
    writer(whole);
    if (!whole) return;
    for (const Range& range : ranges) writer(range.bytes());
}

void readStatics(testing::ByteReader& reader) {
    bool whole = false;
    reader(whole);
    if (!whole) return;
    for (const Range& range : ranges) {
        const std::string_view bytes = reader.view();
        if (bytes.size() != range.bytes().size())
            throw testing::Damaged("the file's variables have another size");
        copyAroundDeviceVariables(range, bytes);
    }
    carried = true;
}

void constructStatics() {
    if (carried) return;
    for (auto one = __start_student_init; one != __stop_student_init; ++one)
        (*one)(0, nullptr, nullptr);
}

}  // namespace host
