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
    std::string before{};   // the bytes at the start of this process
    std::string atStart{};  // the bytes at the start of the program, after they are overwritten
    std::string_view bytes() const { return {start, static_cast<std::size_t>(end - start)}; }
};

Range ranges[] = {{__start_student_data, __stop_student_data},
                  {__start_student_bss, __stop_student_bss}};

// Tests for an address of memory that was taken while the process ran, or of its stack.
bool isOfThisProcess(std::uintptr_t word) {
    constexpr std::uintptr_t kLowest = 65536, kEnd = std::uintptr_t{1} << 47;
    if (word < kLowest || word >= kEnd) return false;
    const auto* const address = reinterpret_cast<const char*>(word);
    Dl_info about{};
    if (cusim::DeviceMemory::instance().inReserved(word) || dladdr(address, &about)) return false;
    // Most numbers that look like an address point to no memory.
    return access(address, F_OK) == 0 || errno != EFAULT;
}

// Tests the words that this process has changed.
bool holdsOwnPointers(const Range& range) {
    constexpr std::size_t kWord = sizeof(std::uintptr_t);
    const std::string_view bytes = range.bytes();
    for (std::size_t at = 0; at + kWord <= bytes.size(); at += kWord) {
        if (bytes.compare(at, kWord, range.before, at, kWord) == 0) continue;
        std::uintptr_t word = 0;
        std::memcpy(&word, bytes.data() + at, kWord);
        if (isOfThisProcess(word)) return true;
    }
    return false;
}

std::size_t bytesOfAll() {
    std::size_t size = 0;
    for (const Range& range : ranges) size += range.bytes().size();
    return size;
}

// Leaves out the variables of the device, which kernels store in this process.
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

void noteStatics() {
    if (bytesOfAll() > kMostBytes) return;
    for (Range& range : ranges) range.before = range.bytes();
}

void writeStatics(testing::ByteWriter& writer) {
    const bool whole = bytesOfAll() <= kMostBytes &&
                       std::none_of(std::begin(ranges), std::end(ranges), holdsOwnPointers);
    writer(whole);
    if (!whole) return;
    for (const Range& range : ranges) writer(range.bytes());
}

void readStatics(testing::ByteReader& reader) {
    bool whole = false;
    reader(whole);
    if (!whole) return;
    for (Range& range : ranges) {
        const std::string_view bytes = reader.view();
        if (bytes.size() != range.bytes().size())
            throw testing::Damaged("the file's variables have another size");
        if (!carried) range.atStart = range.bytes();
        copyAroundDeviceVariables(range, bytes);
    }
    carried = true;
}

bool isAsAtStart(const void* from, std::string_view bytes) {
    const auto* const start = static_cast<const char*>(from);
    return std::any_of(std::begin(ranges), std::end(ranges), [&](const Range& range) {
        if (start < range.start || start + bytes.size() > range.end) return false;
        const std::string_view before = carried ? range.atStart : range.bytes();
        return before.substr(static_cast<std::size_t>(start - range.start), bytes.size()) == bytes;
    });
}

bool hasConstructors() { return !carried && &__start_student_init[0] != &__stop_student_init[0]; }

void constructStatics() {
    for (auto one = __start_student_init; one != __stop_student_init; ++one)
        (*one)(0, nullptr, nullptr);
}

}  // namespace host
