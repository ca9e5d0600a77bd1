#include "simulator/memory/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simulator/findings/give_up.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/closed_pages.h"
#include "simulator/memory/symbols.h"
#include "simulator/memory/unset.h"

namespace cusim {
namespace {

void* reserve(std::size_t bytes, int protection) {
    void* range =
        mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return range == MAP_FAILED ? nullptr : range;
}

// Asks the system for large pages for a range that is written as a whole: each page of the usual
// size would cost one page fault.
void takeLargePages(void* start, std::size_t bytes) {
    if (bytes >= std::size_t{4} << 20) madvise(start, bytes, MADV_HUGEPAGE);
}

// Shares these bytes with child processes that run host code. Returns false if it cannot.
bool share(std::uintptr_t start, std::size_t bytes) {
    constexpr int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    return mmap(reinterpret_cast<void*>(start), bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

std::size_t roundUp(std::size_t value, std::size_t step) {
    return (value + step - 1) / step * step;
}

// Returns the variable after the first '&' of the line that allocates, as in
// cudaMalloc((void**)&d_M, bytes). Leaves out texts between quotes.
std::string variableName(const Where& at) {
    std::string line = sourceLine(at.file, at.line);
    for (std::size_t open = line.find('"'); open != std::string::npos; open = line.find('"', open))
        line.erase(open, std::max(line.find('"', open + 1), open) - open + 1);
    const std::size_t call = line.find("lloc");
    // With several calls on one line, it is not known which of them this was.
    if (call != line.rfind("lloc")) return "";
    std::size_t start = line.find('&', call == std::string::npos ? 0 : call);
    if (start == std::string::npos) return "";
    while (start < line.size() && (line[start] == '&' || line[start] == ' ')) ++start;
    std::size_t end = start;
    const auto isPart = [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '[' ||
               c == ']';
    };
    while (end < line.size() && isPart(line[end])) ++end;
    return line.substr(start, end - start);
}

}  // namespace

VariableRange variableRange, registeredRange;

std::string label(const Allocation& allocation) {
    return allocation.name.empty() ? "an allocation" : allocation.name;
}

DeviceMemory& DeviceMemory::instance() {
    // Never destroyed, because kernels that still run may use it while the program ends.
    static auto* const memory = new DeviceMemory;
    return *memory;
}

DeviceMemory::DeviceMemory() {
    // Reserves less instead of failing under a limit on address space (ulimit -v).
    for (std::size_t bytes = std::size_t{64} << 30; bytes >= std::size_t{1} << 29; bytes /= 4) {
        void* const range = reserve(kBelow + 2 * bytes, PROT_NONE);
        if (!range) continue;
        const std::size_t tableBytes = 2 * bytes / kPage * sizeof(void*);
        pages_ = static_cast<Allocation**>(reserve(tableBytes, PROT_READ | PROT_WRITE));
        base_ = reinterpret_cast<std::uintptr_t>(range) + kBelow;
        if (!pages_ || !share(base_ + bytes, bytes)) {
            munmap(range, kBelow + 2 * bytes);
            continue;
        }
        deviceBytes_ = sharedWithHostBytes_ = bytes;
        nextDevice_ = base_;
        nextShared_ = base_ + bytes;
        return;
    }
    giveUp("no address space left; raise the limit (ulimit -v)");
}

Allocation* DeviceMemory::add(std::uintptr_t base, std::size_t bytes, MemoryKind kind,
                              std::string name, const Where& at) {
    const auto id = static_cast<std::uint32_t>(allocations_.size());
    allocations_.push_back(
        std::unique_ptr<Allocation>(new Allocation{base, bytes, id, kind, std::move(name), at}));
    Allocation* const made = allocations_.back().get();
    made->stored = static_cast<std::uint8_t*>(reserve(storedMarks(bytes), PROT_READ | PROT_WRITE));
    return made;
}

Allocation* DeviceMemory::allocate(std::size_t bytes, MemoryKind kind, const Where& at) {
    if (bytes > kTotal - liveBytes_) return nullptr;
    const bool host = kind == MemoryKind::Managed || kind == MemoryKind::Pinned;
    std::uintptr_t& next = host ? nextShared_ : nextDevice_;
    const std::uintptr_t end = base_ + (host ? deviceBytes_ + sharedWithHostBytes_ : deviceBytes_);
    const std::size_t space = roundUp(bytes, kPage);
    // No address is used twice, so that a stale pointer can be recognized.
    if (space + kPage > end - next) return nullptr;
    void* const start = reinterpret_cast<void*>(next);
    if (mprotect(start, space, PROT_READ | PROT_WRITE) != 0) return nullptr;
    if (!host) takeLargePages(start, space);
    if (fills_) fillUnset(start, bytes);
    if (!host && accessDepth_ == 0) mprotect(start, space, PROT_NONE);

    Allocation* const made = add(next, bytes, kind, variableName(at), at);
    made->marks = static_cast<std::uint8_t*>(reserve(space, PROT_READ | PROT_WRITE));
    if (made->marks) takeLargePages(made->marks, space);
    const std::size_t first = (next - base_) / kPage;
    for (std::size_t page = 0; page < space / kPage; ++page) pages_[first + page] = made;
    // The system protects pages of its own size, which may be 64 KiB on arm64.
    static const std::size_t ofSystem = std::max<long>(sysconf(_SC_PAGESIZE), kPage);
    next = base_ + roundUp(next - base_ + space + kPage, ofSystem);
    liveBytes_ += bytes;
    return made;
}

void DeviceMemory::free(Allocation& allocation, const Where& at) {
    const std::size_t space = roundUp(allocation.bytes, kPage);
    void* const start = reinterpret_cast<void*>(allocation.base);
    ClosedPages::instance().forget(allocation.base);
    madvise(start, space, allocation.hostMayAccess() ? MADV_REMOVE : MADV_DONTNEED);
    mprotect(start, space, PROT_NONE);
    if (allocation.marks) munmap(allocation.marks, space);
    if (allocation.stored) munmap(allocation.stored, storedMarks(allocation.bytes));
    allocation.marks = allocation.stored = nullptr;
    allocation.used.reset();
    allocation.live = false;
    allocation.freedAt = at;
    liveBytes_ -= allocation.bytes;
    allocation.bytesBeforeFree = allocation.bytes;
    allocation.bytes = 0;
}

void DeviceMemory::addVariable(void* variable, std::size_t bytes, const char* name, MemoryKind kind,
                               const Where& at) {
    Allocation* const made = add(reinterpret_cast<std::uintptr_t>(variable), bytes, kind, name, at);
    made->hostCopy = staticVariable(words::joined("cusimRegistered_", name), made->base);
    variables_.push_back(made);
    for (const std::uintptr_t start : {made->base, made->hostCopy ? made->hostCopy : made->base}) {
        variableRange.add(start, bytes);
    }
}

void DeviceMemory::noteEmpty(const Where& at) {
    const std::string name = variableName(at);
    const std::string told = words::joined(name.empty() ? "an array" : name,
                                           " was allocated with 0 bytes at ", text(at));
    if (std::find(toldEmpty_.begin(), toldEmpty_.end(), told) == toldEmpty_.end())
        toldEmpty_.push_back(told);
}

void DeviceMemory::freeAll() {
    toldEmpty_.clear();
    for (const auto& allocation : allocations_) {
        if (allocation->live && !allocation->isVariable()) free(*allocation, {});
        if (allocation->isVariable() && allocation->stored)
            std::memset(allocation->stored, 0, storedMarks(allocation->bytes));
    }
}

// Adds one for a last word that is incomplete.
std::size_t DeviceMemory::storedMarks(std::size_t bytes) { return bytes / 4 + 1; }

Allocation* DeviceMemory::find(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at - base_ < bytes()) return atPage(at);
    for (Allocation* variable : variables_)
        if (at - variable->base < variable->bytes) return variable;
    return nullptr;
}

Allocation* DeviceMemory::variableAt(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    for (Allocation* variable : variables_)
        if (at - variable->base < variable->bytes ||
            (variable->hostCopy && at - variable->hostCopy < variable->bytes))
            return variable;
    return nullptr;
}

const Allocation* DeviceMemory::nearestBelow(std::uintptr_t address) const {
    const Allocation* nearest = nullptr;
    for (const auto& allocation : allocations_)
        if (!allocation->isVariable() && allocation->base <= address &&
            (!nearest || allocation->base > nearest->base))
            nearest = allocation.get();
    return nearest;
}

const Allocation* DeviceMemory::nextLive(std::uintptr_t address) const {
    const Allocation* next = nullptr;
    for (const auto& allocation : allocations_)
        if (!allocation->isVariable() && allocation->live && allocation->base > address &&
            (!next || allocation->base < next->base))
            next = allocation.get();
    return next;
}

void DeviceMemory::protect(int protection) const {
    if (nextDevice_ == base_) return;
    mprotect(reinterpret_cast<void*>(base_), nextDevice_ - base_, protection);
}

bool DeviceMemory::lend(std::uintptr_t address, std::size_t bytes) const {
    if (address - base_ >= deviceBytes_ - bytes) return false;
    if (address + bytes <= nextDevice_) return true;  // an Access object lends these
    const auto ofSystem = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = address / ofSystem * ofSystem;
    return mprotect(reinterpret_cast<void*>(first), address + bytes - first,
                    PROT_READ | PROT_WRITE) == 0;
}

DeviceMemory::Access::Access() {
    DeviceMemory& memory = instance();
    if (memory.accessDepth_++ > 0) return;
    memory.protect(PROT_READ | PROT_WRITE);
    ClosedPages::instance().lend();
}

DeviceMemory::Access::~Access() {
    DeviceMemory& memory = instance();
    if (--memory.accessDepth_ > 0) return;
    memory.protect(PROT_NONE);
    ClosedPages::instance().takeBack();
}

}  // namespace cusim
